"""The whole server as lines of JSON: written while it is served, read back as it was, and refused where it is not whole."""

import json
import re
import resource
import signal
import sqlite3
import subprocess
import threading
import time

import pytest

import everything
from client import Client
from daemon import BINARY, Daemon, run, sanitized


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """A stopped server in which everything occurs: (its file, its tables, its dump)."""
    path = tmp_path_factory.mktemp("dump") / "game.db"
    with Daemon(path) as daemon, Client(daemon, set()) as client:
        made = everything.make(client)
        assert daemon.stop() == 0
    result = run("dump", "--database", path)
    assert result.returncode == 0 and result.stderr == ""
    return path, made, result.stdout


def load(path, text, **more):
    return run("load", "--database", path, input=text, **more)


def test_dumped_loaded_and_dumped_again_it_is_the_same(world, tmp_path, start):
    path, made, dump = world
    loaded = load(tmp_path / "game.db", dump)
    assert loaded.returncode == 0 and loaded.stderr == "" and "games" in loaded.stdout
    assert run("dump", "--database", tmp_path / "game.db").stdout == dump
    assert run("dump", "--database", path).stdout == dump
    verified = run("verify", "--database", tmp_path / "game.db")
    assert verified.returncode == 0 and f"{len(everything.tables(made))} games" in verified.stdout
    # The tokens are alive: their hashes were carried.
    daemon, client = start("game.db")
    for name in ("iuvo", "players", "four", "rematch"):
        table = everything.Table(client, {**made[name].game, "creator_token": made[name].creator})
        table.tokens, table.game = made[name].tokens, table.get().value
        everything.play(table, 1)
    again = client.post("/v1/games", json={"variant": "iuvo-2"}, headers=made["key"])
    assert again.headers["Idempotency-Replayed"] == "true" and again.value["id"] == made["retried"].id


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_load_that_is_broken_off_leaves_nothing(world, tmp_path, number):
    _, _, dump = world
    with subprocess.Popen([BINARY, "load", "--database", tmp_path / "new.db"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        process.stdin.write(dump[:len(dump) // 2].encode())
        process.stdin.flush()
        deadline = time.monotonic() + 30
        while not any(path.name.startswith("new.db.part-") and path.stat().st_size > 0 for path in tmp_path.iterdir()):
            assert time.monotonic() < deadline, list(tmp_path.iterdir())
            time.sleep(0.01)
        process.send_signal(number)
        assert process.wait(timeout=60) == -number
    assert list(tmp_path.iterdir()) == []
    assert load(tmp_path / "new.db", dump).returncode == 0 and [path.name for path in tmp_path.iterdir()] == ["new.db"]


def test_what_ignores_a_signal_goes_on_ignoring_it(world, tmp_path):
    """As nohup wants it."""
    _, _, dump = world
    ignore = lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)
    with subprocess.Popen([BINARY, "load", "--database", tmp_path / "new.db"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, preexec_fn=ignore) as process:
        for part in (dump[:len(dump) // 2], dump[len(dump) // 2:]):
            process.send_signal(signal.SIGHUP)
            process.stdin.write(part.encode())
            process.stdin.flush()
            time.sleep(0.3)
        process.stdin.close()
        assert process.wait(timeout=60) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["new.db"]


def test_every_column_of_the_schema_is_in_it(world):
    path, _, dump = world
    file = sqlite3.connect(f"file:{path}?immutable=1", uri=True)
    tables = {name for name, in file.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")}
    columns = {table: {row[1] for row in file.execute(f"PRAGMA table_info({table})")} for table in tables}
    file.close()
    rows = [json.loads(line) for line in dump.splitlines()[1:-1]]
    shown = {row["table"]: row.keys() - {"table"} for row in rows if row["table"] != "sequences"}
    del columns["game_counts"]  # it is counted anew when the games are loaded
    assert shown == columns


def test_its_form(world):
    _, _, dump = world
    first, *rows, last = dump.splitlines()
    assert re.fullmatch(r'\{"iuvod_dump":1,"schema":\d+\}', first)
    assert json.loads(last) == {"table": "end", "rows": len(rows)}
    moves = [row for row in map(json.loads, rows) if row["table"] == "moves"]
    assert [(row["game"], row["ply"]) for row in moves] == sorted((row["game"], row["ply"]) for row in moves)
    for row in map(json.loads, rows):
        assert "hash" not in row or re.fullmatch("[0-9a-f]{64}", row["hash"])


def test_no_token_is_in_it(world):
    _, made, dump = world
    for table in everything.tables(made).values():
        for token in (*table.tokens.values(), table.creator):
            assert token not in dump


def test_it_is_of_one_moment_while_moves_are_played(start):
    daemon, client = start()
    stop = threading.Event()

    def player():
        with Client(daemon, set()) as own:
            while not stop.is_set():
                everything.play(own.create("iuvo-2"), 6)

    thread = threading.Thread(target=player)
    thread.start()
    try:
        dumps = [run("dump", "--database", daemon.database).stdout for _ in range(4)]
    finally:
        stop.set()
        thread.join()
    for n, dump in enumerate(dumps):
        copy = daemon.database.with_name(f"copy{n}.db")
        loaded = load(copy, dump)
        assert loaded.returncode == 0, loaded.stderr
        assert run("dump", "--database", copy).stdout == dump
    assert len(set(dumps)) > 1


def line_of(dump, table, n=0):
    """The number of a line, from 0, and its fields."""
    found = [(i, json.loads(line)) for i, line in enumerate(dump.splitlines()) if line.startswith(f'{{"table":"{table}"')]
    return found[n]


def text(fields):
    return json.dumps(fields, separators=(",", ":"), ensure_ascii=False)


def changed(table, change):
    """A way to spoil a dump: another value, or none, in the first row of a table; the line that is named then."""
    def spoil(dump):
        lines = dump.splitlines(keepends=True)
        at, fields = line_of(dump, table)
        change(fields)
        lines[at] = text(fields) + "\n"
        return "".join(lines), at + 1
    return spoil


def line_is(table, line):
    def spoil(dump):
        lines = dump.splitlines(keepends=True)
        at, _ = line_of(dump, table)
        lines[at] = line
        return "".join(lines), at + 1
    return spoil


def twice(dump):
    lines = dump.splitlines(keepends=True)
    at, _ = line_of(dump, "moves")
    return "".join(lines[:at] + [lines[at]] + lines[at:]), at + 2


def cut(dump):
    lines = dump.splitlines(keepends=True)
    return "".join(lines[:-1]), len(lines)


def cut_within(dump):
    lines = dump.splitlines(keepends=True)
    return "".join(lines[:20]) + lines[20][:30], 21


def without_a_line(dump):
    lines = dump.splitlines(keepends=True)
    at, _ = line_of(dump, "feed")
    return "".join(lines[:at] + lines[at + 1:]), len(lines) - 1


def more_behind(dump):
    return dump + "x", len(dump.splitlines())


@pytest.mark.parametrize("spoil, said", [
    (changed("moves", lambda row: row.pop("seat")), "there is no field seat"), (changed("moves", lambda row: row.update(more=1)), "a field that the table has not"),
    (changed("moves", lambda row: row.update(seat="one")), "TEXT value in INTEGER column"), (changed("tokens", lambda row: row.update(hash="zz" * 32)), "the value cannot be that of hash"),
    (changed("tokens", lambda row: row.update(hash="AB" * 32)), "the value cannot be that of hash"), (changed("tokens", lambda row: row.update(hash="ab")), "CHECK constraint failed"),
    (changed("games", lambda row: row.update(status="lost")), "CHECK constraint failed"), (changed("games", lambda row: row.update(id=None)), "NOT NULL constraint failed"),
    (changed("seats", lambda row: row.update(game=99)), "FOREIGN KEY constraint failed"), (changed("moves", lambda row: row.update(table="nowhere")), "there is no table nowhere"),
    (changed("moves", lambda row: row.update(table=1)), "there is no field table"), (line_is("moves", "dear aunt\n"), "it is no JSON object"), (line_is("moves", "\n"), "it is no JSON object"),
    (line_is("moves", '{"table":"probe","only_row":1,"only_row":1}\n'), "a field stands twice"), (line_is("probe", '{"table":"probe","only_row":1,"times":1.5}\n'), "the object does not end"),
    (line_is("moves", "x" * 1_100_000 + "\n"), "it is too long"), (twice, "UNIQUE constraint failed"), (cut, "the dump was cut off"), (cut_within, "a text does not end"), (without_a_line, "some are missing"),
    (more_behind, "something stands behind it"), (lambda dump: ("", 1), "cut off"), (lambda dump: (dump.replace('"iuvod_dump":1', '"iuvod_dump":2', 1), 1), "no dump that this iuvod can read"),
    (lambda dump: (re.sub('"schema":[0-9]+', '"schema":1', dump, count=1), 1), "a dump of schema 1, this iuvod loads those of schema")])
def test_a_line_that_is_wrong_is_named_and_nothing_is_loaded(world, tmp_path, spoil, said):
    spoilt, line = spoil(world[2])
    result = load(tmp_path / "game.db", spoilt)
    assert result.returncode == 1 and result.stdout == ""
    assert result.stderr.startswith(f"iuvod: line {line}: ") and said in result.stderr, result.stderr
    assert list(tmp_path.iterdir()) == []


def test_what_does_not_follow_the_rules_is_not_loaded(world, tmp_path):
    spoilt, _ = changed("moves", lambda row: row.update(move="a1-b3", seat=2))(world[2])
    result = load(tmp_path / "game.db", spoilt)
    assert result.returncode == 1 and "ply 1" in result.stdout and "the dump is damaged: nothing was made of it" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_written_over(world, tmp_path):
    (tmp_path / "game.db").write_text("dear aunt")
    result = load(tmp_path / "game.db", world[2])
    assert result.returncode == 1 and "is there already" in result.stderr and (tmp_path / "game.db").read_text() == "dear aunt"


def test_a_full_disk_is_told(world):
    with open("/dev/full", "w") as full:
        result = subprocess.run([BINARY, "dump", "--database", world[0]], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    assert result.returncode == 1 and "cannot write: No space left" in result.stderr


@pytest.mark.skipif(sanitized(), reason="sanitizers take memory of their own")
def test_a_long_dump_takes_no_more_memory_than_a_short_one(world, tmp_path):
    """Thirty megabytes of rows in half of that, a row at a time."""
    lines = world[2].splitlines()
    at, row = line_of(world[2], "retries")
    more = [text({**row, "retry": 1000 + n, "hash": f"{n:064x}", "sealed": "00" * 20000}) for n in range(800)]
    end = text({"table": "end", "rows": len(lines) - 2 + len(more)})
    dump = "\n".join(lines[:at + 1] + more + lines[at + 1:-1] + [end]) + "\n"
    small = lambda: resource.setrlimit(resource.RLIMIT_DATA, (14 << 20, 14 << 20))
    loaded = subprocess.run([BINARY, "load", "--database", tmp_path / "game.db"], input=dump, capture_output=True, text=True, timeout=60, preexec_fn=small)
    assert loaded.returncode == 0, loaded.stderr
    dumped = subprocess.run([BINARY, "dump", "--database", tmp_path / "game.db"], capture_output=True, text=True, timeout=60, preexec_fn=small)
    assert dumped.stdout == dump
