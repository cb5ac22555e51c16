"""Offers: draws, takebacks and handovers from outside; who sees them, what ends them, and what comes of them."""

import signal
import uuid

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from client import Client, problem
from contract import contract
from daemon import Daemon
from test_clocks import TestClock, text
from test_seats import all_at_once, kinds

STALE = {"If-Match": '"99-n-json"'}
KINDS = ["draw", "takeback", "pause", "resume", "handover"]
# Of iuvo-4: the first four plies, by each seat one.
ROUND = ["c1-d3", "a3-c4", "c7-d5", "g5-e4"]
# A game of iuvo-2 in which seat 1 may capture on e7 at once.
CAPTURE = "iuvo-2 3o3/2AB3/2oAoB1/3o3/7/7/7 1 - -"


def key():
    return {"Idempotency-Key": str(uuid.uuid4())}


def log(table, after=0, seat=1):
    """The log after a seq as a seat sees it: type, seat, and for an answer what it says."""
    events = [event for event in table.events(token=table.tokens[seat]) if event["seq"] > after]
    return [":".join(str(word) for word in (event["type"], event["seat"], *(event["data"].get(name) for name in ("answer", "status") if name in event["data"])) if word is not None) for event in events]


def stand(table):
    """What is to be seen of a game but its log and its times."""
    game = {name: value for name, value in table.get().value.items() if name not in ("seq", "updated_at", "offers", "deadline")}
    rest = ["/legal-moves", "/moves", "/board.txt", "/board.svg", "/record", f"/positions/{game['ply']}"]
    return game, [table.get(part).content for part in rest], table.get("/record", headers={"Accept": "text/plain"}).content


def take_back(table, ply, seat=None):
    """Offered by the seat to move, accepted by all others; the last answer."""
    seat = seat or table.game["turn"]
    made = table.offer(seat, "takeback", ply=ply)
    assert made.status_code == 201, made.text
    for other in made.value["offer"]["asked"]:
        reply = table.answer(made, other)
        assert reply.status_code == 200, reply.text
    return reply


@pytest.fixture
def pair(client):
    return client.create().play_all(["a1-b3", "a7-b5"])


@pytest.fixture
def four(client):
    return client.create("iuvo-4", seats=[{"name": name} for name in ("Ada", "Ben", "Cleo", "Dan")])


# Made, seen, answered, withdrawn.

def test_an_offer_is_made(client, pair):
    made = pair.offer(1, "draw")
    assert made.status_code == 201 and set(made.value) == {"offer", "game"}
    offer, game = made.value["offer"], made.value["game"]
    assert {name: offer[name] for name in offer if name not in ("id", "made_at", "links")} == {
        "kind": "draw", "seat": 1, "ply": None, "handover": None, "asked": [2], "accepted": [], "declined": [], "takes_effect_at": None}
    assert offer["made_at"] == game["updated_at"] and game["offers"] == [offer]
    assert made.headers["Location"] == offer["links"]["self"] == f"{game['links']['offers']}/{offer['id']}"
    assert made.headers["Cache-Control"] == "no-store" and made.headers["ETag"].startswith(f'"{game["seq"]}-')
    got = client.get(made.headers["Location"], token=pair.tokens[2])
    assert got.value == offer and "private" in got.headers["Cache-Control"]
    assert client.get(made.headers["Location"], token=pair.tokens[2], headers={"If-None-Match": got.headers["ETag"]}).status_code == 304
    assert pair.game["turn"] == 1 and game["ply"] == 2 and game["status"] == "active"


def test_two_agree_on_a_draw(client, pair):
    made = pair.offer(1, "draw")
    reply = pair.answer(made, 2)
    assert reply.status_code == 200 and reply.value["outcome"] == {"winner": None, "reason": "agreement"}
    assert reply.value["status"] == "finished" and reply.value["turn"] is None and reply.value["offers"] == []
    assert log(pair, 4) == ["offer_made:1", "offer_answered:2:accepted:agreed", "game_finished"]
    record = pair.get("/record")
    assert record.value["endings"] == [{"ply": 2, "seat": None, "reason": "agreement"}]
    again = client.post("/v1/records", data=record.content, headers={"Content-Type": "application/json"}).value
    assert again["outcome"] == reply.value["outcome"]
    for late in (pair.answer(made, 2), pair.answer(made, 1, False), pair.withdraw_offer(made, 1), client.get(made.value["offer"]["links"]["self"], token=pair.tokens[1])):
        problem(late, 404, "no-such-offer")
    assert problem(pair.offer(2, "draw"), 409, "game-over")["outcome"]["reason"] == "agreement"


def test_his_own_offer_nobody_accepts(pair):
    made = pair.offer(1, "draw")
    for accept in (True, False):
        fault = problem(pair.answer(made, 1, accept), 409, "not-asked")
        assert fault["offer"] == made.value["offer"]
    fault = problem(pair.offer(2, "draw"), 409, "offer-open")
    assert fault["offer"] == made.value["offer"]
    problem(pair.withdraw_offer(made, 2), 403, "not-your-seat")
    assert pair.withdraw_offer(made, 1).status_code == 200 and pair.game["offers"] == []
    assert log(pair, 4) == ["offer_made:1", "offer_answered:1:withdrawn"]
    assert pair.offer(2, "draw").status_code == 201


def test_all_four_must_agree(four):
    made = four.offer(2, "draw")
    assert made.value["offer"]["asked"] == [1, 3, 4]
    for seat in (1, 4):
        reply = four.answer(made, seat)
        assert reply.status_code == 200 and reply.value["status"] == "active"
    assert four.game["offers"][0]["accepted"] == [1, 4]
    before = four.game["seq"]
    assert four.answer(made, 4).value["seq"] == before  # once more, it changes nothing
    assert four.answer(made, 3).value["outcome"] == {"winner": None, "reason": "agreement"}
    assert log(four, before) == ["offer_answered:3:accepted:agreed", "game_finished"]


