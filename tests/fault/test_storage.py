"""
A file system that fails the n-th read, write, sync, open …, for each n of a session: each call gets what it would
have got or 503, a refused one has changed nothing, and it is done when the fault is gone, without a restart.
"""

import errno
import os
import subprocess
import time
import uuid

import pytest
import requests

from client import Client
from daemon import BINARY, BUILD, Daemon, LONG, sanitized
from patience import until_ready
from shim import Shim

PATIENCE = 10
FOREVER = 1 << 30
# kind, errno, bytes that get through; how many n apart in the short form.
FAULTS = {
    "write fails": ("write", errno.EIO, 0, 29),
    "disk full": ("write", errno.ENOSPC, 0, 37),
    "disk full in a page": ("write", errno.ENOSPC, 100, 41),
    "sync fails": ("sync", errno.EIO, 0, 5),
    "read fails": ("read", errno.EIO, 0, 13),
    "open fails": ("open", errno.EMFILE, 0, 1),
    "no index": ("map", errno.ENOMEM, 0, 1),
    "no end": ("truncate", errno.EIO, 0, 1),
    "name stays": ("name", errno.EIO, 0, 1),
}


def create(session):
    session.game = session.change("POST", "/v1/games", {"variant": "iuvo-2", "seats": [{"name": "Ada"}, {"open": True}]}, 201)
    session.path = f"/v1/games/{session.game['id']}"
    session.ada = session.game["seats"][0]["token"]


def take(session):
    session.ben = session.change("POST", f"{session.path}/seats/2", {"name": "Ben"}, 200)["token"]


def play(token, move):
    return lambda session: session.change("POST", f"{session.path}/moves", {"move": move}, 201, getattr(session, token))


def offer(session):
    session.offer = session.change("POST", f"{session.path}/offers", {"kind": "takeback", "ply": 2}, 201, session.ada)["offer"]["id"]


def accept(session):
    session.change("PUT", f"{session.path}/offers/{session.offer}", {"accept": True}, 200, session.ben)


def rekey(session):
    session.ada = session.change("POST", f"{session.path}/seats/1/token", {}, 200, session.ada)["token"]


def resign(session):
    session.change("POST", f"{session.path}/resignation", {}, 200, session.ben)


def copy(session):
    record = session.look(f"{session.path}/record")
    session.change("POST", "/v1/records", record, 201)


def look(rest):
    return lambda session: session.look(session.path + rest)


SCRIPT = [create, take, play("ada", "a1-b3"), look("/legal-moves"), play("ben", "a7-b5"), play("ada", "c1-d3"), offer,
          look("/events"), accept, look("/moves"), rekey, look(""), copy, resign, look("/record")]


class Session:
    """One run of the script while something may fail at any moment."""

    def __init__(self, client, shim):
        self.client, self.shim, self.refused, self.path = client, shim, 0, None

    def run(self, lasting):
        """Lasting: until a call was refused, a moment longer, and then it is mended."""
        self.lasting = lasting
        for step in SCRIPT:
            step(self)

    def look(self, path, token=None):
        return self.until_done("GET", path, None, 200, token)

    def change(self, method, path, body, done, token=None):
        return self.until_done(method, path, body, done, token)

    def stands(self):
        """The game as its holder sees it; what fails is left alone meanwhile."""
        if self.path is None:
            return None
        paused = self.shim.pause()
        reply = self.client.get(self.path, token=getattr(self, "ben", None))
        log = self.client.get(f"{self.path}/events?limit=1000")
        assert (reply.status_code, log.status_code) == (200, 200), (reply.text, log.text)
        self.shim.go_on(paused)
        return reply.value, log.value["events"]

    def until_done(self, method, path, body, done, token):
        before = self.stands() if method != "GET" else None
        deadline = time.monotonic() + PATIENCE
        while True:
            reply = self.client.request(method, path, json=body, token=token)
            if reply.status_code == done:
                return reply.value
            assert reply.status_code == 503 and reply.value["code"] == "storage" and "Retry-After" in reply.headers, (method, path, reply.text)
            self.refused += 1
            if self.lasting:
                self.shim.off()
            assert before is None or self.stands() == before
            assert time.monotonic() < deadline, reply.text


@pytest.fixture
def service(tmp_path, issued_tokens):
    if sanitized():
        pytest.skip("the sanitizers have an allocator of their own")
    shim = Shim(tmp_path, BUILD)
    daemon = Daemon(tmp_path / "game.db", "--cache-bytes", "0")
    daemon.environment = {**os.environ, **shim.environment}
    with daemon:
        yield daemon, Client(daemon, issued_tokens), shim


