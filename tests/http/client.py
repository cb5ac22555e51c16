"""A client through which every reply of the suite passes, to be held against the contract."""

import http.client
import json
import socket

import requests

import pki
from contract import check_reply, contract

class Client(requests.Session):
    """requests, with paths in place of addresses.  `reply.value` is the body as check_reply read it."""

    def __init__(self, daemon, tokens):
        super().__init__()
        self.daemon, self.tokens = daemon, tokens
        self.trust_env = False
        self.verify = str(pki.root()) if daemon.tls else True

    def request(self, method, path, *arguments, token=None, **more):
        if token is not None:
            more["headers"] = {**(more.get("headers") or {}), "Authorization": f"Bearer {token}"}
        more.setdefault("timeout", 60)
        reply = super().request(method, self.url_of(path) + path, *arguments, allow_redirects=False, **more)
        target = reply.request.path_url
        reply.value = self._checked(method, target, reply.status_code, reply.raw.headers.items(), reply.content)
        return reply

    def url_of(self, target):
        """The listener where the contract has it: that of everybody, or the operator's."""
        return self.daemon.admin_url if contract.is_admin(target) else self.daemon.url

    def get(self, path, **more):
        return self.request("GET", path, **more)

    def _checked(self, method, target, status, headers, body):
        return check_reply(method, target, status, headers, body)

    def exact(self, method, target, headers=(), body=None):
        """Sends the target as it stands, which requests would tidy."""
        connection = http.client.HTTPConnection("127.0.0.1", self.daemon.port)
        connection.sock = self.daemon.connect(url=self.url_of(target))
        try:
            connection.putrequest(method, target, skip_accept_encoding=True)
            for name, value in headers:
                connection.putheader(name, value)
            if body is not None:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            return self._finish(connection.getresponse(), method, target)
        finally:
            connection.close()

    def raw(self, method, target, head, body=b""):
        """Sends bytes: `head` is the lines after the request line."""
        with self.daemon.connect(url=self.url_of(target)) as connection:
            connection.sendall(f"{method} {target} HTTP/1.1\r\n".encode() + head + b"\r\n" + body)
            response = http.client.HTTPResponse(connection, method=method)
            response.begin()
            return self._finish(response, method, target)

    def _finish(self, response, method, target):
        reply = Reply(response.status, dict(response.getheaders()), response.read())
        reply.value = self._checked(method, target, reply.status_code, response.getheaders(), reply.content)
        return reply

    # What tests do over and over.

    def register(self, name):
        """A player: {id, token, …}."""
        reply = self.post("/v1/players", json={"name": name})
        assert reply.status_code == 201, reply.text
        return reply.value

    def create(self, variant="iuvo-2", token=None, **more):
        reply = self.post("/v1/games", json={"variant": variant, **more}, token=token)
        assert reply.status_code == 201, reply.text
        return Table(self, reply.value)


class Plain:
    """A connection for very many calls of one kind, which are not held against the contract; in a fraction of the time."""

    def __init__(self, daemon):
        self.connection = http.client.HTTPConnection("127.0.0.1", daemon.port, timeout=60)
        self.connection.sock = daemon.connect()
        self.connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # a head and a body are sent one after the other

    def call(self, method, path, body=None):
        """(status, what the JSON of the answer says)"""
        self.connection.request(method, path, None if body is None else json.dumps(body), {} if body is None else {"Content-Type": "application/json"})
        reply = self.connection.getresponse()
        return reply.status, json.loads(reply.read())

    def get(self, path):
        return self.call("GET", path)[1]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()


class Reply:
    def __init__(self, status, headers, content):
        self.status_code, self.content = status, content
        self.headers = requests.structures.CaseInsensitiveDict(headers)

    def json(self):
        return json.loads(self.content)


class Table:
    """A game that a test has made, with the tokens of all its seats."""

    def __init__(self, client, game):
        self.client, self.game, self.id = client, game, game["id"]
        self.path = f"/v1/games/{self.id}"
        self.creator = game["creator_token"]
        self.tokens = {seat["seat"]: seat["token"] for seat in game["seats"] if "token" in seat}

    def get(self, rest="", **more):
        return self.client.get(self.path + rest, **more)

    def post(self, rest, **more):
        return self.client.post(self.path + rest, **more)

    def play(self, move, seat=None, headers=None, path="/moves", **body):
        """Posts a move for the seat to move, or for another."""
        token = self.tokens[seat if seat is not None else self.game["turn"]]
        reply = self.post(path, json={"move": move, **body}, token=token, headers=headers)
        if reply.status_code == 201:
            self.game = reply.value["game"]
        return reply

    def play_all(self, moves):
        for move in moves:
            reply = self.play(move)
            assert reply.status_code == 201, (move, reply.text)
        return self

    def take(self, seat, name=None, **more):
        """Takes an open seat, and keeps its token."""
        reply = self.post(f"/seats/{seat}", json={} if name is None else {"name": name}, **more)
        return self._hold(seat, reply)

    def rekey(self, seat, token, **more):
        """Replaces a seat's token, and keeps the new one."""
        return self._hold(seat, self.post(f"/seats/{seat}/token", token=token, **more))

    def _hold(self, seat, reply):
        if reply.status_code == 200:
            self.game, self.tokens[seat] = reply.value["game"], reply.value["token"]
        return reply

    def leave(self, seat, **more):
        return self.client.request("DELETE", f"{self.path}/seats/{seat}", **{"token": self.tokens.get(seat), **more})

    def withdraw(self, **more):
        return self.client.request("DELETE", self.path, **{"token": self.creator, **more})

    def offer(self, seat, kind, headers=None, name=None, token=None, **body):
        """Makes an offer by a seat; `name` is the body's `seat`."""
        body = {"kind": kind, **body, **({} if name is None else {"seat": name})}
        reply = self.post("/offers", json=body, token=token or self.tokens[seat], headers=headers)
        if reply.status_code == 201:
            self.game = reply.value["game"]
        return reply

    def answer(self, offer, seat, accept=True, headers=None, token=None, name=None):
        """Answers an offer (its id, or the reply that made it) by a seat; `name` is the body's `seat`."""
        body = {} if name is None else {"seat": name}
        return self._settle("PUT", offer, token or self.tokens[seat], headers, json={"accept": accept, **body})

    def withdraw_offer(self, offer, seat, headers=None):
        return self._settle("DELETE", offer, self.tokens[seat], headers)

    def _settle(self, method, offer, token, headers, **more):
        offer = offer if isinstance(offer, str) else offer.value["offer"]["id"]
        reply = self.client.request(method, f"{self.path}/offers/{offer}", token=token, headers=headers, **more)
        if reply.status_code == 200:
            self.game = reply.value
        return reply

    def events(self, **more):
        """The whole log; its numbers have no gap."""
        log = self.get("/events?limit=1000", **more).value
        assert [event["seq"] for event in log["events"]] == list(range(1, log["seq"] + 1)), log
        return log["events"]

    def resign(self, seat, **more):
        reply = self.post("/resignation", token=self.tokens[seat], **more)
        if reply.status_code == 200:
            self.game = reply.value
        return reply


def problem(reply, status, code):
    """Asserts that a reply is this problem, and returns it."""
    assert (reply.status_code, reply.value and reply.value.get("code")) == (status, code), reply.content[:1000]
    return reply.value
