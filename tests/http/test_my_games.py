"""What needs a player's action, and what happens in his games: complete, in order, and true at once."""

import json
import random
import re
import subprocess

import pytest

from client import Table, problem
from contract import SOURCE

OPEN = {"open": True}
NEEDS = "/v1/me/games?needs_action=true"


def pages(client, path, token=None):
    while path:
        page = client.get(path, token=token).value
        yield page["games"]
        path = page["next"]


def games(client, path, token=None):
    """The ids of a list, page after page: none comes twice."""
    found = [game["id"] for page in pages(client, path, token) for game in page]
    assert len(found) == len(set(found))
    return found


def feed(client, token, after=0):
    """A player's events: numbered without gaps."""
    events = []
    while True:
        page = client.get(f"/v1/me/events?after={after + len(events)}&limit=1000", token=token).value
        if not page["events"]:
            assert page["seq"] == after + len(events)
            return events
        events += page["events"]
        assert [event["seq"] for event in events] == list(range(after + 1, after + len(events) + 1))


def log_of(client, game):
    return client.get(f"/v1/games/{game}/events?limit=1000").value["events"]


def move(client, table, token):
    first = table.get("/legal-moves").value["moves"][0]["move"]
    reply = table.post("/moves", json={"move": first}, token=token)
    assert reply.status_code == 201, reply.text
    return reply.value["game"]


def to_move(client, token, ids):
    """The truth, game by game: those in which a seat of this player is to move."""
    me, found = client.get("/v1/me", token=token).value["id"], set()
    for identity in ids:
        game = client.get(f"/v1/games/{identity}").value
        if game["turn"] and game["seats"][game["turn"] - 1]["player"] == me:
            found.add(identity)
    return found


def by_deadline(client, some, ids):
    """The nearest first, those without one last; of one deadline, and of none, as they were created."""
    deadline = {game: client.get(f"/v1/games/{game}").value["deadline"] for game in some}
    return sorted(some, key=lambda game: (deadline[game] is None, deadline[game] or "", ids.index(game)))


@pytest.fixture
def ada(client):
    return client.register("Ada")["token"]


@pytest.fixture
def ben(client):
    return client.register("Ben")["token"]


def pair(client, ada, ben, **more):
    table = client.create(seats=[{}, OPEN], token=ada, **more)
    table.take(2, token=ben)
    return table


# Which games.

def test_all_ones_games(client, ada, ben):
    """Also those that wait, that are over, that nobody else is shown, and each once."""
    mine = [client.create(seats=[{}, OPEN], token=ada).id, client.create(token=ada, visibility="unlisted").id, client.create("iuvo-4", token=ada).id, pair(client, ada, ben).id]
    withdrawn = client.create(seats=[OPEN, {}], token=ada)
    withdrawn.withdraw()
    mine.append(withdrawn.id)
    imported = client.post("/v1/records", json={"format": "iuvod-record-1", "variant": "iuvo-2", "moves": ["a1-b3"]}, token=ada)
    mine.append(imported.value["id"])
    client.create(seats=[{}, OPEN]), pair(client, ben, client.register("Cem")["token"])
    for limit in (1, 2, 3, 100):
        assert games(client, f"/v1/me/games?limit={limit}", ada) == mine[::-1]
    assert games(client, "/v1/me/games?needs_action=false", ada) == mine[::-1]
    identity = client.get("/v1/me", token=ada).value["id"]
    for token in (None, ada, ben):
        for limit in (1, 2, 100):
            assert games(client, f"/v1/players/{identity}/games?limit={limit}", token) == [game for game in mine[::-1] if game not in (mine[1], mine[5])]
    # A seat that was left or given away is his no more.
    table = Table(client, client.get(f"/v1/games/{mine[0]}").value | {"creator_token": None})
    table.leave(1, token=ada)
    assert mine[0] not in games(client, "/v1/me/games", ada) + games(client, f"/v1/players/{identity}/games")