def test_one_who_declines_ends_it(four):
    made = four.offer(2, "draw")
    assert four.answer(made, 1).status_code == four.answer(made, 1, False).status_code == 200
    assert four.game["offers"] == [] and log(four, 3) == ["offer_answered:1:accepted:open", "offer_answered:1:declined:declined"]


def test_moves_and_a_draw(four):
    """The move of the seat that made it leaves it open, and so does that of one who has accepted; another's declines it."""
    made = four.offer(1, "draw")
    assert four.play(ROUND[0]).status_code == 201 and four.answer(made, 2).status_code == 200
    assert four.play(ROUND[1]).status_code == 201 and len(four.get(token=four.tokens[3]).value["offers"]) == 1
    reply = four.play(ROUND[2])
    assert reply.status_code == 201 and reply.value["game"]["offers"] == []
    assert log(four, 5) == ["move_played:2", "move_played:3", "offer_answered:3:declined:declined"]
    problem(four.answer(made, 4), 404, "no-such-offer")


def test_who_goes_out_is_asked_no_longer(four):
    made = four.offer(1, "draw")
    for seat in (2, 3):
        assert four.answer(made, seat).status_code == 200
    before = four.game["seq"]
    assert four.resign(4).value["outcome"] == {"winner": None, "reason": "agreement"}
    assert log(four, before) == ["seat_out:4", "offer_answered:agreed", "game_finished"]


def test_who_goes_out_takes_his_offers_along(four):
    made = four.offer(4, "draw")
    assert four.resign(4).value["offers"] == []
    assert log(four, 3) == ["seat_out:4", "offer_answered:void"]
    problem(four.answer(made, 1), 404, "no-such-offer")
    problem(four.offer(4, "draw"), 409, "seat-out")


# Who sees them.

def test_offers_are_seen_by_the_seats_alone(client, pair):
    other = client.create()
    before = pair.get()
    made = pair.offer(1, "draw")
    link = made.value["offer"]["links"]["self"]
    for seat in (1, 2):
        assert pair.get(token=pair.tokens[seat]).value["offers"] == [made.value["offer"]]
        assert pair.events(token=pair.tokens[seat])[-1]["data"]["offer"] == made.value["offer"]["id"]
    for token in (None, pair.creator, other.tokens[1]):
        assert pair.get(token=token).value["offers"] == []
        event = pair.events(token=token)[-1]
        assert set(event) == {"seq", "type", "at"} and event["type"] == "private" and event["seq"] == made.value["game"]["seq"]
        text = "".join(pair.get(rest, token=token).text for rest in ("", "/events", "/record", "/moves", "/board.svg"))
        assert made.value["offer"]["id"] not in text and '"draw"' not in text
    problem(client.get(link), 401, "token-required")
    for token in (pair.creator, other.tokens[1]):
        for reply in (client.get(link, token=token), client.put(link, json={"accept": True}, token=token), client.delete(link, token=token), pair.post("/offers", json={"kind": "draw"}, token=token)):
            problem(reply, 403, "not-your-seat")
    assert pair.get(headers={"If-None-Match": before.headers["ETag"]}).status_code == 200
    tags = {pair.get(token=token).headers["ETag"] for token in (None, pair.creator, pair.tokens[1], pair.tokens[2])}
    assert len(tags) == 4
    pair.answer(made, 2, False)
    assert [event["type"] for event in pair.events()][-2:] == ["private", "private"]
    assert made.value["offer"]["id"] not in client.get("/v1/games?limit=100").text


def test_refusals_show_offers_to_seats_alone(pair):
    made = pair.offer(1, "draw")
    for seat in (1, 2):
        assert problem(pair.play("c1-d3", seat=seat, headers=STALE), 412, "precondition-failed")["game"]["offers"] == [made.value["offer"]]
    fault = problem(pair.client.delete(pair.path, token=pair.creator, headers=STALE), 412, "precondition-failed")
    assert fault["game"]["offers"] == []


# What cannot be offered.

@pytest.mark.parametrize("body, pointer", [
    ({}, "/kind"), ({"kind": "truce"}, "/kind"), ({"kind": "takeback"}, "/ply"), ({"kind": "draw", "ply": 1}, "/ply"), ({"kind": "takeback", "ply": 4097}, "/ply"),
    ({"kind": "draw", "seat": 0}, "/seat"), ({"kind": "handover", "seat": 5}, "/seat"), ({"kind": "draw", "more": 1}, "/more")])
def test_bodies_that_offer_nothing(pair, body, pointer):
    fault = problem(pair.post("/offers", json=body, token=pair.tokens[1]), 400, "invalid-body")
    assert [error["pointer"] for error in fault["errors"]] in ([pointer], [""]) or pointer == "/kind"


def test_bodies_that_answer_nothing(pair):
    made = pair.offer(1, "draw")
    for body in ({}, {"accept": "yes"}, {"accept": None}, {"accept": True, "seat": 9}, {"accept": True, "more": 1}):
        problem(pair.client.put(made.value["offer"]["links"]["self"], json=body, token=pair.tokens[2]), 400, "invalid-body")
    assert pair.get(token=pair.tokens[1]).value["offers"] == [made.value["offer"]]


