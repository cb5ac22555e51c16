"""The n-th allocation fails, for each n of a call: the call gets 503 or an answer, and the daemon goes on."""

import http.client
import json

import pytest

from contract import check_reply


def one_call(daemon, method, path, token=None, body=None):
    """A call on a connection of its own; None if the HTTP library closed it, having no memory for it."""
    connection = http.client.HTTPConnection("127.0.0.1", daemon.port, timeout=30)
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    if body is not None:
        headers["Content-Type"] = "application/json"
    try:
        connection.request(method, path, json.dumps(body) if body is not None else None, headers)
        response = connection.getresponse()
        content = response.read()
    except (http.client.HTTPException, ConnectionError):
        return None
    finally:
        connection.close()
    return response.status, check_reply(method, path, response.status, response.getheaders(), content)


def fail_each(shimmed, call, good, most=400):
    """Runs the call with its first, second, … allocation failing until one passes without; returns what was seen."""
    daemon, client, shim = shimmed
    seen = []
    for n in range(most):
        shim.memory.fail(n)
        answer = call()
        failed = shim.memory.failed
        shim.off()
        assert daemon.running(), daemon.log()[-2000:]
        seen.append(answer and answer[0])
        assert answer is None or answer[0] in (good, 503), answer
        if answer and answer[0] == 503:
            assert answer[1]["code"] in ("out-of-memory", "storage"), answer
        if not failed:
            return seen
    raise AssertionError(f"the call still fails after {most} allocations")


@pytest.mark.parametrize("rest", ["", "/legal-moves", "/moves", "/positions/1", "/board.svg", "/record"])
def test_reading(shimmed, rest):
    daemon, client, shim = shimmed
    table = client.create("iuvo-2").play_all(["c1-d3"])
    seen = fail_each(shimmed, lambda: one_call(daemon, "GET", table.path + rest), 200)
    assert len(seen) > 3 and seen[-1] == 200
    assert table.get(rest).status_code == 200


def test_moving(shimmed):
    daemon, client, shim = shimmed
    table = client.create("iuvo-2")

    def move():
        # What was refused for lack of memory has changed nothing, so each try is the move that is next.
        ply = table.get().value["ply"]
        game = table.get().value
        text = table.get("/legal-moves").value["moves"][0]["move"]
        shim.memory.fail(move.n)
        answer = one_call(daemon, "POST", f"{table.path}/moves", table.tokens[game["turn"]], {"move": text})
        move.failed = shim.memory.failed
        shim.off()
        after = table.get().value["ply"]
        if answer and answer[0] == 503:
            assert after == ply
        elif answer:
            assert (answer[0], after) == (201, ply + 1)
        return answer

    statuses = set()
    for move.n in range(400):
        answer = move()
        assert daemon.running(), daemon.log()[-2000:]
        statuses.add(answer and answer[0])
        if answer and answer[0] == 503:
            assert answer[1]["code"] in ("out-of-memory", "storage"), answer
        if not move.failed:
            break
    assert {201, 503} <= statuses
    assert daemon.stop() == 0
    assert daemon.verify().returncode == 0


def test_importing_and_analysing(shimmed):
    daemon, client, shim = shimmed
    table = client.create("iuvo-4")
    record = table.get("/record", headers={"Accept": "application/json"}).json()
    fail_each(shimmed, lambda: one_call(daemon, "POST", "/v1/records", body=record), 201)
    fail_each(shimmed, lambda: one_call(daemon, "POST", "/v1/analysis", body={"position": record["start"]}), 200)
    assert daemon.stop() == 0
    assert daemon.verify().returncode == 0
