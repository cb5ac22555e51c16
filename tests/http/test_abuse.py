"""Whoever abuses the socket gets nowhere: nothing is smuggled, others are served, and memory stays under a cap."""

import json
import re
import socket
import threading

import pytest

from contract import check_reply
from daemon import sanitized
from test_wire import CREATE, Wire, request

CAP_MIB = 128  # what the daemon may take with all its connections open and each in the middle of something
CROWD = 900
HEAD = b"POST /v1/analysis HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
CHUNKS = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
NEXT = request("GET", "/no-such-path")
ONE, REFUSED = "one", "refused"


def statuses(daemon, data, seconds=1.0):
    """The statuses of all that comes back for the bytes, and whether the connection was closed behind it."""
    with Wire(daemon, timeout=seconds) as wire:
        raw, closed = b"", False
        try:
            wire.send(data)
            while not closed and (len(re.findall(rb"^HTTP/1\.1 ", raw, re.MULTILINE)) < 2 or not raw.endswith(b"}\n")):
                data = wire.socket.recv(65536)
                raw, closed = raw + data, not data
        except TimeoutError:
            pass
        except ConnectionError:
            closed = True
        return [int(status) for status in re.findall(rb"^HTTP/1\.1 (\d+)", raw, re.MULTILINE)], closed


