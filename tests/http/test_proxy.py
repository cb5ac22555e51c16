"""Behind a proxy: the base path, whom to believe about the client, and the nginx of packaging/nginx.conf."""

import concurrent.futures
import contextlib
import os
import re
import shutil
import socket
import subprocess

import pytest
import requests

from client import problem
from contract import SOURCE, contract
from daemon import run
from patience import eventually

NGINX = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin:/sbin")


def links_of(value):
    """Every path that a document names."""
    if isinstance(value, dict):
        for key, child in value.items():
            if key == "type" and str(child).startswith("/") or key == "next" and child:
                yield child
            yield from links_of(child)
    elif isinstance(value, list):
        for child in value:
            yield from links_of(child)
    elif isinstance(value, str) and re.match(r"/(?:iuvod/)?(?:v1|problems|healthz|version)\b", value):
        yield value


# ---- the base path ----

def test_every_address_begins_with_the_base_path(start):
    daemon, _ = start("based.db", "--base-path", "/games/iuvod")
    root = f"{daemon.url}/games/iuvod"
    made = requests.post(f"{root}/v1/games", json={"variant": "iuvo-2", "seats": [{}, {"open": True}]}, timeout=60)
    player = requests.post(f"{root}/v1/players", json={"name": "Ada"}, timeout=60)
    bearer = {"Authorization": f"Bearer {player.json()['token']}"}
    for _ in range(2):
        requests.post(f"{root}/v1/games", json={"variant": "halma-2"}, headers=bearer, timeout=60)
    own, seat = made.json()["links"]["self"], made.json()["seats"][0]["token"]
    assert made.headers["Location"] == own and own.startswith("/games/iuvod/v1/games/")
    answers = [made, player, requests.get(f"{daemon.url}{own}", timeout=60)]
    answers += [requests.get(f"{root}{path}", headers=bearer, timeout=60) for path in (
        "/", "/problems", "/problems/no-such-path", "/v1/variants", "/v1/games?limit=1", "/v1/me", "/v1/me/games", "/v1/me/games?limit=1", "/nowhere", "/v1/games/x")]
    answers.append(requests.get(f"{daemon.url}{own}/moves", headers={"Authorization": f"Bearer {seat}"}, timeout=60))
    found = set()
    for answer in answers:
        for value in [*links_of(answer.json()), *re.findall("<([^>]+)>", answer.headers.get("Link", "")), *filter(None, [answer.headers.get("Location")])]:
            assert value.startswith("/games/iuvod/"), (answer.url, value)
            found.add(value)
    assert len(found) > 80
    for link in sorted(found)[::7]:
        assert requests.get(daemon.url + link, headers=bearer, timeout=60).status_code != 404 or "/seats/" in link, link


def test_beside_the_base_path_there_is_nothing(start):
    daemon, _ = start("based.db", "--base-path", "/iuvod")
    for path in ("/", "/healthz", "/v1/games", "/iuvod", "/iuvodx/healthz", "/iuvo/healthz", "/iuvod//healthz", "/iuvod/iuvod/healthz", "/IUVOD/healthz"):
        answer = requests.get(daemon.url + path, timeout=60)
        assert (answer.status_code, answer.json()["type"]) == (404, "/iuvod/problems/no-such-path"), path
    assert requests.get(f"{daemon.url}/iuvod/healthz", timeout=60).status_code == 200
    assert requests.get(f"{daemon.url}/iuvod/", timeout=60).json()["links"]["self"] == "/iuvod/"


def test_the_contract_names_the_base_path(start):
    daemon, _ = start("based.db", "--base-path", "/iuvod")
    served = requests.get(f"{daemon.url}/iuvod/openapi.json", timeout=60).json()
    assert served == {**contract.raw, "servers": [{"url": "/iuvod"}]}


@pytest.mark.parametrize("path", ["iuvod", "/", "/iuvod/", "//iuvod", "/a//b", "/a/../b", "/.", "/a b", "/a%20b", "/é", "/a?b", "/a/b/c/d/e", "/" + "a" * 64])
def test_what_is_no_base_path(tmp_path, path):
    result = run("serve", "--database", tmp_path / "x.db", "--listen", "127.0.0.1:0", "--base-path", path)
    assert result.returncode == 2 and result.stderr.startswith(f"iuvod: --base-path '{path}': must be as /iuvod")
    assert list(tmp_path.iterdir()) == []


