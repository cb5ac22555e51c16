"""Readers, writers, those who watch, engines, questions to the engine, and the end of the service, all at the same moment."""

import http.client
import json
import random
import threading
import time

import pytest

from daemon import LONG
from load import Load

SEATS = [{"engine": {"level": 2}}, {"engine": {"level": 3}}]


class Caller(threading.Thread):
    """Asks for one thing after the other until the service is gone or stops."""

    def __init__(self, port, calls):
        super().__init__(daemon=True)
        self.port, self.calls, self.answered, self.error = port, calls, 0, None

    def run(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            while True:
                for method, path, body in self.calls:
                    connection.request(method, path, body and json.dumps(body), {"Content-Type": "application/json"} if body else {})
                    reply = connection.getresponse()
                    text = reply.read()
                    code = json.loads(text)["code"] if reply.status == 503 else None
                    if code == "stopping":
                        return
                    # A writer so busy that a probe takes longer than is waited for is not ready, by its word.
                    assert reply.status in (200, 304) or (path, code) == ("/readyz", "storage"), (method, path, reply.status, text)
                    self.answered += 1
        except (OSError, http.client.HTTPException):
            pass
        except BaseException as error:
            self.error = error
        finally:
            connection.close()


class Watcher(threading.Thread):
    """Reads a stream to its end, which is a whole one: with its last chunk."""

    def __init__(self, port, path, media):
        super().__init__(daemon=True)
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.connection.request("GET", path, headers={"Accept": media})
        self.reply, self.text, self.error = self.connection.getresponse(), b"", None
        assert self.reply.status == 200

    def run(self):
        try:
            self.text = self.reply.read()
        except BaseException as error:
            self.error = error
        finally:
            self.connection.close()


@pytest.mark.parametrize("seed", range(20 if LONG else 1))
def test_all_at_once(start, seed):
    daemon, client = start("game.db", "--engine-threads", "2", "--loops", "4", "--cache-bytes", "65536", "--admin-listen", "0")
    chance = random.Random(seed)
    engines = [client.create("halma-2", seats=SEATS) for _ in range(6)]
    paths = [table.path for table in engines]
    reads = [("GET", path + rest, None) for path in paths for rest in ("", "/moves", "/legal-moves", "/board.svg", "/events", "/record")]
    reads += [("GET", path, None) for path in ("/v1/games", "/v1/variants", "/healthz", "/readyz", "/v1/games?status=active")]
    questions = [("POST", "/v1/analysis", {"variant": "iuvo-2", "moves": []}), ("GET", f"{client.create('iuvo-2').path}/hint?level=2", None)]
    load = Load(chance, players=3)
    watchers = [Watcher(daemon.port, f"{path}/events", media) for path in paths for media in ("text/event-stream", "application/x-ndjson")]
    callers = [Caller(daemon.port, chance.sample(reads, len(reads))) for _ in range(3)] + [Caller(daemon.port, questions)]
    admin = int(daemon.admin_url.rsplit(":", 1)[1])
    callers += [Caller(admin, [("GET", "/metrics", None), ("GET", "/readyz", None)]) for _ in range(2)]
    for thread in [*watchers, *callers]:
        thread.start()
    load.begin(daemon.port)
    time.sleep(0.5 + chance.random())
    assert daemon.stop() == 0, daemon.log()[-4000:]  # a sanitizer that has found something ends it otherwise
    load.wait()
    for thread in [*watchers, *callers]:
        thread.join(60)
        assert not thread.is_alive() and thread.error is None, thread.error
    assert load.acknowledged > 0 and all(caller.answered for caller in callers)
    assert all(b"move_played" in watcher.text for watcher in watchers)
    assert "Sanitizer" not in daemon.log()
    verified = daemon.verify()
    assert verified.returncode == 0, verified.stdout
    daemon.start()
    load.check(daemon.port)
    assert daemon.stop() == 0