@pytest.mark.parametrize("query", ["limit=0", "limit=101", "limit=x", "needs_action=yes", "needs_action="])
def test_values_that_are_not_allowed(client, ada, query):
    assert problem(client.get(f"/v1/me/games?{query}", token=ada), 400, "invalid-parameter")["parameter"] == query.split("=")[0]
    if query.startswith("limit"):
        identity = client.get("/v1/me", token=ada).value["id"]
        problem(client.get(f"/v1/players/{identity}/games?{query}"), 400, "invalid-parameter")


def test_parameters_that_are_none(client, ada):
    identity = client.get("/v1/me", token=ada).value["id"]
    for path in ("/v1/me/games", f"/v1/players/{identity}/games"):
        problem(client.get(f"{path}?status=open", token=ada), 400, "unknown-parameter")
        problem(client.get(f"{path}?limit=1&limit=2", token=ada), 400, "repeated-parameter")
        problem(client.get(f"{path}?cursor=x", token=ada), 400, "invalid-cursor")


def test_a_cursor_is_good_for_its_list_alone(client, ada, ben):
    tables = [pair(client, ada, ben) for _ in range(3)]
    identity = client.get("/v1/me", token=ada).value["id"]
    paths = ["/v1/games?limit=1", "/v1/me/games?limit=1", f"{NEEDS}&limit=1", f"/v1/players/{identity}/games?limit=1"]
    cursors = [client.get(path, token=ada).value["next"].rsplit("cursor=", 1)[1] for path in paths]
    for path in paths:
        for other, cursor in zip(paths, cursors):
            reply = client.get(f"{path}&cursor={cursor}", token=ada)
            if path == other:
                assert len(reply.value["games"]) == 1
            else:
                problem(reply, 400, "invalid-cursor")
    # What it tells is a place, and no secret: for another player it is a place in his own list.
    theirs = client.get(f"/v1/me/games?limit=1&cursor={cursors[1]}", token=ben).value["games"]
    assert [game["id"] for game in theirs] == [tables[1].id]


# What needs action.

def test_right_after_each_act(client, ada, ben):
    table = client.create(seats=[{}, OPEN], token=ada)
    assert games(client, NEEDS, ada) == []
    table.take(2, token=ben)
    for mover, other, text in ((ada, ben, "a1-b3"), (ben, ada, "a7-b5"), (ada, ben, "c1-d3")):
        assert games(client, NEEDS, mover) == [table.id] and games(client, NEEDS, other) == []
        table.post("/moves?dry_run=true", json={"move": text}, token=mover)
        assert table.post("/moves", json={"move": "d4-d4"}, token=mover).status_code == 409
        assert games(client, NEEDS, mover) == [table.id]
        assert table.post("/moves", json={"move": text}, token=mover).status_code == 201
    table.post("/resignation", token=ada)
    assert games(client, NEEDS, ada) == games(client, NEEDS, ben) == []


def test_a_game_that_is_withdrawn_or_left(client, ada, ben):
    table = client.create(token=ada)
    assert games(client, NEEDS, ada) == [table.id]
    table.withdraw()
    assert games(client, NEEDS, ada) == []


def test_with_four_seats(client, ada, ben):
    """Whoever goes out, in turn or out of it, the next one is waited for; one who has several seats is waited for at each."""
    table = client.create("iuvo-4", seats=[OPEN] * 4)
    tokens = {1: ada, 2: ben, 3: ada, 4: client.register("Dag")["token"]}
    for seat, token in tokens.items():
        table.take(seat, token=token)
    everybody, turn = {ada, ben, tokens[4]}, table.get().value["turn"]
    for step in range(14):
        assert {token for token in everybody if games(client, NEEDS, token)} == ({tokens[turn]} if turn else set())
        if turn is None:
            break
        if step in (3, 6):
            table.post("/resignation", json={"seat": turn}, token=tokens[turn])
        elif step == 8:
            other = next(seat["seat"] for seat in table.get().value["seats"] if seat["status"] == "active" and seat["seat"] != turn)
            table.post("/resignation", json={"seat": other}, token=tokens[other])
        else:
            move(client, table, tokens[turn])
        turn = table.get().value["turn"]
    assert turn is None


