"""How much the service takes is the operator's: bodies, heads and the engine's work, each with a flag of its own."""

import json
import re

import pytest

from client import problem
from contract import SOURCE, contract
from daemon import run
from patience import PATIENCE, eventually, until_ready
from scrape import Scrape
from test_wire import ANALYSIS, Wire, chunked, request

LIMITS = {name: eval(value) for name, value in re.findall(r"LIMIT_(\w+) = ([0-9 *]+),", (SOURCE / "src/base/limits.h").read_text())}
# flag: the least that it takes, what it is without, the most.
FLAGS = {
    "--header-bytes": (LIMITS["HEAD_LEAST"], LIMITS["HEAD"], LIMITS["HEAD_MOST"]),
    "--body-bytes": (LIMITS["BODY_LEAST"], LIMITS["BODY"], LIMITS["BODY_MOST"]),
    "--record-bytes": (LIMITS["BODY_RECORD_LEAST"], LIMITS["BODY_RECORD"], LIMITS["BODY_MOST"]),
    "--engine-nodes": (LIMITS["ENGINE_NODES_LEAST"], LIMITS["ENGINE_NODES"], LIMITS["ENGINE_NODES"]),
    "--engine-questions": (1, LIMITS["QUESTIONS"], LIMITS["QUESTIONS_MOST"]),
    "--engine-moves": (1, LIMITS["ENGINE_MOVES"], LIMITS["ENGINE_MOVES_MOST"]),
}
TOLD = ("--header-bytes", "--body-bytes", "--record-bytes", "--engine-nodes")  # by GET /version
COUNTS = ("connections", "streams", "engine_level")  # and these, which test_start.py, and below a test of levels, are about
MEBI = LIMITS["BODY_MOST"]
LONG = "nodes=1000000&lines=5"
ENGINES = [{"engine": {"level": 10}}, {"engine": {"level": 10}}]


def told(client):
    return {f"--{name.replace('_', '-')}": value for name, value in client.get("/version").value["limits"].items() if name not in COUNTS}


def most(flag):
    return FLAGS[flag][2]


@pytest.mark.parametrize("flag", FLAGS)
def test_wrong_values(tmp_path, flag):
    least, _, greatest = FLAGS[flag]
    for value in (least - 1, greatest + 1, -1, "", "x", f"{least}k", f" {least}", 1 << 64):
        result = run("serve", "--database", tmp_path / "no.db", "--listen", "127.0.0.1:0", flag, str(value))
        assert (result.returncode, result.stdout) == (2, ""), value
        assert result.stderr.startswith(f"iuvod: {flag} '{value}': must be a whole number from {least} to {greatest}\n"), result.stderr
    assert list(tmp_path.iterdir()) == []


def test_what_is_told_without_flags(client):
    assert told(client) == {flag: FLAGS[flag][1] for flag in TOLD}
    said = contract.components["schemas"]["ServiceLimits"]["properties"]
    assert [(said[name]["minimum"], said[name]["maximum"]) for name in said if name not in COUNTS] == \
        [(FLAGS[flag][0], FLAGS[flag][2]) for flag in TOLD]


@pytest.mark.parametrize("which", [0, 2], ids=["least", "most"])
def test_what_is_set_is_told_and_served(start, which):
    """With all of them at the least, and at the most, that they may be: people and engines play."""
    values = {flag: FLAGS[flag][which] for flag in FLAGS}
    daemon, client = start("set.db", *(part for flag in values for part in (flag, str(values[flag]))))
    assert told(client) == {flag: values[flag] for flag in TOLD}
    table = client.create(seats=[{"name": "Ada"}, {"engine": {"level": 2}}])
    assert table.play("a1-b3").status_code == 201
    eventually(lambda: table.get().value["ply"] >= 2)
    assert table.get("/hint").value["budget"] == LIMITS["ENGINE_NODES_DEFAULT"]
    assert table.get(f"/analysis?nodes={LIMITS['REPORT_NODES']}&limit=1").status_code == 200
    record = client.get(f"{table.path}/record", headers={"Accept": "text/plain"})
    assert client.post("/v1/records", data=record.content, headers={"Content-Type": "text/plain"}).status_code == 201
    assert daemon.stop() == 0


# ---- bodies ----

def reply_to(daemon, data):
    with Wire(daemon) as wire:
        reply = wire.send(data).reply()
        assert wire.send(request()).reply().status == 200
        return reply.status, json.loads(reply.content)


