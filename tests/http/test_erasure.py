"""DELETE /v1/me: the person is gone from everything, and the games stay."""

import itertools
import json
import sqlite3

import pytest

from client import problem

OPEN = {"open": True}
# No other word that the service knows is like these.
FIRST, LATER, LENT = "Zuleika Wrzesniewska", "Zuleika Quixote", "Zuleika's Sister"
WORDS = ("Zuleika", "Wrzesniewska", "Quixote")

# What there is to see of a game.
SIGHTS = [("events?limit=1000", "application/json"), ("record", "application/json"), ("record", "text/plain"), ("board", "image/svg+xml"),
          ("board.txt", "text/plain"), ("moves", "application/json"), ("positions/0", "application/json"), ("legal-moves", "application/json")]


def erase(client, token, **more):
    reply = client.request("DELETE", "/v1/me", token=token, **more)
    assert reply.status_code == 204 and reply.content == b"" and reply.headers["Cache-Control"] == "no-store"
    return reply


def types(table):
    return [event["type"] if event["seat"] is None else f"{event['type']}:{event['seat']}" for event in table.events()]


def tell_tale(text):
    return [word for word in WORDS if word in text]


class World:
    """Zuleika, whom some know as something else, and all that she had to do with."""

    def __init__(self, client):
        self.client = client
        self.me = client.register(FIRST)
        self.token, self.ben = self.me["token"], client.register("Ben")["token"]
        self.tables = {
            "active": client.create(seats=[{}, OPEN], token=self.token),
            "unlisted": client.create(seats=[{}, OPEN], visibility="unlisted", token=self.token),
            "four": client.create("iuvo-4", seats=[OPEN] * 4),
            "open": client.create("iuvo-4", seats=[{}, {"name": LENT}, OPEN, {"name": "Cem"}], token=self.token),
            "withdrawn": client.create(token=self.token),
            "finished": client.create(seats=[OPEN, {}], token=self.token),
            "left": client.create("iuvo-4", seats=[OPEN] * 4),
            "given": client.create(seats=[{"name": "Eli"}, {}], token=self.token),
            "seatless": client.create(seats=[OPEN, OPEN], token=self.token),
        }
        client.request("PATCH", "/v1/me", json={"name": LATER}, token=self.token)
        for name in ("active", "unlisted"):
            self.tables[name].take(2, token=self.ben)
        for seat, token in ((1, self.token), (2, self.ben), (3, self.token), (4, None)):
            self.tables["four"].take(seat, "Dag" if seat == 4 else None, token=token)
        self.tables["withdrawn"].withdraw()
        self.tables["finished"].take(1, token=self.ben)
        for name, token in (("active", self.token), ("finished", self.ben), ("four", self.token)):
            table = self.tables[name]
            table.post("/moves", json={"move": table.get("/legal-moves").value["moves"][0]["move"]}, token=token)
        self.tables["finished"].post("/resignation", token=self.ben)
        # She sat here twice, and so does somebody else who is called like her; that is not her.
        for _ in range(2):
            self.tables["left"].take(2, token=self.token), self.tables["left"].leave(2, token=self.token)
        self.tables["left"].take(2, "Somebody"), self.tables["left"].take(1, "Ben")
        self.tables["given"].rekey(2, self.tables["given"].tokens[2])
        record = {**self.tables["finished"].get("/record").value, "tags": {"White": FIRST, "Event": "x"}}
        self.imported = client.post("/v1/records", json=record, token=self.token).value
        assert self.imported["status"] == "finished"
        self.links = [table.path for table in self.tables.values()] + [self.imported["links"]["self"]]

    def everything(self):
        """Every answer in which a person could stand."""
        for path, token in itertools.product(self.links, (None, self.ben)):
            yield self.client.get(path, token=token)
            for rest, media in SIGHTS:
                yield self.client.get(f"{path}/{rest}", token=token, headers={"Accept": media})
        for path in ("/v1/me", "/v1/me/games?limit=100", "/v1/me/games?needs_action=true", "/v1/me/events?limit=1000"):
            yield self.client.get(path, token=self.ben)
        page = "/v1/games?limit=100"
        while page:
            reply = self.client.get(page)
            yield reply
            page = reply.value["next"]
        for name in (FIRST, LATER, LENT):
            yield self.client.get("/v1/games", params={"name": name})
        yield self.client.get(f"/v1/players/{self.me['id']}")
        yield self.client.get(f"/v1/players/{self.me['id']}/games")


