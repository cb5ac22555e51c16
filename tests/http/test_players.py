"""Players: a lasting name, and one token that acts for all of one's seats."""

import re

import pytest

from client import Client, problem
from contract import SOURCE, contract

OPEN = {"open": True}
NOBODY = "a" * 26
# Who may not call these, and what of his he would call them with.
MINE = [("GET", "/v1/me"), ("PATCH", "/v1/me"), ("DELETE", "/v1/me"), ("POST", "/v1/me/token"), ("GET", "/v1/me/games"), ("GET", "/v1/me/events")]
NAMES = ["Ada", "x", "Zoë \"Z\" \\ B.", "x" * 64, "名前", "a  b", "<b>&amp;"]
NO_NAMES = ["", "x" * 65, "a\nb", "a\u202eb", "a\x7fb", None, 1, [], {"name": "Ada"}]


def types(table):
    return [event["type"] if event["seat"] is None else f"{event['type']}:{event['seat']}" for event in table.events()]


def owners(game):
    return [seat["player"] for seat in game["seats"]]


def names(game):
    return [seat["name"] for seat in game["seats"]]


@pytest.fixture
def ada(client):
    return client.register("Ada")


@pytest.fixture
def ben(client):
    return client.register("Ben")


# Becoming one, and being one.

@pytest.mark.parametrize("name", NAMES)
def test_a_name_gets_an_id_and_a_token(client, name):
    reply = client.post("/v1/players", json={"name": name})
    assert reply.status_code == 201 and reply.value["name"] == name and reply.headers["Cache-Control"] == "no-store"
    me, player = reply.value, client.get(reply.headers["Location"]).value
    assert reply.headers["Location"] == f"/v1/players/{me['id']}" == me["links"]["public"] == player["links"]["self"]
    assert me["seq"] == 0 and re.fullmatch("[a-z2-7]{52}", me["token"])
    seen = client.get(me["links"]["self"], token=me["token"])
    assert seen.value == {key: value for key, value in me.items() if key != "token"} and seen.headers["Cache-Control"] == "no-store"
    assert player == {"id": me["id"], "name": name, "created_at": me["created_at"], "links": {"self": f"/v1/players/{me['id']}", "games": f"/v1/players/{me['id']}/games"}}
    for path in (me["links"]["games"], me["links"]["needs_action"]):
        assert client.get(path, token=me["token"]).value == {"games": [], "next": None}
    assert client.get(me["links"]["events"], token=me["token"]).value == {"seq": 0, "events": []}
    assert client.get(player["links"]["games"]).value == {"games": [], "next": None}


@pytest.mark.parametrize("name", NO_NAMES, ids=repr)
def test_names_that_are_none(client, ada, name):
    for method, path, token in (("POST", "/v1/players", None), ("PATCH", "/v1/me", ada["token"])):
        assert problem(client.request(method, path, json={"name": name}, token=token), 400, "invalid-body")["errors"][0]["pointer"] == "/name"
    assert client.get("/v1/me", token=ada["token"]).value["name"] == "Ada"


def test_bodies_that_are_none(client, ada):
    for body in ({}, {"name": "Ada", "email": "x"}, [], "Ada"):
        problem(client.post("/v1/players", json=body), 400, "invalid-body")
    problem(client.post("/v1/players"), 400, "malformed-json")
    problem(client.request("PATCH", "/v1/me", json={"id": "x"}, token=ada["token"]), 400, "invalid-body")
    problem(client.request("PATCH", "/v1/me", token=ada["token"]), 400, "malformed-json")
    problem(client.post("/v1/me/token", json={"x": 1}, token=ada["token"]), 400, "invalid-body")


def test_names_are_not_unique_and_ids_are(client):
    players = [client.register("Ada") for _ in range(5)]
    assert len({player["id"] for player in players}) == len({player["token"] for player in players}) == 5


