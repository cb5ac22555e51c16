"""A data file of an older program: brought up to date, nothing lost, and the games in it go on."""

import json
import re
import sqlite3
import time

import pytest
import requests

import everything
from client import Table, problem
from contract import SOURCE
from daemon import run
from scrape import scrape

FIRST = SOURCE / "sql" / "migrations" / "0001_games.sql"
SAMPLE = SOURCE / "tests" / "store" / "schema_1.sql"

# The games of the sample, by what has happened to them: id, the creator's token, those of seats.
GAMES = {
    "active": ("ig624ifslonbk2xbltj6oduqz4", "5zidmtrojq5okx6k753w4c67kqwe6tpres35aif3r4vm3mnwvy3a", {1: "buxvx26zl5rwsul7g6m4gxbvugyk4vvuvpdrma6d2ddtoyt7rjkq", 2: "2bcajkv4tdwuynmu6cssh67677o425vnn56velj54ocabanh5joa"}),
    "finished": ("4b6c3pgo2s7zrvwb2ns4d4slpe", "j4bbylnqrorg2zf34n3tuegqa2mpa2skqchk5zatozigrkxgnsza", {1: "jc4z6m6kpb53mzavzd2iui34oesapfrufi2m6xk6lzi4zcn3qhqq"}),
    "open": ("j2isaazgqedxmup3tmnnl2dd5y", "l3sjrte6szqwp7qduolnfmkrsgofd7sqwaz3wdqzzafbuwwjarwa", {1: "umc6py3hdffk7imrjidttlby5lcwrkmwrfsp62iev2hplk3ldu6q", 2: "5662m4i6nelgrddsss6lhguown4lfhqmfbp33n77rv4csl5mu6xa"}),
    "withdrawn": ("bb2inngxicntwkbg4bwlhp26qe", "zwp574ydjptz3wvtzjzf7zw6t3zjgrxelsx4bp2555lbkhq3jajq", {1: "o23uv4xmmej57wxplknpicx4qam7r3l3eduvo5az4kr2gxgv5oba"}),
    "four": ("7hkswvxhza5452a4w36yx4e5uq", "cpcl57ohm6ubtoecgdhs54oshq3hqlksai2rtqpdh6ueh6ri56za", {2: "nkuz5jnkchsio66jl5b6o6sr4mmwc56clk77a666gztevd3bmt3a"}),
    "halma": ("iw3owrqj2tg7bv34sb6lquedau", "npegcb4ubms4743wf6kfncu4f35wgobvxd47kdjml3kb4oej2b4a", {1: "scfqx7dhy2eia6cc3tusztxi7oizleqkdyxfjpvbzbtdjcifynha"}),
    "imported": ("nzzykfgs4mzlczivhpclf4oumu", "mv7urg7fmhkepwisj2mbd2i67nbecrjmxkz3rvjnjcwabdn2rija", {1: "r5uucfp7tlbpictgg5zb24uqe5yydbh5azlfzimvmf436fw5eqbq"}),
}
STATUS = {"open": "open", "finished": "finished", "imported": "finished", "withdrawn": "withdrawn"}


@pytest.fixture
def old(tmp_path):
    """A file of schema 1 with the sample in it, of which an answer is kept for retries until tomorrow, whenever the sample was made."""
    path = tmp_path / "game.db"
    file = sqlite3.connect(path)
    file.executescript(FIRST.read_text(encoding="utf-8"))
    file.executescript(SAMPLE.read_text(encoding="utf-8"))
    file.execute("UPDATE retries SET expires = ?", (int((time.time() + 86400) * 1000),))
    file.commit()
    file.execute("PRAGMA journal_mode = WAL")
    file.close()
    return path


@pytest.fixture
def moved(old, start):
    return start(old.name)


def table(client, name):
    identity, creator, tokens = GAMES[name]
    found = Table(client, {**client.get(f"/v1/games/{identity}").value, "creator_token": creator})
    found.tokens = dict(tokens)
    return found


def rows(path, sql):
    file = sqlite3.connect(path)
    try:
        return file.execute(sql).fetchall()
    finally:
        file.close()


