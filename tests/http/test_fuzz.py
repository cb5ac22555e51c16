"""Requests made up from the contract, many on one connection, in pieces and in chunks: each gets its own answer, and the connection stays in step.

Made-up single requests stand in test_random.py.  IUVOD_LONG tries a hundred times as many.
"""

import json
import os
from urllib.parse import urlencode

from hypothesis import given, settings
from hypothesis import strategies as st

from contract import check_reply, contract
from test_headers import fill
from test_random import from_schema, headers, query

TRIES = settings(max_examples=6000 if os.environ.get("IUVOD_LONG") else 60)


class Stream:
    """Replies off a socket, one behind the other, to the byte."""

    def __init__(self, daemon):
        self.socket = daemon.connect()
        self.file = self.socket.makefile("rb")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()
        self.socket.close()

    def reply(self, method):
        """(status, headers, body), or None where the connection has ended."""
        line = self.file.readline()
        if not line:
            return None
        assert line.startswith(b"HTTP/1.1 "), line
        pairs = [tuple(line.decode("latin-1").rstrip("\r\n").split(": ", 1)) for line in iter(self.file.readline, b"\r\n")]
        held = {name.lower(): value for name, value in pairs}
        status, body = int(line.split()[1]), b""
        if method != "HEAD" and status not in (204, 304):
            if held.get("transfer-encoding") == "chunked":
                while size := int(self.file.readline(), 16):
                    body += self.file.read(size + 2)[:-2]
                self.file.readline()
            else:
                body = self.file.read(int(held["content-length"]))
        return status, pairs, body


def framed(body, cuts):
    """A body by its length, or in chunks cut at these places."""
    if cuts is None:
        return [f"Content-Length: {len(body)}"], body
    places = [0, *sorted(cut % (len(body) + 1) for cut in cuts), len(body)]
    parts = [body[a:b] for a, b in zip(places, places[1:]) if b > a]
    return ["Transfer-Encoding: chunked"], b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


@st.composite
def requests(draw, table):
    """(method, target, bytes) of a request by the contract, more or less."""
    operation = draw(st.sampled_from([operation for operation in contract.operations if not operation.admin]))
    method = draw(st.sampled_from([operation.method] * 6 + ["HEAD", "OPTIONS", "PUT", "BREW"]))
    # A stream has no end.
    parameters = [(name, str(value)) for name, value in draw(query(operation)) if name != "format"]
    target = fill(operation.path, table) + ("?" + urlencode(parameters, errors="replace") if parameters else "")
    extra = {name: value for name, value in draw(headers()).items() if name != "Prefer" and "stream" not in value and "ndjson" not in value and "\0" not in value}
    lines = [f"{name}: {value}" for name, value in extra.items() if all(" " <= c <= "~" for c in value)]
    if (seat := draw(st.sampled_from([None, 1, 2]))) and "Authorization" not in extra:
        lines.append(f"Authorization: Bearer {table.tokens[seat]}")
    body = b""
    if operation.body and method == operation.method:
        if "Content-Type" not in extra:
            lines.append("Content-Type: application/json")
        body = json.dumps(draw(from_schema(operation.body["application/json"]["schema"]))).encode()
        body = draw(st.sampled_from([body, body, body[:-1], b" " * 20000]))
        more, body = framed(body, draw(st.one_of(st.none(), st.lists(st.integers(0, 500), max_size=4))))
        lines += more
    return method, target, "\r\n".join([f"{method} {target} HTTP/1.1", "Host: localhost", *lines]).encode() + b"\r\n\r\n" + body


@TRIES
@given(st.data())
def test_each_request_on_a_connection_has_its_answer(client, daemon, data):
    table = client.create()
    sent = data.draw(st.lists(requests(table), min_size=1, max_size=6))
    at_once = data.draw(st.booleans())
    with Stream(daemon) as stream:
        if at_once:
            stream.socket.sendall(b"".join(bytes_ for _, _, bytes_ in sent))
        for method, target, bytes_ in sent:
            if not at_once:
                stream.socket.sendall(bytes_)
            reply = stream.reply(method)
            assert reply is not None, f"no answer to {method} {target}"
            status, pairs, body = reply
            assert status < 500
            check_reply(method, target, status, pairs, body)
            if ("Connection", "close") in pairs:
                assert stream.file.read() == b""
                return
        # Nothing is left over, and the next is heard.
        stream.socket.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        status, _, _ = stream.reply("GET")
        assert status == 200 and stream.file.read() == b""
