"""What an operator does with the data file: copies it while it is served, puts a copy back, looks it through."""

import os
import re
import resource
import sqlite3
import stat
import threading

import pytest

from client import Client
from contract import SOURCE
from daemon import run

OLD = {1: ["0001_games.sql"]}


def ask(path, sql):
    """Of a file that is whole by itself; nothing is left beside it."""
    file = sqlite3.connect(f"file:{path}?immutable=1", uri=True)
    try:
        return file.execute(sql).fetchone()[0]
    finally:
        file.close()


def names(folder):
    """What lies in a folder, but for what the test's daemons print."""
    return sorted(path.name for path in folder.iterdir() if path.suffix not in (".out", ".log"))


def done(*arguments, **more):
    result = run(*arguments, **more)
    assert result.returncode == 0 and result.stderr == "", result.stdout + result.stderr
    return result.stdout


def refused(*arguments, **more):
    """Ends with status 1 and one line, which is returned."""
    result = run(*arguments, **more)
    assert result.returncode == 1, result
    assert re.fullmatch(r"iuvod: [^\n]+\n", result.stderr), result.stderr
    return result.stderr


def play(table, plies):
    for _ in range(plies):
        assert table.play(table.get("/legal-moves").value["moves"][0]["move"]).status_code == 201


@pytest.fixture
def served(start, tmp_path):
    daemon, client = start("game.db")
    table = client.create("iuvo-2")
    play(table, 3)
    return daemon, client, table


def test_a_copy_is_made_while_moves_are_played(served, tmp_path, start):
    daemon, client, table = served
    copy = tmp_path / "copy.db"
    stop, played = threading.Event(), []

    def player():
        with Client(daemon, set()) as own:
            while not stop.is_set():
                game = own.create("iuvo-2")
                play(game, 4)
                played.append(game.id)

    thread = threading.Thread(target=player)
    thread.start()
    try:
        said = done("backup", "--database", daemon.database, copy)
    finally:
        stop.set()
        thread.join()
    assert re.fullmatch(rf"{re.escape(str(copy))}: schema \d+, [1-9]\d* games, \d+ plies\n", said)
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert played and daemon.stop() == 0
    assert names(tmp_path) == ["copy.db", "game.db"]
    assert run("verify", "--database", copy).returncode == 0
    # It is a data file like any other, and the tokens are those of before.
    _, other = start("copy.db")
    assert other.get(f"/v1/games/{table.id}").value["ply"] == 3
    move = other.get(f"/v1/games/{table.id}/legal-moves").value["moves"][0]["move"]
    assert other.post(f"/v1/games/{table.id}/moves", json={"move": move}, token=table.tokens[2]).status_code == 201


def test_a_copy_is_put_back(served, tmp_path, start):
    daemon, client, table = served
    done("backup", "--database", daemon.database, tmp_path / "copy.db")
    play(table, 2)
    assert "is in use by another iuvod" in refused("restore", "--database", daemon.database, tmp_path / "copy.db")
    assert daemon.stop() == 0
    os.chmod(daemon.database, 0o640)
    for before in ("game.db.before-restore", "game.db.before-restore.1"):
        said = done("restore", "--database", daemon.database, tmp_path / "copy.db")
        assert said.splitlines()[1] == f"what was there before: {tmp_path / before}"
    assert names(tmp_path) == ["copy.db", "game.db", "game.db.before-restore", "game.db.before-restore.1"]
    assert ask(tmp_path / "game.db.before-restore", "SELECT count(*) FROM moves") == 5
    assert stat.S_IMODE(daemon.database.stat().st_mode) == 0o640, "who could use the old one can use the new one"
    _, again = start("game.db")
    assert again.get(f"/v1/games/{table.id}").value["ply"] == 3
    move = again.get(f"/v1/games/{table.id}/legal-moves").value["moves"][0]["move"]
    assert again.post(f"/v1/games/{table.id}/moves", json={"move": move}, token=table.tokens[2]).status_code == 201


def test_a_copy_is_put_where_nothing_is(served, tmp_path):
    daemon, _, _ = served
    done("backup", "--database", daemon.database, tmp_path / "copy.db")
    assert "what was there before" not in done("restore", "--database", tmp_path / "new.db", tmp_path / "copy.db")
    assert run("verify", "--database", tmp_path / "new.db").returncode == 0


def test_what_a_killed_server_has_left_is_copied_and_kept_whole(served, tmp_path):
    """Its newest moves are in the WAL alone."""
    daemon, _, table = served
    done("backup", "--database", daemon.database, tmp_path / "before.db")
    play(table, 2)
    daemon.kill()
    assert (tmp_path / "game.db-wal").stat().st_size > 0
    done("backup", "--database", daemon.database, tmp_path / "after.db")
    assert ask(tmp_path / "after.db", "SELECT max(ply) FROM moves") == 5
    done("restore", "--database", daemon.database, tmp_path / "before.db")
    assert names(tmp_path) == ["after.db", "before.db", "game.db", "game.db.before-restore"]
    assert ask(daemon.database, "SELECT max(ply) FROM moves") == 3
    assert ask(tmp_path / "game.db.before-restore", "SELECT max(ply) FROM moves") == 5