@pytest.mark.parametrize("lasting", [False, True], ids=["once", "from then on"])
@pytest.mark.parametrize("fault", FAULTS)
def test_each_nth_call_of_a_session(service, fault, lasting):
    daemon, client, shim = service
    kind, error, before, every = FAULTS[fault]
    counter, refused = getattr(shim, kind), 0
    for n in range(0, 1000, 1 if LONG else every):
        session = Session(client, shim)
        counter.fail(n, times=FOREVER if lasting else 1, error=error, before=before)
        session.run(lasting)
        reached = counter.failed
        shim.off()
        refused += session.refused
        until_ready(client)
        if not reached:
            break
    else:
        raise AssertionError("the session has no end")
    assert refused > 0 or kind not in ("write", "sync", "read")
    assert daemon.stop() == 0
    verified = daemon.verify()
    assert verified.returncode == 0, verified.stdout + verified.stderr


class StarvedSession(Session):
    """The same without memory: the library may close a connection then, and one that it does not accept waits."""

    def until_done(self, method, path, body, done, token):
        before, key = (self.stands(), str(uuid.uuid4())) if method != "GET" else (None, None)
        for _ in range(20):
            try:
                reply = self.client.request(method, path, json=body, token=token, timeout=0.5 if self.lasting else 60,
                                            headers={"Idempotency-Key": key} if key else None)
            except requests.exceptions.RequestException:
                self.mend()
                continue  # nobody knows whether it was done; by its key it is done once
            if reply.status_code == done:
                return reply.value
            assert reply.status_code == 503 and reply.value["code"] in ("storage", "out-of-memory"), (method, path, reply.text)
            self.mend()
            assert before is None or self.stands() == before
        raise AssertionError(f"{method} {path} is not done")

    def mend(self):
        self.refused += 1
        if self.lasting:
            self.shim.off()


@pytest.mark.parametrize("lasting", [False, True], ids=["once", "from then on"])
def test_each_nth_allocation_of_a_session(service, lasting):
    daemon, client, shim = service
    shim.memory.count()
    Session(client, shim).run(lasting)
    reached, refused = shim.memory.counted(), 0
    for n in range(0, reached, 1 if LONG else max(reached // 12, 1)):
        session = StarvedSession(client, shim)
        shim.memory.fail(n, times=FOREVER if lasting else 1)
        session.run(lasting)
        shim.off()
        refused += session.refused
        assert daemon.running()
        until_ready(client)
    assert refused > 0
    assert daemon.stop() == 0
    verified = daemon.verify()
    assert verified.returncode == 0, verified.stdout + verified.stderr


def start_and_stop(database, shim, counter):
    """(status, whether it came to serve, what it said, calls counted) of a start; the shim is switched off when it serves."""
    process = subprocess.Popen([BINARY, "serve", "--database", str(database), "--listen", "127.0.0.1:0", "--admin-listen", "0"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **shim.environment})
    serves = process.stdout.readline() != ""
    counted = counter.counted()
    shim.off()
    if serves:
        process.terminate()
    _, said = process.communicate(timeout=60)
    return process.returncode, serves, said, counted


def chosen(kind, reached, every):
    """Which n are tried.  Of the many allocations that prepare one statement after the other some, of the others each."""
    if kind != "memory":
        return range(0, reached, 1 if LONG else every)
    ends = [*range(0, 8), *range(8, 1000, 1 if LONG else 200), *range(reached - 1000, reached, 1 if LONG else 100)]
    return [*ends, *range(1000, reached - 1000, 41 if LONG else 9001)]


@pytest.mark.parametrize("kind,every", [("read", 13), ("write", 29), ("sync", 4), ("open", 7), ("map", 1), ("truncate", 1), ("name", 1), ("memory", 0)])
@pytest.mark.parametrize("fresh", [True, False], ids=["new file", "file with games"])
def test_each_nth_call_of_a_start(tmp_path, issued_tokens, kind, every, fresh):
    """From then on all fail: it ends with a line, or serves; the next start is as if nothing had been."""
    if sanitized():
        pytest.skip("the sanitizers have an allocator of their own")
    shim, plain = Shim(tmp_path, BUILD), Daemon(tmp_path / "game.db")

    def prepare():
        for path in tmp_path.glob("game.db*") if fresh else ():
            path.unlink()

    if not fresh:
        with plain:
            table = Client(plain, issued_tokens).create("iuvo-2").play_all(["a1-b3"])
            plain.kill()  # with a WAL
    counter = getattr(shim, kind)
    counter.count()
    status, serves, said, reached = start_and_stop(plain.database, shim, counter)
    assert status == 0 and serves, said
    for n in chosen(kind, reached, every):
        prepare()
        counter.fail(n, times=FOREVER)
        status, serves, said, _ = start_and_stop(plain.database, shim, counter)
        assert status == 0 if serves else status in (1, 2), (n, status, said)
        assert serves or any(len(line) > 20 for line in said.splitlines() if line.startswith("iuvod: ")), (n, said)
    prepare()
    with plain:
        client = Client(plain, issued_tokens)
        until_ready(client)
        if not fresh:
            assert client.get(table.path).value["ply"] == 1
        assert plain.stop() == 0
    assert plain.verify().returncode == 0