def test_captures_and_the_end(client, ada, ben):
    table = client.create(position="iuvo-2 2AoB2/3o3/3A3/7/7/7/7 1 - -", seats=[{}, OPEN], token=ada)
    table.take(2, token=ben)
    assert games(client, NEEDS, ada) == [table.id]
    reply = table.post("/moves", json={"move": "d5xe7"}, token=ada)
    assert reply.value["game"]["status"] == "finished"
    assert games(client, NEEDS, ada) == games(client, NEEDS, ben) == []
    assert [event["type"] for event in feed(client, ben)][-3:] == ["move_played", "seat_out", "game_finished"]


def test_a_seat_that_changes_hands(client, ada):
    """Who replaces the seat's token with the seat's token is waited for himself, and has no list."""
    table = client.create(token=ada)
    assert games(client, NEEDS, ada) == [table.id]
    table.rekey(1, table.tokens[1])
    assert games(client, NEEDS, ada) == []
    assert table.play("a1-b3", seat=1).status_code == 201
    assert games(client, NEEDS, ada) == [table.id]


def test_an_imported_game(client, ada):
    record = {"format": "iuvod-record-1", "variant": "iuvo-2", "moves": ["a1-b3"]}
    going_on = client.post("/v1/records", json=record, token=ada).value["id"]
    over = client.post("/v1/records", json={**record, "endings": [{"ply": 1, "seat": 2, "reason": "resigned"}]}, token=ada).value
    assert over["status"] == "finished" and games(client, NEEDS, ada) == [going_on]
    # It is told of once, as it stands.
    assert [(event["type"], event["game"], event["your_seats"], event["your_turn"]) for event in feed(client, ada)] == \
        [("game_created", going_on, [1, 2], True), ("game_created", over["id"], [1, 2], False)]


def test_complete_with_hundreds_of_games(client, ada, ben):
    """Walked in pages of every size, while the games go on: what was there throughout is found."""
    tables = [pair(client, *((ada, ben) if number % 2 else (ben, ada))) for number in range(240)]
    ids = [table.id for table in tables]
    random.Random(7).shuffle(tables)
    for table in tables[:90]:
        token = ada if client.get(NEEDS + "&limit=1", token=ada) and table.id in to_move(client, ada, [table.id]) else ben
        move(client, table, token)
    for table in tables[90:110]:
        table.post("/resignation", token=ada)
    for token in (ada, ben):
        truth = to_move(client, token, ids)
        assert len(truth) > 80
        for limit in (1, 7, 100):
            assert set(games(client, f"{NEEDS}&limit={limit}", token)) == truth
        assert games(client, f"{NEEDS}&limit=100", token) == by_deadline(client, truth, ids)
    # Each game is played as soon as it is read: a bot that follows the pages comes past all of them.
    waiting, played = set(games(client, NEEDS, ada)), []
    for page in pages(client, f"{NEEDS}&limit=9", ada):
        for game in page:
            move(client, Table(client, game | {"creator_token": None}), ada)
            played.append(game["id"])
    assert set(played) == waiting and len(played) == len(waiting) and games(client, NEEDS, ada) == []


def test_the_nearest_deadline_comes_first(client, ada, ben):
    """However the games were made; a game that is played moves on, one whose clock is paused has none and goes to the end."""
    seconds = [86400, 3600, None, 7200, 60, 60, None, 34560000, 600]
    tables = [pair(client, ada, ben, clock="none" if limit is None else {"per_move_seconds": limit}) for limit in seconds]
    ids = [table.id for table in tables]
    assert games(client, NEEDS, ada) == by_deadline(client, ids, ids) and ids[2:7:4] == games(client, NEEDS, ada)[-2:]
    for limit in (1, 2, 4, 100):
        assert games(client, f"{NEEDS}&limit={limit}", ada) == by_deadline(client, ids, ids)
    for table in tables[3:5]:
        move(client, table, ada)
        move(client, table, ben)
    assert games(client, NEEDS, ada) == by_deadline(client, ids, ids)
    offer = tables[8].post("/offers", json={"kind": "pause"}, token=ada).value["offer"]
    # Ben is asked: the game waits for both.
    assert games(client, NEEDS, ben) == [ids[8]]
    assert client.request("PUT", f"{tables[8].path}/offers/{offer['id']}", json={"accept": True}, token=ben).status_code == 200
    assert tables[8].get().value["deadline"] is None and games(client, NEEDS, ben) == []
    assert games(client, NEEDS, ada) == by_deadline(client, ids, ids) and games(client, NEEDS, ada)[-1] == ids[8]