def test_nothing_is_lost(old, moved):
    daemon, client = moved
    for name in GAMES:
        game = table(client, name)
        assert game.game["status"] == STATUS.get(name, "active") and len(game.events()) == game.game["seq"], name
        assert [event["type"] for event in game.events()][0] == "game_created"
        assert game.get("/record").status_code == game.get("/board.txt").status_code == game.get("/moves").status_code == 200
        assert {seat["player"] for seat in game.game["seats"]} == {None}
    listed = [game["id"] for game in client.get("/v1/games").value["games"]]
    assert listed == [GAMES[name][0] for name in ("four", "open", "finished", "active")]
    assert [seat["name"] for seat in table(client, "active").game["seats"]] == ["Ada", 'Zoë "Z" B.']
    assert table(client, "imported").get("/record").value["tags"] == {"Event": 'Kaffee "am" Sonntag', "Place": "Ulm"}
    assert table(client, "four").game["seats"][2]["out_reason"] == "resigned"
    assert [game["id"] for game in client.get("/v1/games?name=Cem").value["games"]] == [GAMES["open"][0]]
    assert daemon.stop() == 0
    verified = daemon.verify()
    assert verified.returncode == 0 and "7 games" in verified.stdout, verified.stdout + verified.stderr


def test_what_was_kept_for_retries_is_still_answered(moved):
    """As the version before gave the answer, byte for byte: not by the contract of this one."""
    daemon, _ = moved
    body = {"variant": "iuvo-2", "seats": [{"name": "Ada"}, {"name": 'Zoë "Z" B.'}]}
    reply = requests.post(f"{daemon.url}/v1/games", json=body, headers={"Idempotency-Key": "the-first-game-ever-made"}, timeout=60)
    assert reply.status_code == 201 and reply.headers["Idempotency-Replayed"] == "true"
    assert (reply.json()["id"], reply.json()["creator_token"]) == GAMES["active"][:2]


def test_the_games_go_on(moved):
    daemon, client = moved
    active, four, halma, waiting = (table(client, name) for name in ("active", "four", "halma", "open"))
    assert active.play("c7-d5").status_code == 201 and four.play("a3-b5").status_code == 201
    assert halma.play(halma.get("/legal-moves").value["moves"][0]["move"]).status_code == 201
    problem(active.post("/moves", json={"move": "a1-b3"}, token=active.creator), 403, "not-your-seat")
    assert active.rekey(1, active.creator).status_code == 200
    # Seat 2 was taken by somebody, who has a token of his own.
    problem(waiting.rekey(2, waiting.creator), 403, "not-your-seat")
    assert waiting.leave(2).status_code == 200
    assert [waiting.take(seat, "Dag").status_code for seat in (2, 3)] == [200, 200] and waiting.game["status"] == "active"
    problem(table(client, "withdrawn").resign(1), 409, "game-withdrawn")
    problem(table(client, "finished").resign(1), 409, "game-over")
    assert daemon.stop() == 0
    assert daemon.verify().returncode == 0


def test_the_file_before_is_kept_beside_it(old, moved):
    daemon, _ = moved
    before = old.with_name(f"{old.name}.before-2")
    assert rows(before, "PRAGMA user_version") == [(1,)] and rows(before, "PRAGMA integrity_check") == [("ok",)]
    for name in ("games", "seats", "tokens", "moves", "endings", "events", "retries"):
        assert re.search(f"CREATE TABLE {name} ", FIRST.read_text(encoding="utf-8"))
        assert rows(before, f"SELECT count(*) FROM {name}")[0][0] == len(re.findall(f"^INSERT INTO {name} ", SAMPLE.read_text(encoding="utf-8"), re.MULTILINE))
    assert daemon.stop() == 0
    assert rows(old, "PRAGMA integrity_check") == [("ok",)] and rows(old, "PRAGMA foreign_key_check") == []


def test_an_old_file_is_not_verified_but_left_as_it_is(old):
    bytes_before = old.read_bytes()
    refused = run("verify", "--database", old)
    assert refused.returncode != 0 and "brings it up to date" in refused.stderr
    assert old.read_bytes() == bytes_before


