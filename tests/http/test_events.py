"""The event log: written from the first day, with each change, without gaps."""

import pytest

from client import problem


def test_the_log_of_a_game(client):
    table = client.create(seats=[{"name": "Ada"}, {}])
    table.play_all(["a1-b3", "a7-b5"])
    table.resign(1)
    game, log = table.get().value, table.get("/events").value
    events = log["events"]
    assert [event["type"] for event in events] == ["game_created", "game_started", "move_played", "move_played", "seat_out", "game_finished"]
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1)) and log["seq"] == game["seq"] == len(events) and log["game"] == table.id
    assert [event["ply"] for event in events] == [0, 0, 1, 2, 2, 2] and [event["seat"] for event in events] == [None, None, 1, 2, 1, None]
    assert events[0]["data"]["seats"] == [{"seat": 1, "name": "Ada", "kind": "player"}, {"seat": 2, "name": None, "kind": "player"}]
    played = table.get("/moves").value["moves"]
    for event, move in zip(events[2:4], played):
        assert all(event["data"][key] == move[key] for key in ("move", "from", "to", "path", "captures", "kind")) and event["at"] == move["at"]
    assert events[-1]["data"] == {"winner": 2, "reason": "resigned", "position": game["position"]} and events[-1]["at"] == game["updated_at"]
    assert not [token for token in (table.creator, *table.tokens.values()) if token in table.get("/events").text]


def test_what_is_new(client):
    table = client.create().play_all(["a1-b3", "a7-b5", "c1-d3"])
    events = table.get("/events").value["events"]
    for after in range(len(events) + 2):
        assert table.get(f"/events?after={after}").value["events"] == events[after:]
        assert table.get(f"/events?after={after}&limit=2").value["events"] == events[after:after + 2]


def test_a_capture_and_an_imported_game(client):
    table = client.create(position="iuvo-2 2AoB2/3o3/3A3/7/7/7/7 1 - -").play_all(["d5xe7"])
    moved = table.get("/events").value["events"][2]
    assert moved["data"]["captures"] and moved["data"]["captured"] == [2]
    imported = client.post("/v1/records", json=table.get("/record").value).value
    log = client.get(imported["links"]["events"]).value
    assert [event["type"] for event in log["events"]] == [event["type"] for event in table.get("/events").value["events"]]
    assert log["events"][0]["data"]["imported"] is True


def test_the_limit_of_one_answer(client):
    """Two stones go round and round, 18 steps and 17: no position stands three times."""
    first = [*(f"{file}1" for file in "abcdefgh"), "h2", *(f"{file}3" for file in "hgfedcba"), "a2"]
    second = [*(f"{file}14" for file in "ijklmnop"), "p15", *(f"{file}16" for file in "ponmlkj"), "i15"]
    moves = [f"{way[turn % len(way)]}-{way[(turn + 1) % len(way)]}" for turn in range(550) for way in (first, second)]
    record = {"format": "iuvod-record-1", "variant": "halma-2", "start": "halma-2 16/16/8B7/" + "16/" * 12 + "A15 1 - -", "moves": moves}
    made = client.post("/v1/records", json=record)
    assert made.status_code == 201, made.text
    path = made.value["links"]["events"]
    everything = client.get(f"{path}?limit=1000").value
    assert len(everything["events"]) == 1000 and everything["seq"] == 1102
    assert client.get(path).value["events"] == everything["events"][:100]
    assert [event["seq"] for event in client.get(f"{path}?after=1000&limit=1000").value["events"]] == list(range(1001, 1103))


def test_refusals_leave_no_event(client):
    table = client.create()
    before = table.get("/events").content
    table.play("a1-a1"), table.play("a7-b5", seat=2), table.play("a1-b3", path="/moves?dry_run=true"), table.play("a1-b3", expected_ply=9)
    assert table.get("/events").content == before


@pytest.mark.parametrize("query", ["after=-1", "after=x", "after=99999999999", "limit=0", "limit=1001", "limit=x"])
def test_values_that_are_not_allowed(client, query):
    problem(client.create().get(f"/events?{query}"), 400, "invalid-parameter")
