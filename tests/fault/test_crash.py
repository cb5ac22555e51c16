"""The service is killed again and again while people play: nothing that was acknowledged is lost, nothing is done twice."""

import contextlib
import os
import random
import shutil
import signal
import subprocess
import time

import pytest

from daemon import BINARY, BUILD, Daemon, LONG, run, sanitized
from load import Load
from shim import DIES, Shim
from victim import PLAYING, STARTING, Victim, assert_clean, contents, make_old

ROUNDS = 10
SEEDS = 100 if LONG else 5


@pytest.mark.parametrize("seed", range(SEEDS))
def test_killed_while_people_play(tmp_path, seed):
    chance = random.Random(seed)
    victim, load = Victim(tmp_path, "--cache-bytes", str(chance.choice([0, 1 << 20]))), Load(chance)
    try:
        victim.daemon.start()
        for turn in range(ROUNDS):
            # One round in five ends while it stops, and one in five goes on with a start that is cut off.
            victim.live(load, None if turn % 5 == 4 else PLAYING[(seed * ROUNDS + turn) % len(PLAYING)], chance)
            victim.start(STARTING if turn % 5 == 2 and victim.shim is not None else [], chance)
            load.check(victim.daemon.port)
        assert load.acknowledged > 0
        assert victim.daemon.stop() == 0
        assert_clean(victim.daemon)
    finally:
        victim.daemon.kill()


# ---- a checkpoint, a migration, a backup ----


@pytest.fixture(scope="module")
def waiting(tmp_path_factory):
    """A data file whose WAL waits for a checkpoint, with games in it, as a killed service leaves it."""
    folder = tmp_path_factory.mktemp("waiting")
    with Daemon(folder / "game.db") as daemon:
        load = Load(random.Random(1))
        load.begin(daemon.port)
        time.sleep(0.5)
        daemon.kill()
        load.wait()
    return folder


def sampled(every):
    """Every n of the n-th call in the long form, some in the short one."""
    return range(0, 2000, 1 if LONG else every)


@pytest.mark.parametrize("before", [0, 100], ids=["between pages", "in a page"])
def test_killed_in_a_checkpoint(waiting, tmp_path, before):
    """Of the file alone some pages are old then and some new, and it may be shorter than it says: its WAL has all of it."""
    if sanitized():
        pytest.skip("the sanitizers have an allocator of their own")
    expected = None
    for n in sampled(60):
        folder = tmp_path / str(n)
        shutil.copytree(waiting, folder)
        victim = Victim(folder)
        # Its start is where what waits is written back.
        victim.shim.write.fail(n, error=DIES, before=before)
        with contextlib.suppress(AssertionError):
            victim.daemon.start()
            victim.daemon.kill()
        reached = victim.shim.write.failed
        victim.disarm()
        assert_clean(victim.daemon)
        victim.daemon.start()
        assert victim.daemon.stop() == 0
        expected = expected or contents(folder / "game.db")
        assert contents(folder / "game.db") == expected
        shutil.rmtree(folder)
        if not reached:
            return
    raise AssertionError("the start has no end")


@pytest.mark.parametrize("kind,every", [("write", 50), ("sync", 7), ("open", 20), ("truncate", 1), ("name", 2)])
def test_killed_while_it_migrates(tmp_path, kind, every):
    """At each point: started again it goes on, with all games, and a whole copy of the file as it was lies beside it."""
    if sanitized():
        pytest.skip("the sanitizers have an allocator of their own")
    make_old(tmp_path / "old.db")
    before = contents(tmp_path / "old.db")
    for n in sampled(every):
        folder = tmp_path / str(n)
        folder.mkdir()
        shutil.copy(tmp_path / "old.db", folder / "game.db")
        victim = Victim(folder)
        getattr(victim.shim, kind).fail(n, error=DIES)
        with contextlib.suppress(AssertionError):
            victim.daemon.start()
            victim.daemon.kill()
        reached = getattr(victim.shim, kind).failed
        victim.disarm()
        victim.daemon.start()
        assert victim.daemon.stop() == 0
        assert_clean(victim.daemon)
        assert contents(folder / "game.db") == before
        copies = sorted(folder.glob("game.db.before-2*"))
        assert contents(copies[-1]) == before
        shutil.rmtree(folder)
        if not reached:
            return
    raise AssertionError("the start has no end")


@pytest.mark.parametrize("kind,every", [("write", 90), ("sync", 3), ("name", 1)])
def test_a_backup_is_killed(waiting, tmp_path, kind, every):
    """At each point: there is no copy, or a whole one; who serves and the next backup are not hindered."""
    if sanitized():
        pytest.skip("the sanitizers have an allocator of their own")
    shutil.copytree(waiting, tmp_path / "data")
    shim = Shim(tmp_path, BUILD)
    with Daemon(tmp_path / "data" / "game.db") as daemon:
        load = Load(random.Random(2), players=1)
        load.begin(daemon.port)
        for n in sampled(every):
            copy = tmp_path / f"{n}.db"
            getattr(shim, kind).fail(n, error=DIES)
            killed = run("backup", "--database", daemon.database, copy, env={**os.environ, **shim.environment})
            reached = getattr(shim, kind).failed
            shim.off()
            assert killed.returncode == (-signal.SIGKILL if reached else 0), killed.stderr
            assert not copy.exists() or run("verify", "--database", copy).returncode == 0
            if not reached:
                break
        again = run("backup", "--database", daemon.database, tmp_path / "again.db")
        assert again.returncode == 0, again.stderr
        assert load.players[0].is_alive() and load.players[0].error is None
        daemon.kill()
        load.wait()
        daemon.start()
        load.check(daemon.port)
        assert daemon.stop() == 0
        assert_clean(daemon)


def test_the_service_is_killed_while_a_backup_runs(tmp_path):
    """The backup is whole, or there is none; so is the file."""
    chance, daemon = random.Random(3), Daemon(tmp_path / "game.db")
    load, copies = Load(chance), 0
    try:
        daemon.start()
        for turn in range(30 if LONG else 3):
            load.begin(daemon.port)
            time.sleep(0.1)
            copy = tmp_path / f"{turn}.db"
            backup = subprocess.Popen([BINARY, "backup", "--database", str(daemon.database), str(copy)],
                                      stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            time.sleep(chance.random() / 30)
            daemon.kill()
            _, said = backup.communicate(timeout=60)
            load.wait()
            assert_clean(daemon)
            assert (backup.returncode == 0) == copy.exists() and backup.returncode in (0, 1), said
            if copy.exists():
                copies += 1
                assert run("verify", "--database", copy).returncode == 0
            daemon.start()
            load.check(daemon.port)
        assert copies > 0 and daemon.stop() == 0
        assert_clean(daemon)
    finally:
        daemon.kill()
