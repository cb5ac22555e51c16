"""Clients that play while the service is being killed, and know exactly what was acknowledged to them."""

import http.client
import json
import threading
import uuid

# What happens to a game in a call of each kind, as its log tells.
EVENTS = {"create": ["game_created", "game_started"], "move": ["move_played"], "offer": ["offer_made"],
          "decline": ["offer_answered"], "accept": ["offer_answered", "takeback_done"], "withdraw": ["offer_answered"],
          "resign": ["seat_out", "game_finished"]}
MOVES_MOST = 30


class Gone(Exception):
    """The service does not answer any more: it was killed, or stops."""


class Op:
    """A call that changes something, as it can be sent again."""

    def __init__(self, kind, method, path, body=None, token=None, key=None, done=201):
        self.kind, self.method, self.path, self.body, self.token, self.key, self.done = kind, method, path, body, token, key, done

    def may_be_repeated(self):
        """By its key, or a move by itself: nobody else plays in that game, so that it is the last one if it was played."""
        return self.key is not None or self.kind == "move"


class Game:
    """A game as its player knows it from the last answer that he read."""

    def __init__(self, document):
        self.id, self.tokens = document["id"], {seat["seat"]: seat["token"] for seat in document["seats"]}
        self.path, self.moves, self.events = f"/v1/games/{self.id}", [], []
        self.take(document, EVENTS["create"])

    def take(self, document, events):
        self.document, self.events = document, self.events + events
        self.seq, self.ply, self.turn = document["seq"], document["ply"], document["turn"]
        self.offers = document.get("offers", [])
        assert self.seq == len(self.events) or document["status"] == "finished", (document, self.events)


def essence(document):
    return {name: document[name] for name in ("id", "status", "seq", "ply", "turn", "position", "outcome", "updated_at")} | {
        "offers": [offer["id"] for offer in document["offers"]]}