@pytest.fixture
def world(start):
    daemon, client = start()
    made = World(client)
    made.daemon = daemon
    return made


def file_bytes(daemon):
    return {path.name: path.read_bytes() for path in daemon.database.parent.glob(f"{daemon.database.name}*") if path.suffix not in (".out", ".log")}


def test_she_is_in_no_answer(world):
    known = [reply for reply in world.everything() if tell_tale(reply.text)]
    # Or else the search is for nothing.
    assert len(known) > 40
    erase(world.client, world.token)
    for when in range(2):
        for reply in world.everything():
            assert not tell_tale(reply.text) and not tell_tale(str(reply.headers)), reply.url
            assert world.me["id"] not in reply.text or "/players/" in reply.url
        problem(world.client.get(f"/v1/players/{world.me['id']}"), 404, "no-such-player")
        problem(world.client.get(f"/v1/players/{world.me['id']}/games"), 404, "no-such-player")
        assert all(not world.client.get("/v1/games", params={"name": name}).value["games"] for name in (FIRST, LATER, LENT))
        if when == 0:
            assert world.daemon.stop() == 0
            world.daemon.start()


def test_she_is_not_in_the_file(world):
    assert any(tell_tale(bytes_.decode("latin-1")) for bytes_ in file_bytes(world.daemon).values())
    erase(world.client, world.token)
    # The answer is given first, and then the WAL is cut.
    world.client.post("/v1/players", json={"name": "Somebody else"})
    for name, bytes_ in file_bytes(world.daemon).items():
        assert not tell_tale(bytes_.decode("latin-1")) and world.me["id"] not in bytes_.decode("latin-1"), name
    assert world.daemon.stop() == 0
    for name, bytes_ in file_bytes(world.daemon).items():
        assert not tell_tale(bytes_.decode("latin-1")), name
    assert not [path for path in world.daemon.log_paths if tell_tale(path.read_text())]
    file = sqlite3.connect(world.daemon.database)
    assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",) and file.execute("PRAGMA foreign_key_check").fetchall() == []
    assert [row[0] for row in file.execute("SELECT name FROM players")] == ["Ben", "Somebody else"]


def test_what_becomes_of_the_games(world):
    before = {name: table.get().value for name, table in world.tables.items()}
    erase(world.client, world.token)
    after = {name: table.get().value for name, table in world.tables.items()}
    assert {name: game["status"] for name, game in after.items()} == {
        "active": "finished", "unlisted": "finished", "four": "active", "open": "open", "withdrawn": "withdrawn",
        "finished": "finished", "left": "open", "given": "finished", "seatless": "open"}
    assert after["active"]["outcome"] == after["unlisted"]["outcome"] == {"winner": 2, "reason": "resigned"}
    assert after["finished"]["outcome"] == before["finished"]["outcome"] and after["given"]["outcome"] == {"winner": 2, "reason": "resigned"}
    assert [seat["out_reason"] for seat in after["four"]["seats"]] == ["resigned", None, "resigned", None] and after["four"]["turn"] == 2
    assert [(seat["name"], seat["kind"]) for seat in after["four"]["seats"]] == [(None, "player"), ("Ben", "player"), (None, "player"), ("Dag", "player")]
    assert [seat["kind"] for seat in after["open"]["seats"]] == ["open"] * 4
    assert [seat["name"] for seat in after["left"]["seats"]] == ["Ben", "Somebody", None, None]
    tails = {name: types(table)[-4:] for name, table in world.tables.items()}
    assert tails["active"] == ["move_played:1", "name_erased:1", "seat_out:1", "game_finished"]
    assert tails["four"] == ["name_erased:1", "name_erased:3", "seat_out:1", "seat_out:3"]
    assert tails["open"] == ["name_erased:4", "seat_left:1", "seat_left:2", "seat_left:4"]
    assert tails["finished"][-2:] == ["game_finished", "name_erased:2"] and tails["withdrawn"][-3:] == ["game_withdrawn", "name_erased:1", "name_erased:2"]
    assert tails["left"][-1] == tails["seatless"][-1] == "name_erased"
    # Her game is taken again and played, by others.
    assert [world.tables["open"].take(seat, "Eli").status_code for seat in (1, 2, 3, 4)] == [200] * 4
    assert world.tables["four"].post("/moves", json={"move": world.tables["four"].get("/legal-moves").value["moves"][0]["move"]}, token=world.ben).status_code == 201
    for table in world.tables.values():
        record = table.get("/record").value
        copy = world.client.post("/v1/records", json=record)
        assert copy.status_code == 201 and copy.value["position"] == table.get().value["position"], copy.text
    assert world.daemon.stop() == 0
    verified = world.daemon.verify()
    assert verified.returncode == 0, verified.stdout