def test_games_in_which_nothing_is_offered(client, four):
    lobby = client.create(seats=[{"name": "Ada"}, {"open": True}])
    assert problem(lobby.offer(1, "draw"), 409, "game-not-started")["open_seats"] == [2]
    lobby.withdraw()
    problem(lobby.offer(1, "draw"), 409, "game-withdrawn")
    missing = f"/v1/games/{'a' * 26}/offers"
    problem(client.post(missing, json={"kind": "draw"}, token=four.tokens[1]), 404, "no-such-game")
    for method, more in (("GET", {}), ("PUT", {"json": {"accept": True}}), ("DELETE", {})):
        problem(client.request(method, f"{missing}/{'b' * 26}", token=four.tokens[1], **more), 404, "no-such-game")
        problem(client.request(method, f"{four.path}/offers/{'b' * 26}", token=four.tokens[1], **more), 404, "no-such-offer")
        problem(client.request(method, f"{four.path}/offers/1", token=four.tokens[1], **more), 404, "no-such-offer")
    problem(four.offer(1, "draw", headers=STALE), 412, "precondition-failed")
    problem(four.offer(1, "draw", name=2), 403, "not-your-seat")
    made = four.offer(1, "draw")
    problem(four.answer(made, 2, headers=STALE), 412, "precondition-failed")
    problem(four.withdraw_offer(made, 1, headers=STALE), 412, "precondition-failed")
    problem(four.answer(made, 2, name=3), 403, "not-your-seat")
    tag = four.get(token=four.tokens[2]).headers["ETag"]
    assert four.answer(made, 2, headers={"If-Match": tag}).status_code == 200
    problem(four.answer(made, 3, headers={"If-Match": tag}), 412, "precondition-failed")


def test_no_clock_is_paused_where_none_runs(pair):
    for kind in ("pause", "resume"):
        problem(pair.offer(1, kind), 409, "no-clock")


# Takebacks.

def test_the_game_stands_as_it_did(client, pair):
    stood = stand(pair)
    pair.play_all(["c1-d3", "c7-d5"])
    cached = [pair.get(rest).content for rest in ("", "/positions/2", "/moves", "/board.svg")]
    assert "immutable" not in pair.get("/positions/3").headers["Cache-Control"]
    before = pair.get("/positions/3")
    reply = take_back(pair, 2)
    assert reply.value["ply"] == 2 and reply.value["turn"] == 1 and reply.value["offers"] == []
    assert stand(pair) == stood
    for rest in ("/positions/3", "/moves/3", "/board.svg?ply=3", "/board.txt?ply=4"):
        reply = pair.get(rest, headers={"If-None-Match": before.headers["ETag"]})
        assert reply.status_code in (400, 404), rest
    assert pair.get("/positions/2").status_code == 200 and cached[0] != pair.get().content
    # The log is not cut.
    assert log(pair) == ["game_created", "game_started", *["move_played:1", "move_played:2"] * 2, "offer_made:1", "offer_answered:2:accepted:agreed", "takeback_done"]
    done = pair.events()[-1]
    assert done["data"] == {"to_ply": 2, "position": pair.game["position"], "turn": 1} and done["ply"] == 2 and done["seat"] is None
    played = [event["data"]["move"] for event in pair.events() if event["type"] == "move_played"]
    assert played == ["a1-b3", "a7-b5", "c1-d3", "c7-d5"]
    # Other moves, and their positions, which nothing kept by anybody stands in the way of.
    pair.play_all(["e1-d3"])
    after = pair.get("/positions/3")
    assert after.content != before.content and after.headers["ETag"] != before.headers["ETag"]
    assert [move["move"] for move in pair.get("/moves").value["moves"]] == ["a1-b3", "a7-b5", "e1-d3"]


def test_a_draw_that_was_offered_waits_on_behind_a_takeback(four):
    four.play_all([four.get("/legal-moves").value["moves"][0]["move"]])
    made = four.offer(1, "draw")
    assert four.answer(made, 2).status_code == 200
    game = take_back(four, 0).value
    assert game["ply"] == 0 and [offer["kind"] for offer in game["offers"]] == ["draw"]
    assert game["offers"][0]["accepted"] == [2]
    for seat in (3, 4):
        reply = four.answer(made, seat)
    assert reply.value["outcome"] == {"winner": None, "reason": "agreement"}


def test_which_plies_can_be_gone_back_to(four):
    assert problem(four.offer(1, "takeback", ply=0), 409, "no-takeback")["ply"] == 0
    four.play_all(ROUND[:2])
    for ply in (2, 3, 4096):
        fault = problem(four.offer(1, "takeback", ply=ply), 409, "no-takeback")
        assert (fault["ply"], fault["lowest_ply"]) == (2, 0)
    four.resign(4)
    four.play_all(ROUND[2:3])
    fault = problem(four.offer(1, "takeback", ply=1), 409, "no-takeback")
    assert (fault["ply"], fault["lowest_ply"]) == (3, 2)
    made = four.offer(1, "takeback", ply=2)
    assert made.value["offer"]["ply"] == 2 and made.value["offer"]["asked"] == [2, 3]
    assert four.answer(made, 2).value["ply"] == 3 and four.answer(made, 3).value["ply"] == 2
    assert [seat["out_reason"] for seat in four.game["seats"]] == [None, None, None, "resigned"] and four.game["turn"] == 3


def test_another_move_makes_it_void(pair):
    made = pair.offer(1, "takeback", ply=0)
    before = pair.game["seq"]
    assert pair.play("c1-d3").value["game"]["offers"] == []
    assert log(pair, before) == ["move_played:1", "offer_answered:void"]
    problem(pair.answer(made, 2), 404, "no-such-offer")


def test_a_capture_is_taken_back(client):
    table = client.create(position=CAPTURE).play_all(["c5-e6", "f5-e7"])
    stood = stand(table)
    assert table.play("c6xe7").value["move"]["captures"] is True
    take_back(table, 2)
    assert stand(table) == stood
    # The stone that has just moved rests, as it did (I11).
    take_back(table, 1)
    problem(table.play("e6-c5"), 409, "stone-rests")


def test_a_win_cannot_be_taken_back(client):
    table = client.create(position=CAPTURE).play_all(["c5-e6", "f5-e7", "c6xe7", "d6-e4"])
    assert table.play("d5-c7").value["game"]["status"] == "finished"
    problem(table.offer(2, "takeback", ply=4), 409, "game-over")


