"""Time and engines go on for all games but those that are hit, whatever page is damaged: their own, or one of what leads to those that are due."""

import concurrent.futures
import re
import sqlite3
import time

import pytest
import requests

from client import Client, Plain
from daemon import Daemon, sanitized

GAMES = 120 if sanitized() else 700
START, LATER, AFTER = "2030-01-01T00:00:00.000Z", "2030-01-01T00:02:00.000Z", "2030-01-01T02:00:00.000Z"
PAGE = 4096
PATIENCE = 240


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """(the bytes of a file of games with clocks, {id of a game: its key})."""
    path = tmp_path_factory.mktemp("clocks") / "sound.db"
    with Daemon(path, "--test-clock", START) as daemon:
        def create(_):
            with Plain(daemon) as plain:
                return [plain.call("POST", "/v1/games", {"variant": "iuvo-2", "clock": {"per_move_seconds": 60}})[0] for _ in range(GAMES // 10)]
        with concurrent.futures.ThreadPoolExecutor(10) as pool:
            assert set(sum(pool.map(create, range(10)), [])) == {201}
        assert daemon.stop() == 0
    file = sqlite3.connect(path)
    games = dict(file.execute("SELECT id, game FROM games"))
    file.close()
    return path.read_bytes(), games


def leaves(path, name):
    """Numbers of the leaf pages of a table or an index, from 0."""
    file = sqlite3.connect(path)
    pages = [page - 1 for page, in file.execute("SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path", (name,))]
    file.close()
    return pages


def states(daemon, games):
    """{id: its status, or the code of the problem}."""
    with Plain(daemon) as plain:
        answers = {game: plain.call("GET", f"/v1/games/{game}") for game in games}
    return {game: answer["status" if status == 200 else "code"] for game, (status, answer) in answers.items()}


def wait_for(daemon, games, done):
    until = time.monotonic() + PATIENCE
    while not done(found := states(daemon, games)) and time.monotonic() < until:
        time.sleep(0.2)
    return found


def damage(data, path, page, fill=b"\0"):
    path.write_bytes(data[:page * PAGE] + (fill * PAGE)[:PAGE] + data[(page + 1) * PAGE:])


def put_clock(daemon, now):
    assert requests.put(f"{daemon.url}/test-clock", json={"now": now}, timeout=60).status_code == 200


@pytest.mark.parametrize("number", [0, 3, -1], ids=["first", "middle", "last"])
@pytest.mark.parametrize("now", [START, AFTER], ids=["as time passes", "after downtime"])
def test_games_beside_one_that_is_damaged_end_in_time(sound, tmp_path, number, now):
    data, games = sound
    path = tmp_path / "game.db"
    path.write_bytes(data)
    damage(data, path, leaves(path, "games")[number], b"\xa5")
    with Daemon(path, "--test-clock", now, "--cache-bytes", "0") as daemon:
        before = states(daemon, games)
        hit = {game for game, state in before.items() if state != "active"}
        assert 0 < len(hit) < 40 and {before[game] for game in hit} <= {"damaged-game", "damaged-data"}
        put_clock(daemon, LATER if now == START else "2030-01-01T02:03:00.000Z")
        found = wait_for(daemon, games, lambda found: set(found.values()) == {"finished"} | {before[game] for game in hit})
        assert {game for game, state in found.items() if state != "finished"} == hit
        if now == AFTER:
            events = requests.get(f"{daemon.url}/v1/games/{next(iter(set(games) - hit))}/events", timeout=60).json()["events"]
            assert [event["data"]["ms"] for event in events if event["type"] == "time_credited"] == [7200000]
        if number != -1:  # a new one would lie in the last page
            with Client(daemon, set()) as client:
                assert client.create("iuvo-2").play("a1-b3").status_code == 201
        assert daemon.stop() == 0


@pytest.mark.parametrize("fill", [b"\0", b"\xa5"], ids=["zeros", "noise"])
@pytest.mark.parametrize("number", [0, -1], ids=["first", "last"])
def test_games_end_in_time_though_what_leads_to_them_is_damaged(sound, tmp_path, number, fill):
    """
    They are found by looking at all games.  Those whose entry lies in the page itself cannot be written any more, nor can
    many in a page beside it: SQLite puts pages together as they grow empty.
    """
    data, games = sound
    path = tmp_path / "game.db"
    path.write_bytes(data)
    pages = leaves(path, "games_due")
    if len(pages) < 2:
        pytest.skip("too few games for two pages")
    damage(data, path, pages[number], fill)
    with Daemon(path, "--test-clock", START, "--cache-bytes", "0") as daemon:
        assert set(states(daemon, games).values()) == {"active"}
        put_clock(daemon, LATER)
        found = wait_for(daemon, games, lambda found: list(found.values()).count("finished") >= 20)
        assert list(found.values()).count("finished") >= 20 and "active" in found.values()
        assert "event=due_index_damaged" in daemon.log()
        with Client(daemon, set()) as client:
            assert client.create("iuvo-2").play("a1-b3").status_code == 201
        assert daemon.stop() == 0


def test_an_entry_that_is_wrong_ends_nothing_and_stops_nobody(sound, tmp_path):
    """It says that a game is due whose row says that it is not."""
    data, games = sound
    path = tmp_path / "game.db"
    path.write_bytes(data)
    file = sqlite3.connect(path)
    due, = file.execute("SELECT min(due) FROM games").fetchone()
    file.close()
    page = leaves(path, "games_due")[0] * PAGE
    # The first entry of the page, as its header of 8 bytes is followed by where each begins.
    at = data.index(due.to_bytes(6, "big"), page + int.from_bytes(data[page + 8:page + 10], "big"))
    path.write_bytes(data[:at] + (due - 30000).to_bytes(6, "big") + data[at + 6:])
    with Daemon(path, "--test-clock", START, "--cache-bytes", "0") as daemon:
        put_clock(daemon, "2030-01-01T00:00:40.000Z")
        with Client(daemon, set()) as client:
            assert client.create("iuvo-2").play("a1-b3").status_code == 201
        assert set(states(daemon, games).values()) == {"active"}
        put_clock(daemon, LATER)
        found = wait_for(daemon, games, lambda found: list(found.values()).count("finished") >= len(games) - 1)
        assert list(found.values()).count("finished") >= len(games) - 1
        assert daemon.stop() == 0


def test_engines_move_beside_a_game_that_is_damaged(tmp_path):
    """After a kill: they are looked for when the service starts."""
    path = tmp_path / "game.db"
    with Daemon(path) as daemon, requests.Session() as session:
        body = {"variant": "iuvo-2", "seats": [{"engine": {"level": 10}}, {"name": "Ada"}]}
        for _ in range(60):
            assert session.post(f"{daemon.url}/v1/games", json=body, timeout=60).status_code == 201
        daemon.kill()
    file = sqlite3.connect(path)
    file.execute("UPDATE seats SET level = 1 WHERE level IS NOT NULL")
    file.commit()
    file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    thinking = {game for game, in file.execute("SELECT id FROM games WHERE thinks IS NOT NULL")}
    file.close()
    assert len(thinking) > 30
    data = path.read_bytes()
    damage(data, path, leaves(path, "games")[1], b"\xa5")
    with Daemon(path, "--cache-bytes", "0") as daemon:
        def waiting():
            replies = {game: requests.get(f"{daemon.url}/v1/games/{game}", timeout=60) for game in thinking}
            assert {reply.status_code for reply in replies.values()} == {200, 500}
            return {game for game, reply in replies.items() if reply.status_code == 200 and reply.json()["turn"] == 1}

        def hindered():
            """Beside the damaged page: their rows can be read, and not be written where SQLite would move some of them there."""
            return set(re.findall(r"event=opponent_failed game=(\w+) fault=damaged-data", daemon.log()))
        until = time.monotonic() + PATIENCE
        while waiting() - hindered() and time.monotonic() < until:
            time.sleep(0.2)
        left = waiting()
        assert left <= hindered() and len(left) < 10, daemon.log()[-4000:]
        assert daemon.stop() == 0