def test_others_hear_of_it(world):
    seen = world.client.get("/v1/me", token=world.ben).value["seq"]
    assert len(world.client.get("/v1/me/games?needs_action=true", token=world.ben).value["games"]) == 2
    erase(world.client, world.token)
    told = world.client.get(f"/v1/me/events?after={seen}", token=world.ben).value["events"]
    active = [(event["type"], event["seat"]) for event in told if event["game"] == world.tables["active"].id]
    assert active == [("name_erased", 1), ("seat_out", 1), ("game_finished", None)]
    assert {event["game"] for event in told} == {world.tables[name].id for name in ("active", "unlisted", "four", "finished")}
    # Nothing waits for Ben now but the game of four, in which he is to move.
    assert [game["id"] for game in world.client.get("/v1/me/games?needs_action=true", token=world.ben).value["games"]] == [world.tables["four"].id]


def test_her_tokens_are_dead(world):
    table = world.tables["finished"]
    tokens = [world.token, world.tables["active"].tokens[1], world.tables["active"].creator, world.tables["open"].tokens[2], world.tables["seatless"].creator, table.tokens[2], table.creator]
    for token in tokens:
        assert world.client.get(table.path, token=token).status_code == 200
    erase(world.client, world.token)
    for token in tokens:
        problem(world.client.get(table.path, token=token), 401, "token-unknown")
    problem(world.client.request("DELETE", "/v1/me", token=world.token), 401, "token-unknown")
    # Those of others live: of who took a seat, and of who made a seat his own.
    for token in (world.ben, world.tables["given"].tokens[2], world.tables["four"].tokens[4], world.tables["left"].tokens[2]):
        assert world.client.get(table.path, token=token).status_code == 200


def test_what_is_kept_by_caches_is_not_served(world):
    """The same page is asked for by nobody and by somebody, before and after; an old tag is not fresh."""
    asked = [(table, rest, token) for table in world.tables.values() for rest, token in
             (("", None), ("", world.ben), ("/events", None), ("/record", None), ("/board.txt", None))]
    tags = [[table.get(rest, token=token) for _ in range(2)][1].headers["ETag"] for table, rest, token in asked]
    erase(world.client, world.token)
    for (table, rest, token), tag in zip(asked, tags):
        reply = table.get(rest, token=token, headers={"If-None-Match": tag})
        assert reply.status_code == 200 and reply.headers["ETag"] != tag and not tell_tale(reply.text)


def test_who_is_only_called_so_stays(client):
    """In the same game, by the same name: what is erased is hers, not what looks like it."""
    zoe, other = client.register("Zoe Doppel"), client.register("Zoe Doppel")
    table = client.create("iuvo-4", seats=[{}, OPEN, OPEN, OPEN], token=zoe["token"])
    table.take(2, token=other["token"]), table.take(3, "Zoe Doppel"), table.take(4, token=zoe["token"])
    erase(client, zoe["token"])
    game, events = table.get().value, table.events()
    assert [seat["name"] for seat in game["seats"]] == [None, "Zoe Doppel", "Zoe Doppel", None]
    assert [seat["player"] for seat in game["seats"]] == [None, other["id"], None, None]
    assert [seat["name"] for seat in events[0]["data"]["seats"]] == [None] * 4
    assert [(event["data"]["name"], event["data"].get("player")) for event in events if event["type"] == "seat_taken"] == [("Zoe Doppel", other["id"]), ("Zoe Doppel", None), (None, None)]
    assert client.get("/v1/me", token=other["token"]).value["name"] == "Zoe Doppel"


