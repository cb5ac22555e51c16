"""TLS: what is served by it is what is served without, and who shakes hands badly hurts nobody but himself."""

import concurrent.futures
import contextlib
import ctypes
import ctypes.util
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time

import pytest

import everything
import pki
from client import Client
from contract import check_reply
from daemon import BINARY, LONG, Daemon, run
from follower import NDJSON, SSE, Follower
from patience import eventually
from scrape import scrape
from test_listen import begin_with
from test_wire import ANALYSIS, CREATE, Wire, request, wait_for_log

HERE = pathlib.Path(__file__).resolve().parent
HANDSHAKE_SECONDS = 10  # LIMIT_HANDSHAKE_MS
SSL2_HELLO = b"\x80\x2e\x01\x00\x02" + b"\x00\x15\x00\x00\x00\x10" + b"\x07\x00\xc0" * 7 + b"x" * 16
CURL = "curl", "--silent", "--show-error", "--cacert"


@pytest.fixture
def begin(tmp_path, issued_tokens):
    """Starts daemons that speak TLS: begin("--option", …) -> (daemon, client)."""
    daemons = []

    def begin_one(*options):
        daemon = Daemon(tmp_path / f"{len(daemons)}.db", *options, tls=True)
        daemons.append(daemon)
        daemon.start()
        return daemon, Client(daemon, issued_tokens)

    yield begin_one
    for daemon in daemons:
        daemon.__exit__()


@pytest.fixture(scope="module")
def shared(tmp_path_factory, issued_tokens):
    """One for tests that leave it as it is, with a plain listener beside."""
    both = "--listen", "https://127.0.0.1:0,http://127.0.0.1:0"
    with Daemon(tmp_path_factory.mktemp("tls") / "tls.db", *both, tls=True) as daemon:
        yield daemon
        assert daemon.stop() == 0


def plain_port(daemon):
    said = daemon.database.with_name(f"{daemon.database.name}.1.out").read_text()
    return int(re.search(r"^listening on http://127\.0\.0\.1:(\d+)$", said, re.MULTILINE)[1])


def curl(daemon, path, *arguments):
    """(status, headers, body), the certificate verified by its name."""
    url = f"https://localhost:{daemon.port}{path}"
    made = subprocess.run([*CURL, str(pki.root()), "--ipv4", "--include", *arguments, url], capture_output=True, timeout=60)
    assert made.returncode == 0, made.stderr
    head, body = made.stdout.split(b"\r\n\r\n", 1)
    first, *lines = head.decode().split("\r\n")
    headers = [tuple(line.split(": ", 1)) for line in lines]
    method = arguments[arguments.index("--request") + 1] if "--request" in arguments else "POST" if "--data" in arguments else "GET"
    return int(first.split()[1]), check_reply(method, path, int(first.split()[1]), headers, body)


# ---- the same service ----

def test_a_game_by_curl(shared):
    body = json.dumps({"variant": "iuvo-2", "position": everything.LOST})
    typed = "--header", "Content-Type: application/json"
    status, game = curl(shared, "/v1/games", *typed, "--data", body)
    assert status == 201
    tokens = {seat["seat"]: seat["token"] for seat in game["seats"]}
    for move, seat in (("c5-e6", 1), ("f5-e7", 2), ("c6xe7", 1), ("d6-e4", 2), ("d5-c7", 1)):
        bearer = "--header", f"Authorization: Bearer {tokens[seat]}"
        status, played = curl(shared, f"/v1/games/{game['id']}/moves", *typed, *bearer, "--data", json.dumps({"move": move}))
        assert status == 201, played
    status, game = curl(shared, f"/v1/games/{game['id']}")
    assert (status, game["outcome"]) == (200, {"winner": 1, "reason": "target"})
    assert all(not str(link).startswith("http") for link in game["links"].values() if link)  # so nothing has the wrong scheme


def test_everything_by_requests(begin):
    daemon, client = begin()
    made = everything.make(client)
    assert made["four"].get().value["ply"] == 5
    client.close()
    assert daemon.stop() == 0 and daemon.verify().returncode == 0


def test_many_calls_on_one_connection(shared):
    with Wire(shared) as wire:
        assert (wire.socket.version(), wire.socket.selected_alpn_protocol()) == ("TLSv1.3", "http/1.1")
        for _ in range(20):
            assert wire.send(request()).reply().status == 200
        wire.send(request() * 50)
        stream = wire.socket.makefile("rb")
        for _ in range(50):
            assert stream.readline() == b"HTTP/1.1 200 OK\r\n"
            while stream.readline() != b"\r\n":
                pass
            assert stream.read(16) == b'{"status":"ok"}\n'


