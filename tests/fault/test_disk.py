"""A disk that is full or fails, at the n-th write or sync: 503, the game as it was, and service goes on afterwards."""

import errno
import os
import resource

import pytest

from client import problem
from patience import eventually, until_ready
from scrape import scrape


def state(table):
    return table.get().value["ply"], [move["move"] for move in table.get("/moves").value["moves"]]


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EIO], ids=["full", "broken"])
def test_the_nth_write_fails(shimmed, error):
    daemon, client, shim = shimmed
    table = client.create("iuvo-2")
    refused = 0
    for n in range(12):
        move = table.get("/legal-moves").value["moves"][0]["move"]
        before = state(table)
        shim.write.fail(n, times=1000, error=error)
        reply = table.play(move)
        failed = shim.write.failed
        shim.off()
        if reply.status_code == 503:
            refused += 1
            problem(reply, 503, "storage")
            assert "Retry-After" in reply.headers
            assert state(table) == before
            assert table.play(move).status_code == 201  # without a restart
        else:
            assert reply.status_code == 201, reply.text
            if not failed:
                break
    assert refused >= 1
    until_ready(client)
    assert daemon.stop() == 0
    assert daemon.verify().returncode == 0


def test_a_sync_fails(shimmed):
    """After a failed sync nobody knows what is on the disk: the client is told 503, and the game is whole either way."""
    daemon, client, shim = shimmed
    table = client.create("iuvo-2")
    for _ in range(3):
        moves = table.get("/legal-moves").value["moves"]
        before = state(table)
        shim.sync.fail(0, times=1)
        reply = table.play(moves[0]["move"])
        shim.off()
        problem(reply, 503, "storage")
        after = state(table)
        assert after in (before, (before[0] + 1, before[1] + [moves[0]["move"]]))
        table.game = table.get().value
        reply = table.play(table.get("/legal-moves").value["moves"][0]["move"])
        assert reply.status_code == 201, reply.text
    assert daemon.stop() == 0
    assert daemon.verify().returncode == 0


def test_readyz_tells_of_a_full_disk(shimmed):
    daemon, client, shim = shimmed
    until_ready(client)
    shim.write.fail(0, times=1 << 30)
    eventually(lambda: client.get("/readyz").status_code == 503, told=lambda: "readyz says ready while no write succeeds")
    assert client.get("/healthz").status_code == 200
    shim.off()
    until_ready(client)


def test_the_metrics_go_on_when_the_disk_does_not(shimmed):
    """They tell of it, and need nothing of the file; nor does healthz."""
    daemon, client, shim = shimmed
    table = client.create("iuvo-2")
    move = table.get("/legal-moves").value["moves"][0]["move"]
    assert scrape(daemon, client).get("iuvod_games", status="active") == 1
    shim.write.fail(0, times=1 << 30)
    problem(table.play(move), 503, "storage")
    shim.off()
    assert table.play(move).status_code == 201
    told = scrape(daemon, client)
    assert told.get("iuvod_commit_failures_total") + told.get("iuvod_problems_total", code="storage") >= 1
    for kind in (shim.read, shim.open):
        kind.fail(0, times=1 << 30)
    told = scrape(daemon, client)
    assert told.get("iuvod_requests_total") > 0 and client.get("/healthz").status_code == 200
    shim.off()
    assert scrape(daemon, client).get("iuvod_games", status="active") == 1


def test_a_start_on_a_full_disk_ends_with_a_line(shimmed, tmp_path):
    from daemon import run

    daemon, client, shim = shimmed
    shim.write.fail(0, times=1 << 30)
    result = run("serve", "--database", tmp_path / "other.db", "--listen", "127.0.0.1:0", env={**os.environ, **shim.environment})
    assert result.returncode not in (0, -6, -11)
    assert "other.db" in result.stderr


def test_a_file_that_may_not_grow(start):
    """`ulimit -f`, or the largest file of the file system: a signal in most programs, one more full disk in this one."""
    daemon, client = start()
    table = client.create("iuvo-2")
    limits = resource.prlimit(daemon.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(daemon.process.pid, resource.RLIMIT_FSIZE, (0, limits[1]))
    move = table.get("/legal-moves").value["moves"][0]["move"]
    before = state(table)
    reply = table.play(move)
    assert daemon.running()
    problem(reply, 503, "storage")
    assert state(table) == before
    resource.prlimit(daemon.process.pid, resource.RLIMIT_FSIZE, limits)
    assert table.play(move).status_code == 201
    assert daemon.stop() == 0
    assert daemon.verify().returncode == 0
