"""How often things may be done from one address (429).  The daemons of other tests do not count loopback."""

import re
import time

import pytest

from client import problem
from contract import SOURCE, contract

QUOTAS = {name: int(most) for name, limit in re.findall(r'Q\(QUOTA_\w+, "(\w+)", (LIMIT_\w+)\)', (SOURCE / "src/api/quota.h").read_text())
          for most in re.findall(rf"{limit} = (\d+)", (SOURCE / "src/base/limits.h").read_text())}
ROUTES = re.findall(r'R\((\w+), "([^"]+)", \w+, (\w+),', (SOURCE / "src/api/route.h").read_text())
COUNTED = [(method, template, quota.lower()) for method, template, quota in ROUTES if quota != "NONE"]
NOWHERE = {"{game}": "a" * 26, "{seat}": "1", "{offer}": "a" * 26}


def counting(start, most=1, held=0, **more):
    """A daemon that counts this machine's calls too."""
    more = {"refusals": 0, **more}  # what most of these tests do not ask about
    options = [part for name in QUOTAS for part in (f"--{name}-per-minute", str(more.get(name, most)))]
    return start("counted.db", "--limit-loopback", "--held-ms", str(held), *options)[1]


def standing(reply):
    """(name, limit, left, seconds) of a reply; None if it says nothing."""
    policy, state = reply.headers.get("RateLimit-Policy"), reply.headers.get("RateLimit")
    if policy is None and state is None:
        return None
    name, most = re.fullmatch(r'"(\w+)";q=(\d+);w=60', policy).groups()
    again, left, seconds = re.fullmatch(r'"(\w+)";r=(\d+);t=(\d+)', state).groups()
    assert name == again
    return name, int(most), int(left), int(seconds)


