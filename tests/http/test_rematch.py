"""The same people again: one rematch, whoever asks for it and however often, with the tokens that they have."""

import datetime

import pytest

from client import Table, problem

POSITION = "iuvo-2 7/7/3oo2/1B1A3/1ooo3/1oBo3/1o5 2 e5 -"


def finished(client, **more):
    table = client.create(**more)
    for seat in range(2, len(table.tokens) + 1):
        table.resign(seat)
    assert table.game["status"] == "finished"
    return table


def ask(table, seat, **more):
    return table.post("/rematch", token=table.tokens[seat], **more)


def follow(client, table, reply):
    """The new game, with the tokens that its players have by the rule."""
    count = len(table.tokens)
    new = Table(client, {**reply.value, "creator_token": table.creator})
    new.tokens = {seat % count + 1: token for seat, token in table.tokens.items()}
    return new


@pytest.mark.parametrize("variant", ["iuvo-2", "iuvo-4", "halma-2"])
def test_everybody_moves_on_by_one_and_keeps_his_token(client, variant):
    names = ["Ada", "Bo", "Cy", None][:4 if variant == "iuvo-4" else 2]
    table = finished(client, variant=variant, seats=[{"name": name} if name else {} for name in names])
    old = table.get().value
    reply = ask(table, 1)
    assert reply.status_code == 201
    new = follow(client, table, reply)
    assert reply.headers["Location"] == new.path != table.path
    assert reply.headers["ETag"] == '"2-s2-json"'
    assert "no-store" in reply.headers["Cache-Control"]
    assert (new.game["status"], new.game["turn"], new.game["ply"], new.game["seq"]) == ("active", 1, 0, 2)
    assert [seat["name"] for seat in new.game["seats"]] == names[-1:] + names[:-1]
    assert {seat["status"] for seat in new.game["seats"]} == {"active"}
    for name in ("variant", "visibility", "start", "clock"):
        assert new.game[name] == old[name], name
    assert new.game["links"]["rematch_of"] == table.path and new.game["links"]["rematch"] is None
    for seat, token in new.tokens.items():
        assert new.get(token=token).headers["ETag"] == f'"2-s{seat}-json"'
    # The first of them moves, and nobody else.
    problem(new.play(client.get(f"{new.path}/legal-moves").value["moves"][0]["move"], seat=2), 409, "not-your-turn")
    assert new.play(client.get(f"{new.path}/legal-moves").value["moves"][0]["move"]).status_code == 201


def test_no_answer_shows_a_token_again(client):
    table = finished(client)
    first, again = ask(table, 1), ask(table, 2)
    for reply in (first, again):
        assert not [token for token in (*table.tokens.values(), table.creator) if token.encode() in reply.content]
        assert "creator_token" not in reply.value and not any("token" in seat for seat in reply.value["seats"])


def test_the_terms_are_kept(client):
    table = finished(client, position=POSITION, visibility="unlisted")
    new = ask(table, 2).value
    assert (new["start"], new["position"], new["turn"], new["visibility"]) == (POSITION, POSITION, 2, "unlisted")
    assert new["id"] not in [game["id"] for game in client.get("/v1/games?limit=100").value["games"]]


@pytest.mark.parametrize("clock", [{"per_move_seconds": 3600, "on_timeout": "claim"}, {"initial_seconds": 600, "increment_seconds": 5}])
def test_the_clock_begins_anew(client, clock):
    table = client.create(clock=clock)
    table.play("a1-b3")
    old = table.resign(2).value
    new = ask(table, 1).value
    assert new["clock"] == old["clock"] and new["clock"]["on_timeout"] == clock.get("on_timeout", "forfeit")
    seconds = clock.get("per_move_seconds") or clock["initial_seconds"]
    begin, end = (datetime.datetime.fromisoformat(new[name].replace("Z", "+00:00")) for name in ("created_at", "deadline"))
    assert end - begin == datetime.timedelta(seconds=seconds)
    assert [seat["remaining_ms"] for seat in new["seats"]] == ([600_000] * 2 if "initial_seconds" in clock else [3_600_000, None])