def test_offers_and_takebacks(client, ada, ben):
    table = pair(client, ada, ben)
    table.post("/moves", json={"move": "a1-b3"}, token=ada), table.post("/moves", json={"move": "a7-b5"}, token=ben)
    assert (games(client, NEEDS, ada), games(client, NEEDS, ben)) == ([table.id], [])
    offer = table.post("/offers", json={"kind": "takeback", "ply": 1}, token=ben).value["offer"]
    assert games(client, NEEDS, ada) == [table.id]
    assert client.request("PUT", f"{table.path}/offers/{offer['id']}", json={"accept": True}, token=ada).status_code == 200
    assert (games(client, NEEDS, ada), games(client, NEEDS, ben)) == ([], [table.id])
    draw = table.post("/offers", json={"kind": "draw"}, token=ben).value["offer"]
    assert (games(client, NEEDS, ada), games(client, NEEDS, ben)) == ([table.id], [table.id])
    assert client.request("PUT", f"{table.path}/offers/{draw['id']}", json={"accept": False}, token=ada).status_code == 200
    assert games(client, NEEDS, ada) == []
    last = table.post("/offers", json={"kind": "draw"}, token=ben).value["offer"]
    client.request("DELETE", f"{table.path}/offers/{last['id']}", token=ben)
    assert games(client, NEEDS, ada) == []
    # All of it was told to both, the moves that were taken back too, as the seats' own log has it.
    log = table.get("/events?limit=1000", token=ada).value["events"]
    for token, since in ((ada, 1), (ben, 2)):
        told = feed(client, token)
        assert [(event["game_seq"], event["type"], event["ply"], event["data"]) for event in told] == [(event["seq"], event["type"], event["ply"], event["data"]) for event in log if event["seq"] >= since]
    assert {"offer_made", "offer_answered", "takeback_done"} <= {event["type"] for event in log}


def test_a_seat_that_is_handed_over(client, ada, ben):
    table = pair(client, ada, ben)
    offer = table.post("/offers", json={"kind": "handover"}, token=ada).value["offer"]
    assert games(client, NEEDS, ben) == [table.id]
    assert client.request("PUT", f"{table.path}/offers/{offer['id']}", json={"accept": True}, token=ben).status_code == 200
    assert games(client, NEEDS, ada) == games(client, NEEDS, ben) == [] and table.get().value["seats"][0]["player"] is None
    assert feed(client, ada)[-1]["type"] == "seat_left"
    assert table.take(1, token=ben).status_code == 200
    assert games(client, NEEDS, ben) == [table.id] and games(client, "/v1/me/games", ada) == []
    problem(table.post("/moves", json={"move": "a1-b3"}, token=ada), 403, "not-your-seat")
    assert table.post("/moves", json={"move": "a1-b3"}, token=ben).status_code == 201


