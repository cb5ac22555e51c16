"""GET /metrics: on listeners of its own, in OpenMetrics text, counting what was done and nothing that a client could make grow."""

import collections
import http.client
import os
import random
import re
import signal
import socket
import string
import threading
import time

import pytest
import requests
from prometheus_client.openmetrics.parser import text_string_to_metric_families

import issued
import pki
from client import problem
from contract import SOURCE, contract
from daemon import BINARY, run
from follower import Follower
from patience import eventually
from scrape import TABLE, scrape

JSON = {"Content-Type": "application/json"}
TEMPLATES = set(re.findall(r'^\t[RA]\((?:\w+, )?"(/[^"]*)"', (SOURCE / "src/api/route.h").read_text(), re.MULTILINE))
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "other"}
STATUSES = set(re.findall(r"S\((\d+)\)", (SOURCE / "src/http/tally.c").read_text()))


@pytest.fixture
def watched(start):
    return start("watched.db", "--admin-listen", "0")


def ask(url, method="GET", path="/metrics", **more):
    """A call that is not held against the contract: to a listener where the path is not, or with what no client sends."""
    return requests.request(method, url + path, timeout=60, verify=str(pki.root()), **more)


def known_to_all():
    """A session of requests; an environment that knows of other authorities does not matter."""
    session = requests.Session()
    session.trust_env, session.verify = False, str(pki.root())
    return session


# ---- what is told ----

def test_the_table_is_read():
    assert len(TABLE) >= 20 and {kind for kind, _, _, _ in TABLE.values()} == {"counter", "gauge", "histogram", "info"}


def test_everything_is_told_from_the_start(watched):
    told = scrape(*watched)
    assert told.sums_fit()
    assert told.get("iuvod_build_info", version=run("--version").stdout.split()[1], schema=str(watched[1].get("/version").value["schema"])) == 1
    assert told.get("iuvod_requests_total") == 0 and told.get("iuvod_refusals_total") == 0
    assert {dict(own)["status"]: value for (name, own), value in told.values.items() if name == "iuvod_games"} == \
        {"open": 0, "active": 0, "finished": 0, "withdrawn": 0}


def test_counts_go_up_by_exactly_the_requests_made(watched):
    daemon, client = watched
    before = scrape(daemon, client)
    table = client.create()
    table.play_all(["a1-b3", "a7-b5"])
    problem(table.play("a1-a1", seat=1), 409, "no-stone")
    for _ in range(5):
        table.get()
    client.request("HEAD", table.path)
    client.request("OPTIONS", table.path)
    client.request("DELETE", "/v1/games")
    problem(client.get("/nowhere"), 404, "no-such-path")
    problem(client.get("/v1/games/" + "a" * 26), 404, "no-such-game")
    assert table.get(headers={"If-None-Match": "*"}).status_code == 304
    after = scrape(daemon, client)
    expected = {("/v1/games", "POST", "201"): 1, ("/v1/games/{game}/moves", "POST", "201"): 2, ("/v1/games/{game}/moves", "POST", "409"): 1,
                ("/v1/games/{game}", "GET", "200"): 5, ("/v1/games/{game}", "HEAD", "200"): 1, ("/v1/games/{game}", "OPTIONS", "204"): 1,
                ("/v1/games", "DELETE", "405"): 1, ("none", "GET", "404"): 1, ("/v1/games/{game}", "GET", "404"): 1, ("/v1/games/{game}", "GET", "304"): 1,
                ("/metrics", "GET", "200"): 1}
    counted = {tuple(dict(labels).values()): value - before.values.get((name, labels), 0)
               for (name, labels), value in after.values.items() if name == "iuvod_requests_total"}
    assert {key: value for key, value in counted.items() if value} == expected
    # Each that reached a route was timed, whatever came of it.
    times = collections.Counter()
    for (route, method, status), count in expected.items():
        times[route, method] += count if route != "none" and status not in ("204", "405") else 0
    assert after.sums_fit()
    for (route, method), count in times.items():
        assert after.get("iuvod_request_seconds_count", route=route, method=method) - before.get("iuvod_request_seconds_count", route=route, method=method) == count
    codes = {dict(labels)["code"]: value for (name, labels), value in after.values.items() if name == "iuvod_problems_total"}
    assert codes == {"no-stone": 1, "method-not-allowed": 1, "no-such-path": 1, "no-such-game": 1}
    assert 3 <= after.get("iuvod_cached_answers_total") <= 6


