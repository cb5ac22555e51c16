"""Seats that engines have: they play by themselves, to the end, and do what is asked of them."""

import time

import pytest

from client import Table, problem
from daemon import sanitized
from patience import PATIENCE

VARIANTS = {"iuvo-2": 2, "iuvo-4": 4, "halma-2": 2}
ENDS = ("target", "captured", "blocked", "repetition")
# Seat 2 captures the last stone of seat 1 with its next move; and in six plies, whatever seat 1 does before.
WON = "iuvo-2 7/7/3oo2/1B1A3/1ooo3/1oBo3/1o5 2 e5 -"
LOST = "iuvo-2 7/7/3oo2/1B1A3/1ooo3/1oBo3/1o5 1 - -"


def engine(level=1):
    return {"engine": {"level": level}}


def wait_until(client, path, good):
    """Follows a game by its log until it is as it shall be; returns it."""
    until, seq = time.monotonic() + PATIENCE, 0
    while True:
        game = client.get(path).value
        if good(game):
            return game
        assert time.monotonic() < until, game
        seq = max(seq, game["seq"])
        client.get(f"{path}/events?after={seq}", headers={"Prefer": "wait=5"})


def mine(table, seat=1):
    """Waits until it is a person's turn, or the game is over."""
    table.game = wait_until(table.client, table.path, lambda game: game["turn"] in (seat, None))
    return table


def first_move(table):
    return table.get("/legal-moves").value["moves"][0]["move"]


def judged(daemon_client):
    daemon, client = daemon_client
    assert daemon.stop() == 0
    verified = daemon.verify()
    assert verified.returncode == 0, verified.stdout
    return verified.stdout


@pytest.fixture
def own(start):
    """A daemon of its own, whose file is judged at the end."""
    daemon, client = start()
    yield daemon, client
    if daemon.running():
        judged((daemon, client))


def test_an_engine_has_a_level_and_neither_name_nor_token(client):
    table = client.create(seats=[{"name": "Ada"}, engine(10)])
    person, machine = table.game["seats"]
    assert (machine["kind"], machine["level"], machine["name"], machine["player"]) == ("engine", 10, None, None)
    assert "token" in person and "token" not in machine and list(table.tokens) == [1]
    assert table.events()[0]["data"]["seats"][1]["kind"] == "engine"
    brief = client.post("/v1/games", json={"variant": "iuvo-2", "seats": [{}, engine()]}, headers={"Prefer": "return=minimal"})
    assert [seat["seat"] for seat in brief.value["seats"]] == [1]


def test_what_a_player_makes_is_not_the_engines(client):
    ada = client.register("Ada")
    table = client.create(seats=[{}, engine()], token=ada["token"])
    assert [(seat["name"], seat["player"]) for seat in table.game["seats"]] == [("Ada", ada["id"]), (None, None)]
    needed = client.get("/v1/me/games?needs_action=true", token=ada["token"]).value["games"]
    assert [game["id"] for game in needed] == [table.id]


def test_nobody_else_has_its_seat(client):
    table = client.create(seats=[{}, engine(), engine(), {}], variant="iuvo-4")
    problem(table.take(2), 409, "seat-taken")
    for token in (table.creator, table.tokens[1]):
        problem(table.leave(2, token=token), 403, "not-your-seat")
        problem(table.rekey(2, token), 403, "not-your-seat")
    problem(table.offer(1, "handover", name=2), 409, "engine-seat")


def test_engines_alone_are_not_called_off_once_they_play(client):
    """Nobody sits there who could resign, so nobody is told to."""
    table = client.create("halma-2", seats=[engine(), engine()])
    wait_until(client, table.path, lambda game: game["ply"] > 0)
    fault = problem(table.withdraw(), 409, "game-moved")
    assert "Resign instead" not in fault["detail"] and "engines" in fault["detail"]
    problem(table.post("/resignation", token=table.creator), 403, "not-your-seat")


@pytest.mark.parametrize("level", [0, 11, 1.5, "1", None])
def test_levels_that_there_are_not(client, level):
    fault = problem(client.post("/v1/games", json={"variant": "iuvo-2", "seats": [{}, engine(level)]}), 400, "invalid-body")
    assert fault["errors"][0]["pointer"] == "/seats/1/engine/level"


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_person_plays_against_engines_to_the_end(own, variant):
    """The person plays what a hint says; of four he goes out in time, and the engines go on without him."""
    _, client = own
    table = mine(client.create(variant, seats=[{"name": "Ada"}] + [engine()] * (VARIANTS[variant] - 1)))
    plies = 0
    while table.game["turn"] == 1:
        move = table.get("/hint?level=2").value["move"]
        assert table.play(move).status_code == 201
        plies = mine(table).game["ply"]
    assert table.game["status"] == "finished" and table.game["outcome"]["reason"] in ENDS and plies > 0
    seats = {event["seat"] for event in table.events() if event["type"] == "move_played"}
    assert seats == set(range(1, VARIANTS[variant] + 1))


