"""Clocks: whoever oversteps his time goes out though nobody asks, and nobody loses by a service that is down."""

import concurrent.futures
import datetime
import itertools
import json
import signal
import time
import uuid

import pytest

from client import Client, Plain, Table, problem
from contract import contract
from daemon import run

START = datetime.datetime(2030, 1, 1, tzinfo=datetime.timezone.utc)
OPEN = {"open": True}
DAY = 24 * 60 * 60
PER_MOVE = {"per_move_seconds": 60}
BUDGET = {"initial_seconds": 100, "increment_seconds": 10}
CLAIM = {"per_move_seconds": 60, "on_timeout": "claim"}


def text(seconds):
    """So long after the start of all these tests."""
    return (START + datetime.timedelta(milliseconds=round(seconds * 1000))).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class TestClock:
    """A service whose time stands still, and is moved."""

    __test__ = False

    def __init__(self, start, name="clock.db", *options):
        self.start, self.name, self.options, self.seconds = start, name, options, 0
        self.daemon, self.client = start(name, "--test-clock", text(0), *options)

    def move(self, seconds):
        """Time goes on to so many seconds after the start."""
        reply = self.client.request("PUT", "/test-clock", json={"now": text(seconds)})
        assert reply.status_code == 200 and reply.value == {"now": text(seconds)}, reply.text
        self.seconds = seconds

    def restart(self, seconds, kill=False):
        """The service is down until so many seconds after the start."""
        if kill:
            self.daemon.kill()
        else:
            assert self.daemon.stop() == 0
            assert self.daemon.verify().returncode == 0, self.daemon.verify().stdout
        self.daemon.options = ("--test-clock", text(seconds), *self.options)
        self.daemon.start()
        self.seconds = seconds

    def end(self):
        assert self.daemon.stop() == 0
        result = self.daemon.verify()
        assert result.returncode == 0, result.stdout


@pytest.fixture
def clock(start):
    clock = TestClock(start)
    yield clock
    if clock.daemon.running():
        clock.end()


def move_now(table, **more):
    """The first legal move of whoever is to move."""
    table.game = table.get().value
    reply = table.play(table.get("/legal-moves").value["moves"][0]["move"], **more)
    assert reply.status_code == 201, reply.text
    return reply


def remaining(table):
    table.game = table.get().value
    return [seat["remaining_ms"] for seat in table.game["seats"]]


def outs(table):
    return {event["seat"]: event["data"]["reason"] for event in table.events() if event["type"] == "seat_out"}


def claim(table, seat, **more):
    return table.post("/claims", token=table.tokens[seat], **more)


# What a clock may be.

@pytest.mark.parametrize("asked, kept", [
    ("none", ("none", None, None, None, None)), ({"type": "none"}, ("none", None, None, None, None)),
    (PER_MOVE, ("per_move", 60, None, None, "forfeit")), ({"type": "per_move", "per_move_seconds": 34560000, "on_timeout": "claim"}, ("per_move", 34560000, None, None, "claim")),
    ({"initial_seconds": 60}, ("budget", None, 60, 0, "forfeit")), ({"type": "budget", "initial_seconds": 34560000, "increment_seconds": 2592000, "on_timeout": "forfeit"}, ("budget", None, 34560000, 2592000, "forfeit"))])
def test_clocks(client, asked, kept):
    game = client.create(clock=asked).game
    assert tuple(game["clock"][member] for member in ("type", "per_move_seconds", "initial_seconds", "increment_seconds", "on_timeout")) == kept
    assert (game["deadline"] is None) == (kept[0] == "none")
    if kept[0] == "budget":
        assert [seat["remaining_ms"] for seat in game["seats"]] == [kept[2] * 1000] * 2
    if kept[0] == "per_move":
        assert [seat["remaining_ms"] for seat in game["seats"]] == [kept[1] * 1000, None]


