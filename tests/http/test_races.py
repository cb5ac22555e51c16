"""Many at once: one of them gets it, and the others are told how things stand."""

import concurrent.futures

import pytest

from client import Client, problem

RIVALS = 50


@pytest.fixture(scope="module")
def rivals(daemon, issued_tokens):
    """Connections of their own, all open before the race begins."""
    clients = [Client(daemon, issued_tokens) for _ in range(RIVALS)]
    for client in clients:
        client.get("/healthz")
    yield clients
    for client in clients:
        client.close()


def race(rivals, call):
    """call(client, number) for all at once, each in a thread of its own."""
    with concurrent.futures.ThreadPoolExecutor(RIVALS) as pool:
        return list(pool.map(call, rivals, range(RIVALS)))


def first_moves(table):
    """So many different moves of the seat that begins."""
    moves = [move["move"] for move in table.get("/legal-moves").value["moves"]]
    assert len(moves) >= RIVALS
    return moves[:RIVALS]


def statuses(replies):
    return sorted(reply.status_code for reply in replies)


@pytest.mark.parametrize("name", ["If-Match", "expected_ply"])
@pytest.mark.parametrize("with_key", [False, True])
def test_fifty_different_first_moves_for_one_state(client, rivals, name, with_key):
    table = client.create("iuvo-2")
    moves, tag = first_moves(table), table.get().headers["ETag"]

    def play(rival, number):
        headers = {"Idempotency-Key": f"move-{number}"} if with_key else {}
        body = {"move": moves[number]}
        if name == "If-Match":
            headers["If-Match"] = tag
        else:
            body["expected_ply"] = 0
        return rival.post(f"{table.path}/moves", json=body, token=table.tokens[1], headers=headers)

    replies = race(rivals, play)
    assert statuses(replies) == [201] + [412] * (RIVALS - 1)
    played = next(reply for reply in replies if reply.status_code == 201).value
    stored = table.get("/moves").value["moves"]
    assert stored == [played["move"]]
    assert [event["type"] for event in table.events()] == ["game_created", "game_started", "move_played"]
    # Who lost sees at once what he has to answer to.
    code = "precondition-failed" if name == "If-Match" else "stale-ply"
    for reply in replies:
        if reply.status_code == 412:
            assert problem(reply, 412, code)["game"] == played["game"] == table.get().value


def test_fifty_different_first_moves_without_any_condition(client, rivals):
    table = client.create("iuvo-2")
    moves = first_moves(table)
    replies = race(rivals, lambda rival, number: rival.post(f"{table.path}/moves", json={"move": moves[number]}, token=table.tokens[1]))
    assert statuses(replies) == [201] + [409] * (RIVALS - 1)
    assert {reply.value["code"] for reply in replies if reply.status_code == 409} == {"not-your-turn"}
    assert len(table.get("/moves").value["moves"]) == 1


def test_fifty_times_the_same_first_move(client, rivals):
    """The natural retry, all at once: one plays it, the others hear that it is played."""
    table = client.create("iuvo-2")
    move = first_moves(table)[0]
    replies = race(rivals, lambda rival, _: rival.post(f"{table.path}/moves", json={"move": move, "expected_ply": 0}, token=table.tokens[1]))
    assert statuses(replies) == [200] * (RIVALS - 1) + [201]
    assert len({reply.content for reply in replies}) == 1
    assert table.get("/moves").value["moves"] == [replies[0].value["move"]]


def test_fifty_ask_for_one_rematch(client, rivals):
    table = client.create("iuvo-4", visibility="unlisted")
    for seat in (1, 2, 4):
        table.resign(seat)
    replies = race(rivals, lambda rival, number: rival.post(f"{table.path}/rematch", token=table.tokens[1 + number % 4]))
    assert statuses(replies) == [200] * (RIVALS - 1) + [201]
    assert {reply.value["links"]["self"] for reply in replies} == {table.get().value["links"]["rematch"]}
