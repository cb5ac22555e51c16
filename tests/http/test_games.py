"""Creating, reading and giving up games."""

import re

import pytest

from client import problem
from test_service import START


@pytest.mark.parametrize("variant", START)
def test_a_new_game(client, variant):
    table = client.create(variant)
    issued = table.game
    seats = 4 if "-4" in variant else 2
    assert issued["position"] == issued["start"] == START[variant]
    assert (issued["status"], issued["ply"], issued["turn"], issued["visibility"], issued["imported"]) == ("active", 0, 1, "public", False)
    assert [seat["seat"] for seat in issued["seats"]] == list(range(1, seats + 1))
    assert issued["phase"] == (None if variant == "halma-2" else "gathering")
    assert len(issued["stones"]) == (38 if variant == "halma-2" else 16)
    assert len({table.creator, *table.tokens.values()}) == seats + 1
    assert issued["last_move"] is None and issued["outcome"] is None and issued["created_at"] == issued["updated_at"]
    assert issued["clock"]["type"] == "none" and issued["deadline"] is None
    # What is read back is the same but for the tokens.
    game = table.get().value
    for seat in issued["seats"]:
        del seat["token"]
    del issued["creator_token"]
    assert game == issued


def test_stones_and_their_owners(client):
    owners = {stone["cell"]: stone["owners"] for stone in client.create("iuvo-4").game["stones"]}
    assert owners["a1"] == [1, 2] and owners["a7"] == [2, 3] and owners["g7"] == [3, 4] and owners["g1"] == [1, 4]
    assert owners["c1"] == [1] and owners["a3"] == [2] and owners["c7"] == [3] and owners["g5"] == [4] and owners["c3"] == []
    assert list(owners) == sorted(owners)


@pytest.mark.parametrize("name", ["Ada", "Ω", "x" * 64, "🂡" * 64, "O'Brien \"the\\rock\"", "[Key] ] [", "名前", "a b"])
def test_names(client, name):
    table = client.create(seats=[{"name": name}, {}])
    assert [seat["name"] for seat in table.get().value["seats"]] == [name, None]


def test_links_lead_on(client):
    table = client.create()
    links = dict(table.game["links"])
    assert links.pop("open_seats") == [] and links.pop("rematch") is links.pop("rematch_of") is None
    assert {"hint", "analysis"} <= set(links)
    for name, path in links.items():
        post = name in ("resignation", "claims", "offers")
        reply = client.request("POST" if post else "GET", path)
        assert reply.status_code == (401 if post else 200), name


def test_location_and_headers_of_a_new_game(client):
    reply = client.post("/v1/games", json={"variant": "iuvo-2"})
    assert reply.headers["Location"] == f"/v1/games/{reply.value['id']}" == reply.value["links"]["self"]
    assert "no-store" in reply.headers["Cache-Control"]


def test_from_a_position(client):
    position = "iuvo-2 7/7/3oo2/1B1A3/1ooo3/1oBo3/1o5 2 e5 -"
    game = client.create(position=position).game
    assert (game["position"], game["start"], game["turn"], game["phase"], game["ply"]) == (position, position, 2, "chain", 0)


def test_from_a_position_with_a_seat_out(client):
    game = client.create("iuvo-4-loose", position="iuvo-4-loose 1oC4/2C3o/1oC2DD/roo2oo/2o1o2/7/6D 3 b7 12").game
    assert [(seat["status"], seat["out_reason"]) for seat in game["seats"]][2:] == [("active", None)] * 2
    assert [seat["status"] for seat in game["seats"]] == ["out", "out", "active", "active"]


@pytest.mark.parametrize("position, field, at", [
    ("", None, None),
    ("iuvo-3 B1B1B1B/7/o1o1o1o/7/o1o1o1o/7/A1A1A1A 1 - -", "variant", None),
    ("iuvo-2 B1B1B1B/7/o1o1o1o/7/o1o1o1o/7/A1A1A1 1 - -", "board", 43),
    ("iuvo-2 B1B1B1B/7/o1o1o1o/7/o1o1o1o/7/A1A1A1C 1 - -", "board", 43),
    ("iuvo-2 B1B1B1B/7/o1o1o1o/7/o1o1o1o/7/A1A1A1A 3 - -", "turn", 45),
    ("iuvo-2 B1B1B1B/7/o1o1o1o/7/o1o1o1o/7/A1A1A1A 1 b2 -", "resting", None),
    ("iuvo-2 B1B1B1B/7/o1o1o1o/7/o1o1o1o/7/A1A1A1A 1 - 9", "out", 49),
    ("iuvo-2 B1B1B1B/7/o1o1o1o/7/o1o1o1o/7/A1A1A1A 1 - - x", None, None),
])
def test_malformed_positions(client, position, field, at):
    reply = client.post("/v1/games", json={"variant": "iuvo-2", "position": position})
    if position == "":
        problem(reply, 400, "invalid-body")
        return
    fault = problem(reply, 400, "malformed-position")
    if field is not None:
        assert fault["field"] == field, fault
    if at is not None:
        assert fault["at"] == at, fault


