"""Engines at the board on a bad day: the service is killed, or the disk takes nothing, and they play on where they stood."""

import errno
import random
import signal
import time

import pytest

from daemon import sanitized
from patience import PATIENCE, eventually

GAMES = 8 if sanitized() else 24


def engines(level, count=2):
    return [{"engine": {"level": level}}] * count


def plies(client, tables):
    return [client.get(table.path).value["ply"] for table in tables]


def wait_for_more(client, tables, before):
    """Until each game has another move, or is over."""
    until = time.monotonic() + PATIENCE
    waiting = list(zip(tables, before))
    while waiting:
        assert time.monotonic() < until, waiting
        game = client.get(waiting[0][0].path).value
        if game["ply"] > waiting[0][1] or game["turn"] is None:
            waiting.pop(0)
        else:
            time.sleep(0.02)


def test_killed_again_and_again(start):
    """What was played stays played, and nobody is forgotten: also a person whose engine was thinking."""
    daemon, client = start()
    tables = [client.create("halma-2", seats=engines(6)) for _ in range(GAMES)]
    tables += [client.create(seats=[{"engine": {"level": 10}}, {}]) for _ in range(4)]
    for turn in range(3):
        time.sleep(0.1 + random.Random(turn).random() / 5)
        before = plies(client, tables)
        daemon.process.send_signal(signal.SIGKILL)
        daemon.process.wait()
        daemon.start()
        assert all(now >= then for now, then in zip(plies(client, tables), before))
    wait_for_more(client, tables[:GAMES], plies(client, tables[:GAMES]))
    wait_for_more(client, tables[GAMES:], [0] * 4)
    assert daemon.stop() == 0
    verified = daemon.verify()
    assert verified.returncode == 0, verified.stdout


@pytest.mark.parametrize("kind", ["write", "sync"])
def test_a_disk_that_takes_nothing_for_a_while(shimmed, kind):
    """Moves that are lost are thought about again."""
    daemon, client, shim = shimmed
    tables = [client.create("halma-2", seats=engines(3)) for _ in range(GAMES)]
    getattr(shim, kind).fail(20, times=1000000, error=errno.ENOSPC if kind == "write" else errno.EIO)
    eventually(lambda: getattr(shim, kind).failed > 1)  # the move is lost, and what comes after it
    shim.off()
    wait_for_more(client, tables, plies(client, tables))
    assert daemon.stop() == 0
    verified = daemon.verify()
    assert verified.returncode == 0, verified.stdout