@pytest.mark.parametrize("wrong, pointer", [
    ("per_move", "/clock"), ("", "/clock"), (60, "/clock"), (None, "/clock"), ([], "/clock"), ({}, "/clock"), ({"on_timeout": "claim"}, "/clock"),
    ({"per_move_seconds": 59}, "/clock/per_move_seconds"), ({"per_move_seconds": 34560001}, "/clock/per_move_seconds"), ({"per_move_seconds": 0}, "/clock/per_move_seconds"),
    ({"per_move_seconds": -60}, "/clock/per_move_seconds"), ({"per_move_seconds": 60.5}, "/clock/per_move_seconds"), ({"per_move_seconds": "60"}, "/clock/per_move_seconds"),
    ({"initial_seconds": 59}, "/clock/initial_seconds"), ({"initial_seconds": 34560001}, "/clock/initial_seconds"),
    ({"initial_seconds": 60, "increment_seconds": -1}, "/clock/increment_seconds"), ({"initial_seconds": 60, "increment_seconds": 2592001}, "/clock/increment_seconds"),
    ({"increment_seconds": 10}, "/clock/initial_seconds"), ({"type": "per_move"}, "/clock/per_move_seconds"), ({"type": "budget"}, "/clock/initial_seconds"),
    ({"type": "budget", "per_move_seconds": 60}, "/clock/per_move_seconds"), ({"per_move_seconds": 60, "initial_seconds": 60}, "/clock/initial_seconds"),
    ({"type": "none", "per_move_seconds": 60}, "/clock/per_move_seconds"), ({"type": "none", "on_timeout": "claim"}, "/clock/on_timeout"),
    ({"type": "hourglass", "per_move_seconds": 60}, "/clock/type"), ({"per_move_seconds": 60, "on_timeout": "maybe"}, "/clock/on_timeout"), ({"per_move_seconds": 60, "seconds": 1}, "/clock/seconds")])
def test_what_is_no_clock(client, wrong, pointer):
    fault = problem(client.post("/v1/games", json={"variant": "iuvo-2", "clock": wrong}), 400, "invalid-body")
    assert pointer in [error["pointer"] for error in fault["errors"]], fault


def test_what_the_contract_calls_a_clock_is_one(client):
    """Every combination of members: the schema of the contract and the service are of one mind."""
    schema = contract.schema("ClockRequest")
    choices = {"type": ("none", "per_move", "budget"), "per_move_seconds": (60,), "initial_seconds": (60,), "increment_seconds": (0,), "on_timeout": ("claim",)}
    for values in itertools.product(*((None, *words) for words in choices.values())):
        asked = {name: value for name, value in zip(choices, values) if value is not None}
        reply = client.post("/v1/games", json={"variant": "iuvo-2", "visibility": "unlisted", "clock": asked})
        assert (reply.status_code == 201) == schema.is_valid(asked), (asked, reply.text)


def test_games_without_a_clock_and_with_the_usual_one(client):
    assert client.create().game["clock"]["type"] == "none"
    imported = client.post("/v1/records", json={"format": "iuvod-record-1", "variant": "iuvo-2", "moves": ["a1-b3"]}).value
    assert imported["clock"]["type"] == "none" and imported["deadline"] is None
    lobby = client.create(seats=[{}, OPEN])
    assert lobby.game["clock"] == {"type": "per_move", "per_move_seconds": 14 * 86400, "initial_seconds": None, "increment_seconds": None, "on_timeout": "forfeit"}
    assert lobby.game["deadline"] is None and lobby.take(2).value["game"]["deadline"] is not None
    assert client.create(seats=[{}, OPEN], clock="none").game["clock"]["type"] == "none"
    assert client.create(seats=[{}, OPEN], clock=BUDGET).game["clock"]["type"] == "budget"


# Time that is moved.

def test_time_is_moved_only_where_it_stands_still(client, clock):
    problem(client.request("PUT", "/test-clock", json={"now": text(0)}), 403, "no-test-clock")
    assert problem(clock.client.request("PUT", "/test-clock", json={"now": text(-0.001)}), 409, "time-goes-back")["now"] == text(0)
    for now in ("tomorrow", "2030-01-01", "2030-01-01T00:00:00", "x" * 33, 5, None):
        fault = problem(clock.client.request("PUT", "/test-clock", json={"now": now}), 400, "invalid-body")
        assert fault["errors"][0]["pointer"] == "/now"
    clock.move(0)
    reply = clock.client.request("PUT", "/test-clock", json={"now": "2030-01-01T02:00:10.0009+02:00"})
    assert reply.value == {"now": text(10)}
    table = clock.client.create()
    assert table.game["created_at"] == text(10)
    assert move_now(table).value["move"]["at"] == text(10)
    problem(clock.client.request("PUT", "/test-clock", json={"now": text(9)}), 409, "time-goes-back")


