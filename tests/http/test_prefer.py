"""Prefer: return=minimal on every write that answers with a game: less of the game, and nothing else less."""

import json

import pytest

from client import problem
from test_clocks import CLAIM, TestClock
from test_retries import HERE, KEYED, answer, new_key, send, stage

MINIMAL = {"Prefer": "return=minimal"}
BRIEF = {"id", "status", "seq", "ply", "turn", "outcome"}


def game_of(value):
    """Where an answer has its game."""
    return value.get("game", value)


def brief(game):
    return {name: game[name] for name in BRIEF}


def names(headers):
    return {name.lower() for name in headers} - {"preference-applied"}


def shows_a_game(operation):
    """Whether an answer of success shows a board, as far as the contract tells."""
    good = [response.get("content") for status, response in operation.responses.items() if status < "300"]
    return '"stones"' in json.dumps(good)


WRITES = [name for name, operation in KEYED.items() if shows_a_game(operation)]


def test_every_write_that_answers_with_a_game_is_here():
    assert {"create_game", "import_record", "play_move", "resign", "withdraw_game", "take_seat", "leave_seat",
            "replace_token", "rematch"} <= set(WRITES)
    for name in WRITES:
        assert any(parameter["name"] == "Prefer" for parameter in KEYED[name].parameters), name


@pytest.mark.parametrize("name", [name for name in WRITES if name in HERE])
def test_the_game_is_brief_and_the_rest_is_as_ever(client, name):
    whole = send(client, name, stage(client, name), new_key())
    short = send(client, name, stage(client, name), new_key(), MINIMAL)
    assert short.status_code == whole.status_code
    assert short.headers["Preference-Applied"] == "return=minimal" and "Preference-Applied" not in whole.headers
    assert names(short.headers) == names(whole.headers)
    assert short.headers["ETag"] == whole.headers["ETag"]
    game, full = game_of(short.value), game_of(whole.value)
    assert set(game) - {"seats", "creator_token"} == BRIEF
    assert {**brief(game), "id": None} == {**brief(full), "id": None}
    assert set(short.value) - set(game) == set(whole.value) - set(full)
    assert len(short.content) < len(whole.content) / 3


def test_the_tokens_of_a_creation_stand_where_they_always_do(client):
    reply = client.post("/v1/games", json={"variant": "iuvo-4", "seats": [{"name": "Ada"}, {"open": True}, {}, {"open": True}]}, headers=MINIMAL)
    assert reply.headers["Location"] == f"/v1/games/{reply.value['id']}"
    assert [set(seat) for seat in reply.value["seats"]] == [{"seat", "token"}] * 2
    for seat in reply.value["seats"]:
        assert client.get(reply.headers["Location"], token=seat["token"]).headers["ETag"] == f'"1-s{seat["seat"]}-json"'
    assert client.get(reply.headers["Location"], token=reply.value["creator_token"]).headers["ETag"] == '"1-c-json"'


def test_a_seat_taken_or_replaced_has_its_token(client):
    table = client.create(seats=[{}, {"open": True}])
    taken = table.post("/seats/2", json={"name": "Bo"}, headers=MINIMAL)
    assert set(taken.value) == {"seat", "token", "game"} and taken.value["game"]["status"] == "active"
    replaced = table.post("/seats/2/token", token=taken.value["token"], headers=MINIMAL)
    assert table.get(token=replaced.value["token"]).headers["ETag"] == replaced.headers["ETag"]


def test_a_mover_learns_what_came_of_his_move(client):
    table = client.create(position="iuvo-2 7/7/3oo2/1A1B3/1ooo3/1oAo3/1o5 1 - -")
    reply = table.post("/moves", json={"move": "c2-d4"}, token=table.tokens[1], headers=MINIMAL)
    assert reply.status_code == 201 and reply.headers["Location"] == f"{table.path}/moves/1"
    assert reply.value["move"]["captures"] and reply.value["move"]["eliminations"] == [{"seat": 2, "reason": "captured"}]
    assert reply.value["game"] == brief(table.get().value)
    assert reply.value["game"]["outcome"] == {"winner": 1, "reason": "captured"}


def test_a_claim_is_brief(start):
    clock = TestClock(start)
    table = clock.client.create(clock=CLAIM)
    clock.move(60)
    reply = table.post("/claims", token=table.tokens[2], headers=MINIMAL)
    assert reply.headers["Preference-Applied"] == "return=minimal"
    assert reply.value == brief(table.get().value) and reply.value["outcome"] == {"winner": 2, "reason": "timeout"}
    clock.end()


def test_a_move_sent_again_is_brief_too(client):
    table = client.create()
    table.play("a1-b3")
    again = table.play("a1-b3", seat=1, headers=MINIMAL)
    assert again.status_code == 200 and again.headers["Preference-Applied"] == "return=minimal"
    assert again.value["move"]["ply"] == 1 and again.value["game"] == brief(table.get().value)


def test_a_dry_run_and_a_refusal_are_whole(client):
    table = client.create()
    dry = table.play("a1-b3", path="/moves?dry_run=true", headers=MINIMAL)
    assert dry.value["game"]["stones"] and "Preference-Applied" not in dry.headers
    stale = table.play("a1-b3", headers={**MINIMAL, "If-Match": '"99-x-json"'})
    assert problem(stale, 412, "precondition-failed")["game"] == table.get().value
    assert "Preference-Applied" not in stale.headers
    assert "Preference-Applied" not in table.get(headers=MINIMAL).headers


@pytest.mark.parametrize("prefer", ["return=representation", "return", "minimal", "", "respond-async, wait=5", "return=minimal, return=representation",
                                    "return=\"minimal", "return=minimal x", "x=\"return=minimal\"", "\xe9, return"])
def test_other_preferences_are_passed_over(client, prefer):
    reply = client.create().play("a1-b3", headers={"Prefer": prefer.encode("latin-1")})
    assert reply.status_code == 201 and reply.value["game"]["stones"] and "Preference-Applied" not in reply.headers


@pytest.mark.parametrize("lines", [["RETURN = \"minimal\""], ["wait=5", "return=minimal; x=\"1,2\""], ["wait=5, return=minimal"]])
def test_however_it_is_written(client, lines):
    head = "".join(f"Prefer: {line}\r\n" for line in lines).encode()
    body = b'{"variant": "iuvo-2"}'
    reply = client.raw("POST", "/v1/games", b"Host: x\r\nContent-Type: application/json\r\nConnection: close\r\n" + head
                       + b"Content-Length: %d\r\n" % len(body), body)
    assert reply.status_code == 201 and reply.headers["Preference-Applied"] == "return=minimal"


def test_a_retry_gets_the_first_answer_whatever_it_prefers(client):
    for first, then in ((MINIMAL, {}), ({}, MINIMAL)):
        table, key = client.create(), new_key()
        made = send(client, "play_move", table, key, first)
        again = send(client, "play_move", table, key, then)
        assert answer(again) == answer(made) and again.headers["Idempotency-Replayed"] == "true"
