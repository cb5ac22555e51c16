"""A data file of which a page is overwritten: never a crash, never a wrong answer; the game that is hit says so, others go on."""

import contextlib
import json
import os
import random
import re
import sqlite3

import pytest
import requests

import everything
from client import Client
from daemon import Daemon, run

PAGE = 4096
LONG = "IUVOD_LONG" in os.environ
PATHS = ("", "/moves", "/legal-moves", "/events?limit=1000", "/record", "/board.txt", "/positions/0", "/positions/1", "/moves/1")


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """(the bytes of a sound file, {target: answer}, {name: Table})."""
    path = tmp_path_factory.mktemp("damage") / "sound.db"
    with Daemon(path) as daemon, Client(daemon, set()) as client:
        made = everything.tables(everything.make(client))
        assert daemon.stop() == 0
    with Daemon(path, "--cache-bytes", "0") as daemon, Client(daemon, set()) as client:
        answers = {target: ask(client, target) for target in targets(made)}
        assert daemon.stop() == 0
    return path.read_bytes(), answers, made


def targets(made):
    names = made if LONG else ("iuvo", "four", "halma", "over", "long", "open")
    return [made[name].path + path for name in names for path in PATHS] + ["/v1/games", "/v1/games?variant=iuvo-2", "/v1/games?status=active"]


def ask(client, target):
    reply = client.get(target)
    return reply.status_code, reply.content


def damages(data):
    """(what was done to which page, the damaged file), page by page."""
    pages = len(data) // PAGE
    chance = random.Random(5)
    for page in range(pages):
        at = page * PAGE
        other = chance.choice([number for number in range(pages) if number != page]) * PAGE
        kinds = {"zeros": bytes(PAGE), "noise": chance.randbytes(PAGE), "another": data[other:other + PAGE],
                 "torn": data[at:at + 512] + chance.randbytes(PAGE - 512)}
        names = list(kinds) if LONG else [list(kinds)[page % len(kinds)]]
        for name in names:
            yield f"page {page + 1}: {name}", data[:at] + kinds[name] + data[at + PAGE:]


def differs(client, answers, made):
    """Asks for everything: each answer is the one of before, or says that it cannot be given."""
    hit = set()
    for target, (status, content) in answers.items():
        reply = client.get(target)
        if (reply.status_code, reply.content) == (status, content):
            continue
        hit.add(target)
        if reply.status_code == 500:
            assert reply.value["code"] in ("damaged-game", "damaged-data"), (target, reply.text)
        elif target.startswith("/v1/games?") or target == "/v1/games":
            known = {game["id"]: game for game in json.loads(content)["games"]}
            assert reply.status_code == 200 and all(known.get(game["id"]) == game for game in reply.value["games"]), target
        else:
            # An index that does not lead to the game any more.
            assert reply.status_code == 404 and reply.value["code"] == "no-such-game", (target, reply.status_code, reply.content)
    return hit


def test_every_page_overwritten(sound, tmp_path):
    data, answers, made = sound
    refused = hit = 0
    for number, (what, damaged) in enumerate(damages(data)):
        path = tmp_path / f"{number}.db"
        path.write_bytes(damaged)
        daemon = Daemon(path, "--cache-bytes", "0")
        try:
            daemon.start()
        except AssertionError as error:
            assert "did not start (status 1)" in str(error) and "iuvod: " in str(error), (what, str(error))
            refused += 1
            continue
        try:
            with Client(daemon, set()) as client:
                found = differs(client, answers, made)
                hit += bool(found)
                # Who is not hit plays on, and new games are made.
                made_new = client.post("/v1/games", json={"variant": "iuvo-2"})
                assert made_new.status_code in (201, 500), (what, made_new.status_code, made_new.content)
                for name in ("iuvo", "long", "four"):
                    table = made[name]
                    moves = client.get(f"{table.path}/legal-moves")
                    if moves.status_code != 200:
                        continue
                    played = client.post(f"{table.path}/moves", json={"move": moves.value["moves"][0]["move"]}, token=table.tokens[moves.value["turn"]])
                    # A token whose row is lost is nobody's, or, where it serves a rematch too, one of that game alone.
                    assert played.status_code in (201, 401, 403, 500), (what, name, played.status_code, played.content)
                    assert played.status_code != 403 or played.value["code"] == "not-your-seat", (what, name, played.content)
                assert daemon.stop() == 0, what
        finally:
            daemon.kill()
        verified = run("verify", "--database", path)
        assert verified.returncode in (0, 1), (what, verified)
        path.unlink()
    assert refused >= 1 and hit >= 5