@pytest.mark.parametrize("variant", VARIANTS)
def test_engines_play_among_themselves_to_the_end(own, variant):
    daemon, client = own
    levels = [2, 1, 2, 1][:VARIANTS[variant]]
    table = client.create(variant, seats=[engine(level) for level in levels])
    assert table.tokens == {} and [seat["level"] for seat in table.game["seats"]] == levels
    game = wait_until(client, table.path, lambda game: game["status"] == "finished")
    assert game["ply"] > 0 and game["outcome"]["reason"] in ENDS


def test_the_same_game_is_not_played_twice(client):
    """The seed follows from the game: with chance of weaker moves two games differ soon."""
    tables = [client.create(seats=[engine(1), engine(1)]) for _ in range(2)]
    games = [wait_until(client, table.path, lambda game: game["ply"] >= 30 or game["turn"] is None) for table in tables]
    assert games[0]["ply"] > 0
    firsts = [[event["data"].get("move") for event in table.events() if event["type"] == "move_played"][:20] for table in tables]
    assert firsts[0] != firsts[1]


def test_a_game_starts_when_its_last_seat_is_taken(client):
    table = client.create(seats=[engine(), {"open": True}])
    assert (table.game["status"], table.game["turn"]) == ("open", None)
    assert table.take(2).status_code == 200
    game = wait_until(client, table.path, lambda game: game["turn"] == 2)
    assert game["ply"] == 1


def test_a_hundred_games_of_engines_and_a_person(own):
    """The person's moves are answered while all others go on."""
    _, client = own
    others = [client.create(seats=[engine(3), engine(3)]) for _ in range(100)]
    table = mine(client.create(seats=[{}, engine(1)]))
    plies = 0
    before = [client.get(other.path).value["ply"] for other in others]
    for _ in range(10):
        if table.game["turn"] is None:
            break
        assert table.play(first_move(table)).status_code == 201
        plies = mine(table).game["ply"]
    assert plies >= 10 or table.game["status"] == "finished"
    for other, ply in zip(others, before):
        wait_until(client, other.path, lambda game: game["ply"] > ply or game["turn"] is None)


def test_more_games_than_may_be_in_hand(own):
    """300 games where 256 may wait: each of them is begun, and none is forgotten."""
    _, client = own
    tables = [client.create("halma-2", seats=[engine(7), engine(7)]) for _ in range(300)]
    for table in tables:
        wait_until(client, table.path, lambda game: game["ply"] >= 2)


def test_resignation_while_it_thinks(own):
    _, client = own
    table = client.create(seats=[engine(10), {}])
    assert table.resign(2).status_code == 200
    assert table.game["outcome"] == {"winner": 1, "reason": "resigned"}
    other = client.create(seats=[{}, engine(1)])
    other.play(first_move(other))
    wait_until(client, other.path, lambda game: game["turn"] == 1)
    assert client.get(table.path).value["outcome"] == {"winner": 1, "reason": "resigned"}


def test_takeback_is_agreed_to_at_once_also_while_it_thinks(own):
    _, client = own
    table = client.create(seats=[{}, engine(10)])
    move = first_move(table)
    for _ in range(3):
        assert table.play(move).status_code == 201
        reply = table.offer(1, "takeback", ply=0)
        assert reply.status_code == 201, reply.text
        assert reply.value["offer"]["asked"] == [] and reply.value["game"]["offers"] == []
        assert (table.game["ply"], table.game["turn"]) == (0, 1)
    assert table.play(move).status_code == 201
    assert mine(table).game["ply"] == 2
    log = [event["type"] for event in table.events()]
    assert log.count("takeback_done") == 3


def test_after_a_takeback_to_its_own_turn_it_moves_again(client):
    table = mine(client.create(seats=[engine(2), {}]), 2)
    first = table.game["last_move"]["move"]
    assert table.offer(2, "takeback", ply=0).status_code == 201
    assert mine(table, 2).game["ply"] == 1
    assert table.game["last_move"]["move"] == first, "the seed follows from game and ply"


def test_pause_resume_and_handover_are_agreed_to_at_once(client):
    table = client.create(seats=[{}, engine()], clock={"per_move_seconds": 3600})
    for kind, paused in (("pause", True), ("resume", False)):
        assert table.offer(1, kind).status_code == 201
        assert (table.game["deadline"] is None) == paused and table.game["offers"] == []
    assert table.offer(1, "handover").status_code == 201
    assert table.game["seats"][0]["kind"] == "open"
    assert table.take(1, "Bo").status_code == 200
    assert table.play(first_move(table)).status_code == 201
    mine(table)