# ---- who asks ----

def made(client, **headers):
    """How a client stands after making a game: how many more he may make; None if he is not counted; 0 if refused."""
    reply = client.post("/v1/games", json={"variant": "iuvo-2"}, headers={name.replace("_", "-"): value for name, value in headers.items()})
    assert reply.status_code in (201, 429)
    state = reply.headers.get("RateLimit")
    return None if state is None else int(re.search("r=([0-9]+)", state)[1])


def test_clients_of_a_trusted_proxy_are_counted_apart(start):
    daemon, client = start("game.db", "--games-per-minute", "3", "--trusted-proxies", "127.0.0.1,10.0.0.0/8")
    assert made(client, X_Forwarded_For="192.0.2.1") == 2
    assert made(client, X_Forwarded_For="192.0.2.2") == 2
    assert made(client, X_Forwarded_For="192.0.2.2, 192.0.2.1, 10.1.2.3") == 1
    assert made(client, X_Forwarded_For="2001:db8::1") == 2
    assert made(client, X_Forwarded_For="2001:db8::2") == 1, "a network of 64 bits is one client"
    assert made(client, X_Forwarded_For="192.0.2.1", Forwarded="for=192.0.2.99") == 0, "the other header is not looked at"
    problem(client.post("/v1/games", json={"variant": "iuvo-2"}, headers={"X-Forwarded-For": "192.0.2.1"}), 429, "too-many-requests")
    assert made(client) is None, "this machine itself"
    daemon.stop()
    log = daemon.log()
    assert len(re.findall(r"address=192\.0\.2\.1 via=127\.0\.0\.1:\d+\n", log)) == 4
    assert re.search(r"address=127\.0\.0\.1:\d+\n", log)


def test_rubbish_is_the_proxy_itself_and_counted(start):
    _, client = start("game.db", "--games-per-minute", "3", "--trusted-proxies", "127.0.0.1")
    assert [made(client, X_Forwarded_For=text) for text in ("rubbish", "", "192.0.2.1, unknown")] == [2, 1, 0]


def test_the_header_of_the_standard(start):
    _, client = start("game.db", "--games-per-minute", "3", "--trusted-proxies", "127.0.0.1", "--proxy-header", "forwarded")
    assert made(client, Forwarded='for="[2001:db8::1]:4711";proto=https') == 2
    assert made(client, Forwarded='for=192.0.2.1, for="[2001:db8::1]"', X_Forwarded_For="192.0.2.9") == 1
    assert made(client, Forwarded='for="192.0.2.1') == 2, "the proxy"


def test_nobody_is_trusted_unless_told(start):
    _, client = start("game.db", "--games-per-minute", "3")
    assert made(client, X_Forwarded_For="192.0.2.1") == 2, "of loopback, but passed on: counted"
    assert made(client, Forwarded="for=192.0.2.2") == 1
    assert made(client) is None


def test_streams_are_counted_by_client(start):
    _, client = start("game.db", "--streams-per-address", "1", "--trusted-proxies", "127.0.0.1")
    path = f"{client.create().path}/events?format=ndjson"
    first, other = {"X-Forwarded-For": "192.0.2.1"}, {"X-Forwarded-For": "192.0.2.2"}
    with contextlib.ExitStack() as ends:
        def begin(headers):
            stream = ends.enter_context(requests.get(client.daemon.url + path, headers=headers, stream=True, timeout=60))
            return stream, stream.iter_lines(chunk_size=1)

        # Who forgets how he reads a stream has left it.
        held = [begin(headers) for headers in (first, other, {})]
        for stream, lines in held:
            assert stream.status_code == 200 and next(filter(None, lines))
        for headers in (first, other, {}):
            stream, _ = begin(headers)
            assert stream.status_code == 503 and stream.json()["code"] == "too-many-streams"


@pytest.mark.parametrize("value", ["", "localhost", "10.0.0.1/8", "10.0.0.0/40", "127.0.0.1,", "unix,x"])
def test_what_is_no_list_of_proxies(tmp_path, value):
    result = run("serve", "--database", tmp_path / "x.db", "--listen", "127.0.0.1:0", "--trusted-proxies", value)
    assert result.returncode == 2 and result.stderr.startswith("iuvod: --trusted-proxies '"), result.stderr


# ---- nginx ----