@pytest.mark.parametrize("data", [request(), request("POST", "/v1/analysis", ANALYSIS)])
def test_a_record_for_each_byte(shared, data):
    with Wire(shared) as wire:
        for byte in data:
            wire.send(bytes([byte]))
        assert wire.reply().status == 200


@pytest.mark.parametrize("media", [SSE, NDJSON])
def test_a_stream_tells_at_once(shared, issued_tokens, media):
    table = Client(shared, issued_tokens).create(position=everything.LOST)
    with Follower(shared, f"{table.path}/events", media) as stream:
        stream.take(2)
        for move in ("c5-e6", "f5-e7", "c6xe7", "d6-e4", "d5-c7"):
            before = len(stream.events)
            assert table.play(move).status_code == 201
            stream.take(before + 1)
        stream.finish()
    assert b'"winner":1' in stream.body


def test_an_answer_waits_for_news(shared, issued_tokens):
    table = Client(shared, issued_tokens).create()
    seq = table.get("/events").value["seq"]
    with Wire(shared) as wire:
        wire.send(request("GET", f"{table.path}/events?after={seq}", None, "Prefer: wait=30"))
        time.sleep(0.2)
        assert table.play("a1-b3").status_code == 201
        assert json.loads(wire.reply().content)["seq"] == seq + 1


def test_a_large_body_and_a_large_answer(shared, issued_tokens):
    client = Client(shared, issued_tokens)
    table = client.create("halma-2")
    everything.play(table, 30)
    record = table.get("/record").content
    padded = record[:1] + b" " * (512 * 1024 - len(record)) + record[1:]
    typed = {"Content-Type": "application/json"}
    assert client.post("/v1/records", data=padded, headers=typed).status_code == 201
    reply = client.post("/v1/records", data=padded + b" ", headers=typed)
    assert (reply.status_code, reply.value["code"]) == (413, "body-too-large")
    assert len(client.get("/openapi.json").content) > 100_000


def test_an_answer_of_which_little_is_taken_at_a_time(begin):
    """All that is on its way together is larger than what the sockets on it hold."""
    daemon, _ = begin()
    wire = Wire(daemon)
    wire.socket.close()
    wire.socket = daemon.connect(receive_buffer=4096)
    length = len(body_of(daemon, "/openapi.json"))
    wire.send(request(path="/openapi.json") * 10)
    time.sleep(1)
    got = 0
    while got < 10 * length:
        data = wire.socket.recv(5000)
        assert data
        got += len(data)
    assert wire.socket.recv(0) == b""
    wire.socket.close()


def body_of(daemon, path):
    """The body of an answer."""
    with Wire(daemon) as wire:
        return wire.send(request(path=path)).reply().content


# Tests of other files, without what in them knows no TLS: its own curl, its own browser, its own sockets.  A patience of 0.4 s
# with a slow reader is less than the server can tell here: it sees him take a record of 16 KiB at a time, or more.
OTHERS = {
    "test_abuse.py": "", "test_bodies.py": "", "test_fuzz.py": "", "test_games.py": "", "test_headers.py": "", "test_left.py": "", "test_moves.py": "",
    "test_retries.py": "", "../fault/test_storage.py": "allocation_of_a_session", "test_streams.py": "not page_of_the_readme and not curl and not requests_line and not slow_reader",
    "test_wire.py": "not takes_nothing and not half- and not too_many_is_told",
}


@pytest.mark.skipif(not LONG, reason="in the long form")
@pytest.mark.parametrize("name", OTHERS)
def test_what_others_test(name, tmp_path):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--basetemp={tmp_path}/others", "-k", OTHERS[name], str(HERE / name)]
    environment = {key: value for key, value in os.environ.items() if key != "IUVOD_LONG"}
    made = subprocess.run(command, env={**environment, "IUVOD_TLS": "1"}, capture_output=True, text=True, timeout=3600)
    assert made.returncode == 0, made.stdout[-5000:]


# ---- which TLS ----

def hello(port, **more):
    """Shakes hands, and tells what was agreed on."""
    context = pki.context()
    context.set_ciphers("ALL:@SECLEVEL=0")
    for name, value in more.items():
        setattr(context, name, value)
    with socket.create_connection(("127.0.0.1", port), timeout=30) as plain, context.wrap_socket(plain, server_hostname="localhost") as wrapped:
        return wrapped.version(), wrapped.cipher()[0]


def test_versions(shared):
    assert hello(shared.port)[0] == "TLSv1.3"
    version, cipher = hello(shared.port, maximum_version=ssl.TLSVersion.TLSv1_2)
    assert version == "TLSv1.2" and cipher.startswith("ECDHE-") and cipher.endswith(("GCM-SHA256", "GCM-SHA384", "POLY1305"))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1])
def test_old_versions_are_refused(shared, version):
    with pytest.raises(ssl.SSLError, match="alert|version"):
        hello(shared.port, minimum_version=ssl.TLSVersion.TLSv1, maximum_version=version)