def test_a_position_of_another_variant(client):
    reply = client.post("/v1/games", json={"variant": "iuvo-2", "position": START["iuvo-2-loose"]})
    assert problem(reply, 400, "invalid-body")["errors"][0]["pointer"] == "/position"


@pytest.mark.parametrize("position", [
    "iuvo-2 2AoA2/3o3/7/7/7/7/7 - - 2",
    "iuvo-2 A1A1A1A/7/o1o1o1o/7/o1o1o1o/7/B1B1B1B 1 - -",
    "iuvo-2 7/7/o1o1o1o/7/o1o1o1o/7/A1A1A1A 1 - -",
])
def test_positions_that_are_no_start(client, position):
    problem(client.post("/v1/games", json={"variant": "iuvo-2", "position": position}), 400, "not-a-start")


def test_nothing_is_stored_by_a_refusal(client):
    before = client.get("/v1/games?limit=1").value["games"]
    client.post("/v1/games", json={"variant": "iuvo-2", "position": "iuvo-2 x"})
    client.post("/v1/games", json={"variant": "chess"})
    assert client.get("/v1/games?limit=1").value["games"] == before


def test_an_unlisted_game_is_found_by_its_id_alone(client):
    table = client.create(visibility="unlisted")
    assert table.get().value["visibility"] == "unlisted"
    assert table.id not in [game["id"] for game in client.get("/v1/games?limit=100").value["games"]]


@pytest.mark.parametrize("wrong", ["a" * 26, "A" * 26, "1" * 26, "short", "a" * 27, "a" * 500, "é", "a.b", "%20"])
def test_there_is_no_such_game(client, wrong):
    for rest in ("", "/legal-moves", "/moves", "/moves/1", "/positions/0", "/board", "/board.svg", "/board.txt", "/record", "/events"):
        problem(client.get(f"/v1/games/{wrong}{rest}"), 404, "no-such-game")


def test_resigning_in_turn_and_out_of_it(client):
    for seat in (1, 2):
        table = client.create()
        before = table.game
        reply = table.resign(seat)
        game = reply.value
        assert reply.status_code == 200
        assert (game["status"], game["turn"], game["ply"]) == ("finished", None, 0)
        assert game["outcome"] == {"winner": 3 - seat, "reason": "resigned"}
        assert game["seats"][seat - 1]["out_reason"] == "resigned" and game["seq"] > before["seq"]
        assert table.get().value == game
        assert game["position"].split(" ")[2] == "-"


def test_the_others_go_on_among_four(client):
    table = client.create("iuvo-4")
    game = table.resign(3).value
    assert (game["status"], game["turn"], game["outcome"]) == ("active", 1, None)
    owners = {stone["cell"]: stone["owners"] for stone in game["stones"]}
    assert owners["a7"] == [2] and owners["g7"] == [4] and owners["c7"] == []
    problem(table.resign(3), 409, "seat-out")
    assert table.resign(1).value["turn"] == 2
    game = table.resign(4).value
    assert game["outcome"] == {"winner": 2, "reason": "resigned"}
    for seat in (1, 2):
        fault = problem(table.resign(seat), 409, "game-over")
        assert fault["outcome"] == game["outcome"]


def test_who_may_not_resign(client):
    table, other = client.create(), client.create()
    problem(table.post("/resignation"), 401, "token-required")
    problem(table.post("/resignation", token="a" * 52), 401, "token-unknown")
    problem(table.post("/resignation", token=other.tokens[1]), 403, "not-your-seat")
    problem(table.post("/resignation", token=table.creator), 403, "not-your-seat")
    problem(client.post(f"/v1/games/{'a' * 26}/resignation", token=table.tokens[1]), 404, "no-such-game")
    assert table.get().value["status"] == "active"


def test_a_resignation_needs_no_body(client):
    for more in ({}, {"data": b""}, {"json": {}}, {"data": b"{}", "headers": {"Content-Type": "application/json"}}):
        assert client.create().resign(1, **more).status_code == 200


def test_resigning_only_if_nothing_has_changed(client):
    table = client.create()
    tag = table.get().headers["ETag"]
    table.play("a1-b3")
    fault = problem(table.resign(1, headers={"If-Match": tag}), 412, "precondition-failed")
    assert fault["game"] == table.get().value
    assert table.resign(1, headers={"If-Match": table.get().headers["ETag"]}).status_code == 200


def test_times_and_seq_only_grow(client):
    table = client.create()
    seen = [table.get().value]
    for move in ("a1-b3", "a7-b5", "c1-d3"):
        table.play(move)
        seen.append(table.get().value)
    table.resign(1)
    seen.append(table.get().value)
    assert [game["seq"] for game in seen] == sorted({game["seq"] for game in seen})
    assert [game["updated_at"] for game in seen] == sorted(game["updated_at"] for game in seen)
    assert len({game["created_at"] for game in seen}) == 1
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]+Z", seen[0]["created_at"])
