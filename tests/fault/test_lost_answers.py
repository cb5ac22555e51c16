"""A move whose answer got lost, at whatever point, and that is sent again: it is played once."""

import errno
import json
import socket
import time

import pytest
import requests

from client import Client, problem
from patience import eventually
from shim import DIES

MOVE, REPLY = "a1-b3", "a7-b5"
# With a key of one's own, with the ply at which one stands, and with neither: the natural retry of the last move.
WAYS = {"key": ({"Idempotency-Key": "move-1"}, {}), "expected_ply": ({}, {"expected_ply": 0}), "neither": ({}, {})}


@pytest.fixture(params=WAYS)
def way(request):
    """(headers, further members of the body) with which a move is sent, and sent again."""
    return WAYS[request.param]


def post(table, client, way, move=MOVE, seat=1):
    headers, body = way
    return client.post(f"{table.path}/moves", json={"move": move, **body}, headers=headers, token=table.tokens[seat])


def wire(table, way):
    """(head, body) of the same call as bytes."""
    headers, body = way
    body = json.dumps({"move": MOVE, **body}).encode()
    lines = {"Host": "localhost", "Authorization": f"Bearer {table.tokens[1]}", "Content-Type": "application/json",
             "Content-Length": len(body), **headers}
    return (f"POST {table.path}/moves HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in lines.items()) + "\r\n").encode(), body


def assert_played_once(table, client, way, was_done):
    """Sent again as often as one likes, also when the other seat has answered: one move, and always the same answer."""
    again = post(table, client, way)
    assert again.status_code == (201 if way[0] or not was_done else 200), again.text
    assert (again.headers.get("Idempotency-Replayed") == "true") == (bool(way[0]) and was_done)
    move = again.value["move"]
    assert (move["ply"], move["seat"], move["move"]) == (1, 1, MOVE)
    assert client.get(f"{table.path}/moves").value["moves"] == [move]
    assert [event["type"] for event in client.get(f"{table.path}/events").value["events"]] == ["game_created", "game_started", "move_played"]
    assert client.post(f"{table.path}/moves", json={"move": REPLY}, token=table.tokens[2]).status_code == 201
    late = post(table, client, way)
    if way == WAYS["neither"]:
        # Nothing says any more that it was meant for ply 1: it is looked at as a new move.
        problem(late, 409, "no-stone")
    else:
        assert late.status_code == (201 if way[0] else 200) and late.value["move"] == move
    assert len(client.get(f"{table.path}/moves").value["moves"]) == 2


@pytest.mark.parametrize("stage", ["in the head", "after the head", "in the body", "before the last byte"])
def test_cut_before_the_request_is_whole(start, way, stage):
    daemon, client = start()
    table = client.create("iuvo-2")
    head, body = wire(table, way)
    sent = {"in the head": head[:-2], "after the head": head, "in the body": head + body[:5], "before the last byte": head + body[:-1]}[stage]
    with socket.create_connection(("127.0.0.1", daemon.port)) as connection:
        connection.sendall(sent)
        time.sleep(0.05)
    assert table.get().value["ply"] == 0
    assert_played_once(table, client, way, was_done=False)
    assert daemon.stop() == 0


@pytest.mark.parametrize("reset", [False, True], ids=["closed", "reset"])
@pytest.mark.parametrize("read", [0, 1, 40], ids=["unread", "one byte read", "read in part"])
def test_cut_after_the_request(start, way, read, reset):
    daemon, client = start()
    table = client.create("iuvo-2")
    with socket.create_connection(("127.0.0.1", daemon.port)) as connection:
        if reset:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
        connection.sendall(b"".join(wire(table, way)))
        assert len(connection.recv(read, socket.MSG_WAITALL)) == read if read else True
        if read == 0:
            # A reset overtakes what was sent before it, and may take the request along.
            eventually(lambda: table.get().value["ply"] == 1)
    assert_played_once(table, client, way, was_done=True)
    assert daemon.stop() == 0


@pytest.mark.parametrize("before", [0, 10, 300], ids=["before the answer", "in its first line", "in its head"])
@pytest.mark.parametrize("how", ["connection", "service"])
def test_lost_between_commit_and_the_end_of_the_answer(shimmed, issued_tokens, way, how, before):
    """The connection breaks when the answer is sent, or the service is killed at that moment."""
    daemon, client, shim = shimmed
    table = client.create("iuvo-2")
    shim.send.fail(0, error=DIES if how == "service" else errno.ECONNRESET, before=before)
    with socket.create_connection(("127.0.0.1", daemon.port), timeout=60) as connection:
        connection.sendall(b"".join(wire(table, way)))
        got = b"".join(iter(lambda: connection.recv(65536), b""))
    shim.off()
    assert shim.send.failed == 1 and len(got) == before and b"HTTP/1.1 201 Created"[:before] == got[:20]
    if how == "service":
        assert daemon.process.wait(timeout=20) == -9
        daemon.start()
        client = Client(daemon, issued_tokens)
    assert_played_once(table, client, way, was_done=True)
    assert daemon.stop() == 0
    assert daemon.verify().returncode == 0


@pytest.mark.parametrize("kind,done", [("write", False), ("sync", True)])
def test_killed_in_commit(shimmed, issued_tokens, way, kind, done):
    """Before the transaction is written it has not happened; once it is, it has, though nobody was told."""
    daemon, client, shim = shimmed
    table = client.create("iuvo-2")
    getattr(shim, kind).fail(0, error=DIES)
    with pytest.raises(requests.exceptions.ConnectionError):
        post(table, client, way)
    shim.off()
    assert daemon.process.wait(timeout=20) == -9
    daemon.start()
    client = Client(daemon, issued_tokens)
    assert client.get(table.path).value["ply"] == (1 if done else 0)
    assert_played_once(table, client, way, was_done=done)
    assert daemon.stop() == 0
    assert daemon.verify().returncode == 0


def test_two_clicks_make_one_game(start):
    """The second click comes before the first has its answer; the page sends the key that it drew when it was opened."""
    daemon, client = start()
    body = json.dumps({"variant": "iuvo-2", "seats": [{"name": "Clicked"}, {"open": True}]}).encode()
    head = (f"POST /v1/games HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
            "Idempotency-Key: 0f8fad5b-d9cb-469f-a165-70867728950e\r\nConnection: close\r\n\r\n").encode()
    clicks = [socket.create_connection(("127.0.0.1", daemon.port), timeout=60) for _ in range(2)]
    for click in clicks:
        click.sendall(head + body)
    answers = [b"".join(iter(lambda click=click: click.recv(65536), b"")) for click in clicks]
    assert all(answer.startswith(b"HTTP/1.1 201 ") for answer in answers)
    bodies = {answer.split(b"\r\n\r\n", 1)[1] for answer in answers}
    assert len(bodies) == 1
    assert sorted(b"Idempotency-Replayed: true" in answer for answer in answers) == [False, True]
    games = client.get("/v1/games?name=Clicked").value["games"]
    assert [game["id"] for game in games] == [json.loads(bodies.pop())["id"]]
    assert daemon.stop() == 0