@pytest.mark.parametrize("method, path", MINE)
def test_who_is_no_player(client, method, path):
    table = client.create()
    body = {"json": {}} if method in ("PATCH", "POST") else {}
    for token in (table.creator, table.tokens[1]):
        problem(client.request(method, path, token=token, **body), 403, "not-a-player")
    problem(client.request(method, path, **body), 401, "token-required")
    problem(client.request(method, path, token="a" * 52, **body), 401, "token-unknown")
    # Who asks comes before what he asks, and that he is no player behind it.
    problem(client.request(method, f"{path}?x=1", token=table.tokens[1], **body), 400, "unknown-parameter")


def test_players_that_are_not_there(client, ada):
    for player in (NOBODY, "x", ada["id"][:-1], ada["id"].upper(), "2" * 26):
        for rest in ("", "/games"):
            problem(client.get(f"/v1/players/{player}{rest}"), 404, "no-such-player")
    for rest in ("", "/games"):
        problem(client.get(f"/v1/players/{ada['id']}{rest}", token="a" * 52), 401, "token-unknown")
        assert client.get(f"/v1/players/{ada['id']}{rest}", token=ada["token"]).status_code == 200


def test_another_name_from_now_on(client, ada):
    before = client.create(seats=[{}, OPEN], token=ada["token"])
    reply = client.request("PATCH", "/v1/me", json={"name": "Ada B."}, token=ada["token"])
    assert reply.status_code == 200 and reply.value == client.get("/v1/me", token=ada["token"]).value
    assert reply.value["name"] == client.get(f"/v1/players/{ada['id']}").value["name"] == "Ada B." and "token" not in reply.value
    after = client.create(seats=[{}, OPEN], token=ada["token"])
    assert names(before.get().value) == ["Ada", None] and names(after.game) == ["Ada B.", None]
    assert owners(before.get().value) == owners(after.game) == [ada["id"], None]
    # Nothing asked for, nothing changed.
    assert client.request("PATCH", "/v1/me", json={}, token=ada["token"]).value["name"] == "Ada B."


def test_another_token(client, ada):
    table = client.create(seats=[{}, {}], token=ada["token"])
    reply = client.post("/v1/me/token", token=ada["token"])
    assert reply.status_code == 200 and reply.value["id"] == ada["id"] and reply.headers["Cache-Control"] == "no-store"
    new = reply.value["token"]
    assert new != ada["token"]
    for method, path in MINE:
        problem(client.request(method, path, token=ada["token"], **({"json": {}} if method in ("PATCH", "POST") else {})), 401, "token-unknown")
    problem(table.get(token=ada["token"]), 401, "token-unknown")
    assert table.post("/moves", json={"move": "a1-b3"}, token=new).status_code == 201
    # The seats' tokens are others.
    assert table.play("a7-b5", seat=2).status_code == 201
    assert client.post("/v1/me/token", json={}, token=new).status_code == 200


def test_a_token_stands_in_no_other_answer(client, ada, ben):
    """The client's check of all replies finds tokens of others too; here it is asked for, wherever it could be."""
    table = client.create(seats=[{}, OPEN], token=ada["token"])
    table.take(2, token=ben["token"])
    table.post("/moves", json={"move": "a1-b3"}, token=ada["token"])
    replies = [client.get(path, token=player["token"]) for player in (ada, ben) for path in
               ("/v1/me", "/v1/me/games", "/v1/me/games?needs_action=true", "/v1/me/events", f"/v1/players/{ada['id']}", f"/v1/players/{ada['id']}/games", table.path, f"{table.path}/events", f"{table.path}/record")]
    replies += [client.request("PATCH", "/v1/me", json={"name": "Zoe"}, token=ada["token"]), client.get("/v1/games")]
    for reply in replies:
        text = reply.text + str(reply.headers)
        assert reply.status_code == 200 and '"token"' not in reply.text
        assert not [player["id"] for player in (ada, ben) if player["token"] in text]