def test_an_imported_game_has_a_rematch_that_is_none(client):
    record = {"format": "iuvod-record-1", "variant": "iuvo-2", "moves": ["a1-b3"], "tags": {"Event": "x"},
              "endings": [{"ply": 1, "seat": 2, "reason": "resigned"}], "outcome": {"winner": 1, "reason": "resigned"}}
    table = Table(client, client.post("/v1/records", json=record).value)
    reply = ask(table, 1)
    assert reply.status_code == 201 and not reply.value["imported"] and reply.value["ply"] == 0


def test_asking_again_finds_the_same_game(client):
    table = finished(client)
    first = ask(table, 1)
    new = follow(client, table, first)
    new.play("a1-b3")
    for seat in (1, 2):
        again = ask(table, seat)
        assert again.status_code == 200 and again.headers["Location"] == first.headers["Location"]
        assert again.headers["ETag"] == new.get(token=table.tokens[seat]).headers["ETag"]
        assert again.value == new.get().value and again.value["ply"] == 1
    assert len(new.events()) == 3


def test_the_finished_game_tells_of_it_without_an_event(client):
    table = finished(client)
    before = table.get()
    log = table.events()
    assert table.get().headers["ETag"] == before.headers["ETag"]  # now it is in the cache
    new = ask(table, 1).value
    after = table.get(headers={"If-None-Match": before.headers["ETag"]})
    assert after.status_code == 200 and after.headers["ETag"] != before.headers["ETag"]
    assert after.value["links"]["rematch"] == new["links"]["self"] and before.value["links"]["rematch"] is None
    assert table.get(headers={"If-None-Match": after.headers["ETag"]}).status_code == 304
    assert table.events() == log and after.value["seq"] == before.value["seq"]
    # Who follows the changes of all games sees it too.
    assert after.value["updated_at"] == new["created_at"]
    listed = client.get(f"/v1/games?updated_since={new['created_at']}&limit=100").value["games"]
    assert {table.id, new["id"]} <= {game["id"] for game in listed}
    # And what was read before is as good for a precondition as it was: nothing has happened in the game.
    problem(table.play("a1-b3", seat=1, headers={"If-Match": before.headers["ETag"]}), 409, "game-over")


def test_its_log_says_what_it_is(client):
    table = finished(client)
    new = follow(client, table, ask(table, 1))
    created, started = new.events()
    assert created["data"]["rematch_of"] == table.id and started["type"] == "game_started"
    assert "rematch_of" not in table.events()[0]["data"]


def test_one_token_for_a_chain_of_games(client):
    table = finished(client)
    token = table.tokens[1]
    for seat in (2, 1, 2):
        new = follow(client, table, ask(table, 1))
        assert new.tokens[seat] == token
        assert new.resign(seat).status_code == 200
        table = new
    problem(client.post(f"{table.path}/rematch", token=finished(client).tokens[1]), 403, "not-your-seat")


def test_the_creator_is_the_creator_again(client):
    table = finished(client)
    new = follow(client, table, ask(table, 1))
    assert new.withdraw().status_code == 200
    again = ask(table, 1)
    assert again.status_code == 200 and again.value["status"] == "withdrawn"
    problem(new.post("/rematch", token=table.tokens[1]), 409, "game-withdrawn")


def test_a_seat_that_its_holder_has_made_his_own_stays_so(client):
    table = client.create(seats=[{"name": "Ada"}, {"open": True}])
    table.take(2, "Bo")
    table.resign(2)
    new = follow(client, table, ask(table, 2))
    assert [seat["name"] for seat in new.game["seats"]] == ["Bo", "Ada"]
    problem(new.rekey(1, table.creator), 403, "not-your-seat")
    assert new.rekey(2, table.creator).status_code == 200


def test_a_token_that_is_replaced_is_dead_in_all_games(client):
    table = finished(client)
    new = follow(client, table, ask(table, 1))
    old = new.tokens[2]
    assert new.rekey(2, old).status_code == 200
    for path in (table.path, new.path, f"{new.path}/events"):
        problem(client.get(path, token=old), 401, "token-unknown")
    assert table.get(token=new.tokens[2]).headers["ETag"].endswith('-s1-json-r"')
    assert new.get(token=new.tokens[2]).headers["ETag"].endswith('-s2-json"')
    assert new.resign(2).status_code == 200


