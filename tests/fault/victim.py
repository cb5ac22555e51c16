"""A daemon that is killed again and again, and the files that it is killed on."""

import contextlib
import os
import signal
import sqlite3
import subprocess
import time

from contract import SOURCE
from daemon import BUILD, Daemon, sanitized
from shim import DIES, Shim

# Where a round ends: at any moment, or in the n-th call of a kind, n drawn below a number, with so many bytes through.
PLAYING = [("moment", 0, 0), ("write", 200, 0), ("send", 150, 0), ("sync", 60, 0), ("write", 200, 100), ("send", 150, 60)]
STARTING = [("write", 4, 0), ("read", 40, 0), ("map", 3, 0), ("open", 12, 0), ("send", 1, 0)]
STOPPING = [("write", 6, 0), ("sync", 4, 0), ("name", 3, 0), ("truncate", 2, 0), ("moment", 0, 0)]


class Victim:
    """A daemon that is started again and again on one file, under the shim where there is one."""

    def __init__(self, folder, *options):
        self.daemon = Daemon(folder / "game.db", *options)
        self.shim = None if sanitized() else Shim(folder, BUILD)
        if self.shim is not None:
            self.daemon.environment = {**os.environ, **self.shim.environment}

    def arm(self, point, chance):
        """Sets the shim; false if the kill is left to the clock."""
        kind, most, before = point
        if self.shim is None or kind == "moment":
            return False
        getattr(self.shim, kind).fail(chance.randrange(most), error=DIES, before=before)
        return True

    def disarm(self):
        if self.shim is not None:
            self.shim.off()

    def die(self, armed, chance):
        """At the planned point, or at a moment; after a while in any case."""
        try:
            self.daemon.process.wait(0.5 if armed else 0.03 + chance.random() / 6)
        except subprocess.TimeoutExpired:
            self.daemon.process.send_signal(signal.SIGKILL)
            self.daemon.process.wait()
        self.disarm()

    def live(self, load, point, chance):
        """Serves a load until it dies at the point; without a point while it stops.  What it leaves is clean."""
        armed = self.arm(point, chance) if point else False
        load.begin(self.daemon.port)
        if not point:
            time.sleep(chance.random() / 20)
            armed = self.arm(chance.choice(STOPPING), chance)
            self.daemon.process.send_signal(signal.SIGTERM)
        self.die(armed, chance)
        load.wait()
        assert_clean(self.daemon)

    def start(self, points, chance):
        """Killed on its way up more often than not, until it stands."""
        for point in chance.sample(points, min(2, len(points))):
            self.arm(point, chance)
            with contextlib.suppress(AssertionError):
                self.daemon.start()
                self.daemon.kill()
            self.disarm()
            assert self.daemon.process.returncode == -signal.SIGKILL, self.daemon.log()[-2000:]
        self.daemon.start()


def assert_clean(daemon):
    verified = daemon.verify()
    assert verified.returncode == 0, verified.stdout + verified.stderr


def make_old(path):
    """A file of schema 1 with games in it."""
    file = sqlite3.connect(path)
    for text in (SOURCE / "sql" / "migrations" / "0001_games.sql", SOURCE / "tests" / "store" / "schema_1.sql"):
        file.executescript(text.read_text(encoding="utf-8"))
    file.execute("PRAGMA journal_mode = WAL")
    file.close()


def contents(path):
    """All that the tables hold, where all schemas have it."""
    file = sqlite3.connect(path)
    try:
        assert file.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return [file.execute(f"SELECT {columns} FROM {table} ORDER BY 1, 2").fetchall()
                for table, columns in (("games", "game, id, ply, seq"), ("moves", "game, ply, move"), ("events", "game, seq, type"))]
    finally:
        file.close()