@pytest.mark.parametrize("bytes_", [FLAGS["--body-bytes"][0], 100_000, MEBI])
@pytest.mark.parametrize("send", [lambda path, body: request("POST", path, body), lambda path, body: chunked(path, [body])], ids=["length", "chunked"])
def test_bodies(start, bytes_, send):
    """Up to the limit they are read, and one more byte is refused by a problem that names it."""
    records = max(bytes_, FLAGS["--record-bytes"][0])
    daemon, _ = start("bodies.db", "--body-bytes", str(bytes_), "--record-bytes", str(records))
    for path, limit in (("/v1/games", bytes_), ("/v1/analysis", records), ("/v1/records", records)):
        status, value = reply_to(daemon, send(path, b" " * limit))
        assert (status, value["code"]) == (400, "malformed-json")
        for over in (1, 60_000):
            status, value = reply_to(daemon, send(path, b" " * (limit + over)))
            assert (status, value["code"], value["limit"]) == (413, "body-too-large", limit)
            assert value["detail"] == f"at most {limit} bytes are read here"
    good = json.dumps({"variant": "iuvo-2"}).encode()
    assert reply_to(daemon, send("/v1/games", good.ljust(bytes_)))[0] == 201
    assert reply_to(daemon, send("/v1/analysis", ANALYSIS.ljust(records)))[0] == 200


def test_the_least_is_enough_for_every_body(start):
    """Of those that can be sent: four seats with names of characters that JSON writes as twelve, a start, and a clock."""
    _, client = start("least.db", "--body-bytes", str(FLAGS["--body-bytes"][0]))
    position = client.get("/v1/variants/iuvo-4").value["start"]
    body = {"variant": "iuvo-4", "visibility": "unlisted", "seats": [{"name": "\U0001f3b2" * LIMITS["NAME"]}] * 4, "position": position,
            "clock": {"initial_seconds": LIMITS["CLOCK_SECONDS_LEAST"] * 1000, "increment_seconds": 1000}}
    text = json.dumps(body, ensure_ascii=True)
    assert len(text) > 3 * 1024
    reply = client.post("/v1/games", data=text, headers={"Content-Type": "application/json"})
    assert reply.status_code == 201, reply.text


