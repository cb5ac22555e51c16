"""What happens on the socket: slow and broken senders, many connections, limits, keep-alive, stopping."""

import concurrent.futures
import http.client
import json
import re
import resource
import signal
import socket
import subprocess
import threading
import time

import pytest

from client import Plain
from daemon import BINARY, run
from patience import eventually

HEAD_SECONDS, BODY_SECONDS, IDLE_SECONDS = 10, 20, 75  # LIMIT_HEAD_MS, LIMIT_BODY_MS, LIMIT_IDLE_MS
ANALYSIS = json.dumps({"position": "iuvo-2 B1B1B1B/7/o1o1o1o/7/o1o1o1o/7/A1A1A1A 1 - -"}).encode()
CREATE = json.dumps({"variant": "iuvo-2"}).encode()


class Wire:
    """A raw connection, with replies read by http.client."""

    def __init__(self, daemon, timeout=60):
        self.socket = daemon.connect(timeout)

    def send(self, data):
        self.socket.sendall(data)
        return self

    def reply(self, method="GET"):
        response = http.client.HTTPResponse(self.socket, method=method)
        response.begin()
        response.content = response.read()
        return response

    def is_closed_within(self, seconds):
        self.socket.settimeout(seconds)
        try:
            return self.socket.recv(1) == b""
        except ConnectionError:
            return True
        except TimeoutError:
            return False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()


def request(method="GET", path="/healthz", body=None, *lines):
    """The bytes of a request."""
    head = [f"{method} {path} HTTP/1.1", "Host: localhost", *lines]
    if body is not None:
        head += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + (body or b"")


def chunked(path, chunks, *lines):
    head = [f"POST {path} HTTP/1.1", "Host: localhost", "Content-Type: application/json", "Transfer-Encoding: chunked", *lines]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks) + b"0\r\n\r\n"


def code(reply):
    assert reply.getheader("Content-Type").startswith("application/problem+json"), reply.content
    return json.loads(reply.content)["code"]


def wait_for_log(daemon, text, count=1):
    deadline = time.monotonic() + 30
    while daemon.log().count(text) < count:
        assert time.monotonic() < deadline, daemon.log()[-2000:]
        time.sleep(0.02)


# Requests that come in pieces, or many at once.

@pytest.mark.parametrize("data, method", [
    (request(), "GET"), (request("HEAD"), "HEAD"), (request("POST", "/v1/analysis", ANALYSIS), "POST"),
    (chunked("/v1/analysis", [ANALYSIS[:9], ANALYSIS[9:]]), "POST")])
def test_one_byte_at_a_time(daemon, data, method):
    with Wire(daemon) as wire:
        wire.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in data:
            wire.send(bytes([byte]))
        assert wire.reply(method).status == 200


def test_chunked_bodies(daemon):
    with Wire(daemon) as wire:
        for size in (1, 7, len(ANALYSIS)):
            chunks = [ANALYSIS[at:at + size] for at in range(0, len(ANALYSIS), size)]
            reply = wire.send(chunked("/v1/analysis", chunks)).reply()
            assert reply.status == 200, reply.content


def test_requests_in_a_row_without_waiting(daemon):
    with Wire(daemon) as wire:
        paths = ["/healthz", "/version", "/v1/variants", "/no-such-path"] * 10
        wire.send(b"".join(request(path=path) for path in paths))
        # One buffer for all: a reply read by http.client may take bytes of the next.
        stream = wire.socket.makefile("rb")
        statuses = []
        for _ in paths:
            statuses.append(int(stream.readline().split()[1]))
            length = 0
            for line in iter(stream.readline, b"\r\n"):
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            stream.read(length)
        assert statuses == [200, 200, 200, 404] * 10


def test_a_connection_is_kept(daemon):
    with Wire(daemon) as wire:
        for method, path, body, status in (
                ("GET", "/healthz", None, 200), ("HEAD", "/healthz", None, 200), ("GET", "/nowhere", None, 404),
                ("DELETE", "/healthz", None, 405), ("POST", "/v1/analysis", ANALYSIS, 200), ("POST", "/v1/analysis", b"{", 400),
                ("POST", "/v1/games", CREATE, 201), ("POST", "/nowhere", CREATE, 404), ("OPTIONS", "/v1/games", None, 204)):
            reply = wire.send(request(method, path, body)).reply(method)
            assert reply.status == status, (method, path, reply.content)
            assert reply.getheader("Connection") is None
        assert wire.send(request("GET", "/healthz", None, "Connection: close")).reply().getheader("Connection") == "close"
        assert wire.is_closed_within(5)