@contextlib.contextmanager
def nginx(folder, upstream):
    """nginx with packaging/nginx.conf in front of an upstream; yields its address.  Everything that it writes is in the folder."""
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    ours = (SOURCE / "packaging" / "nginx.conf").read_text()
    assert "server 127.0.0.1:8080;" in ours and "listen 8000;" in ours
    ours = ours.replace("server 127.0.0.1:8080;", f"server {upstream};").replace("listen 8000;", f"listen 127.0.0.1:{port};")
    paths = "".join(f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    config = folder / "nginx.conf"
    config.write_text(f"daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log; worker_processes 1;"
                      f"events {{}} http {{ access_log off; {paths}\n{ours}\n}}")
    folder.chmod(0o777)
    # As from a master before it: no other program gets the port in between.
    with listener:
        process = subprocess.Popen([NGINX, "-p", str(folder), "-e", str(folder / "start.log"), "-c", str(config)], stderr=subprocess.DEVNULL,
                                   env={**os.environ, "NGINX": f"{listener.fileno()};"}, pass_fds=[listener.fileno()])
    try:
        eventually(lambda: (folder / "nginx.pid").exists() or process.poll() is not None)
        assert process.poll() is None, (folder / "start.log").read_text()
        yield f"http://127.0.0.1:{port}/iuvod"
    finally:
        process.terminate()
        process.wait(timeout=30)


def reachable(path):
    """nginx's workers are nobody, where it is started by root."""
    for folder in (path, *path.parents):
        if folder.owner() == "root" and os.geteuid() == 0 and "pytest" in str(folder):
            folder.chmod(folder.stat().st_mode | 0o011)


@pytest.mark.skipif(NGINX is None, reason="there is no nginx here")
@pytest.mark.parametrize("by", ["tcp", "unix"])
def test_nginx(start, tmp_path, by):
    place = tmp_path / "s"
    daemon, _ = start("game.db", "--listen", f"127.0.0.1:0,unix:{place}", "--socket-mode", "666", "--base-path", "/iuvod", "--trusted-proxies", "127.0.0.1,unix", "--games-per-minute", "4", "--heartbeat-ms", "200")
    folder = tmp_path / "nginx"
    folder.mkdir()
    reachable(tmp_path)
    with nginx(folder, f"127.0.0.1:{daemon.port}" if by == "tcp" else f"unix:{place}") as address:
        origin = address.removesuffix("/iuvod")
        game = requests.post(f"{address}/v1/games", json={"variant": "iuvo-2"}, timeout=60)
        assert game.status_code == 201 and re.search("r=3", game.headers["RateLimit"])
        path, tokens = game.headers["Location"], [seat["token"] for seat in game.json()["seats"]]
        with requests.get(f"{origin}{path}/events", headers={"Accept": "text/event-stream"}, stream=True, timeout=60) as stream, \
                concurrent.futures.ThreadPoolExecutor(1) as thread:
            lines = stream.iter_lines(chunk_size=1, decode_unicode=True)
            assert next(line for line in lines if line == "event: game_started")
            played = thread.submit(requests.post, f"{origin}{path}/moves", json={"move": "a1-b3"}, headers={"Authorization": f"Bearer {tokens[0]}"}, timeout=60)
            assert next(line for line in lines if line == "event: move_played"), "unbuffered"
            assert played.result().status_code == 201
            assert next(line for line in lines if line.startswith(":")), "the heartbeat comes through, too"
        # What a client says of himself is not believed: all of these are of one address.
        left = [requests.post(f"{address}/v1/games", json={"variant": "iuvo-2"}, headers={"X-Forwarded-For": f"192.0.2.{i}", "Forwarded": f"for=192.0.2.{i}"}, timeout=60) for i in range(4)]
        assert [reply.status_code for reply in left] == [201, 201, 201, 429] and left[3].headers["Retry-After"]
        assert left[3].json()["type"] == "/iuvod/problems/too-many-requests"
        assert requests.post(f"{address}/v1/records", data=b"x" * 550000, headers={"Content-Type": "text/plain"}, timeout=60).json()["code"] == "body-too-large"
        assert requests.get(f"{origin}/elsewhere", timeout=60).headers["Content-Type"] == "text/html", "nginx's own"
    assert daemon.stop() == 0
    assert re.search(r"route=/v1/games status=429 .*address=127\.0\.0\.1" + (r":\d+\n" if by == "tcp" else " via=unix"), daemon.log())