def test_the_option_wants_a_time(tmp_path):
    for wrong in ("now", "", "2030-01-01", "1969-12-31T23:59:59Z"):
        result = run("serve", "--database", tmp_path / "x.db", "--listen", "127.0.0.1:0", "--test-clock", wrong)
        assert result.returncode == 2 and "--test-clock" in result.stderr and not (tmp_path / "x.db").exists()


def test_a_moved_time_is_not_moved_again_by_a_retry(clock):
    key = {"Idempotency-Key": str(uuid.uuid4())}
    put = lambda seconds, headers=key: clock.client.request("PUT", "/test-clock", json={"now": text(seconds)}, headers=headers)  # noqa: E731
    first = put(5)
    clock.move(10)
    again = put(5)
    assert again.status_code == 200 and again.headers["Idempotency-Replayed"] == "true" and again.content == first.content
    problem(put(6), 422, "idempotency-key-reused")
    problem(put(11, {"Idempotency-Key": "short"}), 400, "weak-idempotency-key")
    problem(put(11, {"Idempotency-Key": "x" * 256}), 400, "invalid-header")
    assert clock.client.create().game["created_at"] == text(10)


# Per move, forfeit.

def test_a_seat_that_oversteps_its_time_is_out_though_nobody_asks(clock):
    table = clock.client.create(clock=PER_MOVE)
    assert table.game["deadline"] == text(60)
    clock.move(59.999)
    assert table.get().value == {key: value for key, value in table.game.items() if key != "creator_token"} | {"seats": table.get().value["seats"]}
    assert remaining(table) == [60000, None]
    clock.move(60)
    game = table.get().value
    assert game["status"] == "finished" and game["outcome"] == {"winner": 2, "reason": "timeout"} and game["deadline"] is None and game["turn"] is None
    assert game["updated_at"] == text(60) and game["seats"][0]["out_reason"] == "timeout" and remaining(table) == [None, None]
    assert [(event["type"], event["seat"], event["at"]) for event in table.events()[2:]] == [("seat_out", 1, text(60)), ("game_finished", None, text(60))]
    assert table.events()[-1]["data"] == {"winner": 2, "reason": "timeout", "position": game["position"]}
    problem(table.play("a1-b3", seat=1), 409, "game-over")
    record = table.get("/record").value
    assert record["endings"] == [{"ply": 0, "seat": 1, "reason": "timeout"}] and "60" not in json.dumps(record["tags"])
    # The record tells no time, and is read back.
    imported = clock.client.post("/v1/records", json=record)
    assert imported.status_code == 201 and imported.value["clock"]["type"] == "none" and imported.value["outcome"] == game["outcome"]


def test_a_move_in_the_last_millisecond_stands(clock):
    table = clock.client.create(clock=PER_MOVE)
    clock.move(59.999)
    game = move_now(table).value["game"]
    assert game["deadline"] == text(119.999) and remaining(table) == [None, 60000]
    clock.move(60)
    assert table.get().value["status"] == "active"
    clock.move(119.998)
    move_now(table)
    clock.move(179.998)
    assert table.get().value["outcome"] == {"winner": 2, "reason": "timeout"} and table.get().value["ply"] == 2


def test_a_late_move_that_is_a_retry_is_answered(clock):
    table = clock.client.create(clock=PER_MOVE)
    first = table.play("a1-b3", expected_ply=0)
    assert first.status_code == 201
    clock.move(3600)
    assert table.get().value["outcome"] == {"winner": 1, "reason": "timeout"}
    again = table.play("a1-b3", seat=1, expected_ply=0)
    assert again.status_code == 200 and again.value["move"] == first.value["move"]