def test_http_1_0_closes(daemon):
    with Wire(daemon) as wire:
        assert wire.send(b"GET /healthz HTTP/1.0\r\n\r\n").reply().status == 200
        assert wire.is_closed_within(5)


def test_head_has_the_length_of_get(daemon, client):
    game = client.post("/v1/games", json={"variant": "iuvo-2"}).value["id"]
    with Wire(daemon) as wire:
        for path in ("/", f"/v1/games/{game}", f"/v1/games/{game}", f"/v1/games/{game}/legal-moves"):
            head = wire.send(request("HEAD", path)).reply("HEAD")
            get = wire.send(request("GET", path)).reply()
            assert head.status == get.status == 200 and head.content == b""
            assert head.getheader("Content-Length") == get.getheader("Content-Length") == str(len(get.content))


def test_a_continue_is_given(daemon):
    with Wire(daemon) as wire:
        wire.send(request("POST", "/v1/analysis", ANALYSIS, "Expect: 100-continue")[:-len(ANALYSIS)])
        line = wire.socket.recv(1000)
        assert line == b"HTTP/1.1 100 Continue\r\n\r\n"
        assert wire.send(ANALYSIS).reply().status == 200


def test_a_continue_is_not_given_to_what_is_refused(daemon):
    with Wire(daemon) as wire:
        wire.send(request("POST", "/v1/analysis", b"x" * 600_000, "Expect: 100-continue")[:-600_000])
        reply = wire.reply()
        assert reply.status == 413 and code(reply) == "body-too-large"
        assert wire.is_closed_within(5)


# Sizes.

@pytest.mark.parametrize("over", [1, 1000, 60_000])
def test_a_body_past_the_limit_is_drained_and_the_connection_kept(daemon, over):
    with Wire(daemon) as wire:
        for send in (lambda body: request("POST", "/v1/games", body), lambda body: chunked("/v1/games", [body])):
            reply = wire.send(send(b" " * (16 * 1024 + over))).reply()
            assert reply.status == 413 and code(reply) == "body-too-large" and json.loads(reply.content)["limit"] == 16 * 1024
        assert wire.send(request()).reply().status == 200


@pytest.mark.parametrize("send", [
    lambda body: request("POST", "/v1/games", body), lambda body: chunked("/v1/games", [body]),
    lambda body: chunked("/healthz", [body]).replace(b"POST", b"GET", 1), lambda body: request("GET", "/healthz", body)])
def test_a_body_far_past_the_limit_is_answered_and_the_connection_closed(daemon, send):
    with Wire(daemon) as wire:
        reply = wire.send(send(b" " * 150_000)).reply()
        assert reply.status == 413 and code(reply) == "body-too-large"
        assert reply.getheader("Connection") == "close"
        assert wire.is_closed_within(5)


def test_an_endless_chunked_body_is_cut_off(daemon):
    with Wire(daemon) as wire:
        wire.send(chunked("/v1/games", [])[:-5])
        with pytest.raises(OSError):
            for _ in range(10_000):
                wire.send(b"1000\r\n" + b" " * 4096 + b"\r\n")


@pytest.mark.parametrize("data", [
    b"GET / HTTP/1.1\r\nHost: a\r\nCookie: " + b"x" * 40_000 + b"\r\n\r\n",
    b"GET /" + b"x" * 40_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + b"".join(b"X-%d: y\r\n" % n for n in range(5000)) + b"\r\n",
    b"GET / HTTP/3.7\r\nHost: a\r\n\r\n",
    b"nonsense\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 100 + b"\r\n\r\n",
    request("POST", "/v1/games", None, "Content-Length: x"),
    request("POST", "/v1/games", None, "Content-Length: -1"),
    request("POST", "/v1/games", None, "Content-Length: 99999999999999999999999999"),
    request("POST", "/v1/games", None, "Transfer-Encoding: chunked") + b"zz\r\n",
])
def test_what_the_library_refuses_closes_the_connection(daemon, data):
    """These replies are the library's: no problem of ours, but 4xx or 5xx, or nothing at all, and the end."""
    with Wire(daemon) as wire:
        try:
            wire.send(data)
            reply = wire.reply()
            assert reply.status in (400, 413, 414, 431, 501, 505), reply.status
        except (http.client.BadStatusLine, ConnectionError):
            pass
        assert wire.is_closed_within(5)
    with Wire(daemon) as wire:
        assert wire.send(request()).reply().status == 200