def test_time_that_is_up_and_time_that_is_given_back(start):
    """The sweep changes what waits for whom as a move does; what stands in the file after a stop is held against the games by verify."""
    daemon, client = start("game.db", "--test-clock", "2030-01-01T00:00:00Z")
    ada, ben = client.register("Ada")["token"], client.register("Ben")["token"]
    short, long = (pair(client, ada, ben, clock={"per_move_seconds": limit}) for limit in (60, 7200))
    four = client.create("iuvo-4", seats=[OPEN] * 4, clock={"per_move_seconds": 3600, "on_timeout": "forfeit"})
    for seat in (1, 2, 3, 4):
        four.take(seat, token=ada if seat % 2 else ben)
    ids = [short.id, long.id, four.id]
    assert games(client, NEEDS, ada) == [short.id, four.id, long.id] and games(client, NEEDS, ben) == []
    assert client.request("PUT", "/test-clock", json={"now": "2030-01-01T00:01:00Z"}).status_code == 200
    assert games(client, NEEDS, ada) == [four.id, long.id]
    assert [(event["type"], event["your_turn"]) for event in feed(client, ben) if event["game"] == short.id][-2:] == [("seat_out", False), ("game_finished", False)]
    # An hour goes by in which nothing is served: nobody is later for it.
    before = {game: client.get(f"/v1/games/{game}").value["deadline"] for game in ids[1:]}
    assert daemon.stop() == 0
    daemon.options = ("--test-clock", "2030-01-01T01:01:00Z")
    daemon.start()
    after = {game: client.get(f"/v1/games/{game}").value["deadline"] for game in ids[1:]}
    assert all(after[game] > before[game] for game in after) and games(client, NEEDS, ada) == by_deadline(client, ids[1:], ids)
    assert [event["type"] for event in feed(client, ada) if event["type"] == "time_credited"] == ["time_credited"] * 2
    # Seat 1 of four is late, and it is seat 2's turn.
    assert client.request("PUT", "/test-clock", json={"now": after[four.id]}).status_code == 200
    assert games(client, NEEDS, ben) == [four.id] and games(client, NEEDS, ada) == [long.id]
    assert daemon.stop() == 0
    verified = daemon.verify()
    assert verified.returncode == 0, verified.stdout


# What happened.

def test_ones_own_log_is_that_of_ones_games(client, ada, ben):
    first, second = pair(client, ada, ben), pair(client, ben, ada)
    alone = client.create(token=ada)
    for table, token, text in ((first, ada, "a1-b3"), (second, ben, "a1-b3"), (first, ben, "a7-b5"), (alone, ada, "a1-b3"), (second, ada, "a7-b5")):
        assert table.post("/moves", json={"move": text}, token=token).status_code == 201
    first.post("/resignation", token=ada)
    for token, seats in ((ada, {first.id: [1], second.id: [2], alone.id: [1, 2]}), (ben, {first.id: [2], second.id: [1]})):
        events = feed(client, token)
        assert {event["game"] for event in events} == set(seats)
        for game in seats:
            log = {event["seq"]: event for event in log_of(client, game)}
            told = [event for event in events if event["game"] == game]
            sat_down = next(number for number, event in log.items() if event["type"] == "seat_taken" and event["data"].get("player") == client.get("/v1/me", token=token).value["id"] or event["seq"] == 1 and seats[game][0] in [seat["seat"] for seat in event["data"]["seats"] if seat.get("player")])
            assert [event["game_seq"] for event in told] == [number for number in log if number >= sat_down]
            for event in told:
                assert {key: event[key] for key in ("type", "at", "ply", "seat", "data")} == {key: log[event["game_seq"]][key] for key in ("type", "at", "ply", "seat", "data")}
                assert event["your_seats"] == seats[game]
                if "turn" in event["data"]:
                    assert event["your_turn"] == (event["data"]["turn"] in event["your_seats"])


def test_what_is_new(client, ada, ben):
    table = pair(client, ada, ben)
    table.post("/moves", json={"move": "a1-b3"}, token=ada)
    events = feed(client, ada)
    for after in range(len(events) + 2):
        for limit in (1, 2, 1000):
            page = client.get(f"/v1/me/events?after={after}&limit={limit}", token=ada).value
            assert page == {"seq": len(events), "events": events[after:after + limit]}
    assert client.get("/v1/me", token=ada).value["seq"] == len(events)