def test_the_sweep_and_the_mover_at_the_deadline(start):
    """Time passes the deadline while the move comes: one of them is first.  (In one batch: tests/http/test_lane.c.)"""
    clock = TestClock(start)
    # What keeps the writer busy, so that the next calls come to it together.
    ways = [*(f"{file}1" for file in "abcdefgh"), *(f"{file}3" for file in "hgfedcba")], [*(f"{file}14" for file in "ijklmnop"), "p15", *(f"{file}16" for file in "ponmlkji"), "i15"]
    moves = [f"{way[turn % len(way)]}-{way[(turn + 1) % len(way)]}" for turn in range(7) for way in ways]
    heavy = {"format": "iuvod-record-1", "variant": "halma-2", "start": "halma-2 16/16/8B7/" + "16/" * 12 + "A15 1 - -", "moves": moves}
    for _ in range(20):
        mover, quitter = (clock.client.create(clock=PER_MOVE, visibility="unlisted") for _ in range(2))
        clients = [Client(clock.daemon, clock.client.tokens) for _ in range(6)]
        deadline = clock.seconds + 60
        clock.move(clock.seconds + 1)
        with concurrent.futures.ThreadPoolExecutor(6) as pool:
            for client in clients[:3]:
                pool.submit(client.post, "/v1/records", json=heavy)
            put = pool.submit(clients[3].request, "PUT", "/test-clock", json={"now": text(deadline)})
            late = pool.submit(clients[4].post, f"{mover.path}/moves", json={"move": "a1-b3"}, token=mover.tokens[1])
            quit_ = pool.submit(clients[5].post, f"{quitter.path}/resignation", token=quitter.tokens[2])
        assert put.result().status_code == 200
        clock.seconds = deadline
        for table, reply, good in ((mover, late.result(), 201), (quitter, quit_.result(), 200)):
            game = table.get().value
            if reply.status_code == good:  # it came before time was moved
                if good == 201:
                    assert (game["ply"], game["status"]) == (1, "active")
                else:
                    assert game["outcome"] == {"winner": 1, "reason": "resigned"}
            else:
                assert reply.value["code"] in ("time-is-up", "game-over") and game["ply"] == 0 and game["outcome"] == {"winner": 2, "reason": "timeout"}
                if reply.value["code"] == "time-is-up":
                    assert reply.value["turn"] == 1 and reply.value["deadline"] == text(deadline)
    clock.end()


# A budget.

def test_a_budget_with_an_increment(clock):
    table = clock.client.create(clock=BUDGET)
    assert remaining(table) == [100000, 100000] and table.game["deadline"] == text(100)
    clock.move(30)
    assert move_now(table).value["game"]["deadline"] == text(130)
    assert remaining(table) == [80000, 100000]
    clock.move(129.999)
    move_now(table)
    assert remaining(table) == [80000, 10001] and table.game["deadline"] == text(209.999)
    # What is told is as of the last change, and no answer runs with the time.
    tag = table.get().headers["ETag"]
    clock.move(150)
    assert table.get(headers={"If-None-Match": tag}).status_code == 304
    clock.move(209.999)
    game = table.get().value
    assert game["outcome"] == {"winner": 2, "reason": "timeout"} and remaining(table) == [0, 10001]
    # It stands still after the end.
    clock.move(100000)
    assert table.get().value == game


def test_what_is_left_when_somebody_gives_up(clock):
    table = clock.client.create("iuvo-4", clock=BUDGET)
    clock.move(20)
    assert table.resign(3).status_code == 200
    # Out of turn: the clock of seat 1 goes on, and is told as of now.
    assert table.game["deadline"] == text(100) and remaining(table) == [80000, 100000, 100000, 100000]
    clock.move(25)
    assert table.resign(1).status_code == 200
    assert table.game["turn"] == 2 and table.game["deadline"] == text(125) and remaining(table) == [75000, 100000, 100000, 100000]
    clock.move(30)
    assert table.resign(2).status_code == 200
    assert table.game["outcome"] == {"winner": 4, "reason": "resigned"} and remaining(table) == [75000, 95000, 100000, 100000]
    assert table.game["deadline"] is None


# Four seats.

@pytest.mark.parametrize("order", itertools.permutations("tmr"))
def test_four_seats_time_out_one_after_the_other(clock, order):
    """Seats overstep their time, move and resign in every order: whoever is to move is in, and has a clock."""
    table = clock.client.create("iuvo-4", clock=PER_MOVE)
    now = 0
    for act in itertools.islice(itertools.cycle(order), 12):
        game = table.get().value
        if game["status"] == "finished":
            break
        turn = game["turn"]
        if act == "t":
            now += 60
            clock.move(now)
            assert outs(table)[turn] == "timeout"
        elif act == "m":
            now += 59
            clock.move(now)
            move_now(table)
        else:
            now += 1
            clock.move(now)
            assert table.resign(turn).status_code == 200
        game = table.get().value
        if game["status"] == "active":
            assert game["seats"][game["turn"] - 1]["status"] == "active" and game["deadline"] == text(now + 60)
            assert table.get("/legal-moves").value["moves"]
    assert table.get().value["status"] == "finished" and len(outs(table)) == 3