# Seats.

def test_what_a_player_creates_is_his(client, ada):
    table = client.create("iuvo-4", seats=[{}, {"name": "Guest"}, OPEN, {}], token=ada["token"])
    assert owners(table.game) == [ada["id"], ada["id"], None, ada["id"]] and names(table.game) == ["Ada", "Guest", None, "Ada"]
    assert set(table.tokens) == {1, 2, 4} and table.creator
    created = table.events()[0]["data"]["seats"]
    assert [seat.get("player") for seat in created] == [ada["id"], ada["id"], None, ada["id"]] and "player" not in created[2]
    whole = client.create(token=ada["token"])
    assert owners(whole.game) == [ada["id"]] * 2 and names(whole.game) == ["Ada"] * 2
    assert owners(client.create().game) == [None, None]


def test_what_a_player_takes_is_his(client, ada, ben):
    table = client.create("iuvo-4", seats=[OPEN] * 4)
    assert table.take(1, token=ada["token"]).value["game"]["seats"][0] == {**table.game["seats"][0], "name": "Ada", "player": ada["id"]}
    table.take(2, "Benjamin", token=ben["token"]), table.take(3, "Cem"), table.take(4, token=ada["token"])
    assert owners(table.game) == [ada["id"], ben["id"], None, ada["id"]] and names(table.game) == ["Ada", "Benjamin", "Cem", "Ada"]
    taken = [event["data"] for event in table.events() if event["type"] == "seat_taken"]
    assert [(event["name"], event.get("player")) for event in taken] == [("Ada", ada["id"]), ("Benjamin", ben["id"]), ("Cem", None), ("Ada", ada["id"])]
    # The lists show it too, and a name leads to the game.
    assert owners(next(game for game in client.get("/v1/games").value["games"] if game["id"] == table.id)) == owners(table.game)
    assert [game["id"] for game in client.get("/v1/games", params={"name": "Benjamin"}).value["games"]].count(table.id) == 1
    # A seat's token takes a seat for nobody who has a lasting name.
    other = client.create(seats=[OPEN, {}])
    other.take(1, token=table.tokens[1])
    assert owners(other.game) == [None, None]


def test_an_imported_game_is_the_importers(client, ada):
    record = client.create(seats=[{"name": "Cem"}, {}]).play_all(["a1-b3", "a7-b5"]).get("/record").value
    reply = client.post("/v1/records", json=record, token=ada["token"])
    assert reply.status_code == 201 and owners(reply.value) == [ada["id"]] * 2 and names(reply.value) == ["Cem", None]
    assert client.post(f"/v1/games/{reply.value['id']}/moves", json={"move": "c1-d3"}, token=ada["token"]).status_code == 201


def test_one_token_plays_both_sides(client, ada):
    table = client.create(token=ada["token"])
    for ply, move in enumerate(("a1-b3", "a7-b5", "c1-d3")):
        reply = table.post("/moves", json={"move": move, "expected_ply": ply}, token=ada["token"])
        assert reply.status_code == 201 and reply.value["move"]["seat"] == ply % 2 + 1
    # The natural retry, of whichever of his seats it was.
    for ply, move in enumerate(("a1-b3", "a7-b5", "c1-d3")):
        again = table.post("/moves", json={"move": move, "expected_ply": ply}, token=ada["token"])
        assert again.status_code == 200 and again.value["move"]["ply"] == ply + 1
    assert table.post("/moves", json={"move": "c1-d3"}, token=ada["token"]).status_code == 200 and table.get().value["ply"] == 3
    problem(table.post("/resignation", token=ada["token"]), 400, "which-seat")
    problem(table.post("/resignation", json={"seat": 3}, token=ada["token"]), 403, "not-your-seat")
    problem(table.post("/claims", token=ada["token"]), 400, "which-seat")
    problem(table.offer(1, "draw", token=ada["token"]), 400, "which-seat")
    draw = table.offer(1, "draw", token=ada["token"], name=2)
    problem(table.answer(draw, 1, token=ada["token"]), 400, "which-seat")
    reply = table.post("/resignation", json={"seat": 1}, token=ada["token"])
    assert reply.status_code == 200 and reply.value["outcome"] == {"winner": 2, "reason": "resigned"}