def test_a_file_beyond_reading_is_kept_with_its_wal(served, tmp_path):
    daemon, _, _ = served
    done("backup", "--database", daemon.database, tmp_path / "copy.db")
    daemon.kill()
    wal = (tmp_path / "game.db-wal").read_bytes()
    daemon.database.write_bytes(b"x" * 8192)
    (tmp_path / "game.db-wal").write_bytes(b"y" * len(wal))
    done("restore", "--database", daemon.database, tmp_path / "copy.db")
    assert names(tmp_path) == ["copy.db", "game.db", "game.db.before-restore", "game.db.before-restore-wal"]
    assert run("verify", "--database", daemon.database).returncode == 0


def test_nothing_is_written_over(served, tmp_path):
    daemon, _, _ = served
    other = tmp_path / "letter"
    other.write_text("dear aunt")
    for name in (other, daemon.database):
        before = name.read_bytes()
        assert "is there already" in refused("backup", "--database", daemon.database, name)
        assert name.read_bytes() == before
    (tmp_path / "link").symlink_to("nowhere")
    assert "is there already" in refused("backup", "--database", daemon.database, tmp_path / "link")


def old_file(path, schema=1):
    file = sqlite3.connect(path)
    for name in OLD[schema]:
        file.executescript((SOURCE / "sql" / "migrations" / name).read_text(encoding="utf-8"))
    file.executescript((SOURCE / "tests" / "store" / f"schema_{schema}.sql").read_text(encoding="utf-8"))
    file.close()


def test_an_old_file_can_be_copied_before_it_is_brought_up_to_date(tmp_path):
    old_file(tmp_path / "old.db")
    assert "schema 1, whose games" in done("backup", "--database", tmp_path / "old.db", tmp_path / "copy.db")
    assert ask(tmp_path / "copy.db", "SELECT count(*) FROM games") == 7
    done("restore", "--database", tmp_path / "new.db", tmp_path / "copy.db")
    assert ask(tmp_path / "new.db", "PRAGMA user_version") == 1


@pytest.mark.parametrize("make, said", [
    (lambda path: None, "No such file"), (lambda path: path.mkdir(), "is a directory"), (lambda path: path.write_bytes(b""), "is empty"),
    (lambda path: path.write_bytes(b"dear aunt " * 500), "is not a database"), (lambda path: sqlite3.connect(path).executescript("CREATE TABLE t (a);"), "of another application"),
    (lambda path: sqlite3.connect(path).executescript("PRAGMA application_id = 1232434799; PRAGMA user_version = 99; CREATE TABLE t (a);"), "a newer iuvod wrote it")])
def test_what_is_no_data_file_is_neither_copied_nor_put_back(tmp_path, make, said):
    make(tmp_path / "file")
    before = names(tmp_path)
    assert said in refused("backup", "--database", tmp_path / "file", tmp_path / "copy.db")
    assert said in refused("restore", "--database", tmp_path / "game.db", tmp_path / "file")
    assert names(tmp_path) == before


def test_a_damaged_file_is_not_copied(served, tmp_path):
    daemon, _, _ = served
    assert daemon.stop() == 0
    file = sqlite3.connect(daemon.database)
    file.execute("UPDATE moves SET move = 'a1-b3' WHERE ply = 2")
    file.commit()
    file.close()
    for arguments in (("backup", "--database", daemon.database, tmp_path / "copy.db"), ("restore", "--database", tmp_path / "new.db", daemon.database)):
        result = run(*arguments)
        assert result.returncode == 1 and "ply 2" in result.stdout and "is damaged: nothing was made of it" in result.stderr
    assert names(tmp_path) == ["game.db"]


def test_a_disk_that_is_full(served, tmp_path):
    """A file that may not grow beyond a few pages is one."""
    daemon, _, _ = served
    small = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))
    said = refused("backup", "--database", daemon.database, tmp_path / "copy.db", preexec_fn=small)
    assert "cannot copy" in said and ("full" in said or "I/O error" in said)
    assert not [name for name in names(tmp_path) if name.startswith("copy.db")]


def test_verify_beside_a_server_that_writes(served):
    daemon, client, table = served
    for _ in range(3):
        play(table, 2)
        result = daemon.verify()
        assert result.returncode == 0 and "0 differences" in result.stdout
    assert table.get().value["ply"] == 9


@pytest.mark.parametrize("arguments", [("backup",), ("backup", ""), ("backup", "a", "b"), ("backup", "--nonsense", "a"), ("restore",), ("restore", "a", "b")])
def test_command_lines_that_are_wrong(arguments, tmp_path):
    result = run(*arguments, cwd=tmp_path)
    assert result.returncode == 2 and "Try 'iuvod" in result.stderr and list(tmp_path.iterdir()) == []