def test_repetitions_are_uncounted(client):
    """The draw of H8 comes when a position stands for the third time, takebacks left out."""
    shuffle = ["l2-k3", "e15-f14", "k3-l2", "f14-e15"]
    table = client.create("halma-2").play_all([*shuffle, *shuffle[:3]])
    for _ in range(3):
        take_back(table, 3)
        table.play_all([*shuffle[3:], *shuffle[:3]])
    reply = table.play(shuffle[3])
    assert reply.value["game"]["outcome"] == {"winner": None, "reason": "repetition"} and reply.value["game"]["ply"] == 8


def test_a_move_again_after_a_takeback(pair):
    """The natural retry is of moves that stand; one that was taken back is played anew, once."""
    assert pair.play("c1-d3", expected_ply=2).status_code == 201
    assert pair.play("c1-d3", seat=1, expected_ply=2).status_code == 200
    take_back(pair, 2)
    assert pair.play("c1-d3", expected_ply=2).status_code == 201
    assert pair.play("c1-d3", seat=1, expected_ply=2).status_code == 200
    take_back(pair, 1)
    problem(pair.play("c1-d3", seat=1, expected_ply=2), 412, "stale-ply")
    assert pair.play("g7-f5", seat=2, expected_ply=1).status_code == 201
    # An answer that is kept under a key is that of then.
    again = key()
    first = pair.play("c1-d3", headers=again)
    take_back(pair, 2)
    replayed = pair.play("c1-d3", headers=again)
    assert replayed.content == first.content and replayed.headers["Idempotency-Replayed"] == "true" and pair.get().value["ply"] == 2


def test_a_record_after_takebacks(client, pair):
    pair.play_all(["c1-d3", "c7-d5"])
    take_back(pair, 1)
    pair.play_all(["g7-f5", "g1-f3"])
    take_back(pair, 2)
    plain = client.create().play_all(["a1-b3", "g7-f5"])
    assert pair.get("/record").content == plain.get("/record").content
    imported = client.post("/v1/records", data=pair.get("/record").content, headers={"Content-Type": "application/json"}).value
    assert imported["position"] == pair.game["position"] and imported["ply"] == 2


def test_pages_of_a_log_with_takebacks(pair):
    """However it is cut, what comes together is the log."""
    pair.play_all(["c1-d3", "c7-d5"])
    take_back(pair, 1)
    pair.play_all(["g7-f5", "g1-f3"])
    take_back(pair, 2)
    pair.play_all(["g1-f3"])
    whole = pair.events(token=pair.tokens[1])
    for limit in (1, 2, 3, 5):
        parts, after = [], 0
        while after < whole[-1]["seq"]:
            page = pair.get(f"/events?after={after}&limit={limit}", token=pair.tokens[1]).value["events"]
            parts, after = parts + page, page[-1]["seq"]
        assert parts == whole


# Handovers.

def test_a_seat_is_handed_over(client, four):
    four.play_all(ROUND[:1])
    made = four.offer(2, "handover", headers=key())
    assert made.value["offer"]["handover"] == 2 and made.value["offer"]["asked"] == [1, 3, 4] and made.value["offer"]["takes_effect_at"] is None
    old = four.tokens[2]
    for seat in (1, 3):
        four.answer(made, seat)
    assert kinds(four.get().value) == ["player"] * 4
    before = four.game["seq"]
    game = four.answer(made, 4).value
    assert game["status"] == "active" and game["turn"] == 2 and kinds(game) == ["player", "open", "player", "player"]
    assert game["seats"][1]["name"] is None and game["links"]["open_seats"] == [f"{four.path}/seats/2"]
    assert log(four, before) == ["offer_answered:4:accepted:agreed", "seat_left:2"]
    left = four.events()[-1]
    assert left["data"] == {"open_seats": [2]} and left["ply"] == 1
    problem(four.get(token=old), 401, "token-unknown")
    problem(four.play(ROUND[1], seat=2), 401, "token-unknown")
    problem(four.offer(1, "handover", name=2), 409, "seat-open")
    # The others cannot move for it, the creator cannot take its token, and whoever comes has it.
    problem(four.play(ROUND[1], seat=1), 409, "not-your-turn")
    problem(four.rekey(2, four.creator), 403, "not-your-seat")
    assert four.take(2, "Zoe").status_code == 200 and four.game["status"] == "active" and four.game["links"]["open_seats"] == []
    problem(four.take(2, "Yan"), 409, "seat-taken")
    assert log(four, before + 2) == ["seat_taken:2"] and four.tokens[2] != old
    assert four.play(ROUND[1]).status_code == 201
    assert [game["id"] for game in client.get("/v1/games?name=Zoe&limit=100").value["games"]][:1] == [four.id]


def test_a_handover_that_another_asks_for_waits_for_the_holder(four):
    made = four.offer(1, "handover", name=2)
    offer = made.value["offer"]
    assert (offer["seat"], offer["handover"], offer["asked"], offer["takes_effect_at"]) == (1, 2, [3, 4], None)
    four.answer(made, 3)
    offer = four.answer(made, 4).value["offers"][0]
    assert offer["takes_effect_at"] is not None and offer["accepted"] == [3, 4]
    assert kinds(four.game) == ["player"] * 4
    four.play_all(ROUND[:1])
    assert four.get(token=four.tokens[1]).value["offers"] == [offer]
    four.play_all(ROUND[1:2])  # he is there
    assert four.get(token=four.tokens[1]).value["offers"] == []
    assert log(four)[-2:] == ["move_played:2", "offer_answered:void"]
    made = four.offer(1, "handover", name=2)
    assert four.answer(made, 2, False).value["offers"] == []


def test_a_handover_names_a_seat(client, four):
    pair = client.create()
    problem(pair.offer(1, "handover", name=3), 404, "no-such-seat")
    four.resign(3)
    problem(four.offer(1, "handover", name=3), 409, "seat-out")