def test_a_seat_each(client, ada, ben):
    table = client.create(seats=[{}, OPEN], token=ada["token"])
    table.take(2, token=ben["token"])
    problem(table.post("/moves", json={"move": "a7-b5"}, token=ben["token"]), 409, "not-your-turn")
    assert table.post("/moves", json={"move": "a1-b3"}, token=ada["token"]).status_code == 201
    problem(table.post("/moves", json={"move": "a7-b5"}, token=ada["token"]), 409, "not-your-turn")
    assert table.post("/moves?dry_run=true", json={"move": "a7-b5"}, token=ben["token"]).status_code == 200
    # A seat's token does as well.
    assert table.play("a7-b5", seat=2).status_code == 201
    problem(table.post("/resignation", json={"seat": 1}, token=ben["token"]), 403, "not-your-seat")
    stranger = client.register("Cem")
    for rest, body in (("/moves", {"move": "c1-d3"}), ("/resignation", {})):
        problem(table.post(rest, json=body, token=stranger["token"]), 403, "not-your-seat")
    assert table.post("/resignation", token=ben["token"]).value["outcome"] == {"winner": 1, "reason": "resigned"}


def test_one_token_in_many_games(client, ada):
    tables = [client.create(seats=[{}, OPEN], token=ada["token"]) for _ in range(3)]
    tables += [client.create("iuvo-4", seats=[OPEN, {}, {}, {}]), client.create("halma-2", seats=[OPEN, {}])]
    for table in tables:
        open_seat = table.game["links"]["open_seats"][0][-1]
        assert table.take(int(open_seat), token=ada["token"] if open_seat == "1" else None).status_code == 200
        move = table.get("/legal-moves").value["moves"][0]["move"]
        assert table.post("/moves", json={"move": move}, token=ada["token"]).status_code == 201


def test_a_players_own_game_is_withdrawn_by_him(client, ada, ben):
    for seats in ([OPEN, OPEN], [{}, OPEN], [{}, {}]):
        table = client.create(seats=seats, token=ada["token"])
        problem(table.withdraw(token=ben["token"]), 403, "not-your-seat")
        assert table.withdraw(token=ada["token"]).value["status"] == "withdrawn"


def test_leaving_and_another_token_for_a_seat(client, ada, ben):
    table = client.create("iuvo-4", seats=[OPEN, OPEN, OPEN, {}])
    table.take(2, token=ada["token"]), table.take(3, token=ben["token"])
    problem(table.leave(3, token=ada["token"]), 403, "not-your-seat")
    problem(table.post("/seats/3/token", token=ada["token"]), 403, "not-your-seat")
    old = table.tokens[2]
    assert table.rekey(2, ada["token"]).status_code == 200 and owners(table.game) == [None, ada["id"], ben["id"], None]
    problem(table.get(token=old), 401, "token-unknown")
    reply = table.leave(2, token=ada["token"])
    assert reply.status_code == 200 and owners(reply.value) == [None, None, ben["id"], None] and names(reply.value)[1] is None
    problem(table.get(token=table.tokens[2]), 401, "token-unknown")
    # Her own token lives, and she may sit down again.
    table.take(2, token=ada["token"])
    assert table.take(1, token=ada["token"]).value["game"]["status"] == "active" and owners(table.game) == [ada["id"], ada["id"], ben["id"], None]
    assert types(table) == ["game_created", "seat_taken:2", "seat_taken:3", "seat_rekeyed:2", "seat_left:2", "seat_taken:2", "seat_taken:1", "game_started"]