def test_the_others_go_on_beside_a_game_that_is_damaged(sound, tmp_path):
    """The page that has the moves of one game alone."""
    data, answers, made = sound
    path = tmp_path / "game.db"
    path.write_bytes(data)
    # Leaves of the table of moves.
    for page in [page for page in range(len(data) // PAGE) if data[page * PAGE:(page + 1) * PAGE].count(b'{"move":') > 3]:
        at = page * PAGE
        path.write_bytes(data[:at] + b"\xff" * PAGE + data[at + PAGE:])
        daemon = Daemon(path, "--cache-bytes", "0")
        try:
            daemon.start()
        except AssertionError:
            continue
        try:
            with Client(daemon, set()) as client:
                hit = {target.split("/")[3] for target in differs(client, answers, made) if target.count("/") > 2}
                if hit != {made["long"].id}:
                    continue
                reply = client.get(f"{made['long'].path}/moves")
                assert (reply.status_code, reply.value["code"]) == (500, "damaged-game")
                reply = client.post(f"{made['long'].path}/moves", json={"move": "a1-b3"}, token=made["long"].tokens[1])
                assert reply.status_code in (409, 500)
                # One whose rows lie beside those of the other may need its page to make room.
                table = everything.Table(client, {**made["iuvo"].game, "creator_token": made["iuvo"].creator})
                table.tokens, table.game = made["iuvo"].tokens, table.get().value
                everything.play(table, 3)
                assert daemon.stop() == 0
                return
        finally:
            daemon.kill()
    raise AssertionError("no page is of that game alone")


@pytest.mark.parametrize("change", [
    "UPDATE games SET position = (SELECT position FROM moves AS m WHERE m.game = games.game AND m.ply = 2) WHERE id = ?",
    "UPDATE games SET position = start WHERE id = ?",
    "UPDATE moves SET position = (SELECT start FROM games WHERE id = ?) WHERE game = 1 AND ply = 6",
    "UPDATE games SET ply = ply - 1 WHERE id = ?"])
def test_a_position_that_only_looks_sound_is_not_served(sound, tmp_path, change):
    data, _, made = sound
    path = tmp_path / "game.db"
    path.write_bytes(data)
    file = sqlite3.connect(path)
    assert file.execute(change, (made["iuvo"].id,)).rowcount == 1
    file.commit()
    file.close()
    with Daemon(path) as daemon, Client(daemon, set()) as client:
        for rest in ("", "/legal-moves", "/board.txt", "/moves"):
            reply = client.get(made["iuvo"].path + rest)
            assert (reply.status_code, reply.value["code"]) == (500, "damaged-game"), rest
        listed = {game["id"] for game in client.get("/v1/games").value["games"]}
        assert made["four"].id in listed and made["iuvo"].id not in listed
        assert client.get(made["four"].path).status_code == 200
        assert daemon.stop() == 0


def lost_rows(path):
    """(table, the WHERE that finds the row), row by row of what belongs to a game; in the short form two of each table."""
    file = sqlite3.connect(path)
    tables = [name for name, in file.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name") if name != "games"]
    for table in tables:
        columns = file.execute(f"PRAGMA table_info({table})").fetchall()
        key = [column[1] for column in sorted(columns, key=lambda column: column[5]) if column[5]]
        if "game" not in [column[1] for column in columns]:
            continue
        rows = file.execute(f"SELECT {', '.join(f'quote({name})' for name in key)} FROM {table}").fetchall()
        for row in rows if LONG else rows[::max(len(rows) - 1, 1)]:
            yield table, " AND ".join(f"{name} = {value}" for name, value in zip(key, row, strict=True))
    file.close()


def test_a_row_that_is_lost_is_never_taken_for_one_that_never_was(sound, tmp_path):
    data, answers, made = sound
    whole = tmp_path / "whole.db"
    whole.write_bytes(data)
    for number, (table, where) in enumerate(lost_rows(whole)):
        path = tmp_path / f"{number}.db"
        path.write_bytes(data)
        file = sqlite3.connect(path)
        assert file.execute(f"DELETE FROM {table} WHERE {where}").rowcount == 1
        file.commit()
        file.close()
        with Daemon(path, "--cache-bytes", "0") as daemon, Client(daemon, set()) as client:
            lost = {target: client.get(target) for target in differs(client, answers, made)}
            assert all(reply.status_code in (200, 500) for reply in lost.values()), (table, where, lost)
            assert daemon.stop() == 0


def stream_of(client, target, media, token=None):
    """The seqs that a stream tells until it is cut off; it must be."""
    seqs = []
    with contextlib.suppress(requests.exceptions.ChunkedEncodingError):
        with requests.get(client.url_of(target) + target, stream=True, timeout=10, headers={"Accept": media} | ({"Authorization": f"Bearer {token}"} if token else {})) as reply:
            if reply.status_code != 200:
                assert (reply.status_code, reply.json()["code"]) == (500, "damaged-game")
                return seqs
            for line in reply.iter_lines():
                found = re.search(rb'^(?:data: )?\{"seq":(\d+)', line)
                seqs += [int(found[1])] if found else []
    return seqs


@pytest.mark.parametrize("media", ["application/x-ndjson", "text/event-stream"])
@pytest.mark.parametrize("name, gone", [("iuvo", 2), ("iuvo", 1), ("over", -1)])
def test_a_stream_never_leaves_out_an_event(sound, tmp_path, media, name, gone):
    """Where the log has a gap it is cut off, and so is who comes again."""
    data, _, made = sound
    path = tmp_path / "game.db"
    path.write_bytes(data)
    file = sqlite3.connect(path)
    game, last = file.execute("SELECT game, seq FROM games WHERE id = ?", (made[name].id,)).fetchone()
    gone = gone if gone > 0 else last
    assert file.execute("DELETE FROM events WHERE game = ? AND seq = ?", (game, gone)).rowcount == 1
    file.commit()
    file.close()
    with Daemon(path) as daemon, Client(daemon, set()) as client:
        target = f"{made[name].path}/events"
        for after in {0, gone - 1}:
            assert stream_of(client, f"{target}?after={after}", media) == list(range(after + 1, gone))
        assert client.get(f"{target}?limit=1000").status_code == 500
        assert client.get(made["four"].path).status_code == 200
        assert daemon.stop() == 0


def test_a_players_stream_never_leaves_out_an_event(tmp_path):
    path = tmp_path / "game.db"
    with Daemon(path) as daemon, Client(daemon, set()) as client:
        player = client.post("/v1/players", json={"name": "Ada"}).value
        token = player["token"]
        table = client.post("/v1/games", json={"variant": "iuvo-2"}, token=token).value
        assert client.post(f"/v1/games/{table['id']}/moves", json={"move": "a1-b3"}, token=table["seats"][0].get("token") or token).status_code == 201
        assert daemon.stop() == 0
    file = sqlite3.connect(path)
    assert file.execute("DELETE FROM feed WHERE seq = 2").rowcount == 1
    file.commit()
    file.close()
    with Daemon(path) as daemon, Client(daemon, set()) as client:
        reply = client.get("/v1/me/events", token=token)
        assert (reply.status_code, reply.value["code"]) == (500, "damaged-data")
        for media in ("application/x-ndjson", "text/event-stream"):
            assert stream_of(client, "/v1/me/events", media, token) == [1]
        assert daemon.stop() == 0