@pytest.mark.parametrize("query", ["after=-1", "after=x", "limit=0", "limit=1001"])
def test_numbers_of_events_that_are_not_allowed(client, ada, query):
    problem(client.get(f"/v1/me/events?{query}", token=ada), 400, "invalid-parameter")


def test_the_page_of_events_has_a_size(client, ada):
    table = client.create(token=ada)
    for _ in range(110):
        assert table.post("/seats/1/token", token=ada).status_code == 200
    assert len(client.get("/v1/me/events", token=ada).value["events"]) == 100


def test_who_leaves_hears_of_it_and_then_no_more(client, ada, ben):
    table = client.create("iuvo-4", seats=[OPEN] * 4)
    table.take(1, token=ada), table.take(2, token=ada), table.take(3, token=ben)
    table.leave(1, token=ada), table.leave(2, token=ada)
    table.take(1, "Cem")
    told = [(event["type"], event["seat"], event["your_seats"]) for event in feed(client, ada)]
    assert told == [("seat_taken", 1, [1]), ("seat_taken", 2, [1, 2]), ("seat_taken", 3, [1, 2]), ("seat_left", 1, [1, 2]), ("seat_left", 2, [2])]
    assert [event["type"] for event in feed(client, ben)] == ["seat_taken", "seat_left", "seat_left", "seat_taken"]


def test_who_has_given_his_seat_away_hears_no_more(client, ada):
    table = client.create("iuvo-4", seats=[{}, {"name": "Cem"}, OPEN, OPEN], token=ada)
    table.rekey(1, table.tokens[1]), table.rekey(2, table.tokens[2])
    table.take(3)
    assert [(event["type"], event["seat"], event["your_seats"]) for event in feed(client, ada)] == [("game_created", None, [1, 2]), ("seat_rekeyed", 1, [1, 2]), ("seat_rekeyed", 2, [2])]


def test_resumed_over_restarts(start):
    """The log is read on where one was, whatever happens to the service in between."""
    daemon, client = start()
    ada, ben = client.register("Ada")["token"], client.register("Ben")["token"]
    table, read = pair(client, ada, ben, clock="none"), []
    for number in range(12):
        move(client, table, ada if number % 2 == 0 else ben)
        (daemon.kill if number % 3 else daemon.stop)()
        daemon.start()
        read += feed(client, ada, len(read))
    assert read == feed(client, ada) and len(read) == 3 + 12
    assert games(client, NEEDS, ada) == [table.id] and games(client, NEEDS, ben) == []
    assert daemon.stop() == 0 and daemon.verify().returncode == 0


def test_a_refusal_is_told_to_nobody(client, ada, ben):
    table = pair(client, ada, ben)
    before = feed(client, ada), feed(client, ben), games(client, NEEDS, ada)
    table.post("/moves", json={"move": "a7-b5"}, token=ben), table.post("/moves", json={"move": "a1-a2"}, token=ada), table.post("/moves?dry_run=true", json={"move": "a1-b3"}, token=ada)
    assert (feed(client, ada), feed(client, ben), games(client, NEEDS, ada)) == before


def test_the_bot_of_the_readme(daemon, client, tmp_path):
    """What stands there under "A lasting name", as it stands: it plays all that waits for it, and then there is nothing more."""
    section = re.search(r"^## A lasting name$(.*?)^## ", (SOURCE / "README.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)[1]
    blocks = re.findall(r"^```sh\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 2
    script = f"set -eu\niuvod={daemon.url}\n{blocks[0]}\n{blocks[1]}\nplay_all; play_all"
    ran = subprocess.run(["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stderr
    lines = [json.loads(line) for line in ran.stdout.splitlines()]
    me = json.loads((tmp_path / "me.json").read_text())
    client.tokens.add(me["token"])
    assert lines[0] == [{"name": "Ada", "player": me["id"]}] * 2
    # Nobody has come for the other game: three moves in the one in which she plays both sides.
    assert [(line["ply"], line["seat"]) for line in lines[1:]] == [(1, 1), (2, 2), (3, 1)]
    assert len(games(client, "/v1/me/games", me["token"])) == 2