def test_the_writer_tells_of_its_work(watched):
    daemon, client = watched
    before = scrape(daemon, client)
    table = client.create()
    table.play_all(["a1-b3"])
    table.play("a1-b3", dry_run=True, seat=2)
    after = scrape(daemon, client)
    calls = after.get("iuvod_writer_batch_calls_sum") - before.get("iuvod_writer_batch_calls_sum")
    assert 2 <= calls <= 3 and after.get("iuvod_writer_batch_calls_count") - before.get("iuvod_writer_batch_calls_count") == calls
    assert after.get("iuvod_commit_seconds_count") - before.get("iuvod_commit_seconds_count") >= 2
    assert after.get("iuvod_commit_seconds_sum") > before.get("iuvod_commit_seconds_sum")
    assert after.get("iuvod_commit_failures_total") == 0 and after.get("iuvod_writer_queue") == 0
    assert after.get("iuvod_database_bytes", file="data") == os.stat(daemon.database).st_size
    assert after.get("iuvod_database_bytes", file="wal") == os.stat(f"{daemon.database}-wal").st_size


def test_streams_and_answers_that_wait(watched):
    daemon, client = watched
    table = client.create()
    with Follower(daemon, f"{table.path}/events"):
        assert eventually(lambda: scrape(daemon, client).get("iuvod_streams") == 1)
        waiting = threading.Thread(target=lambda: table.get(f"/events?after={table.game['seq']}", headers={"Prefer": "wait=20"}))
        waiting.start()
        eventually(lambda: scrape(daemon, client).get("iuvod_streams") == 2)
        table.play("a1-b3")
        waiting.join(timeout=30)
    told = eventually(lambda: (told := scrape(daemon, client)).get("iuvod_streams") == 0 and told)
    assert told.get("iuvod_requests_total", route="/v1/games/{game}/events", method="GET", status="200") == 2
    # How long one waited for news measures nothing of the service.
    assert told.get("iuvod_request_seconds_count", route="/v1/games/{game}/events") == 1