def test_the_last_one_in_wins(clock):
    table = clock.client.create("iuvo-4", clock=PER_MOVE)
    for lap in range(3):
        clock.move(60 * (lap + 1))
    assert outs(table) == {1: "timeout", 2: "timeout", 3: "timeout"}
    assert table.get().value["outcome"] == {"winner": 4, "reason": "timeout"}
    assert table.get("/record").value["endings"] == [{"ply": 0, "seat": seat, "reason": "timeout"} for seat in (1, 2, 3)]


def test_time_that_jumps_far_takes_one_seat_at_a_time(clock):
    """Nobody had the turn while the one before him did not move."""
    table = clock.client.create("iuvo-4", clock=PER_MOVE)
    clock.move(100000)
    game = table.get().value
    assert outs(table) == {1: "timeout"} and game["turn"] == 2 and game["deadline"] == text(100060)


# Claims.

def test_a_claim(clock):
    table = clock.client.create(clock=CLAIM)
    fault = problem(claim(table, 2), 409, "nothing-to-claim")
    assert fault["turn"] == 1 and fault["deadline"] == text(60)
    clock.move(59.999)
    problem(claim(table, 2), 409, "nothing-to-claim")
    clock.move(60)
    # Nobody goes out by himself.
    assert table.get().value["status"] == "active" and outs(table) == {}
    problem(claim(table, 1), 409, "nothing-to-claim")
    problem(claim(table, 2, headers={"If-Match": '"1-s2-json"'}), 412, "precondition-failed")
    reply = claim(table, 2, json={})
    assert reply.status_code == 200 and reply.value["outcome"] == {"winner": 2, "reason": "timeout"}
    assert outs(table) == {1: "timeout"}
    problem(claim(table, 2), 409, "game-over")


def test_a_late_move_stands_until_it_is_claimed(clock):
    table = clock.client.create(clock={**BUDGET, "on_timeout": "claim"})
    clock.move(1000)
    assert table.get().value["deadline"] == text(100) and remaining(table) == [100000, 100000]
    assert move_now(table).value["game"]["deadline"] == text(1100)
    # Late by as much as he likes: his budget is used up, not overdrawn.
    assert remaining(table) == [10000, 100000]
    problem(claim(table, 1), 409, "nothing-to-claim")
    clock.move(1100)
    assert claim(table, 1, json={"seat": 1}).value["outcome"] == {"winner": 1, "reason": "timeout"}


def test_who_may_claim(client, clock):
    table = clock.client.create("iuvo-4", clock=CLAIM)
    clock.move(60)
    problem(table.post("/claims"), 401, "token-required")
    problem(table.post("/claims", token="a" * 52), 401, "token-unknown")
    problem(table.post("/claims", token=table.creator), 403, "not-your-seat")
    problem(claim(table, 2, json={"seat": 3}), 403, "not-your-seat")
    problem(claim(table, 2, json={"seat": 5}), 400, "invalid-body")
    assert table.resign(4).status_code == 200
    problem(claim(table, 4), 409, "seat-out")
    assert claim(table, 3).value["turn"] == 2
    problem(claim(table, 3), 409, "nothing-to-claim")
    for seat in (2, 3, 4):
        problem(client.create().post("/claims", token=table.tokens[seat]), 401, "token-unknown")
    lobby = clock.client.create(seats=[{}, OPEN], clock=CLAIM)
    problem(claim(lobby, 1), 409, "game-not-started")
    assert lobby.withdraw().status_code == 200
    problem(claim(lobby, 1), 409, "game-withdrawn")
    problem(clock.client.post(f"/v1/games/{'a' * 26}/claims", token=table.tokens[2]), 404, "no-such-game")
    timeless = clock.client.create()
    assert problem(claim(timeless, 2), 409, "nothing-to-claim")["deadline"] is None


