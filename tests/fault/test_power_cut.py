"""The power goes: what was written and not synced is lost, torn or there, as it comes.  What was acknowledged is there."""

import os
import random
import shutil
import time

import pytest

from daemon import BUILD, Daemon, LONG, run, sanitized
from disk import ENTRY, PAGE, WRITE, Disk
from load import Load
from shim import LIES, Shim
from victim import PLAYING, STARTING, Victim, assert_clean, contents, make_old

pytestmark = pytest.mark.skipif(sanitized(), reason="the sanitizers have an allocator of their own")
ROUNDS = 8
SEEDS = 60 if LONG else 3
FOREVER = 1 << 30


class Powered(Victim):
    """A daemon whose disk forgets what was not synced."""

    def __init__(self, folder, chance, *options):
        (folder / "data").mkdir()
        super().__init__(folder / "data", *options)
        self.disk, self.chance, self.at_stake, self.fate = Disk(folder / "data", folder / "journal"), chance, 0, None
        self.daemon.environment |= self.disk.environment

    def disarm(self):
        """It was killed, or there is nothing to disarm."""
        super().disarm()
        if self.daemon.process is not None and not self.daemon.running():
            self.at_stake += self.disk.cut(self.chance, self.fate)
            self.disk.begin()


@pytest.mark.parametrize("seed", range(SEEDS))
def test_the_power_goes_while_people_play(tmp_path, seed):
    chance = random.Random(seed)
    victim, load = Powered(tmp_path, chance, "--cache-bytes", str(chance.choice([0, 1 << 20]))), Load(chance)
    try:
        victim.daemon.start()
        for turn in range(ROUNDS):
            # One round in four ends while it stops, and one in four goes on with a start that is cut off.
            victim.live(load, None if turn % 4 == 3 else PLAYING[(seed + turn) % len(PLAYING)], chance)
            victim.disk.begin()
            victim.start(STARTING if turn % 4 == 1 else [], chance)
            load.check(victim.daemon.port)
        assert load.acknowledged > 0 and victim.at_stake > 0
        assert victim.daemon.stop() == 0
        victim.disarm()
        assert_clean(victim.daemon)
    finally:
        victim.daemon.kill()


def test_a_disk_that_lies_loses_moves(tmp_path):
    """That the cut can take something away: syncs that are said to be done and are not, and a move is missed."""
    chance = random.Random(1)
    victim, load = Powered(tmp_path, chance), Load(chance)
    try:
        victim.daemon.start()
        table = Load(chance, players=1)
        table.begin(victim.daemon.port)
        time.sleep(0.1)
        victim.shim.sync.fail(0, times=FOREVER, error=LIES)
        load.begin(victim.daemon.port)
        time.sleep(0.3)
        victim.fate = "nothing"
        victim.die(False, chance)
        load.wait()
        table.wait()
        assert load.acknowledged > 0 and victim.at_stake > 0
        victim.daemon.start()
        with pytest.raises(AssertionError):
            load.check(victim.daemon.port)
    finally:
        victim.daemon.kill()


# ---- commands: when one has said that it is done, it is ----


def prepare_new(folder):
    with Daemon(folder / "game.db") as daemon:
        load = Load(random.Random(1), players=1)
        load.begin(daemon.port)
        time.sleep(0.2)
        daemon.kill()  # with a WAL
        load.wait()


def prepare_copy(folder):
    prepare_new(folder)
    assert run("backup", "--database", folder / "game.db", folder / "copy.db").returncode == 0
    (folder / "dump").write_text(run("dump", "--database", folder / "game.db").stdout)


COMMANDS = {
    "backup": (prepare_new, ["backup", "copy.db"], ["game.db", "copy.db"]),
    "restore": (prepare_copy, ["restore", "copy.db"], ["game.db", "copy.db"]),
    "restore anew": (prepare_copy, ["restore", "copy.db"], ["new.db", "copy.db"]),
    "load": (prepare_copy, ["load"], ["new.db", "copy.db"]),
    "migrate": (lambda folder: make_old(folder / "game.db"), ["migrate"], ["game.db"]),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_the_power_goes_when_a_command_is_done(tmp_path, command):
    prepare, (verb, *names), files = COMMANDS[command]
    original, shim = tmp_path / "original", Shim(tmp_path, BUILD)
    original.mkdir()
    prepare(original)
    shutil.copytree(original, tmp_path / "looked at")
    before = contents(tmp_path / "looked at" / "game.db")
    for seed in range(200 if LONG else 6):
        chance, folder = random.Random(seed), tmp_path / str(seed)
        shutil.copytree(original, folder)
        disk = Disk(folder, tmp_path / "journal")
        with open(folder / "dump" if verb == "load" else os.devnull, encoding="utf-8") as read:
            done = run(verb, "--database", folder / ("game.db" if verb == "backup" else files[0]), *(folder / name for name in names),
                       env={**os.environ, **shim.environment, **disk.environment}, stdin=read)
        assert done.returncode == 0, done.stderr
        disk.cut(chance, "nothing" if seed == 0 else None)
        for name in files:
            assert run("verify", "--database", folder / name).returncode == 0
            assert contents(folder / name) == before
        shutil.rmtree(folder)


@pytest.mark.parametrize(("left", "told"), [([], True), ([0], True), ([0, 1], True), ([0, 1, 2], True), ([1], False), ([2], False), ([0, 2], False)])
def test_a_kill_may_end_a_write_between_pages(tmp_path, left, told):
    """What is there after a kill may be the first pages of the last write, and nothing else that the journal does not tell."""
    folder = tmp_path / "data"
    folder.mkdir()
    file = folder / "file"
    file.write_bytes(bytes(3 * PAGE))
    disk, at = Disk(folder, tmp_path / "journal"), 100
    data = bytes([1]) * (2 * PAGE)  # in three pages, the first from 100 on and the last up to there
    disk.journal.write_bytes(ENTRY.pack(WRITE, len(data), file.stat().st_ino, at) + data)
    content = bytearray(3 * PAGE)
    for page in left:
        begin, end = max(at, page * PAGE), min(at + len(data), (page + 1) * PAGE)
        content[begin:end] = data[:end - begin]
    file.write_bytes(content)
    disk.read()
    if told:
        disk.assert_complete()
    else:
        with pytest.raises(AssertionError):
            disk.assert_complete()
