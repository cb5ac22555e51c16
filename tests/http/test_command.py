"""The command line: options, databases that cannot be used, perft, verify."""

import contextlib
import hashlib
import os
import pathlib
import re
import shutil
import signal
import sqlite3
import stat
import subprocess
import tempfile

import pytest

from daemon import BINARY, Daemon, run

# Position, depth, nodes: known from other implementations.
PERFT = [("iuvo-2", 3, 138522), ("iuvo-2-loose", 3, 143814), ("iuvo-4", 3, 47358), ("iuvo-4-loose", 3, 49660), ("halma-2", 3, 85440), ("iuvo-2", 0, 1),
         ("iuvo-2 4o2/2BBA2/1Bo1AB1/1ooo1A1/1o1Ao2/1o5/7 2 - -", 5, 481258), ("iuvo-2 7/7/3oo2/1B1A3/1ooo3/1oBo3/1o5 2 e5 -", 5, 117543), ("iuvo-2 2AoA2/3o3/7/7/7/7/7 - - 2", 3, 0)]


def print_of(folder):
    """What a folder holds, byte by byte."""
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in pathlib.Path(folder).iterdir()}


def refused(*arguments):
    """Runs what must end at once with a clear line and a status other than 0."""
    result = run(*arguments)
    assert result.returncode not in (0, None) and result.returncode > 0, result
    lines = result.stderr.strip().splitlines()
    assert lines and "listening on" not in result.stdout and len(lines) <= 3, result.stderr
    assert "unknown-variable" not in result.stderr, result.stderr
    return result.stderr


def test_help():
    result = run("--help")
    assert result.returncode == 0 and result.stderr == ""
    words = {"": ("serve", "verify", "perft", "--version"), "serve": ("--database", "--listen", "--log-level"), "verify": ("--database",), "perft": ("--divide", "--position")}
    for command, expected in words.items():
        result = run(*([command] if command else []), "--help")
        assert result.returncode == 0 and result.stderr == ""
        for word in expected:
            assert word in result.stdout, (command, word)
        assert max(len(line) for line in result.stdout.splitlines() if line.startswith("  ")) <= 80, command
        assert max(len(line) for line in result.stdout.splitlines()) <= 100