def refused(reply, name, most):
    value = problem(reply, 429, "too-many-requests")
    assert (value["policy"], value["limit"], standing(reply)[:3]) == (name, most, (name, most, 0))
    assert 1 <= int(reply.headers["Retry-After"]) <= -(-60 // most)
    assert reply.headers["Cache-Control"] == "no-store"


def test_every_kind_of_call_counts(start):
    client = counting(start)
    assert {quota for _, _, quota in COUNTED} | {"questions", "refusals"} == set(QUOTAS)
    for method, template, quota in COUNTED:
        path = template
        for name, value in NOWHERE.items():
            path = path.replace(name, value)
        first = client.request(method, path, json={})
        if first.status_code != 429:
            assert standing(first)[:3] == (quota, 1, 0)
        refused(client.request(method, path, json={}), quota, 1)


def test_only_what_makes_the_engine_think_counts_as_a_question(start):
    client = counting(start, questions=3, games=9, changes=9)
    asked = {"variant": "iuvo-2", "moves": [], "engine": {"nodes": 10}}
    table = client.create()
    assert standing(client.post("/v1/analysis", json={"variant": "iuvo-2", "moves": []})) is None
    hint = table.get("/hint?nodes=10")
    assert standing(hint)[:3] == ("questions", 3, 2)
    assert standing(table.get("/hint?nodes=10", headers={"If-None-Match": hint.headers["ETag"]})) is None
    assert standing(client.post("/v1/analysis", json=asked))[2] == 1
    assert standing(table.get("/hint?nodes=none")) is None
    assert table.resign(1).status_code == 200
    assert standing(table.get("/hint?nodes=10")) is None, "the game is over"
    other = client.create()
    assert standing(other.get("/hint?nodes=10"))[2] == 0
    for reply in (other.get("/hint?nodes=11"), client.post("/v1/analysis", json=asked)):
        refused(reply, "questions", 3)


def test_a_report_is_a_question(start):
    client = counting(start, questions=1, games=9, moves=9)
    table = client.create().play_all(["a1-b3"])
    report = table.get("/analysis?nodes=500")
    assert standing(report)[:3] == ("questions", 1, 0)
    again = table.get("/analysis?nodes=500")
    assert again.content == report.content and standing(again) is None, "it is ready to be sent again"
    refused(table.get("/analysis?nodes=501"), "questions", 1)


def test_what_is_refused_is_not_done(start):
    client = counting(start, moves=2, games=9)
    table = client.create().play_all(["a1-b3", "a7-b5"])
    refused(table.play("c1-d3"), "moves", 2)
    assert table.get().value["ply"] == 2


def test_one_kind_leaves_the_others_alone(start):
    client = counting(start, games=1, moves=9)
    table = client.create()
    refused(client.post("/v1/games", json={"variant": "iuvo-2"}), "games", 1)
    assert table.play("a1-b3").status_code == 201
    assert standing(table.get()) is None and standing(client.get("/v1/games")) is None


def test_it_comes_back_evenly(start):
    client = counting(start, moves=120)
    path = f"/v1/games/{'a' * 26}/moves"
    first = client.post(path, json={})
    assert standing(first) == ("moves", 120, 119, 1)
    left = 119
    while left > 0:
        left = standing(client.post(path, json={}))[2]
    reply = client.post(path, json={})
    while reply.status_code != 429:    # on a machine that is slow
        reply = client.post(path, json={})
    refused(reply, "moves", 120)
    time.sleep(int(reply.headers["Retry-After"]))
    assert client.post(path, json={}).status_code == 401


def test_what_is_refused_before_is_not_counted(start):
    client = counting(start, changes=2)
    assert standing(client.post("/v1/players", data="{}", headers={"Content-Type": "text/css"})) is None
    assert standing(client.post("/v1/players", json={}, headers={"Accept": "text/css"})) is None
    assert standing(client.request("PUT", "/v1/players")) is None
    assert standing(client.request("OPTIONS", "/v1/players")) is None
    assert standing(client.post("/v1/players", json={}))[2] == 1, "a body that does not fit is"
    assert standing(client.post("/v1/players", json={"name": "Ada"}, token="a" * 52))[2] == 0, "and so is a token that is none"


def test_a_call_that_is_sent_again_counts_again(start):
    client = counting(start, games=2)
    headers = {"Idempotency-Key": "b6c9e6c0-95a3-4f0c-8f6f-2f0c8d6a3a11"}
    send = lambda: client.post("/v1/games", json={"variant": "iuvo-2"}, headers=headers)
    first, second = send(), send()
    assert second.headers["Idempotency-Replayed"] == "true" and second.content == first.content
    assert (standing(first)[2], standing(second)[2]) == (1, 0), "it says how things stand now"
    refused(send(), "games", 2)


def test_a_body_on_its_way_is_read(start):
    """The connection can be used again, and so it is by the client's session."""
    client = counting(start, games=1)
    client.create()
    refused(client.post("/v1/records", data=b"x" * 300000, headers={"Content-Type": "text/plain"}), "games", 1)
    assert client.get("/healthz").status_code == 200


# ---- refusals ----

# What asks for a game or a token, or makes a position of what is sent: not what tells of the service itself.
LOOKED_AT = [(method, template) for method, template, who in re.findall(r'R\((\w+), "([^"]+)", \w+, \w+, (\w+),', (SOURCE / "src/api/route.h").read_text())
             if who != "NOBODY" or method != "GET"]
SERVICE = ["/", "/openapi.json", "/problems", "/problems/no-such-game", "/healthz", "/readyz", "/version", "/v1/variants", "/v1/variants/iuvo-2"]
NO_GAME = f"/v1/games/{'a' * 26}"
UNKNOWN = "a" * 52


def use_up(client, most):
    """Is refused as often as it may be; more often on a machine that is slow."""
    for _ in range(3 * most):
        reply = client.get("/v1/me", token=UNKNOWN)
        if reply.status_code == 429:
            return reply
        assert standing(reply)[:2] == ("refusals", most)
        problem(reply, 401, "token-unknown")
    raise AssertionError("never refused for good")


def test_after_too_many_refusals_every_call_is_one_too_many(start):
    client = counting(start, most=0, refusals=1)
    table = client.create().play_all(["a1-b3"])
    for method, template in LOOKED_AT:
        path = template
        for name, value in {**NOWHERE, "{game}": table.id, "{player}": "a" * 26, "{ply}": "1"}.items():
            path = path.replace(name, value)
        reply = client.request(method, path, json={}, token=table.tokens[2], headers={"X": path})
        if reply.status_code != 429:  # the minute's one refusal, or none of it
            use_up(client, 1)
            reply = client.request(method, path, json={}, token=table.tokens[2])
        refused(reply, "refusals", 1)


def test_the_service_tells_of_itself_all_the_same(start):
    client = counting(start, most=0, refusals=1)
    refused(use_up(client, 1), "refusals", 1)
    for path in SERVICE:
        reply = client.get(path)
        assert reply.status_code == 200 and standing(reply) is None, path
    assert client.request("OPTIONS", "/v1/games").status_code == 204
    problem(client.get("/nowhere"), 404, "no-such-path")
    problem(client.request("PUT", "/v1/games"), 405, "method-not-allowed")


def test_it_is_looked_at_before_token_and_body(start):
    """Of a call that would be good nothing is done."""
    client = counting(start, most=0, refusals=20)
    table = client.create()
    use_up(client, 20)
    refused(table.play("a1-b3"), "refusals", 20)
    refused(client.post("/v1/records", data=b"x" * 300000, headers={"Content-Type": "text/plain"}), "refusals", 20)
    last = client.post("/v1/games", data="{", headers={"Content-Type": "application/json"})
    refused(last, "refusals", 20)
    time.sleep(int(last.headers["Retry-After"]))
    assert table.get().value["ply"] == 0 and table.play("a1-b3").status_code == 201


@pytest.mark.parametrize("ask, status", [
    (lambda client: client.get("/v1/me", token=UNKNOWN), 401), (lambda client: client.get("/v1/me"), 401), (lambda client: client.get(NO_GAME), 404),
    (lambda client: client.get("/v1/games?no=1"), 400), (lambda client: client.get("/v1/games", headers={"Accept": "text/css"}), 406),
    (lambda client: client.post("/v1/games", data="{", headers={"Content-Type": "application/json"}), 400),
    (lambda client: client.post("/v1/games", data="{", headers={"Content-Type": "text/css"}), 415),
    (lambda client: client.post("/v1/games", data=b"x" * 20000, headers={"Content-Type": "application/json"}), 413),
    (lambda client: client.get("/nowhere"), 404), (lambda client: client.request("PUT", "/v1/games"), 405), (lambda client: client.get("/version?no=1"), 400),
    (lambda client: client.exact("GET", "/%zz"), 400), (lambda client: client.get("/" + "x" * 3000), 414)])
def test_each_kind_of_refusal_counts(start, ask, status):
    client = counting(start, most=0, refusals=10)
    assert ask(client).status_code == status
    assert standing(client.get(NO_GAME))[:3] == ("refusals", 10, 8)


def test_what_is_no_refusal_does_not_count(start):
    client = counting(start, most=0, refusals=10, changes=9)
    table = client.create()
    tag = table.get().headers["ETag"]
    for _ in range(5):
        assert table.get(headers={"If-None-Match": tag}).status_code == 304
        assert table.get().status_code == 200
        assert client.request("OPTIONS", table.path).status_code == 204
    assert standing(table.get("/legal-moves")) is None
    assert standing(client.get(NO_GAME))[:3] == ("refusals", 10, 9)
    # A call that is counted in its own kind tells of that; it counts as a refusal, too.
    assert standing(client.post("/v1/players", json={}))[:3] == ("changes", 9, 8)
    assert standing(client.get(NO_GAME))[2] == 7


def test_another_429_is_no_refusal(start):
    client = counting(start, most=0, refusals=10, changes=1)
    for _ in range(5):
        last = client.request("DELETE", "/v1/me", token=UNKNOWN)
    refused(last, "changes", 1)
    assert standing(client.get(NO_GAME))[2] == 8


def test_refusals_come_back_evenly(start):
    client = counting(start, most=0, refusals=120)
    reply = use_up(client, 120)
    refused(reply, "refusals", 120)
    time.sleep(int(reply.headers["Retry-After"]))
    problem(client.get("/v1/me", token=UNKNOWN), 401, "token-unknown")


def test_who_is_refused_too_often_is_answered_late(start):
    """Twice a second on each connection at most; what is no refusal is answered at once meanwhile."""
    client = counting(start, most=0, held=500, refusals=1)
    use_up(client, 1)
    for ask in (lambda: client.get("/v1/me", token=UNKNOWN), lambda: client.get("/nowhere"), lambda: client.exact("GET", "/%zz"),
                lambda: client.post("/v1/games", data="{", headers={"Content-Type": "application/json"})):
        began = time.monotonic()
        assert 400 <= ask().status_code < 500
        assert time.monotonic() - began > 0.45
    began = time.monotonic()
    for _ in range(20):
        assert client.get("/v1/variants").status_code == 200
    assert time.monotonic() - began < 9  # ten, if each were held back


def test_an_answer_that_is_held_back_comes_when_the_service_stops(start):
    client = counting(start, most=0, held=500, refusals=1)
    use_up(client, 1)
    connections = [client.daemon.connect() for _ in range(20)]
    for connection in connections:
        connection.sendall(b"GET /v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + UNKNOWN.encode() + b"\r\n\r\n")
    time.sleep(0.1)
    began = time.monotonic()
    assert client.daemon.stop() == 0 and time.monotonic() - began < 4
    for connection in connections:
        assert connection.recv(12) == b"HTTP/1.1 429"
        connection.close()


def test_who_leaves_while_his_answer_is_held_back(start):
    client = counting(start, most=0, held=500, refusals=1)
    use_up(client, 1)
    for _ in range(30):
        with client.daemon.connect() as connection:
            connection.sendall(b"GET /v1/me HTTP/1.1\r\nHost: x\r\n\r\n" * 3)
    assert client.get("/healthz").status_code == 200
    assert client.daemon.stop() == 0


def test_addresses_are_refused_each_for_itself(start):
    """As a proxy tells them."""
    daemon, client = start("counted.db", "--refusals-per-minute", "2", "--trusted-proxies", "127.0.0.1")
    by = lambda address: client.get("/v1/me", headers={"X-Forwarded-For": address}).status_code
    seen = [by("192.0.2.1") for _ in range(8)]
    assert seen[:2] == [401, 401] and 429 in seen
    assert by("192.0.2.2") == 401
    assert [client.get("/v1/me").status_code for _ in range(6)] == [401] * 6, "this machine is not counted"


def test_this_machine_is_not_counted_unless_told(client):
    assert standing(client.post("/v1/games", json={"variant": "iuvo-2"})) is None


def test_no_limit(start):
    client = counting(start, most=0)
    for _ in range(5):
        assert standing(client.post("/v1/games", json={"variant": "iuvo-2"})) is None


def test_the_contract_declares_it_where_it_is():
    declared = {(operation.method, operation.path) for operation in contract.operations if "429" in operation.responses}
    assert declared == set(LOOKED_AT) >= {(method, template) for method, template, _ in COUNTED}


@pytest.mark.parametrize("name", ["RateLimit", "RateLimit-Policy", "Retry-After"])
def test_pages_may_read_it(client, name):
    assert name in client.get("/healthz").headers["Access-Control-Expose-Headers"].split(", ")
