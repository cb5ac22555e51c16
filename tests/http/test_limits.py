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


def counting(start, most=1, **more):
    """A daemon that counts this machine's calls too."""
    options = [part for name in QUOTAS for part in (f"--{name}-per-minute", str(more.get(name, most)))]
    return start("counted.db", "--limit-loopback", *options)[1]


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
    assert {quota for _, _, quota in COUNTED} | {"questions"} == set(QUOTAS)
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


def test_this_machine_is_not_counted_unless_told(client):
    assert standing(client.post("/v1/games", json={"variant": "iuvo-2"})) is None


def test_no_limit(start):
    client = counting(start, most=0)
    for _ in range(5):
        assert standing(client.post("/v1/games", json={"variant": "iuvo-2"})) is None


def test_the_contract_declares_it_where_it_is():
    declared = {(operation.method, operation.path) for operation in contract.operations if "429" in operation.responses}
    asked = {("GET", "/v1/games/{game}/hint"), ("GET", "/v1/games/{game}/analysis"), ("POST", "/v1/analysis")}
    assert declared == {(method, template) for method, template, _ in COUNTED} | asked


@pytest.mark.parametrize("name", ["RateLimit", "RateLimit-Policy", "Retry-After"])
def test_pages_may_read_it(client, name):
    assert name in client.get("/healthz").headers["Access-Control-Expose-Headers"].split(", ")
