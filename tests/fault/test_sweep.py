"""Clocks on a bad day: killed in the middle of a sweep, or while time is given back; a disk that takes nothing just then."""

import contextlib
import errno
import random
import signal
import threading
import time

import pytest
import requests

from client import Client, Plain, problem
from daemon import BUILD, Daemon, sanitized
from patience import eventually
from shim import Shim

GAMES = 60 if sanitized() else 300
START = "2030-01-01T00:00:00.000Z"
LATER = "2030-01-01T00:01:00.000Z"
AFTER = "2030-01-01T02:00:00.000Z"


def create(daemon, count):
    """Games with a minute for each move, in a hurry."""
    with Plain(daemon) as plain:
        return [plain.call("POST", "/v1/games", {"variant": "iuvo-4" if n % 3 else "iuvo-2", "clock": {"per_move_seconds": 60}})[1] for n in range(count)]


def logs_of(daemon, games):
    with Plain(daemon) as plain:
        return [plain.get(f"/v1/games/{game['id']}/events")["events"] for game in games]


def restart(daemon, now):
    daemon.options = ("--test-clock", now)
    daemon.start()


def put(daemon, now):
    try:
        requests.put(f"{daemon.url}/test-clock", json={"now": now}, timeout=60)
    except requests.exceptions.RequestException:
        pass  # killed


@pytest.mark.parametrize("seed", range(2 if sanitized() else 5))
def test_killed_in_the_middle_of_a_sweep(start, seed):
    """Whatever it had come to: each game ends, or loses its seat to move, once."""
    daemon, _ = start("game.db", "--test-clock", START)
    games = create(daemon, GAMES)
    mover = threading.Thread(target=put, args=(daemon, LATER))
    mover.start()
    time.sleep(random.Random(seed).random() / 25)
    daemon.process.send_signal(signal.SIGKILL)
    daemon.process.wait()
    mover.join()
    # Time as it was before, so that nothing is given back, and then on again.
    restart(daemon, START)
    put(daemon, LATER)
    for game, events in zip(games, logs_of(daemon, games)):
        expected = [("game_created", None), ("game_started", None), ("seat_out", 1)] + ([("game_finished", None)] if len(game["seats"]) == 2 else [])
        assert [(event["type"], event["seat"]) for event in events] == expected
    assert daemon.stop() == 0
    result = daemon.verify()
    assert result.returncode == 0, result.stdout


def start_that_may_fail(daemon):
    """It is killed meanwhile, or a little later."""
    with contextlib.suppress(AssertionError):
        daemon.start()


@pytest.mark.parametrize("seed", range(2 if sanitized() else 5))
def test_killed_while_time_is_given_back(start, seed):
    """It is killed again and again while it starts: each game gets the two hours once, in one event or in several."""
    daemon, _ = start("game.db", "--test-clock", START)
    games = create(daemon, 2 * GAMES)
    assert daemon.stop() == 0
    chance = random.Random(seed)
    for _ in range(4):
        # Not waited for: it pays before it says where it listens.
        daemon.options = ("--test-clock", AFTER)
        starter = threading.Thread(target=start_that_may_fail, args=(daemon,))
        before = daemon.process
        starter.start()
        while daemon.process is before:
            time.sleep(0.0005)
        time.sleep(chance.random() / 20)
        daemon.process.send_signal(signal.SIGKILL)
        starter.join(60)
    restart(daemon, AFTER)
    for events in logs_of(daemon, games):
        credits = [event for event in events if event["type"] == "time_credited"]
        assert sum(event["data"]["ms"] for event in credits) == 7200000 and len(events) == 2 + len(credits)
        assert credits[-1]["data"]["deadline"] == "2030-01-01T02:01:00.000Z"
    assert daemon.stop() == 0
    result = daemon.verify()
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EIO], ids=["full", "broken"])
def test_a_sweep_that_the_disk_does_not_take(tmp_path, issued_tokens, monkeypatch, error):
    """It is done as soon as the disk takes it again, though nobody calls."""
    if sanitized():
        pytest.skip("the sanitizers have an allocator of their own")
    shim = Shim(tmp_path, BUILD)
    for name, value in shim.environment.items():
        monkeypatch.setenv(name, value)
    with Daemon(tmp_path / "game.db", "--test-clock", START) as daemon:
        client = Client(daemon, issued_tokens)
        tables = [client.create("iuvo-2", clock={"per_move_seconds": 60}) for _ in range(5)]
        shim.write.fail(0, times=1000000, error=error)
        problem(client.request("PUT", "/test-clock", json={"now": LATER}), 503, "storage")
        time.sleep(0.7)  # one more try at least
        assert [table.get().value["status"] for table in tables] == ["active"] * 5
        assert shim.write.failed
        shim.off()
        eventually(lambda: {table.get().value["status"] for table in tables} == {"finished"})
        assert [table.get().value["outcome"] for table in tables] == [{"winner": 2, "reason": "timeout"}] * 5
        assert all(len(table.events()) == 4 for table in tables)
        assert daemon.stop() == 0
        assert daemon.verify().returncode == 0