def test_a_claim_is_safe_to_send_again(clock):
    table, key = clock.client.create("iuvo-4", clock=CLAIM), {"Idempotency-Key": "a-claim"}
    clock.move(60)
    first = claim(table, 2, headers=key)
    clock.move(200)
    again = claim(table, 2, headers=key)
    assert again.headers["Idempotency-Replayed"] == "true" and again.content == first.content
    assert outs(table) == {1: "timeout"} and table.get().value["turn"] == 2
    problem(claim(table, 2, headers=key, json={"seat": 2}), 422, "idempotency-key-reused")
    # Another key is another claim.
    assert claim(table, 3, headers={"Idempotency-Key": "another"}).value["turn"] == 3


def test_an_answer_to_a_claim_is_erased_with_its_player(clock):
    zoe, key = clock.client.register("Zoe")["token"], {"Idempotency-Key": "a-claim"}
    table = clock.client.create("iuvo-4", clock=CLAIM, seats=[OPEN, {}, {}, {}])
    assert table.take(1, token=zoe).status_code == 200
    clock.move(60)
    assert claim(table, 2, headers=key).status_code == 200
    assert clock.client.request("DELETE", "/v1/me", token=zoe).status_code == 204
    problem(claim(table, 2, headers=key), 410, "answer-erased")
    assert outs(table) == {1: "timeout"}


# Games that are not filled.

def test_a_game_that_nobody_joins_is_withdrawn(clock):
    table, joined, left = (clock.client.create(seats=[{"name": "Ada"}, OPEN]) for _ in range(3))
    assert joined.take(2).status_code == 200
    clock.move(29 * 86400)
    assert joined.get().value["status"] == "finished"
    assert left.leave(1).status_code == 200 and left.take(1).status_code == 200
    clock.move(30 * 86400 - 0.001)
    assert table.get().value["status"] == left.get().value["status"] == "open"
    clock.move(30 * 86400)
    for game in (table, left):
        assert game.get().value["status"] == "withdrawn" and game.get().value["links"]["open_seats"] == []
        last = game.events()[-1]
        assert (last["type"], last["data"], last["at"]) == ("game_withdrawn", {"started": False, "reason": "unfilled"}, text(30 * 86400))
    problem(table.take(2), 409, "game-withdrawn")
    problem(table.withdraw(), 409, "game-withdrawn")
    assert table.id not in [game["id"] for game in clock.client.get("/v1/games?status=open").value["games"]]


def test_a_game_that_waits_for_its_seats_gets_its_time_back(clock):
    """Nobody could take a seat while the service was down: the thirty days are as many days in which it ran."""
    lobby = clock.client.create(seats=[{"name": "Ada"}, OPEN], clock="none")
    played = clock.client.create(seats=[{"name": "Ada"}, OPEN], clock=PER_MOVE)
    clock.move(86400)
    clock.restart(32 * 86400)
    event = lobby.events(token=lobby.tokens[1])[-1]
    assert (event["type"], event["seat"], event["data"]) == ("time_credited", None, {"ms": 31 * 86400000, "deadline": None})
    assert lobby.events()[-1] == {"seq": event["seq"], "type": "private", "at": event["at"]}
    assert lobby.get().value["deadline"] is None
    # What happens in it meanwhile leaves that as it is.
    assert lobby.leave(1).status_code == 200 and lobby.take(1).status_code == 200
    assert played.take(2).status_code == 200
    assert played.game["deadline"] == text(32 * 86400 + 60)
    clock.restart(33 * 86400, kill=True)
    clock.move(62 * 86400 - 0.001)
    assert lobby.get().value["status"] == "open" and played.get().value["status"] == "finished"
    clock.move(62 * 86400)
    assert lobby.get().value["status"] == "withdrawn"


# Downtime.