def test_the_engine(watched):
    daemon, client = watched
    table = client.create()
    assert table.get("/hint?nodes=200").status_code == 200
    told = scrape(daemon, client)
    assert told.get("iuvod_engine_search_seconds_count") == 1 and told.get("iuvod_engine_running") == 0
    assert {dict(labels)["class"] for name, labels in told.series() if name == "iuvod_engine_queue"} == {"quick", "question", "person", "engine"}
    # Nobody waits for these: the end of the service stops them.
    asking = [daemon.connect() for _ in range(3)]
    for nodes, connection in enumerate(asking, 999998):
        connection.sendall(f"GET {table.path}/hint?nodes={nodes} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    eventually(lambda: (told := scrape(daemon, client)).get("iuvod_engine_running") == 1 and told.get("iuvod_engine_queue", **{"class": "question"}) >= 1)
    assert daemon.stop() == 0
    for connection in asking:
        connection.close()


def test_the_process(watched):
    daemon, client = watched
    told, folder = scrape(daemon, client), f"/proc/{daemon.process.pid}"
    ticks = int(open(f"{folder}/stat").read().rsplit(")", 1)[1].split()[19])
    started = time.time() - time.clock_gettime(time.CLOCK_BOOTTIME) + ticks / os.sysconf("SC_CLK_TCK")
    assert abs(told.get("process_start_time_seconds") - started) < 2
    # The client keeps its connections.
    assert told.get("process_open_fds") == len(os.listdir(f"{folder}/fd"))
    assert f" {int(told.get('process_max_fds'))} " in next(line for line in open(f"{folder}/limits") if line.startswith("Max open files"))
    pages = int(open(f"{folder}/statm").read().split()[1])
    assert 0.5 < told.get("process_resident_memory_bytes") / (pages * os.sysconf("SC_PAGE_SIZE")) < 2
    later = scrape(daemon, client)
    assert later.get("process_cpu_seconds_total") >= told.get("process_cpu_seconds_total") > 0
    assert later.get("process_start_time_seconds") == told.get("process_start_time_seconds")


# ---- what meets a limit ----

def test_what_meets_a_limit(start):
    daemon, client = start("limits.db", "--admin-listen", "0", "--limit-loopback", "--games-per-minute", "1", "--moves-per-minute", "1", "--changes-per-minute", "1",
                           "--questions-per-minute", "1", "--streams", "3", "--streams-per-game", "1", "--streams-per-address", "2")
    table = client.create()
    assert client.post("/v1/games", json={"variant": "iuvo-2"}).status_code == 429
    for _ in range(2):
        last = table.play("a1-b3")
    assert last.status_code == 429
    for nodes in (100, 101):
        last = table.get(f"/hint?nodes={nodes}")
    assert last.status_code == 429
    for _ in range(3):
        last = table.offer(1, "draw")
    assert last.status_code == 429
    with Follower(daemon, f"{table.path}/events"):
        problem(table.get("/events", headers={"Accept": "text/event-stream"}), 503, "too-many-streams")
    told = scrape(daemon, client)
    refused = {dict(labels)["limit"]: value for (name, labels), value in told.values.items() if name == "iuvod_refusals_total" and value}
    assert refused == {"games-per-minute": 1, "moves-per-minute": 1, "changes-per-minute": 2, "questions-per-minute": 1, "streams-per-game": 1}
    assert told.get("iuvod_problems_total", code="too-many-requests") == 5 and told.get("iuvod_problems_total", code="too-many-streams") == 1


def test_refusals_that_are_too_many(start):
    daemon, client = start("limits.db", "--admin-listen", "0", "--limit-loopback", "--refusals-per-minute", "2")
    statuses = [client.get("/v1/me").status_code for _ in range(4)] + [client.get("/nowhere").status_code]
    told = scrape(daemon, client)
    assert statuses[:2] == [401, 401] and statuses[2:].count(429) >= 1
    # Those that were refused for this, and the last, which was held back for it.
    assert told.get("iuvod_refusals_total", limit="refusals-per-minute") == statuses.count(429) + 1 == told.get("iuvod_refusals_total")
    assert told.get("iuvod_problems_total", code="too-many-requests") == statuses.count(429)


def test_limits_are_called_as_their_options():
    helped = run("serve", "--help").stdout
    names = re.findall(r'L\(\w+, "([\w-]+)"\)', (SOURCE / "src/http/figures.h").read_text())
    assert len(names) == 13
    assert {name for name in names if f"--{name} " not in helped} == {"writer-queue", "engine-queue", "bodies"}


def test_it_answers_when_all_connections_are_taken(start):
    daemon, client = start("full.db", "--admin-listen", "0", "--connections", "2")
    with daemon.connect() as one, daemon.connect() as two:
        for taken in (one, two):
            taken.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            assert taken.recv(15).startswith(b"HTTP/1.1 200 OK")
        assert ask(daemon.url, path="/healthz").status_code == 503
        told = scrape(daemon, client)
        assert told.get("iuvod_connections") >= 2
        assert told.get("iuvod_refusals_total", limit="connections") == 1 and told.get("iuvod_problems_total", code="overloaded") == 1
        eventually(lambda: ask(daemon.admin_url, path="/readyz").status_code == 200)


def test_its_own_connections_have_a_limit(watched):
    daemon, client = watched
    port = int(daemon.admin_url.rsplit(":", 1)[1])
    most = int(re.search(r"LIMIT_ADMIN_CONNECTIONS = (\d+)", (SOURCE / "src/base/limits.h").read_text())[1])
    held = [socket.create_connection(("127.0.0.1", port)) for _ in range(most)]
    for one in held:
        one.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        assert one.recv(15).startswith(b"HTTP/1.1 200 OK")
    reply = ask(daemon.admin_url)
    assert reply.status_code == 503 and reply.json()["code"] == "overloaded" and "Retry-After" in reply.headers
    assert client.create()
    for one in held:
        one.close()
    eventually(lambda: ask(daemon.admin_url).status_code == 200)


# ---- what a client cannot do ----

def test_no_client_makes_a_series(watched):
    """However odd methods and paths are: routes are templates, methods those that are known."""
    daemon, client = watched
    for path in contract.items:
        for method in METHODS - {"other"}:
            ask(daemon.url, method, path.replace("{", "x").replace("}", ""), headers={"Connection": "close"})
    eventually(lambda: scrape(daemon, client).get("iuvod_connections") == 0)
    for method, path in (("BREW", "/"), ("GET", "/nowhere")):
        ask(daemon.url, method, path)
    before = scrape(daemon, client).series() | scrape(daemon, client).series()
    choose = random.Random(5)
    connection = http.client.HTTPConnection("127.0.0.1", daemon.port)
    connection.sock = daemon.connect()
    for _ in range(200):
        word = "".join(choose.choices(string.ascii_letters + string.digits + "\"\\{}=,", k=choose.randint(1, 40)))
        name = "".join(choose.choices(string.ascii_uppercase, k=choose.randint(1, 12)))
        connection.putrequest(choose.choice(["GET", name]), f"/{word}" if choose.random() < 0.5 else f"/v1/games/{word}", skip_host=False)
        connection.endheaders()
        connection.getresponse().read()
    after = scrape(daemon, client)
    new = {(name, own) for name, own in after.series() - before if dict(own).get("route") not in ("none", "/v1/games/{game}")}
    assert not new
    for name, own in after.series():
        labels = dict(own)
        assert labels.get("route") in TEMPLATES | {"none", None} and labels.get("method") in METHODS | {None}
        allowed = {"open", "active", "finished", "withdrawn"} if name == "iuvod_games" else STATUSES | {"none", "other", None}
        assert labels.get("status") in allowed
    assert after.get("iuvod_requests_total", status="other") == 0
    assert len(after.series()) < 2500 and len(after.text) < 300000


def test_every_status_has_its_place():
    declared = {status for operation in contract.operations for status in operation.responses} | {"204", "404", "405"}
    faults = set(re.findall(r"F\(FAULT_\w+, (\d+),", (SOURCE / "src/base/fault.h").read_text()))
    assert declared | faults <= STATUSES


def test_what_a_client_leaves_is_counted(watched):
    daemon, client = watched
    with daemon.connect() as connection:
        connection.sendall(b"POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{")
        time.sleep(0.2)
    told = eventually(lambda: (told := scrape(daemon, client)).get("iuvod_requests_total", status="none") and told)
    assert told.get("iuvod_requests_total", method="POST", status="none") == 1
    assert told.get("iuvod_request_seconds_count", method="POST") == 0


def test_nothing_of_a_game_or_token_is_told(watched):
    daemon, client = watched
    ada = client.register("Ada Lovelace")
    table = client.create(seats=[{"name": "Grace"}, {"name": "Hedy"}], token=ada["token"])
    table.play_all(["a1-b3"])
    secrets = [ada["token"], ada["id"], table.id, table.creator, *table.tokens.values(), "Grace", "Hedy", "Lovelace", "127.0.0.1"]
    for secret in secrets:
        ask(daemon.url, "GET", f"/{secret}", headers={"User-Agent": secret, "X-Request-ID": secret})
        ask(daemon.url, "GET", f"/v1/games/{secret}?{secret}={secret}")
        ask(daemon.url, secret.replace(" ", ""), "/v1/games")
    text = scrape(daemon, client).text
    assert not issued.found(text.encode())
    assert not [secret for secret in secrets if secret in text]


# ---- where it is ----

def test_it_is_nowhere_else(watched):
    daemon, client = watched
    reply = ask(daemon.url)
    assert reply.status_code == 404 and reply.json()["code"] == "no-such-path"
    assert "metrics" not in client.get("/").text


def test_its_listener_serves_nothing_else(watched):
    daemon, client = watched
    table = client.create()
    for path in ("/", "/version", "/openapi.json", "/problems", "/v1/games", table.path, f"{table.path}/events", "/metrics/", "//metrics", "/v1/metrics"):
        for method in ("GET", "POST", "OPTIONS"):
            reply = ask(daemon.admin_url, method, path, headers={**JSON, "Authorization": f"Bearer {table.tokens[1]}"})
            assert reply.status_code == 404 and reply.json()["code"] == "no-such-path", path
            assert reply.json()["detail"] == "Here are /metrics, /healthz and /readyz, and nothing else."
    assert ask(daemon.admin_url, path="/healthz").json() == {"status": "ok"} and ask(daemon.admin_url, path="/readyz").json() == {"status": "ready"}
    for method in ("POST", "PUT", "DELETE", "BREW"):
        reply = ask(daemon.admin_url, method)
        assert reply.status_code == 405 and reply.headers["Allow"] == "GET, HEAD, OPTIONS"
    for headers in ({}, {"Origin": "https://example.org", "Access-Control-Request-Method": "GET"}):
        for reply in (ask(daemon.admin_url, headers=headers), ask(daemon.admin_url, "OPTIONS", headers=headers), ask(daemon.admin_url, path="/x", headers=headers)):
            assert not [name for name in reply.headers if name.startswith("Access-Control")]


def test_what_a_scraper_accepts(watched):
    daemon, client = watched
    prometheus = "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1"
    for accept in (prometheus, "*/*", "application/*", "application/openmetrics-text"):
        reply = client.get("/metrics", headers={"Accept": accept})
        assert reply.status_code == 200 and list(text_string_to_metric_families(reply.text))
    problem(client.get("/metrics", headers={"Accept": "text/html"}), 406, "not-acceptable")
    problem(client.get("/metrics?name[]=iuvod_requests"), 400, "unknown-parameter")


def test_there_is_none_unless_it_is_asked_for(start):
    daemon, _ = start("none.db")
    assert daemon.admin_url is None
    listening = [line for line in open(f"/proc/{daemon.process.pid}/net/tcp").read().splitlines()[1:] if line.split()[3] == "0A"]
    sockets = {os.readlink(f"/proc/{daemon.process.pid}/fd/{name}") for name in os.listdir(f"/proc/{daemon.process.pid}/fd")}
    assert len([line for line in listening if f"socket:[{line.split()[9]}]" in sockets]) == 1


def test_where_it_listens(start, tmp_path):
    """A port alone is one of this machine; what else is asked for is told as it is."""
    path = tmp_path / "admin"
    daemon, client = start("where.db", "--admin-listen", f"0,[::1]:0,unix:{path}", "--base-path", "/iuvod", "--socket-mode", "600")
    said = re.findall(r"^metrics on (.*)$", daemon.database.with_name("where.db.1.out").read_text(), re.MULTILINE)
    assert [re.sub(r"\d+$", "N", line) for line in said] == ["http://127.0.0.1:N", "http://[::1]:N", f"unix:{path}"]
    assert daemon.log().count("event=metrics url=") == 3
    for url in said[:2]:
        assert ask(url).status_code == 200 and ask(url, path="/iuvod/metrics").status_code == 404
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(path))
        connection.sendall(b"GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        assert connection.makefile("rb").read().endswith(b"\n# EOF\n")
    assert path.stat().st_mode & 0o777 == 0o600
    assert daemon.stop() == 0 and not path.exists()


@pytest.mark.parametrize("value", ["nowhere", "127.0.0.1", "99999", "127.0.0.1:99999", ":9100", "0,", "unix:", "-1", "0x10", "9100 "])
def test_where_it_cannot_listen(tmp_path, value):
    wrong = run("serve", "--database", tmp_path / "x.db", "--listen", "127.0.0.1:0", f"--admin-listen={value}")
    assert wrong.returncode == 2 and "--admin-listen" in wrong.stderr and f"'{value}'" in wrong.stderr, wrong.stderr
    assert "ADDRESS:PORT" in wrong.stderr or "bytes" in wrong.stderr
    assert not (tmp_path / "x.db").exists()


def test_a_port_that_is_taken(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        failed = run("serve", "--database", tmp_path / "x.db", "--listen", "127.0.0.1:0", "--admin-listen", port)
    assert failed.returncode == 1 and failed.stderr.endswith(f"iuvod: cannot listen on 127.0.0.1:{port}: Address already in use\n")


# ---- while others are at work, and at the end ----

def test_while_others_are_at_work(watched):
    """Every scrape is whole, and no counter goes back; at the end everything was counted, once."""
    daemon, client = watched
    done, ends = collections.Counter(), threading.Event()

    def work(seed):
        choose, session = random.Random(seed), known_to_all()
        while not ends.is_set():
            made = session.post(daemon.url + "/v1/games", json={"variant": "iuvo-2"}, timeout=60)
            path, tokens = f"/v1/games/{made.json()['id']}", {seat["seat"]: seat["token"] for seat in made.json()["seats"]}
            played = session.post(daemon.url + path + "/moves", json={"move": "a1-b3"}, headers={"Authorization": f"Bearer {tokens[1]}"}, timeout=60)
            assert (made.status_code, played.status_code) == (201, 201)
            count[seed]["/v1/games", "POST"] += 1
            count[seed]["/v1/games/{game}/moves", "POST"] += 1
            for _ in range(choose.randint(0, 5)):
                assert session.get(daemon.url + path, timeout=60).status_code == 200
                count[seed]["/v1/games/{game}", "GET"] += 1
            if choose.random() < 0.3:
                session.close()

    count = [collections.Counter() for _ in range(4)]
    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    before = scrape(daemon, client)
    for _ in range(30):
        now = scrape(daemon, client)
        for key, value in before.values.items():
            if key[0].endswith(("_total", "_count", "_bucket", "_sum")):
                assert now.values[key] >= value, key
        before = now
    ends.set()
    for thread in threads:
        thread.join()
    for part in count:
        done += part
    told = scrape(daemon, client)
    assert told.sums_fit() and sum(done.values()) > 0
    for (route, method), times in done.items():
        assert told.get("iuvod_requests_total", route=route, method=method) == times == told.get("iuvod_request_seconds_count", route=route, method=method)
    assert told.get("iuvod_writer_batch_calls_sum") == done["/v1/games", "POST"] + done["/v1/games/{game}/moves", "POST"]


def test_who_asks_while_it_stops_is_told_so(watched):
    """A body that is on its way holds the end; until then it is not ready, wherever one asks, and the figures go on."""
    daemon, client = watched
    body = b'{"variant":"iuvo-2"}'
    with daemon.connect() as held, known_to_all() as known:
        held.sendall(b"POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body[:-1]))
        eventually(lambda: known.get(daemon.url + "/readyz", timeout=60).status_code == 200)
        time.sleep(0.3)
        daemon.process.send_signal(signal.SIGTERM)
        eventually(lambda: ask(daemon.admin_url, path="/readyz").status_code == 503)
        for reply in (ask(daemon.admin_url, path="/readyz"), known.get(daemon.url + "/readyz", timeout=60)):
            assert reply.status_code == 503 and reply.json()["code"] == "stopping" and int(reply.headers["Retry-After"]) > 0
        assert ask(daemon.admin_url, path="/healthz").status_code == 200
        assert scrape(daemon, client).get("iuvod_problems_total", code="stopping") >= 2
        held.sendall(body[-1:])
        assert held.recv(15).startswith(b"HTTP/1.1 201")
    assert daemon.process.wait(timeout=30) == 0
    assert BINARY and daemon.verify().returncode == 0