def answers(table, seat, count=1):
    """What engines have said to offers, as (seat, answer, status), once there are so many of them."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        log = table.events(token=table.tokens[seat])
        found = [(event["seat"], event["data"]["answer"], event["data"]["status"]) for event in log if event["type"] == "offer_answered"]
        if len(found) >= count:
            return found
        table.get(f"/events?after={log[-1]['seq']}", headers={"Prefer": "wait=5"})
    raise AssertionError("the engine does not answer")


@pytest.mark.parametrize("level", [1, 8])
def test_who_stands_better_declines_a_draw(client, level):
    """Out of its turn; the game goes on, and may be offered as a draw again."""
    table = client.create(seats=[{}, engine(level)], position=LOST)
    for count in (1, 2):
        assert table.offer(1, "draw").value["offer"]["asked"] == [2]
        assert answers(table, 1, count) == [(2, "declined", "declined")] * count
    assert (table.get().value["status"], table.get().value["ply"]) == ("active", 0)


@pytest.mark.parametrize("level", [1, 8])
def test_who_stands_worse_agrees_to_a_draw(client, level):
    table = client.create(seats=[engine(level), {}], position=WON)
    assert table.offer(2, "draw").status_code == 201
    assert answers(table, 2) == [(1, "accepted", "agreed")]
    assert table.get().value["outcome"] == {"winner": None, "reason": "agreement"}


def test_of_four_each_answers_before_it_moves(client):
    """A move would decline it for all."""
    table = client.create("iuvo-4", seats=[{}, engine(), {}, engine()])
    assert table.offer(1, "draw").status_code == 201
    assert table.get(token=table.tokens[1]).value["offers"][0]["declined"] == []
    assert table.play(first_move(table)).status_code == 201
    mine(table, 3)
    log = [(event["type"], event["seat"]) for event in table.events(token=table.tokens[1])]
    assert log.index(("offer_answered", 2)) < log.index(("move_played", 2))


def test_a_rematch_moves_engines_on_too(client):
    table = client.create(seats=[{"name": "Ada"}, engine(4)])
    table.resign(1)
    reply = table.post("/rematch", token=table.tokens[1])
    assert reply.status_code == 201
    assert [(seat["kind"], seat["level"]) for seat in reply.value["seats"]] == [("engine", 4), ("player", None)]
    again = Table(client, {**reply.value, "creator_token": table.creator})
    again.tokens = {2: table.tokens[1]}
    assert mine(again, 2).game["ply"] == 1


def test_where_there_is_no_engine(start):
    daemon, client = start("game.db", "--test-clock", "2026-01-02T03:04:05Z", "--engine-threads", "0")
    problem(client.post("/v1/games", json={"variant": "iuvo-2", "seats": [{}, engine()]}), 409, "no-engine")
    assert client.create().game["status"] == "active"
    judged((daemon, client))


def test_without_an_engine_it_has_no_rematch(start):
    """Nobody would play it; a rematch that was made before is found as ever."""
    daemon, client = start()
    tables = [client.create(seats=[{}, engine(3)]) for _ in range(2)]
    people = client.create()
    for table in (*tables, people):
        table.resign(1)
    made = tables[1].post("/rematch", token=tables[1].tokens[1])
    assert made.status_code == 201
    assert daemon.stop() == 0
    daemon.options = ("--engine-threads", "0")
    daemon.start()
    problem(tables[0].post("/rematch", token=tables[0].tokens[1]), 409, "no-engine")
    assert tables[0].get().value["links"]["rematch"] is None
    problem(tables[0].post("/rematch", token=tables[0].creator), 403, "not-your-seat")
    again = tables[1].post("/rematch", token=tables[1].tokens[1])
    assert (again.status_code, again.headers["Location"]) == (200, made.headers["Location"])
    assert people.post("/rematch", token=people.tokens[1]).status_code == 201
    judged((daemon, client))


def test_without_engine_threads_games_wait_and_time_runs(start):
    """Its clock runs like others: who is not there to think oversteps his time."""
    daemon, client = start("game.db", "--test-clock", "2026-01-02T03:04:05Z")
    table = client.create(seats=[{}, engine()], clock={"per_move_seconds": 60})
    other = client.create(seats=[{}, engine()])
    assert daemon.stop() == 0
    daemon.options = ("--test-clock", "2026-01-02T03:04:05Z", "--engine-threads", "0")
    daemon.start()
    for game in (table, other):
        assert game.play(first_move(game)).status_code == 201
    assert client.request("PUT", "/test-clock", json={"now": "2026-01-02T03:06:05Z"}).status_code == 200
    assert table.get().value["outcome"] == {"winner": 1, "reason": "timeout"}
    assert other.get().value["ply"] == 1
    assert daemon.stop() == 0
    daemon.options = ("--test-clock", "2026-01-02T03:07:05Z")
    daemon.start()
    assert mine(other).game["ply"] == 2
    judged((daemon, client))


def test_a_stop_ends_a_search_at_once(start):
    daemon, client = start()
    tables = [client.create("halma-2", seats=[engine(10), engine(10)]) for _ in range(2)]
    tables.append(client.create(seats=[engine(10), {}]))
    began = time.monotonic()
    assert daemon.stop() == 0
    assert time.monotonic() - began < (20 if sanitized() else 2)
    assert "0 differences" in daemon.verify().stdout
    daemon.start()
    for table in tables:
        wait_until(client, table.path, lambda game: game["ply"] >= 1)
    judged((daemon, client))