@pytest.mark.parametrize("terms", ["none", CLAIM, {"per_move_seconds": 40 * DAY}, "paused"], ids=["none", "claim", "per_move", "paused"])
def test_nobody_loses_his_seat_while_the_service_is_down(start, terms):
    """The seven days in which a handover can be declined, or a pause goes on, do not pass while nobody can do either."""
    clock = TestClock(start)
    idle = clock.client.create("iuvo-2")
    table = clock.client.create("iuvo-2", clock={"per_move_seconds": 20 * DAY} if terms == "paused" else terms)
    kinds = {"handover": {"name": 2}}
    if terms == "paused":
        table.answer(table.offer(1, "pause"), 2)
        kinds["resume"] = {}
    for kind, more in kinds.items():
        assert table.offer(1, kind, **more).status_code == 201
    clock.move(DAY)
    was = table.get(token=table.tokens[2]).value
    assert {offer["takes_effect_at"] for offer in was["offers"]} == {text(7 * DAY)}
    clock.restart(9 * DAY)
    game = table.get(token=table.tokens[2]).value
    assert game["seats"][1]["kind"] == "player"
    assert {offer["kind"]: offer["takes_effect_at"] for offer in game["offers"]} == dict.fromkeys(kinds, text(15 * DAY))
    event, ran = table.events(token=table.tokens[2])[-1], terms == {"per_move_seconds": 40 * DAY}
    assert (event["type"], event["seat"], event["data"]) == ("time_credited", 1 if ran else None, {"ms": 8 * DAY * 1000, "deadline": text(48 * DAY) if ran else None})
    assert game["deadline"] == (text(48 * DAY) if ran else was["deadline"])
    assert idle.get().value["seq"] == 2
    # What it was idle for while it ran is not given back.
    clock.move(10 * DAY)
    clock.restart(10 * DAY)
    assert table.get().value["seq"] == game["seq"]
    clock.move(15 * DAY - 0.001)
    assert table.get().value["seats"][1]["kind"] == "player"
    clock.move(15 * DAY)
    assert table.get().value["seats"][1]["kind"] == "open"
    clock.end()


@pytest.mark.parametrize("kill", [False, True])
def test_nobody_loses_on_time_by_an_hour_of_downtime(start, kill):
    """A thousand games, each with its own time left; the service is down for an hour."""
    clock = TestClock(start)
    terms = [PER_MOVE, BUDGET, CLAIM, {"per_move_seconds": 3600}, "none"]
    # So many answers of the same kind: the contract is asked of some alone.
    with Plain(clock.daemon) as plain:
        tables = [Table(clock.client, plain.call("POST", "/v1/games", {"variant": "iuvo-2", "clock": terms[n % len(terms)], "visibility": "unlisted"})[1]) for n in range(1000)]
    clock.move(50)
    for table in tables[::3]:
        move_now(table)
    with Plain(clock.daemon) as plain:
        before = {table.id: plain.get(table.path) for table in tables}
    clock.restart(50 + 3600, kill)
    plain = Plain(clock.daemon)
    for table in tables:
        was, game = before[table.id], plain.get(table.path)
        assert game["status"] == "active", game
        if was["deadline"] is None:
            assert game == was
            continue
        shifted = datetime.datetime.fromisoformat(was["deadline"].replace("Z", "+00:00")) + datetime.timedelta(hours=1)
        assert game["deadline"] == text((shifted - START).total_seconds())
        event = plain.get(f"{table.path}/events?after={was['seq']}")["events"]
        assert [(entry["type"], entry["seat"], entry["data"]) for entry in event] == [("time_credited", was["turn"], {"ms": 3600000, "deadline": game["deadline"]})]
        if game["clock"]["type"] == "budget":
            # As of updated_at, which is now, the seat has what it had when the service went.
            assert game["seats"][was["turn"] - 1]["remaining_ms"] == (100000 if was["ply"] else 50000)
    plain.connection.close()
    assert tables[1].get().value["deadline"] == text(3700) and tables[1].events()[-1]["type"] == "time_credited"
    # It is given once.
    clock.restart(50 + 3600, kill)
    assert [table.get().value["seq"] for table in tables[:20]] == [before[table.id]["seq"] + (before[table.id]["deadline"] is not None) for table in tables[:20]]
    # And time goes on from there.
    clock.move(50 + 3600 + 9.999)
    assert {table.get().value["status"] for table in tables[:5]} == {"active"}
    clock.move(50 + 3600 + 10)
    assert tables[5].get().value["outcome"] == {"winner": 2, "reason": "timeout"}
    clock.end()


def test_who_was_late_before_the_service_went_is_late(clock):
    """Of a claim: nothing is given back to him whose time was up."""
    table = clock.client.create(clock=CLAIM)
    clock.move(61)
    before = table.get().value
    clock.restart(4000)
    assert table.get().value == before
    assert claim(table, 2).value["outcome"] == {"winner": 2, "reason": "timeout"}