def test_the_seat_of_a_player_who_was_erased_is_free(client):
    player = client.post("/v1/players", json={"name": "Eve"}).value
    table = client.create("iuvo-4", seats=[{}, {"open": True}, {}, {}])
    assert table.post("/seats/2", token=player["token"]).status_code == 200
    for seat in (1, 3):
        table.resign(seat)
    assert client.request("DELETE", "/v1/me", token=player["token"]).status_code in (200, 204)
    assert table.get().value["status"] == "finished"
    reply = ask(table, 4)
    assert reply.status_code == 201 and reply.value["status"] == "open"
    new = follow(client, table, reply)
    assert [seat["kind"] for seat in new.game["seats"]] == ["player", "player", "open", "player"]
    assert new.take(3, "Fay").value["game"]["status"] == "active"


def test_a_player_needs_no_seat_token_for_it(client):
    """His seats move on with him, his feed tells of the new game, and he need not say for which seat he asks."""
    player = client.post("/v1/players", json={"name": "Pia"}).value
    table = Table(client, client.post("/v1/games", json={"variant": "iuvo-4", "seats": [{}, {}, {}, {}]}, token=player["token"]).value)
    for seat in (2, 3, 4):
        assert table.resign(seat).status_code == 200
    reply = table.post("/rematch", token=player["token"])
    assert reply.status_code == 201
    assert {seat["player"] for seat in reply.value["seats"]} == {player["id"]}
    assert reply.value["id"] in [game["id"] for game in client.get("/v1/me/games?needs_action=true", token=player["token"]).value["games"]]
    told = [event["type"] for event in client.get("/v1/me/events?limit=1000", token=player["token"]).value["events"] if event["game"] == reply.value["id"]]
    assert told == ["game_created", "game_started"]
    assert client.post(f"{reply.headers['Location']}/moves", json={"move": client.get(f"{reply.headers['Location']}/legal-moves").value["moves"][0]["move"]}, token=player["token"]).status_code == 201


def test_no_rematch_before_the_end(client):
    table = client.create(seats=[{"name": "Ada"}, {"open": True}])
    problem(ask(table, 1), 409, "game-not-over")
    table.take(2)
    problem(ask(table, 1), 409, "game-not-over")
    table.withdraw()
    problem(ask(table, 1), 409, "game-withdrawn")


def test_who_may_not_ask(client):
    table, other = finished(client), finished(client)
    problem(table.post("/rematch"), 401, "token-required")
    problem(table.post("/rematch", token="a" * 52), 401, "token-unknown")
    problem(ask(other, 1, headers={"If-Match": '"99-x-json"'}), 412, "precondition-failed")
    problem(table.post("/rematch", token=other.tokens[1]), 403, "not-your-seat")
    assert "creator's token" in problem(table.post("/rematch", token=table.creator), 403, "not-your-seat")["detail"]
    problem(client.post(f"/v1/games/{'a' * 26}/rematch", token=table.tokens[1]), 404, "no-such-game")
    assert table.get().value["links"]["rematch"] is None


def test_what_is_no_request_for_one(client):
    table = finished(client)
    problem(ask(table, 1, json={"seat": 1}), 400, "invalid-body")
    problem(ask(table, 1, data="{", headers={"Content-Type": "application/json"}), 400, "malformed-json")
    problem(ask(table, 1, data="x", headers={"Content-Type": "text/plain"}), 415, "unsupported-media-type")
    problem(ask(table, 1, headers={"If-Match": "x"}), 400, "invalid-header")
    problem(ask(table, 1, headers={"Accept": "text/plain"}), 406, "not-acceptable")
    problem(table.post("/rematch?again=1", token=table.tokens[1]), 400, "unknown-parameter")
    assert ask(table, 1, json={}, headers={"If-Match": table.get().headers["ETag"]}).status_code == 201


def test_it_survives_a_restart_and_verify(start):
    daemon, client = start()
    table = finished(client, variant="iuvo-4")
    new = follow(client, table, ask(table, 3))
    daemon.kill()
    daemon.start()
    assert ask(table, 2).value == new.get().value
    assert new.play(new.get("/legal-moves").value["moves"][0]["move"]).status_code == 201
    assert daemon.stop() == 0
    assert daemon.verify().returncode == 0