def test_cookies_of_a_browser_fit(daemon):
    with Wire(daemon) as wire:
        assert wire.send(request("GET", "/healthz", None, "Cookie: " + "x" * 8000)).reply().status == 200


# Requests that can be read in two ways.

@pytest.mark.parametrize("lines, body", [
    (["Host: other"], None),
    (["Authorization: Bearer a", "Authorization: Bearer b"], None),
    (["Content-Length: 2", "Content-Length: 2"], b"{}"),
    (["Content-Length: 2", "Content-Length: 3"], b"{}"),
    (["Content-Length: 2", "Transfer-Encoding: chunked"], b"2\r\n{}\r\n0\r\n\r\n"),
    (["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"], b"2\r\n{}\r\n0\r\n\r\n"),
    (["Transfer-Encoding: gzip, chunked"], b"2\r\n{}\r\n0\r\n\r\n"),
    (["Transfer-Encoding: xchunked"], b"2\r\n{}\r\n0\r\n\r\n"),
    (["Transfer-Encoding:"], b"2\r\n{}\r\n0\r\n\r\n"),
    (["Transfer-Encoding: \x0bchunked"], b"2\r\n{}\r\n0\r\n\r\n"),
    (["Transfer-Encoding : chunked"], b"2\r\n{}\r\n0\r\n\r\n"),
    (["Content-Length : 2"], b"{}"),
    (["X-A: a\rContent-Length: 2"], b"{}"),
    (["X(A): a"], None),
    (["X: a", " folded"], None),
    (["Content-Length:", " 2"], b"{}"),
    (["Content-Length: 1", "\t0"], b"{}"),
    (["Content-Length: 2", " "], b"{}"),
    (["Transfer-Encoding:", " chunked"], b"2\r\n{}\r\n0\r\n\r\n"),
    (["Transfer-Encoding: chun", " ked"], b"2\r\n{}\r\n0\r\n\r\n"),
])
def test_ambiguous_requests_are_refused_and_nothing_follows(daemon, lines, body):
    for method, path in (("POST", "/v1/games"), ("GET", "/healthz"), ("GET", "/nowhere")):
        with Wire(daemon) as wire:
            smuggled = request("GET", "/version")
            wire.send("\r\n".join([f"{method} {path} HTTP/1.1", "Host: localhost", *lines]).encode() + b"\r\n\r\n" + (body or b"") + smuggled)
            reply = wire.reply()
            assert reply.status == 400 and reply.getheader("Connection") == "close"
            if reply.getheader("Content-Type") is not None:
                assert code(reply) == "ambiguous-request"
            assert wire.is_closed_within(5), "the rest was read as a second request"


@pytest.mark.parametrize("version, host, status", [
    ("1.1", None, 400), ("1.1", "a b", 400), ("1.1", "a/b", 400), ("1.1", "user@a", 400), ("1.0", "a b", 400),
    ("1.0", None, 200), ("1.1", "", 200), ("1.1", "[::1]:80", 200), ("1.1", "a_b.example:1", 200)])
def test_the_host_of_a_request(daemon, version, host, status):
    with Wire(daemon) as wire:
        lines = [] if host is None else [f"Host: {host}"]
        for path in ("/healthz", "http://other/healthz"):
            if status == 200 and path != "/healthz" and version == "1.0":
                continue  # its connection is closed
            wire.send("\r\n".join([f"GET {path} HTTP/{version}", *lines, "", ""]).encode())
            reply = wire.reply()
            assert reply.status == status
            if status == 400:
                assert code(reply) == "ambiguous-request" and reply.getheader("Connection") == "close"
                break


@pytest.mark.parametrize("data", [request("GET", "/version"), request("POST", "/v1/games", b"")])
def test_a_continue_without_a_body_loses_no_answer(daemon, data):
    """The next request has come already when the 100 is sent."""
    with Wire(daemon) as wire:
        wire.send(data[:-2] + b"Expect: 100-continue\r\n\r\n" + request("GET", "/healthz"))
        assert wire.reply().status == (200 if data.startswith(b"GET") else 400)


# Slow and broken senders.