def test_giving_a_seat_away_needs_a_strong_key(pair):
    weak = {"Idempotency-Key": "short"}
    problem(pair.offer(1, "handover", headers=weak), 400, "weak-idempotency-key")
    problem(pair.offer(1, "handover", headers=weak, name=1), 400, "weak-idempotency-key")
    assert pair.offer(1, "draw", headers=weak).status_code == 201
    made, once = pair.offer(2, "handover", name=1), key()
    problem(pair.answer(made, 1, headers=weak), 400, "weak-idempotency-key")
    first = pair.answer(made, 1, headers=once)
    assert first.status_code == 200 and kinds(first.value) == ["open", "player"]
    # The token is dead, and good for nothing but this answer.
    again = pair.answer(made, 1, headers=once)
    assert again.content == first.content and again.headers["Idempotency-Replayed"] == "true"
    problem(pair.answer(made, 1, headers=key()), 401, "token-unknown")
    # With nobody left to ask, the other seat goes at once.
    last = pair.offer(2, "handover", headers=key())
    assert last.status_code == 201 and kinds(last.value["game"]) == ["open", "open"] and last.value["game"]["offers"] == []
    assert pair.take(1, "Ada").status_code == 200 and pair.game["turn"] == 1 and pair.play("c1-d3").status_code == 201


def test_a_game_that_ends_with_an_open_seat(client, four):
    made = four.offer(2, "handover")
    for seat in (1, 3, 4):
        four.answer(made, seat)
    for seat in (1, 3):
        assert four.resign(seat).status_code == 200
    # Seat 2 and seat 4 are in; the last who sits gives up as well, and the seat in which nobody sits has won.
    assert four.resign(4).value["outcome"] == {"winner": 2, "reason": "resigned"}
    assert four.get().value["links"]["open_seats"] == []
    problem(four.take(2), 409, "game-over")
    record = four.get("/record")
    again = client.post("/v1/records", data=record.content, headers={"Content-Type": "application/json"})
    assert again.status_code == 201 and again.value["outcome"]["winner"] == 2


# With clocks.

DAY, NOTICE = 86400, 7 * 86400
LONG = {"per_move_seconds": 30 * DAY}


@pytest.fixture
def clock(start):
    clock = TestClock(start)
    yield clock
    if clock.daemon.running():
        clock.end()


def test_a_pause_by_agreement(clock):
    four = clock.client.create("iuvo-4", clock={"per_move_seconds": 100})
    problem(four.offer(1, "resume"), 409, "clock-not-paused")
    made = four.offer(3, "pause")
    clock.move(40)
    for seat in (1, 2, 4):
        assert four.game["deadline"] == text(100)
        four.answer(made, seat)
    assert four.game["deadline"] is None and four.game["seats"][0]["remaining_ms"] == 60000
    assert log(four, 2) == ["offer_made:3", "offer_answered:1:accepted:open", "offer_answered:2:accepted:open", "offer_answered:4:accepted:agreed", "clock_paused:1"]
    assert four.events()[-1]["data"] == {"remaining_ms": 60000}
    problem(four.offer(2, "pause"), 409, "clock-paused")
    clock.move(50000)
    assert four.play(ROUND[0]).status_code == 201 and four.game["deadline"] is None
    made = four.offer(1, "resume")
    assert made.value["offer"]["takes_effect_at"] == text(50000 + NOTICE)
    assert four.answer(made, 2, False).value["offers"][0]["declined"] == [2]
    clock.move(50000 + NOTICE - 1)
    assert four.get().value["deadline"] is None
    clock.move(50000 + NOTICE)
    assert four.get().value["deadline"] == text(50000 + NOTICE + 100)
    assert log(four)[-2:] == ["offer_answered:agreed", "clock_resumed:2"] and four.events()[-1]["data"] == {"deadline": text(50000 + NOTICE + 100)}
    made = four.offer(1, "pause")
    for seat in (2, 3, 4):
        four.answer(made, seat)
    made = four.offer(4, "resume")
    for seat in (1, 2, 3):
        four.answer(made, seat)
    assert four.game["deadline"] == text(50000 + NOTICE + 100)


def test_what_comes_after_the_deadline(clock):
    """With a clock that ends the game nothing is agreed on after the time is up; with one that is claimed it is."""
    claims = clock.client.create(clock={"per_move_seconds": 60, "on_timeout": "claim"})
    made = claims.offer(1, "draw")
    clock.move(60)
    assert claims.answer(made, 2).value["outcome"] == {"winner": None, "reason": "agreement"}


def test_deadlines_after_a_takeback(clock):
    """The seat to move has a whole move's time, or the budget that it had."""
    moves = clock.client.create(clock={"per_move_seconds": 100})
    budget = clock.client.create(clock={"initial_seconds": 100, "increment_seconds": 10})
    clock.move(10)
    for table in (moves, budget):
        table.play_all(["a1-b3"])  # 1 has 100 again
    clock.move(30)
    for table in (moves, budget):
        table.play_all(["a7-b5"])  # 2 has 90
    clock.move(70)
    for table in (moves, budget):
        table.play_all(["c1-d3"])  # 1 has 70
    clock.move(90)
    take_back(moves, 2)
    assert moves.game["deadline"] == text(190)
    take_back(budget, 2)
    assert [seat["remaining_ms"] for seat in budget.game["seats"]] == [100000, 90000] and budget.game["deadline"] == text(190)
    clock.move(95)
    take_back(budget, 0)
    assert [seat["remaining_ms"] for seat in budget.game["seats"]] == [100000, 100000] and budget.game["deadline"] == text(195)
    # A game that is paused stays so.
    made = moves.offer(1, "pause")
    moves.answer(made, 2)
    take_back(moves, 1)
    assert moves.game["deadline"] is None and moves.game["seats"][1]["remaining_ms"] == 100000