def test_nobody_else_is_touched(client):
    others = [client.register(f"Other {number}") for number in range(3)]
    tables = [client.create(seats=[{}, OPEN], token=player["token"]) for player in others]
    before = [table.get().content for table in tables]
    zoe = client.register("Zoe")
    client.create(token=zoe["token"])
    erase(client, zoe["token"])
    assert [table.get().content for table in tables] == before
    assert [client.get("/v1/me", token=player["token"]).value["name"] for player in others] == ["Other 0", "Other 1", "Other 2"]


def test_one_who_never_played(client):
    zoe = client.register("Zoe")
    erase(client, zoe["token"])
    problem(client.get("/v1/me", token=zoe["token"]), 401, "token-unknown")
    problem(client.get(f"/v1/players/{zoe['id']}"), 404, "no-such-player")


def test_hundreds_of_games_at_once(start):
    daemon, client = start()
    zoe, ben = client.register(FIRST)["token"], client.register("Ben")["token"]
    for number in range(300):
        table = client.create(seats=[{}, OPEN], token=zoe)
        if number % 3:
            table.take(2, token=ben)
        if number % 3 == 2:
            table.post("/moves", json={"move": "a1-b3"}, token=zoe)
    erase(client, zoe)
    statuses = [game["status"] for page in ("/v1/games?limit=100", "/v1/games?status=open&limit=100") for game in client.get(page).value["games"]]
    assert set(statuses) == {"finished", "open"} and statuses.count("open") >= 100
    assert client.get("/v1/me/games?needs_action=true", token=ben).value["games"] == []
    assert not tell_tale(client.get("/v1/me/events?limit=1000", token=ben).text)
    assert daemon.stop() == 0
    assert not tell_tale(daemon.database.read_bytes().decode("latin-1"))
    assert daemon.verify().returncode == 0


def test_a_damaged_game_holds_nobody(start):
    """What cannot be played to an end any more is erased all the same."""
    daemon, client = start()
    zoe = client.register(FIRST)["token"]
    table, whole = client.create(token=zoe), client.create(token=zoe)
    assert daemon.stop() == 0
    file = sqlite3.connect(daemon.database)
    file.execute("UPDATE games SET position = 'nonsense' WHERE id = ?", (table.id,))
    file.commit()
    file.close()
    daemon.start()
    erase(client, zoe)
    assert whole.get().value["status"] == "finished"
    assert daemon.stop() == 0
    file = sqlite3.connect(daemon.database)
    assert file.execute("SELECT count(*) FROM seats WHERE name IS NOT NULL OR player IS NOT NULL").fetchone() == (0,)
    assert not tell_tale(json.dumps(file.execute("SELECT data FROM events").fetchall()))
    file.close()
    assert not tell_tale(daemon.database.read_bytes().decode("latin-1"))


def test_erased_and_killed(start):
    """Once she was told, it is so."""
    daemon, client = start()
    zoe = client.register(FIRST)
    table = client.create(token=zoe["token"])
    erase(client, zoe["token"])
    daemon.kill()
    daemon.start()
    problem(client.get("/v1/me", token=zoe["token"]), 401, "token-unknown")
    assert table.get().value["status"] == "finished" and not tell_tale(table.get("/events").text + table.get().text)
    assert daemon.stop() == 0 and daemon.verify().returncode == 0
    assert not tell_tale(daemon.database.read_bytes().decode("latin-1"))


def test_a_claim_is_not_answered_again(start):
    """The rest of what is kept for retries is looked at in test_retries.py."""
    _, client = start("game.db", "--test-clock", "2030-01-01T00:00:00Z")
    zoe = client.register(FIRST)["token"]
    table = client.create(seats=[{}, OPEN], clock={"per_move_seconds": 60, "on_timeout": "claim"}, token=zoe)
    table.take(2)
    client.request("PUT", "/test-clock", json={"now": "2030-01-01T00:01:00Z"})
    key = {"Idempotency-Key": "claimed-by-the-other-seat"}
    assert table.post("/claims", token=table.tokens[2], headers=key).status_code in (200, 201)
    erase(client, zoe)
    problem(table.post("/claims", token=table.tokens[2], headers=key), 410, "answer-erased")
    assert table.get().value["outcome"] == {"winner": 2, "reason": "timeout"}