def slowly(wire, data, interval=0.4, most=40):
    """Sends a byte every `interval` seconds; how long until the other side has closed."""
    began = time.monotonic()
    wire.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    wire.socket.settimeout(interval)
    for byte in data:
        if time.monotonic() - began > most:
            break
        try:
            wire.socket.send(bytes([byte]))
            if wire.socket.recv(1000) == b"":
                return time.monotonic() - began
        except TimeoutError:
            continue
        except ConnectionError:
            return time.monotonic() - began
    return None


def test_a_reader_that_takes_nothing_is_cut_off(start):
    """More is asked for than the sockets hold: the reply that does not fit has its time to go out, and no more."""
    daemon, client = start("game.db", "--send-ms", "300")
    size, count = len(client.get("/openapi.json").content), 200
    with socket.socket() as lazy:
        lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        lazy.settimeout(60)
        lazy.connect(("127.0.0.1", daemon.port))
        lazy.sendall(request("GET", "/openapi.json") * count)
        wait_for_log(daemon, "cut_off phase=send")
        assert client.get("/healthz").status_code == 200
        got = 0
        try:
            while data := lazy.recv(1 << 16):
                got += len(data)
        except ConnectionError:
            pass
        assert got < size * count
    assert daemon.stop() == 0


def test_a_connection_without_a_request_is_closed(start):
    """One that never had any, and one that had: neither is cut off in the middle of something."""
    daemon, _ = start("game.db", "--idle-ms", "1000")
    with Wire(daemon) as silent, Wire(daemon) as kept:
        assert kept.send(request()).reply().status == 200
        began = time.monotonic()
        assert silent.is_closed_within(60) and kept.is_closed_within(60)
        assert time.monotonic() - began < IDLE_SECONDS - 1
    assert "cut_off" not in daemon.log() and daemon.stop() == 0


def test_slow_senders_are_cut_off_and_disturb_nobody(start):
    """One byte every 400 ms, all kinds at once: a slow sender's idle time never reaches a limit."""
    daemon, _ = start()
    filler = b"X-Filler: " + b"x" * 1000

    def slow_head(before):
        with Wire(daemon) as wire:
            for _ in range(before):
                assert wire.send(request()).reply().status == 200
            return slowly(wire, b"GET /healthz HTTP/1.1\r\n" + filler)

    def slow_line():
        with Wire(daemon) as wire:
            return slowly(wire, b"GET /" + b"x" * 1000)

    def slow_body(head):
        with Wire(daemon) as wire:
            wire.send(head)
            return slowly(wire, b" " * 1000)

    def begun_and_left():
        with Wire(daemon) as wire:
            began = time.monotonic()
            wire.send(b"GET /heal")
            return time.monotonic() - began if wire.is_closed_within(40) else None

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        heads = [pool.submit(slow_head, 0), pool.submit(slow_head, 3), pool.submit(slow_line), pool.submit(begun_and_left)]
        bodies = [pool.submit(slow_body, request("POST", "/v1/games", None, "Content-Type: application/json", "Content-Length: 1000")),
                  pool.submit(slow_body, request("POST", "/nowhere", None, "Content-Length: 1000")),
                  pool.submit(slow_body, chunked("/v1/games", [])[:-5] + b"1000\r\n")]
        worst = 0
        while not all(task.done() for task in heads + bodies):
            began = time.monotonic()
            with Wire(daemon) as wire:
                assert wire.send(request("POST", "/v1/games", CREATE)).reply().status == 201
            worst = max(worst, time.monotonic() - began)
            time.sleep(0.2)
        assert worst < HEAD_SECONDS - 2  # nobody waited until they were cut off
        for task in heads:
            assert task.result() is not None and HEAD_SECONDS - 3 <= task.result(), [task.result() for task in heads]
        for task in bodies:
            assert task.result() is not None and BODY_SECONDS - 2 <= task.result(), [task.result() for task in bodies]
    assert daemon.log().count("event=cut_off") == 7


@pytest.mark.parametrize("data", [
    b"", b"G", b"GET / HT", b"GET / HTTP/1.1\r\nHost: a\r\n",
    request("POST", "/v1/games", CREATE)[:-3], chunked("/v1/games", [CREATE])[:-5], chunked("/v1/games", [CREATE])[:-9]])