def test_seats_that_time_out_have_offers(clock):
    four = clock.client.create("iuvo-4", clock={"per_move_seconds": 100})
    own, draw = four.offer(1, "takeback", ply=0), four.offer(2, "draw")
    problem(own, 409, "no-takeback")
    for seat in (3, 4):
        four.answer(draw, seat)
    clock.move(100)
    game = four.get().value
    assert game["outcome"] == {"winner": None, "reason": "agreement"} and game["seats"][0]["out_reason"] == "timeout"
    assert log(four, 2)[-3:] == ["seat_out:1", "offer_answered:agreed", "game_finished"]
    assert [ending["reason"] for ending in four.get("/record").value["endings"]] == ["timeout", "agreement"]


def test_a_departed_player_is_replaced(clock):
    four = clock.client.create("iuvo-4", clock=LONG).play_all(ROUND[:1])
    made = four.offer(1, "handover", name=2)
    for seat in (3, 4):
        four.answer(made, seat)
    assert four.game["offers"][0]["takes_effect_at"] == text(NOTICE)
    clock.move(NOTICE - 1)
    assert kinds(four.get().value) == ["player"] * 4
    clock.restart(NOTICE - 1, kill=True)
    clock.move(NOTICE)
    game = four.get(token=four.tokens[1]).value
    assert kinds(game) == ["player", "open", "player", "player"] and game["offers"] == [] and game["turn"] == 2
    assert log(four)[-2:] == ["offer_answered:agreed", "seat_left:2"]
    problem(four.get(token=four.tokens[2]), 401, "token-unknown")
    # The clock goes on; whoever takes the seat has a whole move's time.
    assert game["deadline"] == text(30 * DAY)
    clock.move(20 * DAY)
    four.take(2, "Zoe")
    assert four.game["deadline"] == text(50 * DAY)
    assert four.play(ROUND[1]).status_code == 201
    # A seat that nobody takes oversteps its time as any other does.
    made = four.offer(3, "handover")
    for seat in (1, 2, 4):
        four.answer(made, seat)
    assert kinds(four.game)[2] == "open" and four.game["turn"] == 3
    clock.move(50 * DAY)
    game = four.get().value
    assert game["seats"][2]["out_reason"] == "timeout" and game["turn"] == 4 and game["links"]["open_seats"] == []
    problem(four.take(3, "Yan"), 409, "seat-out")


@pytest.mark.parametrize("terms", [LONG, "none"])
def test_notice_goes_on_when_the_service_does(clock, terms):
    """A departed player must have seven days in which he could have said that he is there."""
    four = clock.client.create("iuvo-4", clock=terms)
    made = four.offer(1, "handover", name=2)
    for seat in (3, 4):
        four.answer(made, seat)
    clock.move(DAY)
    clock.restart(9 * DAY)
    offer = four.get(token=four.tokens[2]).value["offers"][0]
    assert offer["takes_effect_at"] == text(NOTICE + 8 * DAY)
    event = four.events(token=four.tokens[2])[-1]
    if terms == "none":
        assert (event["seat"], event["data"]) == (None, {"ms": 8 * DAY * 1000, "deadline": None})
        # That a notice runs is not for strangers.
        assert set(four.events()[-1]) == {"seq", "type", "at"} and four.events()[-1]["type"] == "private"
    else:
        assert (event["seat"], event["data"]) == (1, {"ms": 8 * DAY * 1000, "deadline": text(38 * DAY)})
        assert four.events()[-1] == event
    clock.move(NOTICE + 8 * DAY - 0.001)
    assert kinds(four.get().value) == ["player"] * 4
    clock.move(NOTICE + 8 * DAY)
    assert kinds(four.get().value) == ["player", "open", "player", "player"]


def test_a_resume_waits_for_as_long_as_the_service_was_down(clock):
    pair = clock.client.create(clock=LONG)
    pair.answer(pair.offer(1, "pause"), 2)
    made = pair.offer(1, "resume")
    assert made.value["offer"]["takes_effect_at"] == text(NOTICE)
    clock.move(DAY)
    # Killed twice: what it gives back first must not let anything take effect that has more to come.
    clock.restart(20 * DAY, kill=True)
    clock.restart(40 * DAY, kill=True)
    assert pair.get(token=pair.tokens[2]).value["offers"][0]["takes_effect_at"] == text(NOTICE + 39 * DAY)
    assert pair.get().value["deadline"] is None and [event["type"] for event in pair.events(token=pair.tokens[1])][-2:] == ["time_credited"] * 2
    pair.answer(made, 2, accept=False)
    clock.move(NOTICE + 39 * DAY)
    game = pair.get().value
    assert game["deadline"] == text(NOTICE + 69 * DAY) and game["offers"] == []


def test_offers_and_the_deadline_in_one_batch(start, issued_tokens):
    """Time passes the deadline in the batch in which the call comes: then nothing is made, answered or withdrawn any more."""
    clock = TestClock(start)
    clients = [Client(clock.daemon, issued_tokens) for _ in range(7)]
    for _ in range(20):
        tables = [clock.client.create(clock={"per_move_seconds": 60}, visibility="unlisted") for _ in range(3)]
        links = [table.offer(1, "draw").value["offer"]["links"]["self"] for table in tables[:2]]
        acts = [lambda: clients[0].put(links[0], json={"accept": True}, token=tables[0].tokens[2]), lambda: clients[1].delete(links[1], token=tables[1].tokens[1]),
                lambda: clients[2].post(f"{tables[2].path}/offers", json={"kind": "draw"}, token=tables[2].tokens[1])]
        others = [lambda n=n: clients[n].post("/v1/games", json={"variant": "iuvo-2", "visibility": "unlisted"}) for n in (3, 4)]
        late = lambda: clients[5].put("/test-clock", json={"now": text(clock.seconds + 60)})  # noqa: E731
        calls = [*others, late, *acts]
        replies = all_at_once(6, lambda n: calls[n]())[3:]
        clock.seconds += 60
        for name, table, reply in zip(("answer", "withdraw", "make"), tables, replies):
            outcome = table.get().value["outcome"]
            if reply.status_code < 300:
                assert outcome["reason"] == ("agreement" if name == "answer" else "timeout")
            else:
                assert reply.value["code"] in ("time-is-up", "game-over", "no-such-offer") and outcome == {"winner": 2, "reason": "timeout"}
    clock.end()