# Every schema that was released, the newest too: what it has left is read by whatever comes after it.
MIGRATIONS = sorted((SOURCE / "sql" / "migrations").glob("*.sql"))
TABLES = {1: ("games", "seats", "tokens", "moves", "endings", "events", "retries"),
          2: ("games", "seats", "tokens", "moves", "endings", "events", "retries", "players", "player_tokens", "offers", "sat", "feed")}
TABLES[3] = (*TABLES[2], "game_counts")


def sample(schema):
    return (SOURCE / "tests" / "store" / f"schema_{schema}.sql").read_text(encoding="utf-8")


def make(path, schema):
    file = sqlite3.connect(path)
    for migration in MIGRATIONS[:schema]:
        file.executescript(migration.read_text(encoding="utf-8"))
    file.executescript(sample(schema))
    assert file.execute("PRAGMA user_version").fetchone() == (schema,) and file.execute("PRAGMA foreign_key_check").fetchall() == []
    file.close()


def test_every_schema_has_a_sample():
    assert sorted(TABLES) == list(range(1, len(MIGRATIONS) + 1))


@pytest.mark.parametrize("schema", TABLES)
def test_what_every_schema_has_left_is_brought_up_to_date(tmp_path, schema):
    path = tmp_path / "game.db"
    make(path, schema)
    counts = {name: rows(path, f"SELECT count(*) FROM {name}") for name in TABLES[schema]}
    before = path.read_bytes()
    old = schema < len(MIGRATIONS)
    tried = run("migrate", "--dry-run", "--database", path)
    assert tried.returncode == 0 and tried.stderr == ""
    assert ("0 differences" if old else "there is nothing to do") in tried.stdout
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]
    done = run("migrate", "--database", path)
    assert done.returncode == 0 and ("0 differences" if old else "there is nothing to do") in done.stdout
    assert [migration.stem in done.stdout for migration in MIGRATIONS[schema:]] == [True] * (len(MIGRATIONS) - schema)
    assert rows(path, "PRAGMA user_version") == [(len(MIGRATIONS),)]
    assert {name: rows(path, f"SELECT count(*) FROM {name}") for name in TABLES[schema]} == counts
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["game.db", *(f"game.db.before-{n}" for n in range(schema + 1, len(MIGRATIONS) + 1))]
    assert "nothing to do" in run("migrate", "--database", path).stdout


@pytest.mark.parametrize("schema", TABLES)
def test_what_every_schema_has_left_is_copied_and_carried_over(tmp_path, schema):
    """As it stands an old file is copied; up to date, it is dumped, loaded and dumped again to the byte."""
    path, copy, other = (tmp_path / name for name in ("game.db", "copy.db", "other.db"))
    make(path, schema)
    old = schema < len(MIGRATIONS)
    # What belongs to an older program is not looked through by this one, and is told so.
    for command in ("verify", "dump"):
        refused = run(command, "--database", path)
        assert (refused.returncode != 0) == old and ("brings it up to date" in refused.stderr) == old, (command, refused.stderr)
    copied = run("backup", "--database", path, copy)
    assert copied.returncode == 0 and rows(copy, "PRAGMA user_version") == [(schema,)]
    assert ("does not replay" in copied.stdout) == old and ("games, " in copied.stdout) == (not old)
    assert [run("migrate", "--database", file).returncode for file in (path, copy)] == [0, 0]
    for file in (path, copy):
        verified = run("verify", "--database", file)
        assert verified.returncode == 0, verified.stderr
    dumped = run("dump", "--database", path)
    loaded = run("load", "--database", other, input=dumped.stdout)
    assert (dumped.returncode, loaded.returncode) == (0, 0), loaded.stderr
    for place in (other, copy):
        assert run("verify", "--database", place).returncode == 0
        assert run("dump", "--database", place).stdout == dumped.stdout
    assert {name: rows(other, f"SELECT count(*) FROM {name}") for name in TABLES[schema]} == {name: rows(path, f"SELECT count(*) FROM {name}") for name in TABLES[schema]}
    restored = run("restore", "--database", path, copy)
    assert restored.returncode == 0 and run("dump", "--database", path).stdout == dumped.stdout


