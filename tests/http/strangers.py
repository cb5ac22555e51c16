#!/usr/bin/python3
"""Strangers who play whole games against a real iuvod, many at once, while others read and list.

    tests/http/strangers.py --games 400 --seconds 40 --iuvod build/iuvod

It starts the daemon on a file of its own, lets every game be played to its end
(or as far as the time goes), stops it, starts it on the same file, and compares
everything that is there with what the strangers were told.
"""

import argparse
import collections
import dataclasses
import http.client
import json
import pathlib
import random
import sys
import tempfile
import threading
import time

VARIANTS = ["iuvo-2", "iuvo-4", "halma-2", "iuvo-2-loose", "iuvo-4-loose"]


class Wire:
    """One kept-alive connection, used by one thread."""

    def __init__(self, port):
        self.port, self.connection = port, None
        self.count = collections.Counter()

    def call(self, method, path, body=None, token=None, headers=()):
        sent = dict(headers)
        if body is not None:
            sent["Content-Type"], body = "application/json", json.dumps(body)
        if token:
            sent["Authorization"] = f"Bearer {token}"
        if self.connection is None:
            self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        self.connection.request(method, path, body, sent)
        response = self.connection.getresponse()
        data = response.read()
        self.count[response.status] += 1
        if response.status >= 500:
            raise AssertionError(f"{method} {path}: {response.status} {data[:300]!r}")
        value = json.loads(data) if "json" in response.headers.get("Content-Type", "") else data
        return response.status, value, response.headers

    def close(self):
        if self.connection:
            self.connection.close()


@dataclasses.dataclass
class Match:
    """A game as the strangers know it: only from what they were answered."""

    id: str
    variant: str
    tokens: dict
    positions: list
    moves: list
    endings: list
    turn: int
    position: str
    outcome: dict = None
    tags: dict = dataclasses.field(default_factory=dict)

    @property
    def path(self):
        return f"/v1/games/{self.id}"


def create(wire, variant, number):
    count = 4 if "-4" in variant else 2
    status, game, _ = wire.call("POST", "/v1/games", {"variant": variant, "seats": [{"name": f"Stranger {number}.{seat}"} for seat in range(count)]})
    assert status == 201, game
    return Match(game["id"], variant, {seat["seat"]: seat["token"] for seat in game["seats"]}, [game["position"]], [], [], game["turn"], game["position"])


def choose(moves, variant, chance):
    """Any move; in Halma mostly one that goes on, so that games get somewhere."""
    if variant == "halma-2" and chance.random() < 0.5:
        return max(chance.sample(moves, min(6, len(moves))), key=lambda move: len(move["path"]))["move"]
    captures = [move for move in moves if move["captures"]]
    return chance.choice(captures or moves)["move"]


def take_turn(wire, match, chance, resign_after):
    """One stranger's turn: looks whether it is his, chooses, plays; now and then he errs, repeats himself or gives up."""
    seat = match.turn
    token = match.tokens[seat]
    tag = match.tags.get(seat)
    status, game, headers = wire.call("GET", match.path, token=token, headers={"If-None-Match": tag} if tag else {})
    match.tags[seat] = headers["ETag"]
    assert status == 304 or game["turn"] == seat, (match.id, seat, status)
    if len(match.moves) >= resign_after:
        return give_up(wire, match, seat)
    status, legal, _ = wire.call("GET", f"{match.path}/legal-moves")
    assert legal["turn"] == seat and legal["ply"] == len(match.moves)
    move = choose(legal["moves"], match.variant, chance)
    err(wire, match, chance, move)
    body = {"move": move, "expected_ply": len(match.moves)}
    status, result, _ = wire.call("POST", f"{match.path}/moves", body, token)
    assert status == 201, (match.id, move, result)
    if chance.random() < 0.1:
        status, again, _ = wire.call("POST", f"{match.path}/moves", body, token)
        assert status == 200 and again == result, (match.id, again)
    note(match, result["game"])
    match.moves.append(result["move"]["move"])
    match.positions.append(result["game"]["position"])


def err(wire, match, chance, move):
    """What strangers get wrong; nothing of it may leave a trace."""
    if chance.random() > 0.1:
        return
    seat = match.turn
    other = next(other for other in match.tokens if other != seat)
    wrong = chance.choice([({"move": move}, match.tokens[other], (409,)), ({"move": "a1-a1"}, match.tokens[seat], (409,)), ({"move": "?"}, match.tokens[seat], (400,)),
                           ({"move": move}, None, (401,)), ({"move": move, "expected_ply": len(match.moves) + 1}, match.tokens[seat], (412,))])
    status, answer, _ = wire.call("POST", f"{match.path}/moves", wrong[0], wrong[1])
    assert status in wrong[2] or (status == 200 and match.moves and answer["move"]["move"] == match.moves[-1]), (status, answer)


def give_up(wire, match, seat):
    status, game, _ = wire.call("POST", f"{match.path}/resignation", token=match.tokens[seat])
    assert status == 200, game
    match.endings.append({"ply": len(match.moves), "seat": seat, "reason": "resigned"})
    note(match, game)


def note(match, game):
    match.turn, match.outcome, match.position = game["turn"], game["outcome"], game["position"]