@pytest.mark.parametrize("end", ["close", "half", "reset"])
def test_requests_that_are_cut_off_change_nothing(daemon, client, data, end):
    games = len(client.get("/v1/games?limit=100").value["games"])
    for _ in range(5):
        with Wire(daemon) as wire:
            wire.send(data)
            if end == "half":
                wire.socket.shutdown(socket.SHUT_WR)
                assert wire.is_closed_within(5) or data == b""
            elif end == "reset":
                wire.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
    assert len(client.get("/v1/games?limit=100").value["games"]) == games


def test_a_sender_that_leaves_while_its_call_is_in_the_lane(daemon, client):
    for _ in range(50):
        with Wire(daemon) as wire:
            wire.send(request("POST", "/v1/games", CREATE))
    assert client.get("/healthz").status_code == 200


# Many connections.

@pytest.mark.parametrize("count", [127, 128, 129, 256])
def test_many_connections_at_once(daemon, count):
    """128 and its multiples are where the library's own loop stalls."""
    wires = [Wire(daemon, timeout=20) for _ in range(count)]
    try:
        for data, status in ((request(), 200), (request("POST", "/v1/games", CREATE), 201), (request("GET", "/nowhere"), 404)) * 2:
            began = time.monotonic()
            for wire in wires:
                wire.send(data)
            assert {wire.reply().status for wire in wires} == {status}
            assert time.monotonic() - began < 10
    finally:
        for wire in wires:
            wire.socket.close()


@pytest.mark.parametrize("options", [("--connections", "20"), ("--connections-per-address", "20")])
def test_one_connection_too_many_is_told_so(start, options):
    daemon, _ = start("file.db", *options)
    wires = [Wire(daemon) for _ in range(20)]
    for wire in wires:
        assert wire.send(request()).reply().status == 200
    for method, path, body in (("GET", "/healthz", None), ("POST", "/v1/games", CREATE), ("HEAD", "/", None)):
        with Wire(daemon) as wire:
            reply = wire.send(request(method, path, body)).reply(method)
            assert reply.status == 503 and int(reply.getheader("Retry-After")) > 0 and reply.getheader("Connection") == "close"
            assert method == "HEAD" or code(reply) == "overloaded"
            assert wire.is_closed_within(5)
    # Far past it nothing is accepted at first, but whoever waits is told in the end.
    crowd = [Wire(daemon) for _ in range(200)]
    for wire in crowd:
        wire.send(request())
    assert {wire.reply().status for wire in crowd} == {503}
    for wire in crowd:
        wire.socket.close()
    # A place that becomes free is given again.
    wires.pop().socket.close()
    def status():
        with Wire(daemon) as wire:
            return wire.send(request()).reply().status

    assert eventually(lambda: (now := status()) != 503 and now) == 200
    for wire in wires:
        assert wire.send(request()).reply().status == 200


def test_silent_connections_past_the_limit_do_not_keep_others_out(start):
    daemon, _ = start("file.db", "--connections", "5")
    held = [Wire(daemon) for _ in range(5)]
    for wire in held:
        wire.send(request()).reply()
    silent = [Wire(daemon) for _ in range(100)]
    with Wire(daemon, timeout=15) as wire:
        assert wire.send(request()).reply().status == 503
    for wire in held:
        assert wire.send(request()).reply().status == 200
    for wire in held + silent:
        wire.socket.close()


def test_limits_that_the_system_does_not_allow(tmp_path):
    def few_files():
        resource.setrlimit(resource.RLIMIT_NOFILE, (400, 400))

    options = ("serve", "--database", tmp_path / "file.db", "--listen", "127.0.0.1:0", "--connections", "1000")
    result = run(*options, preexec_fn=few_files)
    assert result.returncode == 1 and result.stdout == ""
    assert "1000 connections" in result.stderr and "400" in result.stderr and "--connections" in result.stderr