class Player(threading.Thread):
    """Plays both seats of games of his own until the service is gone."""

    def __init__(self, port, random, games=()):
        super().__init__(daemon=True)
        self.port, self.random, self.games = port, random, list(games)
        self.connection, self.pending, self.error, self.acknowledged = None, None, None, 0
        self.refused = False  # the last call was told that the service stops

    def run(self):
        try:
            while True:
                self.do(self.choose())
        except Gone:
            pass
        except BaseException as error:
            self.error = error
        finally:
            self.hang_up()

    # ---- talking ----

    def hang_up(self):
        if self.connection is not None:
            self.connection.close()
        self.connection = None

    def call(self, method, path, body=None, token=None, key=None):
        """(status, headers, value); a connection lasts as long as it does."""
        headers = {"Content-Type": "application/json"} if body is not None else {}
        headers |= {"Authorization": f"Bearer {token}"} if token else {}
        headers |= {"Idempotency-Key": key} if key else {}
        try:
            if self.connection is None:
                self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
            self.connection.request(method, path, None if body is None else json.dumps(body), headers)
            reply = self.connection.getresponse()
            text = reply.read()
            # http.client takes a head that breaks off for a whole one.
            if "Content-Length" not in reply.headers or len(text) < int(reply.headers["Content-Length"]):
                raise http.client.IncompleteRead(text)
        except (OSError, http.client.HTTPException) as error:
            self.hang_up()
            raise Gone from error
        value = json.loads(text)
        if reply.status == 503 and value["code"] == "stopping":
            self.refused = True
            raise Gone
        return reply.status, reply.headers, value

    def get(self, path, token=None):
        status, _, value = self.call("GET", path, token=token)
        assert status == 200, (path, status, value)
        return value

    # ---- playing ----

    def key(self):
        return str(uuid.UUID(int=self.random.getrandbits(128))) if self.random.random() < 0.5 else None

    def choose(self):
        game = self.games[-1] if self.games else None
        if game is None or game.turn is None or game.ply >= MOVES_MOST:
            name = str(uuid.UUID(int=self.random.getrandbits(128)))
            return Op("create", "POST", "/v1/games", {"variant": "iuvo-2", "seats": [{"name": name}, {}]}, key=self.key())
        if game.offers:
            return self.settle(game, game.offers[0])
        chance = self.random.random()
        if chance < 0.15 and game.ply > 0:
            kind = {"kind": "takeback", "ply": game.ply - 1} if chance < 0.1 else {"kind": "draw"}
            return Op("offer", "POST", f"{game.path}/offers", kind, game.tokens[3 - game.turn], self.key())
        if chance > 0.97:
            return Op("resign", "POST", f"{game.path}/resignation", {}, game.tokens[1], self.key(), done=200)
        moves = self.get(f"{game.path}/legal-moves")["moves"]
        body = {"move": self.random.choice(moves)["move"]} | ({"expected_ply": game.ply} if self.random.random() < 0.5 else {})
        return Op("move", "POST", f"{game.path}/moves", body, game.tokens[game.turn], self.key())

    def settle(self, game, offer):
        path, asked = f"{game.path}/offers/{offer['id']}", 3 - offer["seat"]
        if self.random.random() < 0.2:
            return Op("withdraw", "DELETE", path, None, game.tokens[offer["seat"]], self.key(), done=200)
        accept = offer["kind"] == "takeback" and self.random.random() < 0.7
        return Op("accept" if accept else "decline", "PUT", path, {"accept": accept}, game.tokens[asked], self.key(), done=200)

    def do(self, op):
        self.pending = op
        status, headers, value = self.call(op.method, op.path, op.body, op.token, op.key)
        assert status == op.done, (op.kind, op.body, status, value)
        assert "Idempotency-Replayed" not in headers
        self.take(op, value)

    def take(self, op, value):
        """What was acknowledged is written down."""
        self.pending, self.acknowledged = None, self.acknowledged + 1
        if op.kind == "create":
            self.games.append(Game(value))
            return
        game = self.games[-1]
        if op.kind == "move":
            game.moves.append(op.body["move"])
        elif op.kind == "accept":
            game.moves.pop()
        game.take(value if op.kind in ("accept", "decline", "withdraw", "resign") else value["game"], EVENTS[op.kind])

    # ---- afterwards ----

    def check(self):
        """All that was acknowledged stands, once; what was not is done once when it is sent again."""
        hanging = self.pending
        for game in self.games if hanging is None or hanging.kind == "create" else self.games[:-1]:
            self.check_game(game)
        if hanging is not None:
            self.check_hanging(hanging)
        if self.games:
            self.check_game(self.games[-1])
        self.pending = None
        self.hang_up()

    def log(self, game):
        log = self.get(f"{game.path}/events?limit=1000")
        assert [event["seq"] for event in log["events"]] == list(range(1, log["seq"] + 1)), log
        # An offer is told to its seats only.
        return [event["type"] for event in self.get(f"{game.path}/events?limit=1000", game.tokens[1])["events"]]

    def check_game(self, game):
        stands = self.get(game.path, game.tokens[1])
        assert essence(stands) == essence(game.document), (stands, game.document)
        moves = self.get(f"{game.path}/moves")["moves"]
        assert [move["move"] for move in moves] == game.moves
        assert [move["ply"] for move in moves] == list(range(1, len(moves) + 1))
        log = self.log(game)
        assert log == game.events or game.turn is None and log[:len(game.events)] == game.events, (log, game.events)

    def check_hanging(self, op):
        if op.kind == "create":
            self.check_hanging_creation(op)
            return
        game = self.games[-1]
        log = self.log(game)
        new = log[len(game.events):]
        assert log[:len(game.events)] == game.events, (log, game.events)
        done, more = EVENTS[op.kind], new[len(EVENTS[op.kind]):]
        assert new == [] or not self.refused and new[:len(done)] == done and set(more) <= {"seat_out", "game_finished"}, (op.kind, new)
        if op.may_be_repeated():
            status, headers, value = self.call(op.method, op.path, op.body, op.token, op.key)
            assert status == (200 if op.key is None and new else op.done), (op.kind, new, status, value)
            assert (headers.get("Idempotency-Replayed") == "true") == (op.key is not None and bool(new))
            self.take(op, value)
        else:
            # Nothing tells whether it was done but the game itself.
            self.forget(game)

    def check_hanging_creation(self, op):
        if op.key is not None:
            status, _, value = self.call(op.method, op.path, op.body, None, op.key)
            assert status == 201, value
            self.take(op, value)
        name = op.body["seats"][0]["name"]
        found = [game["id"] for game in self.get(f"/v1/games?name={name}")["games"]]
        assert found == [self.games[-1].id] if op.key is not None else len(found) <= 1, found

    def forget(self, game):
        self.games.remove(game)


class Load:
    """Several players, from one life of the service to the next."""

    def __init__(self, random, players=4):
        self.random, self.players, self.count, self.acknowledged = random, [], players, 0

    def begin(self, port):
        games = [player.games[-2:] for player in self.players] or [[]] * self.count
        self.players = [Player(port, self.random.__class__(self.random.random()), kept) for kept in games]
        for player in self.players:
            player.start()

    def wait(self):
        """Until the service is gone."""
        for player in self.players:
            player.join(60)
            assert not player.is_alive()
            if player.error is not None:
                raise player.error
            self.acknowledged += player.acknowledged

    def check(self, port):
        for player in self.players:
            player.port = port
            player.check()
