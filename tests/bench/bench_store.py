"""The store: what the looks for damage cost a game that is loaded, and what who writes waits while a backup is made.  A part of bench_http."""

import os
import re
import statistics
import subprocess
import threading


def bench_lookup(bench, variant, make_games):
    database = bench.path("iuvod.sqlite")
    server = bench.serve("--database", database)
    make_games(server, variant, 8)
    server.stop()
    command = [f"{bench.tools}/lookup", database, str(max(3, bench.options.seconds))]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    load, check, begin = (float(value) for value in re.findall(r"_us=(-?[\d.]+)", done.stdout))
    print(f"loading a game of {variant} from SQLite: {load:.1f} us, of which the second witness of its position {check:.1f} us"
          f" ({check / load * 100:.0f} %); the locks of its transaction {begin:.1f} us", flush=True)


class Backups(threading.Thread):
    """One after the other, until the end."""

    def __init__(self, bench, database):
        super().__init__()
        self.bench, self.database, self.done, self.ends = bench, database, 0, threading.Event()

    def run(self):
        program = os.path.join(self.bench.options.build, "iuvod")
        while not self.ends.is_set():
            copy = self.bench.path("copy")
            subprocess.run([program, "backup", "--database", self.database, copy], check=True, stdout=subprocess.DEVNULL)
            os.unlink(copy)
            self.done += 1


def bench_backup(bench, variant):
    options, database = bench.options, bench.path("iuvod.sqlite")
    server = bench.serve("--database", database)
    bench.load(server, "play", 64, 600, variant, 50000)
    size = os.path.getsize(database) / 1e6
    quiet, beside, made = [], [], 0
    for _ in range(options.rounds):
        quiet.append(bench.load(server, "play", 16, max(1, options.seconds), variant, 0))
        backups = Backups(bench, database)
        backups.start()
        beside.append(bench.load(server, "play", 16, max(1, options.seconds), variant, 0))
        backups.ends.set()
        backups.join()
        made += backups.done
    print(f"durable moves, 16 connections, {size:.0f} MB: quiet and while backups are made one after the other ({made} of them)")
    for key, unit in (("p50_us", "us"), ("p99_us", "us"), ("rate", "/s")):
        ratio = statistics.median(b[key] / a[key] for a, b in zip(quiet, beside))
        print(f"  {key.removesuffix('_us'):<5}{statistics.median(a[key] for a in quiet):>9.0f} {unit}"
              f"{statistics.median(b[key] for b in beside):>9.0f} {unit}   {ratio:.2f}", flush=True)
    server.stop()


def bench_store(bench, variant, make_games):
    print("\nthe store")
    bench_lookup(bench, variant, make_games)
    bench_backup(bench, variant)