@pytest.mark.parametrize("data, fate", [
    (HEAD + b"X: y\nContent-Length: 2\r\n\r\n{}", ONE),
    (HEAD + b"X: y\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n{}", REFUSED),
    (HEAD + b"X: y\n Content-Length: 2\n\n", REFUSED),
    (HEAD + b"X: y\r\r\nContent-Length: 2\r\n\r\n{}", REFUSED),
    (b"POST /v1/analysis HTTP/1.1\r\n X: y\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}", REFUSED),
    (b"\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n", ONE),
    (HEAD + b"Content-Length: +2\r\n\r\n{}", REFUSED),
    (HEAD + b"Content-Length: 2,2\r\n\r\n{}", REFUSED),
    (HEAD + b"Content-Length: 0x2\r\n\r\n{}", REFUSED),
    (HEAD + b"Content-Length: 02\r\n\r\n{}", ONE),
    (HEAD + b"Content-Length:\r\n\r\n", REFUSED),
    (HEAD + b"Content-Length: \x0b2\r\n\r\n{}", REFUSED),
    (HEAD + b"Content_Length: 2\r\n\r\n", ONE),
    (HEAD + b"Content-Len\0gth: 2\r\n\r\n{}", REFUSED),
    (HEAD + b"Transfer-Encoding: Chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", ONE),
    (HEAD + b"Transfer-Encoding: chunked, identity\r\n\r\n2\r\n{}\r\n0\r\n\r\n", REFUSED),
    (HEAD + b"Transfer-Encoding: identity\r\n\r\n", REFUSED),
    (HEAD + b'Transfer-Encoding: "chunked"\r\n\r\n2\r\n{}\r\n0\r\n\r\n', REFUSED),
    (CHUNKS + b"2;a=b\r\n{}\r\n0;x\r\n\r\n", ONE),
    (CHUNKS + b"2;a=\nb\r\n{}\r\n0\r\n\r\n", REFUSED),
    (CHUNKS + b"0x2\r\n{}\r\n0\r\n\r\n", REFUSED),
    (CHUNKS + b"+2\r\n{}\r\n0\r\n\r\n", REFUSED),
    (CHUNKS + b" 2\r\n{}\r\n0\r\n\r\n", REFUSED),
    (CHUNKS + b"-1\r\n{}\r\n0\r\n\r\n", REFUSED),
    (CHUNKS + b"0000000000000000000002\r\n{}\r\n0\r\n\r\n", ONE),
    (CHUNKS + b"10000000000000002\r\n{}\r\n0\r\n\r\n", REFUSED),
    (CHUNKS + b"2\r\n{}0\r\n\r\n", REFUSED),
    (CHUNKS + b"2\r\n{}xx\r\n0\r\n\r\n", REFUSED),
    (CHUNKS + b"2\r\n{}\r\n0\r\nTransfer-Encoding: chunked\r\nContent-Length: 9\r\n\r\n", ONE),
    (b"GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}", ONE),
    (b"GET /healthz HTTP/1.1\r\nHost: a\r\n: x\r\n\r\n", None),
    (b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n", ONE),
    (b"GET /heal thz HTTP/1.1\r\nHost: a\r\n\r\n", ONE),
    (b"CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n", ONE),
    (b"TRACE / HTTP/1.1\r\nHost: a\r\n\r\n", ONE),
    (b"GET\t/healthz\tHTTP/1.1\r\nHost: a\r\n\r\n", REFUSED),
    (b"GET /healthz\r\n\r\n", REFUSED),
    (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", REFUSED),
])
def test_one_request_is_one_or_the_end(daemon, data, fate):
    """Behind it comes another: that is answered as the next, or, where the first can be read in two ways, never looked at."""
    answers, closed = statuses(daemon, data + NEXT)
    if fate == ONE:
        assert len(answers) == 2 and answers[1] == 404, answers
    elif fate == REFUSED:
        assert closed and 404 not in answers and all(400 <= status < 600 for status in answers), answers
    else:
        assert answers[-1] == 404 or closed


@pytest.mark.parametrize("method", [b"\xff\xfe", b"G\x01T", b"x" * 5000, "GÉT".encode()])
def test_a_method_of_any_bytes_is_answered_in_utf_8(daemon, method):
    with Wire(daemon) as wire:
        reply = wire.send(method + b" /healthz HTTP/1.1\r\nHost: a\r\n\r\n").reply()
        check_reply("BREW", "/healthz", reply.status, reply.getheaders(), reply.content)
        assert reply.status == 405 and method.decode("latin-1") not in json.loads(reply.content)["detail"]


def test_a_chunk_of_any_size_is_not_waited_for_in_memory(daemon):
    before = resident_mib(daemon)
    wires = [Wire(daemon) for _ in range(50)]
    for wire, size in zip(wires, [b"ffffffffffffffff", b"7fffffffffffffff", b"40000000"] * 20):
        wire.send(CHUNKS + size + b"\r\n{}")
    with Wire(daemon) as other:
        assert other.send(request()).reply().status == 200
    assert resident_mib(daemon) - before < 32
    for wire in wires:
        wire.socket.close()


def test_records_that_never_end_leave_room_for_others(start):
    """The bodies of all calls have a limit; moves are not counted, and all is given back."""
    daemon, client = start("records.db")
    table = client.create()
    body = b" " * 500_000
    whole = request("POST", "/v1/records", body)
    wires = [Wire(daemon) for _ in range(300)]
    for wire in wires:
        wire.send(whole[:-1])
    assert table.play("a1-b3").status_code == 201
    assert sanitized() or resident_mib(daemon) < CAP_MIB
    codes = []
    for wire in wires:
        reply = wire.send(whole[-1:]).reply()
        check_reply("POST", "/v1/records", reply.status, reply.getheaders(), reply.content)
        codes.append((reply.status, json.loads(reply.content)["code"]))
        wire.socket.close()
    assert set(codes) == {(400, "malformed-json"), (503, "overloaded")}
    assert codes.count((400, "malformed-json")) >= 60  # of LIMIT_BODIES
    record = table.get("/record").content
    assert client.post("/v1/records", data=record[:1] + body + record[1:], headers={"Content-Type": "application/json"}).status_code == 201
    assert daemon.stop() == 0


def resident_mib(daemon):
    with open(f"/proc/{daemon.process.pid}/status", encoding="ascii") as status:
        return int(re.search(r"^VmRSS:\s+(\d+) kB", status.read(), re.MULTILINE)[1]) // 1024


ABUSES = {
    "idle": b"",
    "used once": request(),
    "half a head": b"GET /healthz HTTP/1.1\r\nHost: a\r\nX: " + b"x" * 12000,
    "half a body": request("POST", "/v1/games", b"{" + b" " * 16000)[:-100],
    "many at once": request() * 100,
    "a chunk without end": CHUNKS + b"7fffffffffffffff\r\n{",
    "bad requests": request("GET", "/%zz") * 100,
    "half-closed": request("POST", "/v1/games", CREATE)[:-1],
}


@pytest.mark.parametrize("abuse", ABUSES)
def test_a_crowd_disturbs_nobody(start, abuse):
    daemon, client = start("crowd.db")
    failed, done = [], threading.Event()

    def others():
        """Somebody plays on a connection of his own, and others come anew."""
        with Wire(daemon) as kept:
            while not done.is_set():
                for wire in (kept, Wire(daemon)):
                    for data, status in ((request(), 200), (request("POST", "/v1/games", CREATE), 201)):
                        got = wire.send(data).reply().status
                        if got != status:
                            failed.append(got)
                    if wire is not kept:
                        wire.socket.close()
                done.wait(0.02)

    player = threading.Thread(target=others)
    player.start()
    wires = []
    try:
        for _ in range(CROWD):
            wires.append(Wire(daemon))
            wires[-1].send(ABUSES[abuse])
            if abuse == "half-closed":
                wires[-1].socket.shutdown(socket.SHUT_WR)
        table = client.create()
        assert table.play("a1-b3").status_code == 201
        assert sanitized() or resident_mib(daemon) < CAP_MIB
    finally:
        done.set()
        player.join()
        for wire in wires:
            wire.socket.close()
    assert not failed
    assert client.get("/healthz").status_code == 200
    assert daemon.stop() == 0