@pytest.mark.parametrize("path, key", [("/v1/analysis", "moves"), ("/v1/records", "moves")])
def test_the_largest_body_has_room(start, path, key):
    """As many values as there may be in as many bytes as there may be, in chunks, so that its room grows: one call's memory is enough."""
    daemon, client = start("most.db", "--record-bytes", str(MEBI))
    count = LIMITS["JSON_VALUES"] - 100
    body = json.dumps({"variant": "iuvo-2", key: ["x" * (MEBI // count - 6)] * count}, separators=(",", ":")).encode()
    assert MEBI * 9 // 10 < len(body) <= MEBI
    for _ in range(3):
        status, value = reply_to(daemon, chunked(path, [body[at:at + 50_000] for at in range(0, len(body), 50_000)]))
        assert status == 400 and value["code"] == "invalid-body", value
    until_ready(client)


# ---- heads ----

def head_of(length, each=64):
    """A request with headers of usual length, that many bytes in all."""
    line = b"X-Line: " + b"x" * (each - 10) + b"\r\n"
    head = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
    head += line * ((length - len(head) - 2) // each)
    return head + b"\r\n"


def is_served(daemon, data):
    """Whether it is answered by 200; if not, it is the library that refuses it, or closes."""
    with Wire(daemon) as wire:
        try:
            first = wire.send(data).reply()
        except (ConnectionError, OSError):
            return False
        if first.status != 200:
            assert first.status in (413, 414, 431) and wire.is_closed_within(5)
            return False
        assert wire.send(request()).reply().status == 200
        return True


def test_heads(start, daemon):
    """Of headers of usual length there may be about as many bytes as the flag says, and not three times as many."""
    least, usual, greatest = FLAGS["--header-bytes"]
    lowered, _ = start("lowered.db", "--header-bytes", str(least))
    raised, _ = start("raised.db", "--header-bytes", str(greatest))
    for one, limit in ((lowered, least), (daemon, usual), (raised, greatest)):
        assert is_served(one, head_of(limit * 9 // 10)) and not is_served(one, head_of(limit * 3)), limit
        assert is_served(one, head_of(limit * 9 // 10, each=1000)) and not is_served(one, head_of(limit * 3, each=1000)), limit
        assert is_served(one, request())
    # What the others take is too much where it is lowered, and where it is raised there is room for what they refuse.
    assert not is_served(lowered, head_of(2 * usual)) and is_served(raised, head_of(2 * usual))


def test_the_longest_answers_fit_beside_the_shortest_heads(start):
    """The reply's head shares the memory of the request's: a long query comes back, longer, in Link."""
    _, client = start("heads.db", "--header-bytes", str(FLAGS["--header-bytes"][0]))
    name = "\U0001f3b2" * LIMITS["NAME"]
    for _ in range(2):
        client.create(seats=[{"name": name}, {}])
    many = {f"X-Line-{at}": "x" * 500 for at in range(10)}
    page = client.get("/v1/games", params={"name": name, "limit": 1}, headers=many)
    assert page.status_code == 200 and len(page.headers["Link"]) > 700
    assert client.get(page.value["next"], headers=many).value["games"]


# ---- the engine's work ----

def test_nodes(start):
    """A lowered cap is named by each refusal, with the highest level that it leaves; what asks for neither is served."""
    for nodes, level in ((FLAGS["--engine-nodes"][0], 8), (299_999, 9), (300_000, 10)):
        _, client = start(f"nodes{level}.db", "--engine-nodes", str(nodes))
        assert client.get("/version").value["limits"]["engine_level"] == level
        table = client.create().play_all(["a1-b3"])
        for parameter, value, limit in (("nodes", nodes + 1, nodes), ("level", level + 1, level)):
            refused = problem(table.get(f"/hint?{parameter}={value}"), 400, "invalid-parameter") if level < 10 or parameter == "nodes" else None
            if refused is not None:
                assert refused["parameter"] == parameter and refused["detail"] == f"{parameter}: expected a whole number from 1 to {limit}"
        assert table.get(f"/hint?nodes={nodes}").value["budget"] == nodes
        assert table.get(f"/hint?level={level}").value["level"] == level
        assert table.get("/hint").value["budget"] == LIMITS["ENGINE_NODES_DEFAULT"]
        asked = {"variant": "iuvo-2", "moves": [], "engine": {"nodes": nodes + 1, "level": level + 1, "lines": 6}}
        errors = {error["pointer"]: error["detail"] for error in problem(client.post("/v1/analysis", json=asked), 400, "invalid-body")["errors"]}
        assert errors == {"/engine/nodes": f"expected an integer from 1 to {nodes}", "/engine/level": f"expected an integer from 1 to {level}",
                          "/engine/lines": "expected an integer from 1 to 5"}
        assert client.post("/v1/analysis", json={**asked, "engine": {"nodes": nodes}}).value["engine"]["budget"] == nodes
        assert table.get(f"/analysis?nodes={LIMITS['REPORT_NODES']}").status_code == 200


def waiting(client, kind):
    values = Scrape(client.get("/metrics").text).values
    return values["iuvod_engine_queue", (("class", kind),)]


def ask(daemon, table, count, first):
    """So many questions at once, each on a connection of its own."""
    wires = [Wire(daemon, PATIENCE) for _ in range(count)]
    for seed, wire in enumerate(wires):
        wire.send(request("GET", f"{table.path}/hint?{LONG}&seed={first + seed}"))
    return wires


def test_fewer_questions(start):
    daemon, client = start("few.db", "--engine-questions", "2")
    table, wires = client.create("halma-2"), []
    while (reply := table.get(f"/hint?nodes=10&seed={len(wires)}")).status_code == 200:
        wires += ask(daemon, table, 3, len(wires))
        assert len(wires) < FLAGS["--engine-questions"][1]
    problem(reply, 503, "engine-busy")
    assert int(reply.headers["Retry-After"]) > 0
    for wire in wires:
        wire.socket.close()
    eventually(lambda: table.get("/hint?nodes=11").status_code == 200)


def test_more_questions(start):
    usual = FLAGS["--engine-questions"][1]
    daemon, client = start("many.db", "--engine-questions", str(most("--engine-questions")), "--admin-listen", "0")
    table, wires = client.create("halma-2"), []
    while waiting(client, "question") <= usual:
        assert len(wires) < 1000
        wires += ask(daemon, table, 30, len(wires))
    for wire in wires:
        wire.socket.close()
    eventually(lambda: waiting(client, "question") == 0)


def test_fewer_moves(start):
    """Where one game at a time is thought about, the others wait, and each has its turn."""
    daemon, client = start("one.db", "--engine-moves", "1", "--admin-listen", "0")
    seats = [{"engine": {"level": 1}}, {"engine": {"level": 1}}]
    tables = [client.create(seats=seats) for _ in range(12)]

    def all_play():
        assert waiting(client, "engine") <= 1
        return all(table.get().value["ply"] >= 4 for table in tables)

    eventually(all_play)
    assert daemon.stop() == 0 and daemon.verify().returncode == 0


def test_more_moves(start):
    usual = FLAGS["--engine-moves"][1]
    _, client = start("moves.db", "--engine-moves", str(most("--engine-moves")), "--admin-listen", "0", "--cache-bytes", "0")
    for _ in range(usual + 20):
        client.create("halma-2", seats=ENGINES)
    eventually(lambda: waiting(client, "engine") > usual)
