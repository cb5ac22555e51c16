"""kill -9 while strangers play: what was acknowledged is there afterwards, once."""

import random
import signal
import threading
import time
import uuid

import pytest
import requests

from daemon import sanitized

PLAYERS = 8


class Player(threading.Thread):
    """Plays both seats of games of its own until the daemon is gone; remembers what was acknowledged."""

    def __init__(self, client_of, seed):
        super().__init__(daemon=True)
        self.client, self.random = client_of(), random.Random(seed)
        self.games = {}

    def run(self):
        try:
            while True:
                self.play_one()
        except requests.exceptions.RequestException:
            pass  # the daemon was killed

    def play_one(self):
        table = self.client.create("iuvo-2")
        acknowledged = self.games[table.id] = []
        for _ in range(12):
            if table.game["turn"] is None:
                return
            moves = table.get("/legal-moves").value["moves"]
            move = self.random.choice(moves)["move"]
            reply = table.play(move)
            assert reply.status_code == 201, reply.text
            acknowledged.append(move)


class Creator(threading.Thread):
    """Creates games, each with a key of its own, until the daemon is gone; remembers the answers that it read."""

    def __init__(self, client):
        super().__init__(daemon=True)
        self.client, self.keys, self.answers = client, [], {}

    def create(self, key):
        return self.client.post("/v1/games", json={"variant": "iuvo-2", "seats": [{"name": key}, {}]}, headers={"Idempotency-Key": key})

    def run(self):
        try:
            while True:
                self.keys.append(str(uuid.uuid4()))
                reply = self.create(self.keys[-1])
                assert reply.status_code == 201, reply.text
                self.answers[self.keys[-1]] = reply.content
        except requests.exceptions.RequestException:
            pass  # the daemon was killed


def test_each_call_with_a_key_is_done_once_over_kill_9(start, issued_tokens):
    """Killed before COMMIT, between COMMIT and answer, or after it: sent again, each is one game with one answer."""
    from client import Client

    daemon, _ = start()
    for turn in range(2 if sanitized() else 6):
        creators = [Creator(Client(daemon, issued_tokens)) for _ in range(PLAYERS)]
        for creator in creators:
            creator.start()
        time.sleep(0.05 + random.Random(turn).random() / 10)
        daemon.process.send_signal(signal.SIGKILL)
        daemon.process.wait()
        for creator in creators:
            creator.join(60)
            assert not creator.is_alive()
        daemon.start()
        for creator in creators:
            creator.client = Client(daemon, issued_tokens)
            for key in creator.keys[-20:]:
                reply = creator.create(key)
                assert reply.status_code == 201, reply.text
                if key in creator.answers:
                    assert reply.headers["Idempotency-Replayed"] == "true" and reply.content == creator.answers[key]
                assert len(creator.client.get(f"/v1/games?name={key}").value["games"]) == 1
    assert daemon.stop() == 0
    assert daemon.verify().returncode == 0


@pytest.mark.parametrize("seed", range(2 if sanitized() else 5))
def test_what_was_acknowledged_is_there_after_kill_9(start, issued_tokens, seed):
    from client import Client

    daemon, client = start()
    players = [Player(lambda: Client(daemon, issued_tokens), 100 * seed + n) for n in range(PLAYERS)]
    for player in players:
        player.start()
    until = time.monotonic() + 60
    while not any(any(player.games.copy().values()) for player in players) and time.monotonic() < until:
        time.sleep(0.02)
    time.sleep(0.3 + random.Random(seed).random())
    daemon.process.send_signal(signal.SIGKILL)
    daemon.process.wait()
    for player in players:
        player.join(60)
        assert not player.is_alive()
    assert sum(len(moves) for player in players for moves in player.games.values()) > 0

    daemon.start()
    client = Client(daemon, issued_tokens)
    for player in players:
        for game, acknowledged in player.games.items():
            stored = [move["move"] for move in client.get(f"/v1/games/{game}/moves").value["moves"]]
            # One more may have been stored whose answer the kill cut off.
            assert stored[:len(acknowledged)] == acknowledged
            assert len(stored) <= len(acknowledged) + 1
    assert daemon.stop() == 0
    result = daemon.verify()
    assert result.returncode == 0, result.stdout
