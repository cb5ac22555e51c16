"""Clients that leave while they wait: their places are free soon, and nothing is told of answers that nobody had.  One that has closed his side alone still reads."""

import http.client
import json
import socket
import time

import pytest

from contract import check_reply
from follower import NDJSON, SSE, Follower
from patience import eventually
from scrape import scrape
from test_wire import Wire, request, wait_for_log

LONG = 50  # seconds: nothing here may take as long


@pytest.fixture
def watched(start):
    return start("left.db", "--admin-listen", "0")


def reset(wire):
    wire.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    wire.close()


def end_side(wire):
    """By TCP alone: as a program does whose input has ended."""
    socket.socket.shutdown(wire, socket.SHUT_WR)


def streams(daemon, client):
    return scrape(daemon, client).get("iuvod_streams")


def waiting(daemon, client, table, *more):
    """A connection on which an answer waits."""
    wire = Wire(daemon)
    wire.send(request("GET", f"{table.path}/events?after=2", None, f"Prefer: wait={LONG}", *more))
    eventually(lambda: streams(daemon, client) == 1)
    return wire


def answer(wire, path):
    response = http.client.HTTPResponse(wire.socket, method="GET")
    response.begin()
    return response.status, check_reply("GET", path, response.status, response.getheaders(), response.read())


def counted(daemon, client, path):
    """How often there was each status."""
    told = scrape(daemon, client)
    return {dict(labels)["status"]: value for (name, labels), value in told.values.items()
            if name == "iuvod_requests_total" and dict(labels)["route"] == path and value}


EVENTS = "/v1/games/{game}/events"


def test_who_waits_and_is_gone_gives_his_place_back(watched):
    daemon, client = watched
    table = client.create()
    for times in (1, 2, 3):
        reset(waiting(daemon, client, table).socket)
        eventually(lambda: streams(daemon, client) == 0, LONG / 2)
        eventually(lambda: counted(daemon, client, EVENTS) == {"none": times})
    wait_for_log(daemon, "status=0", 3)
    assert [line.split()[-1] for line in daemon.log().splitlines() if "status=0" in line] == ["end=aborted"] * 3
    table.play("a1-b3")
    assert daemon.stop() == 0


def test_who_closes_while_he_waits_gives_his_place_back(watched):
    """What he sends is the same as that of one who still reads: an end."""
    daemon, client = watched
    table = client.create()
    for _ in range(5):
        waiting(daemon, client, table).socket.close()
        eventually(lambda: streams(daemon, client) == 0, LONG / 2)
    assert daemon.stop() == 0


def test_who_has_ended_his_side_is_answered_at_once(watched):
    daemon, client = watched
    table = client.create()
    path = f"{table.path}/events?after=2"
    for early in (False, True):
        with Wire(daemon) as wire:
            wire.send(request("GET", path, None, f"Prefer: wait={LONG}"))
            if not early:
                eventually(lambda: streams(daemon, client) == 1)
            end_side(wire.socket)
            wire.socket.settimeout(LONG / 2)
            status, value = answer(wire, path)
            assert (status, value["events"], value["seq"]) == (200, [], 2)
            assert wire.is_closed_within(LONG / 2)
    assert counted(daemon, client, EVENTS) == {"200": 2} and streams(daemon, client) == 0


def test_what_follows_on_the_connection_is_answered_too(watched):
    daemon, client = watched
    table = client.create()
    path = f"{table.path}/events?after=2"
    with Wire(daemon) as wire:
        wire.send(request("GET", path, None, f"Prefer: wait={LONG}") + request("GET", "/version", None, "Connection: close"))
        end_side(wire.socket)
        wire.socket.settimeout(LONG / 2)
        raw = b"".join(iter(lambda: wire.socket.recv(65536), b""))
    first, second = raw.split(b"HTTP/1.1 200 OK\r\n")[1:]
    assert json.loads(first.split(b"\r\n\r\n")[1])["events"] == [] and "schema" in json.loads(second.split(b"\r\n\r\n")[1])


def test_who_goes_on_sending_waits_on(watched):
    """The next request on the connection is no end of it."""
    daemon, client = watched
    table = client.create()
    wire = waiting(daemon, client, table)
    wire.send(request("GET", "/version", None, "Connection: close"))
    time.sleep(0.5)
    assert streams(daemon, client) == 1
    table.play("a1-b3")
    status, value = answer(wire, f"{table.path}/events?after=2")
    assert status == 200 and [event["seq"] for event in value["events"]] == [3]
    wire.socket.close()


@pytest.mark.parametrize("media", [SSE, NDJSON])
def test_a_stream_goes_on_for_who_has_ended_his_side(watched, media):
    daemon, client = watched
    table = client.create()
    with Follower(daemon, f"{table.path}/events", media) as stream:
        stream.take(2)
        end_side(stream.socket)
        time.sleep(0.5)
        assert streams(daemon, client) == 1
        for move in ("a1-b3", "a7-b5"):
            table.play(move)
            time.sleep(0.1)
        assert [event["seq"] for event in stream.take(4)] == [1, 2, 3, 4]
        table.resign(1)
        assert stream.finish(30)[-1]["type"] == "game_finished"
    eventually(lambda: streams(daemon, client) == 0)
    wait_for_log(daemon, "end=over")


@pytest.mark.parametrize("leave", [socket.socket.close, reset, lambda wire: (end_side(wire), time.sleep(0.3), wire.close())],
                         ids=["closed", "reset", "half, then closed"])
def test_a_stream_of_who_is_gone_is_over_soon(start, leave):
    """The heart beats once for whoever has closed his side, and after that as ever."""
    daemon, client = start("left.db", "--admin-listen", "0", "--heartbeat-ms", "2000")
    table = client.create()
    stream = Follower(daemon, f"{table.path}/events")
    stream.take(2)
    leave(stream.socket)
    eventually(lambda: streams(daemon, client) == 0, 10)
    wait_for_log(daemon, "end=left")


def arrived(told, path):
    """How many questions have come, be they answered, in hand or in line."""
    return told.get("iuvod_engine_queue", **{"class": "question"}) + told.get("iuvod_engine_running") + told.get("iuvod_requests_total", route=path)


@pytest.mark.parametrize("leave", [socket.socket.close, reset], ids=["closed", "reset"])
def test_who_asks_the_engine_and_is_gone_is_not_thought_for(watched, leave):
    daemon, client = watched
    table = client.create()
    wires = []
    for nodes in range(999990, 1000000):
        wires.append(Wire(daemon))
        wires[-1].send(request("GET", f"{table.path}/hint?nodes={nodes}"))
    hint = "/v1/games/{game}/hint"
    eventually(lambda: arrived(scrape(daemon, client), hint) >= 10)
    for wire in wires:
        leave(wire.socket)
    eventually(lambda: scrape(daemon, client).get("iuvod_engine_queue", **{"class": "question"}) == 0, 10)
    eventually(lambda: sum(counted(daemon, client, hint).values()) == 10)
    statuses = counted(daemon, client, hint)
    assert statuses["none"] >= 2 and set(statuses) <= {"none", "200"}
    assert scrape(daemon, client).get("iuvod_problems_total") == 0
    # They take turns: some may have their answers by the time that it is seen that nobody takes them.
    assert 2 <= daemon.log().count("event=cut_off phase=think") <= statuses["none"]