@pytest.mark.parametrize("cipher", ["AES256-GCM-SHA384", "ECDHE-ECDSA-AES256-SHA384", "AES128-SHA"])
def test_ciphers_without_forward_secrecy_or_authentication_are_refused(shared, cipher):
    context = pki.context()
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    context.set_ciphers(f"{cipher}:@SECLEVEL=0")
    with socket.create_connection(("127.0.0.1", shared.port), timeout=30) as plain, pytest.raises(ssl.SSLError):
        context.wrap_socket(plain, server_hostname="localhost")


@pytest.mark.parametrize("version", ["-tls1_2", "-tls1_3"])
@pytest.mark.parametrize("most", ["512", "4096"])
def test_short_records_for_who_asks_for_them(shared, version, most):
    command = ["openssl", "s_client", "-quiet", "-connect", f"127.0.0.1:{shared.port}", version, "-maxfraglen", most, "-CAfile", pki.root()]
    told = subprocess.run(command, input=request("GET", "/openapi.json", None, "Connection: close"), capture_output=True, timeout=60)
    head, body = told.stdout.split(b"\r\n\r\n", 1)
    assert head.startswith(b"HTTP/1.1 200 OK") and body == body_of(shared, "/openapi.json"), told.stderr[-500:]


def test_another_protocol_is_refused(shared):
    context = pki.context()
    context.set_alpn_protocols(["h2", "smtp"])
    with socket.create_connection(("127.0.0.1", shared.port), timeout=30) as plain, pytest.raises(ssl.SSLError, match="(?i)protocol"):
        context.wrap_socket(plain, server_hostname="localhost")


def test_no_session_outlives_its_connection(shared):
    with Wire(shared) as wire:
        wire.send(request()).reply()
        session = wire.socket.session
        assert not session.has_ticket


# ---- who does not speak it ----