# All at once, and over restarts.

def test_answers_at_once(client, issued_tokens, daemon):
    clients = [Client(daemon, issued_tokens) for _ in range(12)]
    four = client.create("iuvo-4")
    made = four.offer(1, "draw").value["offer"]
    answers = all_at_once(12, lambda n: clients[n].put(made["links"]["self"], json={"accept": True}, token=four.tokens[2 + n % 3]))
    assert {reply.status_code for reply in answers} <= {200, 404}
    assert four.get().value["outcome"] == {"winner": None, "reason": "agreement"}
    events = log(four, 3)
    assert len(events) == 4 and events[3] == "game_finished"
    assert sorted(event.split(":")[1] for event in events[:3]) == ["2", "3", "4"] and [event.split(":")[-1] for event in events[:3]] == ["open", "open", "agreed"]


def test_yes_and_no_at_once(client, issued_tokens, daemon):
    clients = [Client(daemon, issued_tokens) for _ in range(6)]
    for _ in range(5):
        four = client.create("iuvo-4")
        made = four.offer(1, "draw").value["offer"]
        replies = all_at_once(6, lambda n: clients[n].put(made["links"]["self"], json={"accept": n % 3 != 0}, token=four.tokens[2 + n % 3]))
        assert {reply.status_code for reply in replies} <= {200, 404}
        game = four.get(token=four.tokens[1]).value
        assert game["offers"] == [] and game["status"] == "active" and log(four)[-1] == "offer_answered:2:declined:declined"


def test_offers_at_once(client, issued_tokens, daemon):
    clients = [Client(daemon, issued_tokens) for _ in range(12)]
    four = client.create("iuvo-4")
    replies = all_at_once(12, lambda n: clients[n].post(f"{four.path}/offers", json={"kind": "draw"}, token=four.tokens[1 + n % 4]))
    assert sorted(reply.status_code for reply in replies) == [201] + [409] * 11
    made = next(reply.value["offer"] for reply in replies if reply.status_code == 201)
    assert four.get(token=four.tokens[1]).value["offers"] == [made]


def test_a_move_and_its_takeback_at_once(client, issued_tokens, daemon):
    """A takeback that is accepted while somebody moves is either done before the move or void."""
    clients = [Client(daemon, issued_tokens) for _ in range(2)]
    for _ in range(8):
        pair = client.create().play_all(["a1-b3", "a7-b5"])
        link = pair.offer(1, "takeback", ply=1).value["offer"]["links"]["self"]
        acts = [lambda: clients[0].put(link, json={"accept": True}, token=pair.tokens[2]), lambda: clients[1].post(f"{pair.path}/moves", json={"move": "c1-d3", "expected_ply": 2}, token=pair.tokens[1])]
        answer, move = all_at_once(2, lambda n: acts[n]())
        ply = pair.get().value["ply"]
        assert (answer.status_code, move.status_code, ply) in ((200, 412, 1), (404, 201, 3))


def test_offers_survive_a_restart(start):
    daemon, client = start()
    four = client.create("iuvo-4").play_all(ROUND)
    draw, back, over = four.offer(1, "draw"), four.offer(1, "takeback", ply=2), four.offer(2, "handover", name=3)
    four.answer(draw, 2)
    four.answer(back, 3)
    four.answer(over, 1)
    offers = four.get(token=four.tokens[1]).value["offers"]
    assert [offer["kind"] for offer in offers] == ["draw", "takeback", "handover"]
    for end in (lambda: daemon.stop(), lambda: daemon.kill()):
        end()
        daemon.start()
        assert four.get(token=four.tokens[1]).value["offers"] == offers
    four.answer(back, 2)
    daemon.kill()
    daemon.start()
    assert four.answer(back, 4).value["ply"] == 2
    daemon.kill()
    daemon.start()
    game = four.get(token=four.tokens[1]).value
    assert game["ply"] == 2 and [offer["kind"] for offer in game["offers"]] == ["draw", "handover"]
    before = four.get().value["seq"]
    four.play_all(ROUND[2:3])
    assert log(four, before) == ["move_played:3", "offer_answered:3:declined:declined", "offer_answered:void"]
    assert daemon.stop() == 0
    assert daemon.verify().returncode == 0


def test_killed_between_offer_and_answer(start):
    """Each answer is sent again with its key until it is read: it is given once."""
    daemon, client = start()
    pair = client.create().play_all(["a1-b3", "a7-b5", "c1-d3"])
    keys = [key() for _ in range(2)]
    for _ in range(2):
        made = pair.offer(1, "takeback", ply=1, headers=keys[0])
        daemon.process.send_signal(signal.SIGKILL)
        daemon.process.wait()
        daemon.start()
    assert made.headers["Idempotency-Replayed"] == "true"
    for _ in range(2):
        answered = pair.answer(made, 2, headers=keys[1])
        assert answered.status_code == 200 and answered.value["ply"] == 1
        daemon.process.send_signal(signal.SIGKILL)
        daemon.process.wait()
        daemon.start()
    assert log(pair, 5) == ["offer_made:1", "offer_answered:2:accepted:agreed", "takeback_done"]
    assert daemon.stop() == 0
    assert daemon.verify().returncode == 0


# Any order.