@pytest.mark.parametrize("schema", TABLES)
def test_games_are_counted(tmp_path, schema, start):
    """Of what every schema has left, and on from there; a count that is wrong is a difference."""
    path = tmp_path / "game.db"
    make(path, schema)
    daemon, client = start("game.db", "--admin-listen", "0")
    table = client.create(seats=[{}, {"open": True}])
    assert client.create().withdraw().status_code == 200
    table.take(2)
    table.resign(1)
    client.create(seats=[{"open": True}, {}])
    told = scrape(daemon, client)
    assert daemon.stop() == 0 and daemon.verify().returncode == 0
    counts = dict(rows(path, "SELECT status, count(*) FROM games GROUP BY status"))
    assert set(counts) == {"open", "active", "finished", "withdrawn"}
    assert {status: told.get("iuvod_games", status=status) for status in counts} == counts
    for change in ("UPDATE game_counts SET active = active + 1", "UPDATE game_counts SET active = active - 1, finished = finished + 1"):
        file = sqlite3.connect(path)
        file.execute(change)
        file.commit()
        file.close()
        wrong = run("verify", "--database", path)
        assert wrong.returncode == 1 and "how many games of each status there are" in wrong.stdout, wrong.stdout


def test_a_step_that_cannot_be_taken_is_told_by_the_dry_run(tmp_path):
    """Somebody has put a table where one is to be made."""
    path = tmp_path / "game.db"
    make(path, 1)
    file = sqlite3.connect(path)
    file.execute("CREATE TABLE offers (x)")
    file.close()
    before = path.read_bytes()
    for arguments in (("--dry-run",), ()):
        tried = run("migrate", *arguments, "--database", path)
        assert tried.returncode == 1 and re.search("migration 0002_play_by_post of .* failed: table offers already exists", tried.stderr)
    assert rows(path, "PRAGMA user_version") == [(1,)]
    assert not list(tmp_path.glob("*dry-run*")) and path.read_bytes()[100:] == before[100:]


@pytest.mark.parametrize("arguments", [("--dry-run",), ()])
def test_a_file_that_is_not_there_is_not_made(tmp_path, arguments):
    tried = run("migrate", *arguments, "--database", tmp_path / "game.db")
    assert tried.returncode == 1 and "No such file" in tried.stderr and list(tmp_path.iterdir()) == []


def test_a_file_that_is_served_is_tried_but_not_brought_up_to_date(tmp_path, start):
    """By an older program, so to speak: it has the lock."""
    daemon, _ = start("game.db")
    assert run("migrate", "--dry-run", "--database", daemon.database).returncode == 0
    path = tmp_path / "old.db"
    make(path, 1)
    import fcntl
    with open(f"{path}-lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert run("migrate", "--dry-run", "--database", path).returncode == 0
        tried = run("migrate", "--database", path)
    assert tried.returncode == 1 and "in use by another iuvod" in tried.stderr and rows(path, "PRAGMA user_version") == [(1,)]


@pytest.mark.parametrize("schema", sorted(TABLES)[1:])
def test_the_games_of_every_schema_go_on(tmp_path, start, schema):
    make(tmp_path / "game.db", schema)
    known = json.loads(re.search("^-- known: (.*)$", sample(schema), re.MULTILINE)[1])
    daemon, client = start("game.db")
    for name, game in known["games"].items():
        table = Table(client, {**client.get(f"/v1/games/{game['id']}").value, "creator_token": None})
        table.tokens = {int(seat): token for seat, token in game["tokens"].items()}
        assert len(table.events()) == table.game["seq"]
        if name in ("iuvo", "four", "rematch", "long"):
            everything.play(table, 2)
    assert client.get("/v1/me", token=known["games"]["players"]["tokens"]["2"]).value["name"] == "Bø 😀"
    again = requests.post(f"{daemon.url}/v1/games", json={"variant": "iuvo-2"}, headers={"Idempotency-Key": known["key"]}, timeout=60)
    assert again.json()["id"] == known["games"]["retried"]["id"]
    assert daemon.stop() == 0
    assert daemon.verify().returncode == 0