def exchange(port, data):
    """All that comes back for the bytes, until it ends; a reset is an error."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.sendall(data)
        got = b""
        while data := connection.recv(65536):
            got += data
        return got


@pytest.mark.parametrize("data", [request(), b"\0" * 100, b"\x16\x03\x01\xff\xff" + b"x" * 70000, b"SSH-2.0-x\r\n", SSL2_HELLO])
def test_what_is_no_tls_is_closed(shared, data):
    count = shared.log().count("event=handshake_failed")
    assert not exchange(shared.port, data).startswith(b"HTTP")
    wait_for_log(shared, "event=handshake_failed", count + 1)
    assert hello(shared.port)[0] == "TLSv1.3"


def test_tls_where_there_is_none(shared):
    with socket.create_connection(("127.0.0.1", plain_port(shared)), timeout=30) as plain, pytest.raises((ssl.SSLError, OSError)):
        pki.context().wrap_socket(plain, server_hostname="localhost")
    assert b"200 OK" in exchange(plain_port(shared), request("GET", "/healthz", None, "Connection: close"))


def test_handshakes_that_stall_have_an_end_and_disturb_nobody(begin):
    """A thousand: nothing said, or half a hello, or all of it and nothing after, or half of one as it was thirty years ago."""
    daemon, client = begin("--connections", "2000", "--connections-per-address", "2000")
    outgoing = ssl.MemoryBIO()
    with contextlib.suppress(ssl.SSLWantReadError):
        pki.context().wrap_bio(ssl.MemoryBIO(), outgoing, server_hostname="localhost").do_handshake()
    whole = outgoing.read()
    stalled = []
    for i in range(1000):
        stalled.append(socket.create_connection(("127.0.0.1", daemon.port), timeout=60))
        stalled[-1].sendall((b"", whole[:len(whole) // 2], whole, SSL2_HELLO[:5])[i % 4])
    since = time.monotonic()
    table = client.create()
    assert table.play("a1-b3").status_code == 201
    for _ in range(20):
        assert body_of(daemon, "/healthz") == b'{"status":"ok"}\n'
    assert all(not is_over(connection) for connection in stalled) or time.monotonic() - since > HANDSHAKE_SECONDS - 2
    for connection in stalled:
        while connection.recv(65536):
            pass
        connection.close()
    assert HANDSHAKE_SECONDS - 2 < time.monotonic() - since < HANDSHAKE_SECONDS + 20
    eventually(lambda: daemon.log().count("event=handshake_failed") >= 1000, told=daemon.log)
    assert daemon.log().count("event=handshake_failed") == 1000 == daemon.log().count('reason="it took too long"')
    assert client.get("/healthz").status_code == 200
    assert daemon.stop() == 0


def is_over(connection):
    connection.setblocking(False)
    try:
        return connection.recv(1, socket.MSG_PEEK) == b""
    except BlockingIOError:
        return False
    finally:
        connection.settimeout(60)


# ---- limits ----

def test_connections_of_an_address_are_counted(begin):
    daemon, client = begin("--connections-per-address", "5")
    held = [Wire(daemon).send(request()) for _ in range(5)]
    assert {wire.reply().status for wire in held} == {200}
    with Wire(daemon) as wire:
        reply = wire.send(request()).reply()
        assert reply.status == 503 and json.loads(reply.content)["code"] == "overloaded"
    for wire in held:
        wire.socket.close()
    deadline = time.monotonic() + 30
    while client.get("/healthz").status_code != 200:
        assert time.monotonic() < deadline
    client.close()
    assert daemon.stop() == 0


def test_the_address_is_the_clients(begin):
    daemon, client = begin("--limit-loopback", "--games-per-minute", "2")
    assert [client.post("/v1/games", json={"variant": "iuvo-2"}).status_code for _ in range(3)] == [201, 201, 429]
    client.close()
    daemon.stop()
    assert re.search(r"status=429 .*address=127\.0\.0\.1:\d+", daemon.log())


def test_a_head_that_never_ends_is_cut_off(shared):
    """The first on its connection and a later one; also where bytes come all the time, of which the kernel cannot tell that they are of a request."""
    def send(before):
        with Wire(shared) as wire:
            for _ in range(before):
                assert wire.send(request()).reply().status == 200
            began = time.monotonic()
            with contextlib.suppress(OSError, ssl.SSLError):
                for byte in b"GET /" + b"x" * 1000:
                    wire.send(bytes([byte]))
                    if wire.is_closed_within(0.25):
                        break
                else:
                    pytest.fail("never cut off")
            return time.monotonic() - began

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        assert min(pool.map(send, (0, 1))) > 8
    wait_for_log(shared, "event=cut_off phase=head", 2)


def test_descriptors_are_counted_three_times(tmp_path):
    ulimit = "ulimit -n 4000; exec \"$@\""
    for listen, fine in (("127.0.0.1:0", True), ("https://127.0.0.1:0", False)):
        options = ["--database", tmp_path / "x.db", "--listen", listen, "--connections", "1000", "--streams", "2000"]
        if not fine:
            said = subprocess.run(["sh", "-c", ulimit, "sh", BINARY, "serve", *options, *pki.server().options()], capture_output=True, text=True, timeout=60)
            assert said.returncode == 1
            assert re.search(r"1000 connections and 2000 streams need 9\d\d\d open files, three each with TLS, but only 4000 are allowed", said.stderr)
            continue
        process = subprocess.Popen(["sh", "-c", ulimit, "sh", BINARY, "serve", *options], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert process.stdout.readline().startswith("listening on http://")
        process.terminate()
        assert process.wait(timeout=60) == 0
        process.stdout.close()


# ---- ends ----

def test_the_end_is_told(shared):
    """With close_notify, without which an answer could be cut short by anybody."""
    with Wire(shared) as wire:
        wire.socket.suppress_ragged_eofs = False
        assert wire.send(request("GET", "/healthz", None, "Connection: close")).reply().status == 200
        assert wire.socket.recv(1) == b""  # SSLEOFError, were it not told


def test_a_client_that_has_sent_all_is_answered(shared):
    """It has closed its side: by close_notify, and by TCP."""
    context = pki.context()
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    session = context.wrap_bio(incoming, outgoing, server_hostname="localhost")
    with socket.create_connection(("127.0.0.1", shared.port), timeout=30) as wire:
        while True:
            try:
                session.do_handshake()
                break
            except ssl.SSLWantReadError:
                wire.sendall(outgoing.read())
                incoming.write(wire.recv(65536))
        session.write(request("POST", "/v1/games", CREATE))
        with contextlib.suppress(ssl.SSLWantReadError):
            session.unwrap()
        wire.sendall(outgoing.read())
        wire.shutdown(socket.SHUT_WR)
        raw = b""
        while data := wire.recv(65536):
            raw += data
    assert len(raw) > 1000  # a game; after its own close_notify this client does not decrypt any more


@pytest.mark.parametrize("method, target, body", [("GET", "/version", None), ("GET", "/openapi.json", None), ("GET", "/v1/games", None), ("POST", "/v1/games", CREATE)])
def test_a_client_that_just_ends_is_answered(shared, method, target, body):
    """By TCP alone, as many do; what it reads is whole, and ends with close_notify."""
    with Wire(shared) as wire:
        wire.socket.suppress_ragged_eofs = False
        wire.send(request(method, target, body, "Connection: close"))
        socket.socket.shutdown(wire.socket, socket.SHUT_WR)
        assert wire.reply().status in (200, 201)
        assert wire.socket.recv(1) == b""


def ask_for_keys(wire):
    """A KeyUpdate that asks for one (RFC 8446, 4.6.3), for which Python has no name: by the OpenSSL that it is linked to."""
    openssl = ctypes.CDLL(ctypes.util.find_library("ssl"))
    session = ctypes.c_void_p(ctypes.c_void_p.from_address(id(wire._sslobj) + object.__basicsize__ + ctypes.sizeof(ctypes.c_void_p)).value)
    openssl.SSL_version.argtypes = openssl.SSL_do_handshake.argtypes = [ctypes.c_void_p]
    openssl.SSL_key_update.argtypes = [ctypes.c_void_p, ctypes.c_int]
    assert wire.version() == "TLSv1.3" and openssl.SSL_version(session) == 0x0304
    assert openssl.SSL_key_update(session, 1) == 1 and openssl.SSL_do_handshake(session) == 1


@pytest.mark.parametrize("waiting", [False, True])
def test_new_keys_may_be_asked_for(shared, waiting):
    """Also while the wire is full, and GnuTLS in the middle of a record."""
    with Wire(shared) as wire:
        for last in (False, True):
            wire.send(request("GET", "/openapi.json", None, "Connection: close" if last else "Accept: */*"))
            if waiting:
                time.sleep(0.5)
            ask_for_keys(wire.socket)
            assert wire.reply().status == 200


class Bare:
    """A session by TLS whose records are put on the wire by the test."""

    def __init__(self, daemon, **more):
        context = pki.context()
        for name, value in more.items():
            setattr(context, name, value)
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.session = context.wrap_bio(self.incoming, self.outgoing, server_hostname="localhost")
        self.wire = socket.create_connection(("127.0.0.1", daemon.port), timeout=30)
        while True:
            try:
                self.session.do_handshake()
                break
            except ssl.SSLWantReadError:
                self.wire.sendall(self.outgoing.read())
                self.incoming.write(self.wire.recv(65536))
        self.wire.sendall(self.outgoing.read())

    def put(self, data):
        self.wire.sendall(data)
        return self

    def heard(self):
        """The alert that comes, in the words of OpenSSL; None: the wire ends without one, or is reset."""
        while True:
            try:
                self.session.read()
            except ssl.SSLWantReadError:
                with contextlib.suppress(ConnectionResetError):
                    if data := self.wire.recv(65536):
                        self.incoming.write(data)
                        continue
                return None
            except ssl.SSLError as error:
                return error.reason


TLS12 = {"maximum_version": ssl.TLSVersion.TLSv1_2}


@pytest.mark.parametrize("more", [{}, TLS12], ids=["1.3", "1.2"])
@pytest.mark.parametrize("record, alert", [(b"\x17\x03\x03\x00\x40" + b"x" * 64, "BAD_RECORD_MAC"), (b"\x17\x03\x03\xff\xff" + b"x" * 100, "RECORD_OVERFLOW")])
def test_a_record_that_is_none_is_told_by_an_alert(shared, more, record, alert):
    bare = Bare(shared, **more)
    assert alert in bare.put(record).heard()
    bare.wire.close()


def test_an_alert_comes_also_beside_requests(shared):
    """What the server has not read yet would reset the connection, and the alert with it."""
    bare = Bare(shared)
    bare.session.write(request())
    assert "BAD_RECORD_MAC" in bare.put(bare.outgoing.read() + b"\x17\x03\x03\x00\x40" + b"x" * 64 + b"y" * 50_000).heard()
    bare.wire.close()


def test_no_second_handshake(shared):
    """Which TLS 1.2 has, and nobody needs."""
    command = ["openssl", "s_client", "-connect", f"127.0.0.1:{shared.port}", "-tls1_2", "-CAfile", str(pki.root())]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as client:
        told = ""
        while "Verify return code: 0" not in told:
            told += client.stdout.readline()
        client.stdin.write("R\n")
        client.stdin.flush()
        told, _ = client.communicate(timeout=30)
    assert "no renegotiation" in told


def test_the_metrics_count_handshakes(begin):
    daemon, client = begin("--admin-listen", "0")

    def told(name, **labels):
        return scrape(daemon, client).get(f"iuvod_tls_{name}", **labels)

    def soon(look):
        deadline = time.monotonic() + 30
        while not look():
            assert time.monotonic() < deadline, scrape(daemon, client).text
            time.sleep(0.02)

    assert told("handshakes_total") == 0 == told("connections")
    assert hello(daemon.port)[0] == "TLSv1.3"
    for _ in range(2):
        hello(daemon.port, maximum_version=ssl.TLSVersion.TLSv1_2)
    assert not exchange(daemon.port, b"GET / HTTP/1.1\r\n\r\n").startswith(b"HTTP")
    socket.create_connection(("127.0.0.1", daemon.port)).close()
    strange = ssl.create_default_context()
    strange.maximum_version = ssl.TLSVersion.TLSv1_2  # with 1.3 OpenSSL says it before it has the keys by which GnuTLS would read it
    with socket.create_connection(("127.0.0.1", daemon.port), timeout=30) as plain, pytest.raises(ssl.SSLError, match="(?i)verify"):
        strange.wrap_socket(plain, server_hostname="localhost")
    soon(lambda: told("handshakes_total") == 6 and told("connections") == 0)
    counted = {tuple(dict(labels).values()): value for (name, labels), value in scrape(daemon, client).values.items() if name == "iuvod_tls_handshakes_total"}
    assert counted == {("done", "1.3"): 1, ("done", "1.2"): 2, ("refused", "none"): 1, ("left", "none"): 2, ("late", "none"): 0, ("dropped", "none"): 0}
    with socket.create_connection(("127.0.0.1", daemon.port)), Wire(daemon) as wire:
        wire.send(request()).reply()
        soon(lambda: (told("connections", state="open"), told("connections", state="handshake")) == (1, 1))
    soon(lambda: told("connections") == 0)


def test_a_refused_upload_is_told_why(shared):
    with Wire(shared) as wire:
        wire.send(request("POST", "/v1/games", b"x" * 300_000))
        assert wire.reply().status == 413


def descriptors(daemon):
    return len(os.listdir(f"/proc/{daemon.process.pid}/fd"))


def test_clients_that_vanish_leave_nothing(begin):
    daemon, client = begin("--heartbeat-ms", "1000")  # at which it is seen that nobody reads a stream any more
    table = client.create()
    client.get("/healthz")
    before = descriptors(daemon)
    for i in range(60):
        with contextlib.suppress(OSError):
            wire = Wire(daemon)
            wire.send((request(), request()[:-5], request("GET", f"{table.path}/events", None, "Accept: text/event-stream"),
                       request("GET", f"{table.path}/events?after=99", None, "Prefer: wait=50"))[i % 4])
            if i % 3 == 0:
                wire.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # by RST
            wire.socket.close()
    deadline = time.monotonic() + 60
    while descriptors(daemon) > before + 3:
        assert time.monotonic() < deadline, (before, descriptors(daemon))
        time.sleep(0.1)
    client.close()
    assert daemon.stop() == 0


def test_those_who_never_let_go_are_let_go(begin):
    """Closed by the server, and neither read nor closed by the client: 256 have time, and then the oldest go."""
    daemon, client = begin()
    client.get("/healthz")
    client.close()
    before = descriptors(daemon)
    held = []
    for _ in range(400):
        held.append(Wire(daemon))
        held[-1].send(request("GET", "/healthz", None, "Connection: close"))
    deadline = time.monotonic() + 30
    while descriptors(daemon) > before + 3:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    for wire in held:
        wire.socket.close()
    assert daemon.stop() == 0


def test_the_end_of_the_service(begin):
    """Idle, in a handshake, and in a stream, which gets its goodbye: none has the time that it has otherwise, and each a word of TLS."""
    daemon, client = begin()
    table = client.create()
    idle, stream = Wire(daemon), Follower(daemon, f"{table.path}/events")
    idle.send(request()).reply()
    idle.socket.suppress_ragged_eofs = False
    shaking = socket.create_connection(("127.0.0.1", daemon.port), timeout=30)
    stream.take(1)
    began = time.monotonic()
    assert daemon.stop() == 0
    assert time.monotonic() - began < HANDSHAKE_SECONDS - 2
    assert idle.socket.recv(1) == b"" and shaking.recv(1) == b""
    assert stream.finish() and b"goodbye" in stream.body
    for connection in (idle.socket, shaking):
        connection.close()


def test_what_is_on_its_way_at_the_end_arrives(begin):
    daemon, _ = begin()
    length = len(body_of(daemon, "/openapi.json"))
    wires = [Wire(daemon) for _ in range(4)]
    for wire in wires:
        wire.send(request(path="/openapi.json"))
        assert wire.socket.recv(1) == b"H"
    daemon.process.send_signal(signal.SIGTERM)
    for wire in wires:
        raw = b""
        while len(raw.partition(b"\r\n\r\n")[2]) < length:
            data = wire.socket.recv(65536)
            assert data, len(raw)
            raw += data
    assert daemon.process.wait(timeout=60) == 0
    for wire in wires:
        wire.socket.close()


# ---- another certificate ----

def serial(wire):
    return wire.socket.getpeercert()["serialNumber"]


@pytest.fixture
def reloading(begin, tmp_path):
    """A daemon on files that may be written over."""
    shown = pki.Server(tmp_path, "first")
    daemon, _ = begin(*shown.options(), "--admin-listen", "0")
    return daemon, shown


def replace(shown, other):
    for path, by in ((shown.chain, other.chain), (shown.key, other.key)):
        os.replace(shutil.copy(by, path.with_suffix(".new")), path)


def reload(daemon, word):
    count = daemon.log().count(word)
    daemon.process.send_signal(signal.SIGHUP)
    wait_for_log(daemon, word, count + 1)


def test_a_reload_is_for_those_who_come_after(reloading, tmp_path):
    daemon, shown = reloading
    with Wire(daemon) as old:
        first = serial(old)
        replace(shown, pki.Server(tmp_path, "second", key=("-newkey", "rsa:2048")))
        with Wire(daemon) as between:
            assert serial(between) == first
        reload(daemon, "event=certificate ")
        with Wire(daemon) as new:
            assert serial(new) != first
            assert new.send(request()).reply().status == 200
        assert old.send(request()).reply().status == 200
    assert daemon.stop() == 0


def test_the_metrics_tell_when_it_ends(reloading, tmp_path, issued_tokens):
    daemon, shown = reloading
    with Client(daemon, issued_tokens) as client:
        for days in (1, 5):
            replace(shown, pki.Server(tmp_path, f"of {days}", days=days))
            reload(daemon, "event=certificate ")
            with Wire(daemon) as wire:
                ends = ssl.cert_time_to_seconds(wire.socket.getpeercert()["notAfter"])
            assert scrape(daemon, client).get("iuvod_certificate_end_seconds") == ends
            assert abs(ends - time.time() - days * 86400) < 600
    assert daemon.stop() == 0


@pytest.mark.parametrize("damage, said", [
    (lambda shown: shown.key.unlink(), "--tls-key: No such file or directory"),
    (lambda shown: shown.chain.write_text("-----BEGIN CERTIFICATE-----\nMII\n"), "--tls-certificate: must be certificates in PEM"),
    (lambda shown: shown.chain.write_text(pki.server().chain.read_text()), "--tls-key: must be the key of the first certificate"),
    (lambda shown: shown.key.chmod(0o644), "--tls-key: must not be for everybody, and its mode is 644"),
])
def test_a_reload_of_what_is_broken_changes_nothing(reloading, tmp_path, damage, said):
    daemon, shown = reloading
    with Wire(daemon) as old:
        first = serial(old)
    kept = pki.Server(tmp_path, "kept")
    damage(shown)
    reload(daemon, "level=error event=reload_failed")
    assert said in daemon.log()
    with Wire(daemon) as new:
        assert serial(new) == first and new.send(request()).reply().status == 200
    replace(shown, kept)
    shown.key.chmod(0o600)
    reload(daemon, "event=certificate ")
    with Wire(daemon) as new:
        assert serial(new) != first
    assert daemon.stop() == 0


def test_reloads_while_many_come(reloading, tmp_path):
    daemon, shown = reloading
    others = [pki.Server(tmp_path, name) for name in ("one", "two")]
    for i in range(20):
        replace(shown, others[i % 2])
        daemon.process.send_signal(signal.SIGHUP)
        for _ in range(5):
            with Wire(daemon) as wire:
                assert wire.send(request()).reply().status == 200
    assert daemon.stop() == 0 and "reload_failed" not in daemon.log()


def test_one_that_is_no_longer_valid_is_told(begin, tmp_path):
    shown = pki.Server(tmp_path, "late", days=0)
    time.sleep(1)
    daemon, _ = begin(*shown.options())
    assert re.search(r"level=warn event=certificate_not_valid name=\"CN=late\" until=20", daemon.log())
    assert daemon.stop() == 0


# ---- options ----

def refused(tmp_path, *options):
    said = run("serve", "--database", tmp_path / "x.db", *options)
    assert said.returncode == 2 and said.stdout == "" and not (tmp_path / "x.db").exists()
    return said.stderr.splitlines()[0]


HTTPS = "--listen", "https://127.0.0.1:0"


def test_options_that_do_not_fit(tmp_path):
    chain, key = pki.server().chain, pki.server().key
    given = "--tls-certificate", chain, "--tls-key", key
    assert refused(tmp_path, *HTTPS) == "iuvod: --listen 'https://127.0.0.1:0': https:// needs --tls-certificate and --tls-key"
    assert refused(tmp_path, *HTTPS, *given[:2]) == f"iuvod: --tls-certificate '{chain}': needs --tls-key, too"
    assert refused(tmp_path, *HTTPS, *given[2:]) == f"iuvod: --tls-key '{key}': needs --tls-certificate, too"
    assert refused(tmp_path, "--listen", "127.0.0.1:0", *given) == \
        "iuvod: --listen '127.0.0.1:0': must have an address as https://0.0.0.0:443, since --tls-certificate is given"
    assert refused(tmp_path, "--listen", f"https://unix:{tmp_path}/s", *given) == \
        f"iuvod: --listen 'https://unix:{tmp_path}/s': a Unix-domain socket has no scheme before unix:, and no TLS"


def test_files_that_do_not_fit(tmp_path):
    other, mine = pki.Server(tmp_path, "other"), pki.server()

    def wrong(chain, key):
        return refused(tmp_path, *HTTPS, "--tls-certificate", chain, "--tls-key", key).removeprefix("iuvod: ")

    assert wrong(mine.chain, other.key) == f"--tls-key '{other.key}': must be the key of the first certificate, and is another's"
    assert wrong(tmp_path / "no", mine.key) == f"--tls-certificate '{tmp_path}/no': No such file or directory"
    assert wrong(mine.chain, tmp_path / "no") == f"--tls-key '{tmp_path}/no': No such file or directory"
    assert wrong(tmp_path, mine.key) == f"--tls-certificate '{tmp_path}': must be a file"
    assert wrong(mine.key, mine.key).startswith(f"--tls-certificate '{mine.key}': must be certificates in PEM, the server's first")
    long = tmp_path / "long"
    long.write_text(" " * (256 * 1024 + 1))
    assert wrong(long, mine.key) == f"--tls-certificate '{long}': has more than 262144 bytes"
    long.write_text((other.stem.with_suffix(".pem")).read_text() * 17)
    assert wrong(long, mine.key) == f"--tls-certificate '{long}': has more certificates than a chain may have, 16"
    long.write_text(mine.chain.read_text() + (other.stem.with_suffix(".pem")).read_text() * 15)
    assert wrong(long, mine.key) == f"--tls-certificate '{long}': has more certificates than a chain may have, 16"
    long.write_text("-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----\n" * 16)
    assert wrong(long, mine.key).startswith(f"--tls-certificate '{long}': must be certificates in PEM")
    os.mkfifo(tmp_path / "pipe", 0o600)
    assert wrong(mine.chain, tmp_path / "pipe") == f"--tls-key '{tmp_path}/pipe': must be a file"
    other.key.chmod(0o644)
    assert wrong(other.chain, other.key) == \
        f"--tls-key '{other.key}': must not be for everybody, and its mode is 644: chmod 600, or 640 with a group"
    locked = tmp_path / "locked.key"
    pki.openssl("ec", "-in", mine.key, "-aes256", "-passout", "pass:secret", "-out", locked)
    locked.chmod(0o600)
    assert wrong(mine.chain, locked).startswith(f"--tls-key '{locked}': must be a key in PEM, not encrypted")
    assert wrong(mine.chain, mine.chain).startswith(f"--tls-key '{mine.chain}': must ")


def test_the_environment_names_what_is_wrong(tmp_path):
    other = pki.Server(tmp_path, "other")
    said = run("serve", "--database", tmp_path / "x.db", *HTTPS, "--tls-certificate", pki.server().chain,
               env={**os.environ, "IUVOD_TLS_KEY": str(other.key)})
    assert said.stderr.startswith(f"iuvod: IUVOD_TLS_KEY '{other.key}': must be the key of the first certificate")


# ---- sockets that are handed over ----

def handed_over(tmp_path, sockets, names, *options):
    return begin_with(tmp_path, sockets, "--streams", "1000", *options, LISTEN_FDNAMES=":".join(names))


def test_a_socket_that_is_handed_over_is_named_https(tmp_path):
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(2)]
        ports = [each.getsockname()[1] for each in sockets]
        process = handed_over(tmp_path, sockets, ["iuvod.socket", "https"], *pki.server().options())
        try:
            said = [process.stdout.readline().strip() for _ in range(2)]
            assert said == [f"listening on http://127.0.0.1:{ports[0]}", f"listening on https://127.0.0.1:{ports[1]}"]
            assert hello(ports[1])[0] == "TLSv1.3" and b"200 OK" in exchange(ports[0], request("GET", "/healthz", None, "Connection: close"))
            process.terminate()
            assert process.wait(timeout=60) == 0
        finally:
            process.kill()
            process.communicate()


@pytest.mark.parametrize("name, options, said", [
    ("https", (), "is named https, which needs --tls-certificate and --tls-key"),
    ("other", True, "--tls-certificate is given, but no socket that is handed over is named https")])
def test_names_that_do_not_fit(tmp_path, name, options, said):
    with socket.create_server(("127.0.0.1", 0)) as listening:
        process = handed_over(tmp_path, [listening], [name], *(pki.server().options() if options else ()))
        assert said in process.communicate(timeout=60)[1] and process.returncode == 1


# ---- secrets ----

def test_the_log_has_no_key(shared):
    """Tokens are searched for in all that it has left by the fixture."""
    shown = pki.server()
    key = "".join(shown.key.read_text().splitlines()[1:-1])
    log = shared.log()
    assert log and not any(key[at:at + 20] in log for at in range(0, len(key) - 20, 4))