class Hall:
    """All games at once: player threads take turns from a common pile, readers look on."""

    def __init__(self, port, games, seconds, players, readers, max_plies, seed):
        self.port, self.seed, self.seconds, self.max_plies = port, seed, seconds, max_plies
        self.matches, self.faults = [], []
        self.pile = collections.deque()
        self.count = collections.Counter()
        self.lock = threading.Lock()
        self.ending = threading.Event()
        self.numbers = iter(range(games))
        self.threads = [threading.Thread(target=self._guard, args=(self._play, number)) for number in range(players)]
        self.readers = [threading.Thread(target=self._guard, args=(self._read, players + number)) for number in range(readers)]

    def run(self):
        self.deadline = time.monotonic() + self.seconds
        for thread in self.threads + self.readers:
            thread.start()
        for thread in self.threads:
            thread.join()
        self.ending.set()
        for thread in self.readers:
            thread.join()
        if self.faults:
            raise self.faults[0]
        return self.matches

    def _guard(self, body, number):
        wire = Wire(self.port)
        try:
            body(wire, random.Random(self.seed * 1000 + number))
        except BaseException as fault:  # noqa: BLE001 (carried to the main thread)
            self.faults.append(fault)
        finally:
            self.count.update(wire.count)
            wire.close()

    def _play(self, wire, chance):
        """Creates its share of the games first, so that all stand open at once; then plays one turn in one of them at a time."""
        while True:
            with self.lock:
                number = next(self.numbers, None)
            if number is None:
                break
            match = create(wire, VARIANTS[number % len(VARIANTS)], number)
            match.patience = chance.randint(self.max_plies // 3, self.max_plies)
            with self.lock:
                self.matches.append(match)
                self.pile.append(match)
        while not self.faults and time.monotonic() < self.deadline:
            with self.lock:
                match = self.pile.popleft() if self.pile else None
            if match is None:
                return
            take_turn(wire, match, chance, match.patience)
            if match.outcome is None:
                with self.lock:
                    self.pile.append(match)

    def _read(self, wire, chance):
        """Looks on: lists, games, boards, records, positions."""
        while not self.ending.is_set() and not self.faults:
            status, page, _ = wire.call("GET", "/v1/games?limit=" + str(chance.randint(1, 50)))
            assert status == 200
            for _ in range(3):
                if page["next"]:
                    status, page, _ = wire.call("GET", page["next"])
                    assert status == 200
            for game in page["games"][:5]:
                for rest in ("", "/moves", "/record", "/board.txt", "/board.svg", "/positions/0", f"/positions/{game['ply']}"):
                    status, answer, _ = wire.call("GET", f"/v1/games/{game['id']}{rest}")
                    assert status == 200, (rest, answer)
            time.sleep(0.02)


def compare(port, matches, stride):
    """Every game as it is read back must be the one that was played."""
    wire = Wire(port)
    for match in matches:
        _, game, _ = wire.call("GET", match.path)
        assert (game["position"], game["turn"], game["outcome"], game["ply"]) == (match.position, match.turn, match.outcome, len(match.moves)), match.id
        _, played, _ = wire.call("GET", f"{match.path}/moves")
        assert [move["move"] for move in played["moves"]] == match.moves, match.id
        for ply in sorted({*range(0, len(match.moves), stride), len(match.moves)}):
            _, at, _ = wire.call("GET", f"{match.path}/positions/{ply}")
            assert at["position"] == match.positions[ply], (match.id, ply)
        _, record, _ = wire.call("GET", f"{match.path}/record")
        assert (record["moves"], record["endings"], record["outcome"]) == (match.moves, match.endings, match.outcome), match.id
    wire.close()


def replay(port, matches):
    """Imports the records of these games: the rules must lead to the same end."""
    wire = Wire(port)
    for match in matches:
        _, record, _ = wire.call("GET", f"{match.path}/record")
        status, game, _ = wire.call("POST", "/v1/records", record)
        assert status == 201 and game["position"] == match.position and game["outcome"] == match.outcome, (match.id, game)
    wire.close()


def play(daemon, games, seconds, players=16, readers=2, max_plies=60, seed=1, stride=1, say=lambda text: None):
    """All of it on a daemon that has been started; returns the games played."""
    began = time.monotonic()
    hall = Hall(daemon.port, games, seconds, players, readers, max_plies, seed)
    matches = hall.run()
    plies = sum(len(match.moves) for match in matches)
    say(f"{len(matches)} games, {plies} plies, {sum(match.outcome is not None for match in matches)} finished, {sum(hall.count.values())} requests in {time.monotonic() - began:.1f} s")
    assert daemon.stop() == 0, "it did not end well"
    result = daemon.verify()
    assert result.returncode == 0, result.stdout + result.stderr
    daemon.start()
    compare(daemon.port, matches, stride)
    replay(daemon.port, matches)
    assert daemon.stop() == 0
    result = daemon.verify()
    assert result.returncode == 0, result.stdout + result.stderr
    say(f"read back, replayed and verified after {time.monotonic() - began:.1f} s")
    return matches


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seconds", type=float, default=60, help="after which the games that are left are broken off")
    parser.add_argument("--players", type=int, default=16, help="threads that take turns")
    parser.add_argument("--readers", type=int, default=2)
    parser.add_argument("--max-plies", type=int, default=60, help="after which somebody gives up")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--stride", type=int, default=1, help="every how many plies a position is read back")
    parser.add_argument("--iuvod", help="the binary; else $IUVOD")
    parser.add_argument("--database", help="a file that stays; else a temporary one")
    options = parser.parse_args()
    import daemon as daemons
    if options.iuvod:
        daemons.BINARY = options.iuvod
    with tempfile.TemporaryDirectory() as folder:
        database = options.database or pathlib.Path(folder) / "strangers.db"
        with daemons.Daemon(database) as daemon:
            play(daemon, options.games, options.seconds, options.players, options.readers, options.max_plies, options.seed, options.stride, print)


if __name__ == "__main__":
    sys.exit(main())