def test_ipv6_in_brackets(tmp_path):
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("there is no IPv6 here")
    command = [BINARY, "serve", "--database", str(tmp_path / "file.db"), "--listen", "[::1]:0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            port = int(re.fullmatch(r"listening on http://\[::1\]:(\d+)\n", process.stdout.readline())[1])
            connection = http.client.HTTPConnection("::1", port, timeout=20)
            connection.request("GET", "/healthz")
            assert connection.getresponse().status == 200
            connection.close()
        finally:
            process.terminate()
        log = process.stderr.read()
        assert process.wait(timeout=20) == 0
    assert " address=[::1]:" in log


# Stopping.

def test_what_is_in_flight_is_answered(start):
    daemon, client = start("file.db", "--log-level", "debug")
    table = client.create()
    before = client.get(table.path).value
    half = [Wire(daemon) for _ in range(20)]
    for wire in half:
        wire.send(request("POST", "/v1/games", CREATE)[:-5])
    idle = [Wire(daemon) for _ in range(20)]
    for wire in idle:
        wire.send(request()).reply()
    time.sleep(0.3)
    ended = []
    stopper = threading.Thread(target=lambda: ended.append(daemon.stop()))
    stopper.start()
    with pytest.raises(ConnectionRefusedError):
        for _ in range(1000):
            Wire(daemon).socket.close()
            time.sleep(0.01)
    reply = idle.pop().send(request()).reply()
    assert reply.status == 503 and code(reply) == "stopping" and reply.getheader("Connection") == "close"
    created = []
    for wire in half:
        reply = wire.send(CREATE[-5:]).reply()
        assert reply.status == 201 and reply.getheader("Connection") == "close"
        created.append(json.loads(reply.content)["id"])
    stopper.join(timeout=20)
    assert ended == [0]
    for wire in idle:
        assert wire.is_closed_within(1)
    daemon, client = start("file.db")
    assert {client.get(f"/v1/games/{game}").status_code for game in created} == {200}
    assert client.get(table.path).value == before


def test_stopping_under_load_loses_no_acknowledged_game(start):
    daemon, _ = start()
    acknowledged, refused, lock = [], [], threading.Lock()

    def create_until_refused():
        try:
            with Wire(daemon) as wire:
                while True:
                    reply = wire.send(request("POST", "/v1/games", CREATE)).reply()
                    if reply.status != 201:
                        refused.append((reply.status, code(reply)))
                        return
                    with lock:
                        acknowledged.append(json.loads(reply.content)["id"])
                    if reply.getheader("Connection") == "close":
                        return
        except (OSError, http.client.HTTPException):
            return

    threads = [threading.Thread(target=create_until_refused) for _ in range(16)]
    for thread in threads:
        thread.start()
    time.sleep(1)
    assert daemon.stop() == 0
    for thread in threads:
        thread.join()
    assert acknowledged and set(refused) <= {(503, "stopping")}
    daemon, _ = start()
    with Plain(daemon) as plain:
        missing = [game for game in acknowledged if plain.call("GET", f"/v1/games/{game}")[0] != 200]
    assert not missing
    assert daemon.stop() == 0 and daemon.verify().returncode == 0


def test_a_body_that_never_comes_does_not_hold_the_end_for_long(start):
    daemon, _ = start()
    with Wire(daemon) as wire:
        wire.send(request("POST", "/v1/games", CREATE)[:-5])
        time.sleep(0.2)
        began = time.monotonic()
        assert daemon.stop() == 0
        assert time.monotonic() - began < 15


def test_a_second_signal_ends_at_once(start):
    daemon, _ = start()
    with Wire(daemon) as wire:
        wire.send(request("POST", "/v1/games", CREATE)[:-5])
        time.sleep(0.2)
        daemon.process.send_signal(signal.SIGTERM)
        time.sleep(0.3)
        began = time.monotonic()
        daemon.process.send_signal(signal.SIGTERM)
        daemon.process.wait(timeout=10)
        assert time.monotonic() - began < 4  # who still sends a body is given 5 seconds otherwise


# The cache: what is written is read.

def test_no_read_is_older_than_an_answer(daemon, client):
    """Whoever was told of a move sees it, on whatever connection, however often the game was read before."""
    moves = ["a1-b3", "a7-b5", "c1-d3", "c7-d5"]
    table = client.create()
    readers = [Wire(daemon) for _ in range(8)]
    for ply, move in enumerate(moves, start=1):
        for wire in readers * 3:
            reply = wire.send(request("GET", table.path)).reply()
            assert json.loads(reply.content)["ply"] == ply - 1
        assert table.play(move).status_code == 201
        for wire in readers:
            for path in (table.path, f"{table.path}/legal-moves"):
                reply = wire.send(request("GET", path)).reply()
                assert json.loads(reply.content)["ply"] == ply
    for wire in readers:
        wire.socket.close()


def test_request_ids_are_unique(start):
    daemon, client = start()
    for _ in range(50):
        client.get("/healthz")
    with Wire(daemon) as wire:
        for _ in range(50):
            wire.send(request()).reply()
    assert daemon.stop() == 0
    ids = re.findall(r"request_id=(\S+)", daemon.log())
    assert len(ids) == len(set(ids)) == 100