def replayed(events):
    """What the log says was played, takebacks followed."""
    moves = []
    for event in events:
        if event["type"] == "move_played":
            moves.append(event["data"]["move"])
        elif event["type"] == "takeback_done":
            del moves[event["data"]["to_ply"]:]
    return moves


class Anyhow:
    """A game that goes on at random, and what must hold after each step."""

    def __init__(self, table, data, clock=None):
        self.table, self.data, self.clock = table, data, clock

    def draw(self, *options):
        return self.data.draw(st.sampled_from(options))

    def step(self):
        seat = self.draw(*self.table.tokens)
        offers = self.table.get(token=self.table.tokens[seat]).value.get("offers", [])
        act = self.draw("move", "move", "move", "offer", "offer", "answer", "answer", "all", "resign", "withdraw", "take", *(["time", "claim"] if self.clock else []))
        if act == "move" and self.table.game["turn"] in self.table.tokens:
            moves = self.table.get("/legal-moves").value["moves"]
            assert self.table.play(self.draw(*moves)["move"]).status_code == 201
        elif act == "offer":
            kind = self.draw(*KINDS, "takeback", "takeback")
            more = {"ply": self.data.draw(st.integers(0, max(0, self.table.game["ply"])))} if kind == "takeback" else {}
            if kind == "handover" and self.draw(True, False):
                more["name"] = self.draw(1, 2, 3, 4)
            assert self.table.offer(seat, kind, **more).status_code in (201, 404, 409)
        elif act in ("answer", "all") and offers:
            offer = self.draw(*offers)
            for other in offer["asked"] if act == "all" else [seat]:
                if other in self.table.tokens:
                    assert self.table.answer(offer["id"], other, self.draw(True, True, True, False)).status_code in (200, 404, 409)
        elif act == "withdraw" and offers:
            assert self.table.withdraw_offer(self.draw(*offers)["id"], seat).status_code in (200, 403)
        elif act == "time":
            self.clock.move(self.clock.seconds + self.draw(1, 30, 30, 101, NOTICE))
        elif act == "claim":
            assert self.table.post("/claims", token=self.table.tokens[seat]).status_code in (200, 409)
        elif act == "resign" and self.draw(True, False):
            assert self.table.resign(seat).status_code in (200, 409)
        elif act == "take":
            for entry in self.table.get().value["seats"]:
                if entry["kind"] == "open":
                    assert self.table.take(entry["seat"]).status_code in (200, 409)

    def check(self):
        game = self.table.game = self.table.get().value
        assert game["deadline"] is None or game["turn"] is not None
        for entry in game["seats"]:
            if entry["kind"] == "open":
                self.table.tokens.pop(entry["seat"], None)
        if game["turn"] is not None:
            mover = game["seats"][game["turn"] - 1]
            assert game["status"] == "active" and mover["status"] == "active"
            assert self.table.get("/legal-moves").value["moves"]
        else:
            assert game["status"] == "finished" and game["outcome"] is not None
        active = {entry["seat"] for entry in game["seats"] if entry["status"] == "active"}
        for seat in self.table.tokens:
            for offer in self.table.get(token=self.table.tokens[seat]).value["offers"]:
                assert offer["seat"] in active and offer["seat"] not in offer["asked"]
                assert offer["kind"] == "takeback" or set(offer["asked"]) <= active
                assert set(offer["asked"]) - set(offer["accepted"]) or offer["takes_effect_at"]
        return game

    def compare(self):
        events, record = self.table.events(), self.table.get("/record").value
        assert replayed(events) == record["moves"] and len(record["moves"]) == self.table.game["ply"]
        drops = [(event["seat"], event["data"]["reason"]) for event in events if event["type"] == "seat_out" and event["data"]["reason"] in ("resigned", "timeout")]
        assert drops == [(ending["seat"], ending["reason"]) for ending in record["endings"] if ending["seat"] is not None]


@settings(max_examples=40)
@given(st.data())
def test_anything_in_any_order(client, data):
    """Whoever is to move is active and can move, or the game is over; and the log comes to the record."""
    position = data.draw(st.sampled_from([None, None, "iuvo-4 7/2B4/1AoDC2/2oB3/3A3/3C3/7 1 - -"]))
    anyhow = Anyhow(client.create("iuvo-4", **({"position": position} if position else {})), data)
    for _ in range(data.draw(st.integers(5, 25))):
        if not anyhow.table.tokens:
            break
        anyhow.step()
        if anyhow.check()["turn"] is None:
            break
    anyhow.compare()


@pytest.fixture(scope="module")
def moved_clock(tmp_path_factory, issued_tokens):
    """One service for many games, whose time goes on from one to the next."""
    clock = TestClock(lambda name, *options: (lambda daemon: (daemon, Client(daemon, issued_tokens)))(Daemon(tmp_path_factory.mktemp("clock") / name, *options).start()))
    yield clock
    clock.end()


@settings(max_examples=40)
@given(st.data())
def test_anything_in_any_order_with_clocks(moved_clock, data):
    """The same where seats time out, or are claimed, and offers take effect when their time has come."""
    terms = data.draw(st.sampled_from([{"per_move_seconds": 100}, {"initial_seconds": 150, "increment_seconds": 20}, {"per_move_seconds": 60, "on_timeout": "claim"}, {"per_move_seconds": 30 * DAY}]))
    anyhow = Anyhow(moved_clock.client.create("iuvo-4", clock=terms), data, moved_clock)
    for _ in range(data.draw(st.integers(5, 25))):
        if not anyhow.table.tokens:
            break
        anyhow.step()
        game = anyhow.check()
        # By the game's own clock nobody is late who is still in.
        assert terms.get("on_timeout") == "claim" or game["deadline"] is None or game["deadline"] > text(moved_clock.seconds)
        if game["turn"] is None:
            break
    anyhow.compare()


def test_kinds_are_those_of_the_contract():
    assert contract.components["schemas"]["OfferKind"]["enum"] == KINDS