def test_a_friend_makes_the_seat_his_own(client, ada):
    """She sends him the token of a seat; he replaces it, and from then on the seat is not hers."""
    table = client.create("iuvo-4", seats=[{}, {}, {"name": "Cem"}, {}], token=ada["token"])
    for seat in (2, 3):
        assert table.rekey(seat, table.tokens[seat]).status_code == 200
    assert owners(table.game) == [ada["id"], None, None, ada["id"]]
    # Her name goes with her; the one that she gave the seat stays.
    assert names(table.game) == ["Ada", None, "Cem", "Ada"]
    assert table.post("/moves", json={"move": "c1-d3"}, token=ada["token"]).status_code == 201
    problem(table.post("/moves", json={"move": "a3-b5"}, token=ada["token"]), 409, "not-your-turn")
    problem(table.rekey(2, ada["token"]), 403, "not-your-seat")
    assert table.play("a3-b5", seat=2).status_code == 201
    # Her own seat stays hers, by whichever of her tokens she does it.
    assert table.rekey(1, table.creator).status_code == 200 and table.rekey(4, ada["token"]).status_code == 200
    assert owners(table.game) == [ada["id"], None, None, ada["id"]]


def test_a_player_takes_a_seat_from_nobody(client, ada):
    table = client.create(seats=[{}, {}])
    problem(table.post("/seats/1", token=ada["token"]), 409, "seat-taken")
    problem(table.rekey(1, ada["token"]), 403, "not-your-seat")
    assert owners(table.get().value) == [None, None]


def test_an_answer_has_a_tag_for_each_who_looks(client, ada, ben):
    table = client.create(seats=[{}, OPEN], token=ada["token"])
    table.take(2, token=ben["token"])
    tags = [table.get(token=token).headers["ETag"] for token in (None, ada["token"], ben["token"], client.register("Cem")["token"])]
    assert len(set(tags)) == 4
    for token, tag in ((ada["token"], tags[1]), (ben["token"], tags[2])):
        assert table.get(token=token, headers={"If-None-Match": tag}).status_code == 304
        problem(table.post("/moves", json={"move": "a1-b3"}, token=ada["token"], headers={"If-Match": '"1-c-json"'}), 412, "precondition-failed")
    assert table.post("/moves", json={"move": "a1-b3"}, token=ada["token"], headers={"If-Match": tags[1]}).status_code == 201


# After a restart, and in the interface as a whole.

def test_a_player_outlives_a_restart(start):
    daemon, client = start()
    ada = client.register("Ada")
    table = client.create(seats=[{}, OPEN], token=ada["token"])
    table.take(2)
    for stop in (daemon.stop, daemon.kill):
        stop()
        daemon.start()
        assert client.get("/v1/me", token=ada["token"]).value["name"] == "Ada"
        assert [game["id"] for game in client.get("/v1/me/games?needs_action=true", token=ada["token"]).value["games"]] == [table.id]
    assert table.post("/moves", json={"move": "a1-b3"}, token=ada["token"]).status_code == 201
    assert daemon.stop() == 0 and daemon.verify().returncode == 0
    assert not [path for path in daemon.log_paths if ada["token"] in path.read_text()]


def test_every_route_of_players_is_there():
    assert {operation.path for operation in contract.operations if "players" in operation.node["tags"]} == \
        set(re.findall(r'R\(\w+, "(/v1/(?:me|players)[^"]*)"', (SOURCE / "src/api/route.h").read_text()))


def test_fifty_names_at_once(daemon, issued_tokens):
    """Each call is a player of his own."""
    import threading
    replies, gate = [], threading.Barrier(50)

    def register():
        with Client(daemon, issued_tokens) as own:
            gate.wait()
            replies.append(own.post("/v1/players", json={"name": "Same"}))

    threads = [threading.Thread(target=register) for _ in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {reply.status_code for reply in replies} == {201} and len({reply.value["id"] for reply in replies}) == 50