def test_a_short_restart_is_no_downtime(clock):
    table = clock.client.create(clock=PER_MOVE)
    before = table.get().value
    clock.restart(0.999)
    assert table.get().value == before
    clock.restart(10)
    assert table.get().value["deadline"] == text(69.001) or table.get().value["deadline"] == text(70)


def test_what_is_stopped_gets_its_time_back(start):
    """The process is stopped, as a laptop is that sleeps: the real clock."""
    daemon, client = start("game.db", "--downtime-ms", "1000")
    table = client.create(clock={"per_move_seconds": 3600})
    deadline = table.get().value["deadline"]
    daemon.process.send_signal(signal.SIGSTOP)
    time.sleep(5.5)
    daemon.process.send_signal(signal.SIGCONT)
    until = time.monotonic() + 30
    while table.get().value["deadline"] == deadline and time.monotonic() < until:
        time.sleep(0.05)
    event = table.events()[-1]
    assert event["type"] == "time_credited" and event["seat"] == 1 and 5000 <= event["data"]["ms"] < 60000
    assert event["data"]["deadline"] == table.get().value["deadline"]
    assert daemon.stop() == 0 and daemon.verify().returncode == 0


# What else follows.

def test_whoever_waits_for_news_is_told(clock):
    """Nobody called: the sweep alone has changed the game."""
    table = clock.client.create(clock=PER_MOVE)
    waiting = Client(clock.daemon, clock.client.tokens)
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        news = pool.submit(waiting.get, f"{table.path}/events?after=2", headers={"Prefer": "wait=25"})
        time.sleep(0.2)
        begun = time.monotonic()
        clock.move(60)
        assert [event["type"] for event in news.result().value["events"]] == ["seat_out", "game_finished"]
        assert time.monotonic() - begun < 20


def test_lists_show_the_deadline(clock):
    table = clock.client.create(clock=BUDGET)
    clock.move(10)
    move_now(table)
    entry = next(game for game in clock.client.get("/v1/games").value["games"] if game["id"] == table.id)
    assert entry["deadline"] == text(110) and [seat["remaining_ms"] for seat in entry["seats"]] == [100000, 100000]
    since = clock.client.get(f"/v1/games?updated_since={text(10)}").value["games"]
    assert [game["id"] for game in since] == [table.id]
    clock.move(110)
    assert [game["status"] for game in clock.client.get(f"/v1/games?updated_since={text(110)}").value["games"]] == ["finished"]


def test_a_dry_run_knows_the_clock(clock):
    table = clock.client.create(clock=BUDGET)
    clock.move(40)
    game = table.play("a1-b3", path="/moves?dry_run=true").value["game"]
    assert game["deadline"] == text(140) and [seat["remaining_ms"] for seat in game["seats"]] == [70000, 100000]
    assert table.get().value["deadline"] == text(100)


def test_a_withdrawn_game_has_no_deadline(clock):
    table = clock.client.create(clock=BUDGET)
    clock.move(30)
    assert table.withdraw().value["deadline"] is None and remaining(table) == [70000, 100000]
    clock.move(1000)
    assert outs(table) == {}


def test_moves_against_the_sweep(start):
    """Eight players move while time runs past their deadlines: each game ends once, by a move or by the sweep, and verifies."""
    clock = TestClock(start)
    tables = [clock.client.create(clock=PER_MOVE) for _ in range(24)]

    def play(table):
        client = Client(clock.daemon, clock.client.tokens)
        for ply in range(6):
            game = client.get(table.path).value
            if game["status"] != "active":
                break
            move = client.get(f"{table.path}/legal-moves").value["moves"]
            if move:
                reply = client.post(f"{table.path}/moves", json={"move": move[0]["move"], "expected_ply": game["ply"]}, token=table.tokens[game["turn"]])
                assert reply.status_code in (201, 409), reply.text

    with concurrent.futures.ThreadPoolExecutor(9) as pool:
        players = [pool.submit(play, table) for table in tables]
        for second in range(20, 400, 20):
            clock.move(second)
        for player in players:
            player.result()
    clock.move(10000)
    for table in tables:
        assert table.get().value["outcome"]["reason"] == "timeout" and list(outs(table).values()) == ["timeout"]
        types = [event["type"] for event in table.events()]
        assert types.count("game_finished") == 1 and types[-1] == "game_finished" and types.count("move_played") == table.get().value["ply"]
    clock.end()