@pytest.mark.parametrize("arguments", [("--help",), ("--version",), ("perft", "iuvo-2", "1"), ("match", "iuvo-2", "level:1", "level:1", "--games", "1"), ("verify",)])
def test_output_that_is_lost_is_told(tmp_path, arguments):
    """All that these are for is what they print."""
    with Daemon(tmp_path / "iuvod.sqlite"):
        pass
    with open("/dev/full", "w") as full:
        result = subprocess.run([BINARY, *arguments], cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    assert result.returncode == 1 and result.stderr == "iuvod: standard output: No space left on device\n"


def test_version():
    result = run("--version")
    assert result.returncode == 0 and re.fullmatch(r"iuvod \d+\.\d+\.\d+\S*\n", result.stdout)


@pytest.mark.parametrize("arguments", [
    (), ("nonsense",), ("--nonsense",), ("serve", "--nonsense"), ("serve", "more"), ("serve", "--listen"), ("serve", "--listen", "nowhere"), ("serve", "--listen", "127.0.0.1:99999"), ("serve", "--listen", "127.0.0.1:x"),
    ("serve", "--listen", "300.0.0.1:0"), ("serve", "--listen", ":"), ("serve", "--database"), ("serve", "--log-level", "loud"), ("verify", "--nonsense"), ("perft",), ("perft", "iuvo-2"), ("perft", "chess", "2"), ("perft", "iuvo-2", "-1"),
    ("perft", "iuvo-2", "x"), ("perft", "iuvo-2", "2", "3"), ("perft", "--position", "iuvo-2 x", "2"), ("perft", "--position", "iuvo-2 B1B1B1B/7/o1o1o1o/7/o1o1o1o/7/A1A1A1A 1 -", "2")])
def test_options_that_are_wrong(arguments, tmp_path):
    result = run(*arguments, cwd=tmp_path)
    assert result.returncode > 0 and result.stderr.strip() and "listening on" not in result.stdout
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("arguments, said", [
    (("iuvo-2", "-1"), "a depth is a whole number from 0 to 4096"), (("iuvo-2", "x"), "'x': a depth is a whole number from 0 to 4096"),
    (("iuvo-2", "4097"), "'4097': a depth is a whole number from 0 to 4096"), (("iuvo-2",), "a depth is missing"), ((), "a variant and a depth are missing"),
    (("chess", "2"), "'chess': there is no such variant"), (("iuvo-2 7/7/7 1 - -", "2"), "'iuvo-2 7/7/7 1 - -': there is no such variant; a position is given with --position"),
    (("--position", "iuvo-2 x", "2"), "--position, column 9 (turn): the seat to move is missing"), (("--position", "iuvo-2 x", "iuvo-2", "2"), "'iuvo-2': not expected here, since --position names the variant"),
    (("--position", "iuvo-2 x"), "a depth is missing"), (("--nothing", "iuvo-2", "2"), "--nothing: there is no such option"), (("iuvo-2", "2", "3"), "'3': not expected here")])
def test_perft_says_what_is_wrong(arguments, said):
    result = run("perft", *arguments)
    assert (result.returncode, result.stdout, result.stderr) == (2, "", f"iuvod: {said}\nTry 'iuvod perft --help'.\n")


@pytest.mark.parametrize("command", ["serve", "verify", "dump", "load", "migrate"])
def test_a_file_without_its_option_is_told_of_it(command):
    result = run(command, "copy.sqlite")
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == f"iuvod: 'copy.sqlite': not expected here; --database copy.sqlite may be meant\nTry 'iuvod {command} --help'.\n"


def test_the_help_names_whoever_takes_the_file():
    commands = re.findall(r"^  ([a-z]+) ", run("--help").stdout, re.MULTILINE)
    takers = {command for command in commands if "\n  --database " in run(command, "--help").stdout} - {"serve"}
    said = re.search(r"\(([^()]+)\btake\s--database, too\)", run("--help").stdout)[1]
    assert takers == set(re.findall(r"[a-z]+", said)) - {"and"} and len(takers) > 3


@pytest.mark.parametrize("word, kind, hint", [("help", "command", "--help"), ("version", "command", "--version"), ("-h", "option", "--help"), ("-V", "option", "--version"), ("sreve", "command", "--help")])
def test_words_for_help_and_version(word, kind, hint):
    result = run(word)
    assert (result.returncode, result.stdout, result.stderr) == (2, "", f"iuvod: '{word}': there is no such {kind}\nTry 'iuvod {hint}'.\n")


@pytest.mark.parametrize("position, depth, nodes", PERFT)
def test_perft(position, depth, nodes):
    result = run("perft", *(("--position", position) if " " in position else (position,)), depth)
    assert result.returncode == 0 and result.stdout.splitlines()[-1] == f"nodes {nodes}"


@pytest.mark.parametrize("position, depth, nodes", [row for row in PERFT if row[1] > 0 and row[2]])
def test_perft_divided(position, depth, nodes):
    result = run("perft", "--divide", *(("--position", position) if " " in position else (position,)), depth)
    *lines, last = result.stdout.splitlines()
    counts = [re.match(r"([a-p]\d+[-x][a-p]\d+):? +(\d+)$", line) for line in lines if line]
    assert all(counts) and last == f"nodes {nodes}"
    assert sum(int(count[2]) for count in counts) == nodes and len({count[1] for count in counts}) == len(counts)


def test_the_default_database_is_a_file_here(tmp_path):
    process = subprocess.Popen([BINARY, "serve", "--listen", "127.0.0.1:0"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert re.fullmatch(r"listening on http://127\.0\.0\.1:\d+\n", process.stdout.readline())
        assert len({re.sub("-(?:wal|shm|lock)$", "", path.name) for path in tmp_path.iterdir()}) == 1
    finally:
        process.terminate()
        assert process.wait(timeout=30) == 0
        process.stdout.close()
    assert not list(tmp_path.glob("*-wal")), "the file is whole by itself"


def test_the_data_file_is_its_owners_alone(start, tmp_path):
    """What is there already keeps the rights that it has."""
    modes = lambda: {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.glob("game.db*") if not path.name.endswith((".log", ".out", "-lock"))}
    before = os.umask(0)
    try:
        daemon, client = start("game.db")
        client.create().play("a1-b3")
        assert modes() == {"game.db": 0o600, "game.db-wal": 0o600, "game.db-shm": 0o600}
        assert daemon.stop() == 0
        daemon.database.chmod(0o640)
        daemon, client = start("game.db")
        client.create().play("a1-b3")
        assert set(modes().values()) == {0o640} and len(modes()) == 3
    finally:
        os.umask(before)


def not_a_database(path):
    path.write_bytes(b"This is a letter to my aunt.\n" * 200)


def a_short_file(path):
    path.write_bytes(b"x")


def another_application(path):
    with sqlite3.connect(path) as database:
        database.executescript("PRAGMA application_id = 42; CREATE TABLE letters (text); INSERT INTO letters VALUES ('dear aunt');")


def another_application_without_id(path):
    with sqlite3.connect(path) as database:
        database.executescript("CREATE TABLE games (name); INSERT INTO games VALUES ('solitaire'); PRAGMA user_version = 1;")


def a_newer_schema(path):
    with Daemon(path) as daemon:
        assert daemon.stop() == 0
    for log in path.parent.glob("*.log"):
        log.unlink()
    for out in path.parent.glob("*.out"):
        out.unlink()
    database = sqlite3.connect(path)
    version = database.execute("PRAGMA user_version").fetchone()[0]
    assert version >= 1
    database.execute(f"PRAGMA user_version = {version + 1}")
    database.commit()
    database.close()


def a_torn_database(path):
    another_application(path)
    path.write_bytes(path.read_bytes()[:100] + b"\xff" * 2000)


@pytest.mark.parametrize("make", [not_a_database, a_short_file, another_application, another_application_without_id, a_newer_schema, a_torn_database])
def test_databases_that_cannot_be_used_are_left_as_they_are(tmp_path, make):
    path = tmp_path / "file.db"
    make(path)
    before = print_of(tmp_path)
    for arguments in (("serve", "--database", path, "--listen", "127.0.0.1:0"), ("verify", "--database", path)):
        line = refused(*arguments)
        assert str(path) in line or "file.db" in line, line
        assert print_of(tmp_path) == before, arguments


def test_paths_that_cannot_be_opened(tmp_path):
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "folder", tmp_path / "missing" / "file.db", "/proc/version", "/proc/no-such-file.db", ""):
        refused("serve", "--database", path, "--listen", "127.0.0.1:0")
        refused("verify", "--database", path)
    refused("verify", "--database", tmp_path / "missing.db")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_a_database_without_permission(tmp_path):
    """As root it is run as nobody, from a folder that nobody can reach, since permissions do not bind root."""
    folder = pathlib.Path(tempfile.mkdtemp())
    try:
        folder.chmod(0o755)
        binary, path = folder / "iuvod", folder / "file.db"
        shutil.copy(BINARY, binary)
        with Daemon(path) as daemon:
            daemon.stop()
        path.chmod(0)
        before = path.stat().st_mtime_ns
        user = {"user": 65534, "group": 65534} if os.geteuid() == 0 else {}
        for arguments in (("serve", "--database", path, "--listen", "127.0.0.1:0"), ("verify", "--database", path), ("serve", "--database", folder / "new.db", "--listen", "127.0.0.1:0")):
            if arguments[2] != path and not user:
                folder.chmod(0o555)
            result = subprocess.run([binary, *arguments], capture_output=True, text=True, timeout=30, **user)
            assert result.returncode > 0 and "ermission" in result.stderr and str(arguments[2]) in result.stderr, result
        assert path.stat().st_mtime_ns == before and not (folder / "new.db").exists()
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


def test_a_second_daemon_on_the_same_file(start):
    daemon, client = start()
    table = client.create()
    line = refused("serve", "--database", daemon.database, "--listen", "127.0.0.1:0")
    assert re.search(r"another|in use|already|locked", line), line
    assert table.play("a1-b3").status_code == 201
    assert daemon.stop() == 0
    again, client = start()
    assert client.get(table.path).value["ply"] == 1


def test_an_address_in_use(start, tmp_path):
    daemon, _ = start()
    line = refused("serve", "--database", tmp_path / "other.db", "--listen", f"127.0.0.1:{daemon.port}")
    assert str(daemon.port) in line


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signals_end_it_with_status_0(start, number):
    daemon, client = start()
    table = client.create()
    game = table.get().value
    assert daemon.stop(number) == 0
    assert not list(daemon.database.parent.glob("*-wal")), "the file is whole by itself"
    daemon, client = start()
    assert client.get(table.path).value == game


def test_a_kill_loses_nothing_that_was_acknowledged(start):
    daemon, client = start()
    table = client.create()
    table.play_all(["a1-b3", "a7-b5"])
    daemon.kill()
    daemon, client = start()
    assert client.get(table.path).value == table.game
    assert daemon.stop() == 0 and daemon.verify().returncode == 0


def test_log_lines(start):
    daemon, client = start("game.db")
    table = client.create()
    table.play("a1-b3")
    client.get(f"{table.path}?x=%0Atime=1", headers={"User-Agent": 'a"b\\c'})
    client.exact("GET", "/no%20where%0d")
    assert daemon.stop() == 0
    log = daemon.log()
    requests = [line for line in log.splitlines() if "event=request" in line]
    assert len(requests) == 4
    for line in log.splitlines():
        assert re.fullmatch(r'time=\S+ level=(?:info|warn|error) event=\S+(?: [a-z_]+=(?:"(?:[^"\\]|\\.)*"|[^\s"]*))*', line), line
    for word in ("route=/v1/games/{game}/moves", "status=201", "method=POST"):
        assert word in requests[1], requests[1]
    for key in ("ms", "bytes", "request_id"):
        assert all(re.search(rf" {key}=\S+", line) for line in requests), key
    assert len({re.search(r" request_id=(\S+)", line)[1] for line in requests}) == 4
    assert not [token for token in [table.creator, *table.tokens.values()] if token in log]


def played(start):
    daemon, client = start()
    for variant, moves in (("iuvo-2", ["a1-b3", "a7-b5", "c1-d3"]), ("halma-2", ["n4-m5"])):
        client.create(variant).play_all(moves)
    finished = client.create()
    finished.play("a1-b3")
    finished.resign(2)
    assert daemon.stop() == 0
    return daemon, finished


def test_verify_is_clean(start):
    daemon, _ = played(start)
    before = daemon.database.read_bytes()
    result = daemon.verify()
    assert result.returncode == 0 and re.search(r"\b3\b.*games?", result.stdout), result.stdout
    assert daemon.database.read_bytes() == before


@pytest.mark.parametrize("change", [
    "UPDATE games SET position = replace(position, 'A', 'B') WHERE ply = 3", "UPDATE games SET position = (SELECT start FROM games WHERE ply = 3) WHERE ply = 3", "UPDATE games SET ply = 2 WHERE ply = 3", "UPDATE games SET turn = 1 WHERE ply = 3",
    "UPDATE games SET winner = 2 WHERE reason = 'resigned'", "UPDATE games SET reason = 'target' WHERE reason = 'resigned'", "UPDATE moves SET move = 'a1-c2' WHERE move = 'a1-b3'", "UPDATE moves SET position = 'x' WHERE ply = 2",
    "DELETE FROM moves WHERE ply = 3", "UPDATE moves SET seat = 1 WHERE ply = 2"])
def test_verify_finds_what_was_changed(start, change):
    daemon, _ = played(start)
    database = sqlite3.connect(daemon.database)
    database.execute("PRAGMA ignore_check_constraints = ON")
    changed = database.execute(change).rowcount
    database.commit()
    database.close()
    assert changed >= 1
    result = daemon.verify()
    assert result.returncode == 1, result.stdout + result.stderr
    assert re.search(r"[a-z2-7]{26}", result.stdout), result.stdout


def test_a_file_that_verify_finds_wanting_still_serves_its_other_games(start):
    daemon, finished = played(start)
    database = sqlite3.connect(daemon.database)
    database.execute("PRAGMA ignore_check_constraints = ON")
    database.execute("UPDATE games SET position = 'x' WHERE id = ?", (finished.id,))
    database.commit()
    database.close()
    daemon, client = start()
    reply = client.get(finished.path)
    assert (reply.status_code, reply.value["code"]) == (500, "damaged-game")
    assert client.create().play("a1-b3").status_code == 201


def test_what_a_damaged_file_holds_reaches_no_terminal(start):
    daemon, client = start()
    client.create("iuvo-2")
    assert daemon.stop() == 0
    with contextlib.closing(sqlite3.connect(daemon.database)) as database, database:
        database.execute("PRAGMA ignore_check_constraints = 1")
        database.execute("UPDATE games SET position = CAST(x'1b5b324a80' AS TEXT)")
    result = subprocess.run([BINARY, "verify", "--database", daemon.database], capture_output=True, timeout=60)
    assert result.returncode == 1
    assert b"\\x1b[2J\\x80" in result.stdout and b"\x1b" not in result.stdout, result.stdout
    with contextlib.closing(sqlite3.connect(daemon.database)) as database, database:
        database.execute("PRAGMA writable_schema = 1")
        database.execute("UPDATE sqlite_master SET sql = CAST(x'1b5b324a80' AS TEXT), name = CAST(x'1b80' AS TEXT) WHERE name = 'events'")
    result = subprocess.run([BINARY, "verify", "--database", daemon.database], capture_output=True, timeout=60)
    assert result.returncode == 1 and b"\x1b" not in result.stderr, result.stderr
    result.stderr.decode("utf-8")


def test_verify_tells_of_a_damaged_tree_line_by_line(start):
    """What SQLite has found comes as one text of several lines."""
    daemon, client = start()
    for _ in range(300):
        client.create()
    assert daemon.stop() == 0
    with contextlib.closing(sqlite3.connect(daemon.database)) as database:
        page, = database.execute("SELECT rootpage FROM sqlite_master WHERE name = 'games'").fetchone()
    data = bytearray(daemon.database.read_bytes())
    data[(page - 1) * 4096 + 12:(page - 1) * 4096 + 32] = b"\x00\x07" * 10
    daemon.database.write_bytes(data)
    result = subprocess.run([BINARY, "verify", "--database", daemon.database], capture_output=True, text=True, timeout=60)
    assert result.returncode == 1
    lines = result.stdout.splitlines()
    assert len(lines) > 3 and "\\x" not in result.stdout and "***" not in result.stdout, result.stdout[:2000]
    assert all(line.startswith(f"{daemon.database}: ") for line in lines if not line.endswith(" differences")), result.stdout[:2000]


def test_what_is_no_command_reaches_no_terminal():
    result = subprocess.run([BINARY, "\x1b[2J\n"], capture_output=True, timeout=60)
    assert result.returncode == 2 and result.stderr.startswith(b"iuvod: '\\x1b[2J\\x0a': there is no such command\n")


def file_of(folder, text):
    path = folder / "iuvod.conf"
    path.write_text(text)
    return path


@pytest.mark.parametrize("text, variables, options, said", [
    ("# comment\nloops = 0\n", {}, (), "FILE, line 2: loops '0': must be a whole number from 1 to "),
    ("lisden = 1", {}, (), "FILE, line 1: 'lisden': there is no such option"),
    ("batch-max = 3", {}, (), "FILE, line 1: 'batch-max': there is no such option"),
    ("listen = nowhere", {}, (), "FILE, line 1: listen 'nowhere': "),
    ("log-level = loud", {}, (), "FILE, line 1: log-level 'loud': must be one of debug, info, warn, error"),
    ("", {"IUVOD_LISTEN": "nowhere"}, (), "IUVOD_LISTEN 'nowhere': "),
    ("", {"IUVOD_CONNECTIONS_PER_ADDRESS": "many"}, (), "IUVOD_CONNECTIONS_PER_ADDRESS 'many': must be a whole number from 1 to "),
    ("", {"IUVOD_TEST_CLOCK": "noon"}, (), "IUVOD_TEST_CLOCK 'noon': must be a time as "),
    ("listen = nowhere", {"IUVOD_LISTEN": "nowhere"}, ("--listen", "elsewhere"), "--listen 'elsewhere': ")])
def test_configuration_that_is_wrong(tmp_path, text, variables, options, said):
    path = file_of(tmp_path, text)
    result = run("serve", "--config", path, *options, cwd=tmp_path, env=os.environ | variables)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith("iuvod: " + said.replace("FILE", str(path))), result.stderr
    assert result.stderr.endswith("\nTry 'iuvod serve --help'.\n") and list(tmp_path.iterdir()) == [path]


def test_a_configuration_that_is_not_there(tmp_path):
    result = run("serve", cwd=tmp_path, env=os.environ | {"IUVOD_CONFIG": "gone.conf"})
    assert (result.returncode, result.stderr) == (2, "iuvod: IUVOD_CONFIG 'gone.conf': No such file or directory\nTry 'iuvod serve --help'.\n")


def test_configuration_is_served(tmp_path):
    """The file's data file, the environment's level of the log, the address of the command line; a variable nobody knows is told."""
    path = file_of(tmp_path, "database = here.db\nlisten = nowhere\nlog-level = error\n")
    process = subprocess.Popen(
        [BINARY, "serve", "--listen", "127.0.0.1:0"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=os.environ | {"IUVOD_CONFIG": str(path), "IUVOD_LOG_LEVEL": "warn", "IUVOD_LISTN": "127.0.0.1:1"})
    try:
        assert re.fullmatch(r"listening on http://127\.0\.0\.1:\d+\n", process.stdout.readline())
        assert (tmp_path / "here.db").exists()
    finally:
        process.terminate()
        log = process.communicate(timeout=30)[1]
    assert process.returncode == 0
    assert "level=warn event=unknown-variable name=IUVOD_LISTN\n" in log and "event=listening" not in log
    for command in ("verify", "backup"):
        result = run(command, *(["copy.db"] if command == "backup" else []), cwd=tmp_path, env=os.environ | {"IUVOD_DATABASE": "here.db"})
        assert result.returncode == 0, result
