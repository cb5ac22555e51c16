"""What the engine would play: GET /v1/games/{game}/hint and POST /v1/analysis with `engine`.  Nothing here depends on speed."""

import concurrent.futures
import http.client
import itertools
import select
import time

import pytest

from client import Client, Reply, problem
from contract import check_reply
from daemon import Daemon
from patience import eventually
from scrape import scrape
from test_service import START
from test_sizes import LIMITS
from test_wire import Wire, request

# A game that is over in five plies from here, and what leads to its end.
LATE = "iuvo-2 3o3/2AB3/2oAoB1/3o3/7/7/7 1 - -"
LATE_MOVES = ["c5-e6", "f5-e7", "c6xe7", "d6-e4", "d5-c7"]
# As much as may be asked for, where it takes longest.
MUCH = "nodes=1000000&lines=5"
ASKED = ("/v1/games/{game}/hint", "/v1/games/{game}/analysis", "/v1/analysis")  # where the engine is asked


def advice(reply):
    """What a hint or an analysis says of the engine, without what it says of the game."""
    assert reply.status_code == 200, reply.text
    value = reply.value.get("engine", reply.value)
    return {key: value[key] for key in ("level", "budget", "move", "lines", "nodes", "depth")}


def analyse(client, variant="iuvo-2", moves=(), **engine):
    return client.post("/v1/analysis", json={"variant": variant, "moves": list(moves), "engine": engine})


# ---- what it says ----

@pytest.mark.parametrize("variant", START)
def test_a_hint(client, variant):
    table = client.create(variant)
    legal = [move["move"] for move in table.get("/legal-moves").value["moves"]]
    hint = table.get("/hint?nodes=3000&lines=3").value
    assert (hint["game"], hint["ply"], hint["turn"], hint["level"], hint["budget"]) == (table.id, 0, 1, None, 3000)
    assert 0 < hint["nodes"] <= 3000 and hint["depth"] >= 1
    firsts, scores = [line["moves"][0] for line in hint["lines"]], [line["score"] for line in hint["lines"]]
    assert hint["move"] == firsts[0] and len(set(firsts)) == 3 and set(firsts) <= set(legal)
    assert scores == sorted(scores, reverse=True)
    for line in hint["lines"]:
        assert line["decided"] is None
        assert client.post("/v1/analysis", json={"variant": variant, "moves": line["moves"]}).status_code == 200


def test_a_hint_is_played(client):
    table = client.create()
    for ply in range(6):
        hint = table.get(f"/hint?level={ply + 1}").value
        assert (hint["ply"], hint["level"]) == (ply, ply + 1)
        assert table.play(hint["move"]).status_code == 201


def test_who_asks_for_nothing_gets_as_good_as_there_is(client):
    """No weaker move on purpose, as of a level."""
    for told in (advice(client.create().get("/hint")), advice(analyse(client)), *(advice(analyse(client, "iuvo-4", seed=seed)) for seed in range(20))):
        assert (told["level"], told["budget"]) == (None, LIMITS["ENGINE_NODES_DEFAULT"]) and told["nodes"] > 0


def test_the_end_is_seen(client):
    table = client.create(position=LATE).play_all(LATE_MOVES[:4])
    hint = table.get("/hint?nodes=5000").value
    assert hint["move"] == LATE_MOVES[4] and hint["lines"][0] == {"score": 31999, "decided": {"result": "win", "plies": 1, "shortest": True}, "moves": LATE_MOVES[4:]}
    table = client.create(position=LATE).play_all(LATE_MOVES[:3])
    lost = table.get("/hint?nodes=5000").value["lines"][0]
    plies = lost["decided"]["plies"]
    assert lost["decided"] == {"result": "loss", "plies": plies, "shortest": True} and lost["score"] == plies - 32000
    assert plies > 2 and lost["moves"][0] != LATE_MOVES[3] and len(lost["moves"]) <= plies


def test_the_past_counts(client):
    """What is left for the third time is a draw in Halma (H8), and worth nothing to anybody."""
    moves = ["n4-m5", "c13-d12", "m5-n4", "d12-c13", "n4-m5", "c13-d12", "m5-n4"]
    table = client.create("halma-2").play_all(moves)
    found = advice(table.get("/hint?nodes=3000&lines=5"))
    assert found == advice(analyse(client, "halma-2", moves, nodes=3000, lines=5))
    table.play_all(["d12-c13"])
    assert table.game["outcome"]["reason"] == "repetition" and table.get("/analysis?nodes=3000&after=7").value["plies"][0]["score"] == 0


# ---- the same question, the same answer ----

@pytest.mark.parametrize("asked", [{"nodes": 4000, "lines": 4, "seed": 7}, {"level": 6}, {"level": 1, "seed": 3}, {"level": 5, "lines": 2}])
def test_the_same_answer(client, tmp_path, issued_tokens, asked):
    moves = ["a1-b3", "a7-b5", "c1-d3"]
    table = client.create().play_all(moves)
    query = "&".join(f"{name}={value}" for name, value in asked.items())
    first = advice(table.get(f"/hint?{query}"))
    assert advice(table.get(f"/hint?{query}", token=table.tokens[1])) == first
    assert advice(analyse(client, moves=moves, **asked)) == first
    with Daemon(tmp_path / "other.db", "--engine-threads", "3") as other, Client(other, issued_tokens) as client:
        with concurrent.futures.ThreadPoolExecutor(6) as threads:
            answers = list(threads.map(lambda _: advice(analyse(client, moves=moves, **asked)), range(6)))
    assert answers == [first] * 6


@pytest.mark.parametrize(("variant", "budgets"), [("iuvo-2", [50, 100, 600]), ("iuvo-4", [20, 80, 300]), ("iuvo-4-loose", [20, 80, 400])])
def test_a_level_has_a_budget_of_the_variant(client, variant, budgets):
    levels = (1, 3, 5)
    assert [advice(analyse(client, variant, level=level))["budget"] for level in levels] == budgets
    table = client.create(variant)
    assert [advice(table.get(f"/hint?level={level}"))["budget"] for level in levels] == budgets


def test_a_low_level_plays_a_weaker_move_now_and_then(client):
    answers = [advice(analyse(client, level=1, lines=3, seed=seed)) for seed in range(40)]
    weaker = [answer for answer in answers if answer["nodes"] == 0]
    assert 0 < len(weaker) < len(answers)
    assert {len(answer["lines"]) for answer in weaker} == {1}
    assert len({answer["move"] for answer in weaker}) > 1
    assert all(answer["nodes"] for answer in (advice(analyse(client, level=7, seed=seed)) for seed in range(5)))


@pytest.mark.parametrize("variant", START)
def test_a_level_plays_the_same_with_other_lines_beside_it(client, variant):
    full = 0
    for level, seed in itertools.product((4, 6, 8), range(6)):
        alone, among = (advice(analyse(client, variant, level=level, seed=seed, **more)) for more in ({}, {"lines": 3}))
        assert (among["move"], among["lines"][0], among["depth"]) == (alone["move"], alone["lines"][0], alone["depth"])
        assert (among["nodes"] > alone["nodes"]) == (len(among["lines"]) > 1) == (alone["nodes"] > 0)
        others = [line["score"] for line in among["lines"][1:]]
        assert others == sorted(others, reverse=True) and len({line["moves"][0] for line in among["lines"]}) == len(among["lines"])
        full += len(among["lines"]) == 3
    assert full > 6


def test_one_legal_move_is_found_by_one_node(client):
    assert advice(analyse(client, nodes=1))["lines"][0]["moves"]
    assert len(advice(analyse(client, "halma-2", nodes=1, lines=5))["lines"]) >= 1


# ---- what is kept ----

def test_it_is_not_thought_about_again(client):
    table = client.create()
    first = table.get("/hint?nodes=100")
    assert (first.headers["Cache-Control"], first.headers["Vary"]) == ("no-cache", "Authorization")
    again = table.get("/hint?nodes=100", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", first.headers["ETag"])
    assert "Content-Length" not in again.headers and "Transfer-Encoding" not in again.headers
    private = table.get("/hint?nodes=100", token=table.tokens[1])
    assert private.headers["Cache-Control"] == "private, no-cache" and private.headers["ETag"] != first.headers["ETag"]
    table.play_all(["a1-b3"])
    moved = table.get("/hint?nodes=100", headers={"If-None-Match": first.headers["ETag"]})
    assert moved.status_code == 200 and moved.value["ply"] == 1


def test_another_engine_is_asked_again(start):
    """What a hint and a report say hangs on --engine-memory too, and so does their tag; that of the game does not."""
    tags = []
    for memory in ("64", "32", "64"):
        daemon, client = start("mind.db", "--engine-memory", memory)
        path = client.get("/v1/games").value["games"][0]["links"]["self"] if tags else client.create().play_all(["a1-b3"]).path
        tags.append([client.get(f"{path}{rest}").headers["ETag"] for rest in ("", "/hint?nodes=100", "/analysis?nodes=500")])
        assert client.get(f"{path}/hint?nodes=100", headers={"If-None-Match": tags[0][1]}).status_code == (304 if memory == "64" else 200)
        daemon.stop()
    assert tags[0] == tags[2] and tags[0][0] == tags[1][0] and tags[0][1] != tags[1][1] and tags[0][2] != tags[1][2]


def test_head(client):
    table = client.create()
    head = client.request("HEAD", f"{table.path}/hint?nodes=100")
    assert head.status_code == 200 and int(head.headers["Content-Length"]) == len(table.get("/hint?nodes=100").content)


def test_whoever_reads_the_game_may_ask(client):
    table, stranger = client.create(visibility="unlisted"), client.create()
    for token in (None, table.tokens[1], table.creator, stranger.tokens[1]):
        assert table.get("/hint?nodes=20", token=token).status_code == 200
    problem(table.get("/hint?nodes=20", token="a" * 52), 401, "token-unknown")


# ---- what is refused ----

@pytest.mark.parametrize("query, parameter", [
    ("level=0", "level"), ("level=11", "level"), ("level=x", "level"), ("level=", "level"), ("nodes=0", "nodes"), ("nodes=1000001", "nodes"), ("nodes=-1", "nodes"), ("nodes=1.5", "nodes"), ("nodes=99999999999999999999", "nodes"),
    ("lines=0", "lines"), ("lines=6", "lines"), ("seed=-1", "seed"), ("seed=9007199254740992", "seed"), ("level=1&nodes=50", "nodes")])
def test_queries_that_are_wrong(client, query, parameter):
    assert problem(client.create().get(f"/hint?{query}"), 400, "invalid-parameter")["parameter"] == parameter


def test_parameters_that_there_are_not(client):
    table = client.create()
    assert problem(table.get("/hint?depth=3"), 400, "unknown-parameter")["allowed"] == ["level", "nodes", "lines", "seed"]
    problem(table.get("/hint?lines=2&lines=2"), 400, "repeated-parameter")


@pytest.mark.parametrize("engine, pointer", [
    ({"level": 0}, "/engine/level"), ({"level": 11}, "/engine/level"), ({"level": "1"}, "/engine/level"), ({"nodes": 0}, "/engine/nodes"), ({"nodes": 1000001}, "/engine/nodes"), ({"lines": 6}, "/engine/lines"), ({"lines": 0}, "/engine/lines"),
    ({"seed": -1}, "/engine/seed"), ({"level": 1, "nodes": 50}, "/engine/nodes"), ({"depth": 3}, "/engine/depth"), (5, "/engine"), ([], "/engine")])
def test_bodies_that_are_wrong(client, engine, pointer):
    fault = problem(client.post("/v1/analysis", json={"variant": "iuvo-2", "moves": [], "engine": engine}), 400, "invalid-body")
    assert [error["pointer"] for error in fault["errors"]] == [pointer]


def test_games_in_which_nobody_moves(client):
    table = client.create(seats=[{}, {"open": True}])
    assert problem(table.get("/hint"), 409, "game-not-started")["open_seats"] == [2]
    table.withdraw()
    problem(table.get("/hint"), 409, "game-withdrawn")
    table = client.create().play_all(["a1-b3"])
    table.resign(1)
    assert problem(table.get("/hint"), 409, "game-over")["outcome"] == table.game["outcome"]
    problem(client.get(f"/v1/games/{'a' * 26}/hint"), 404, "no-such-game")


@pytest.mark.parametrize("position", ["iuvo-2 2AoA2/3o3/7/7/7/7/7 - - 2", "iuvo-2 B1B1B1B/7/o1o1o1o/7/o1o1o1o/7/A1A1A1A - - -"])
def test_positions_that_are_over(client, position):
    fault = problem(client.post("/v1/analysis", json={"position": position, "engine": {"nodes": 10}}), 409, "game-over")
    assert fault["outcome"] == client.post("/v1/analysis", json={"position": position}).value["outcome"]
    assert ("`outcome` says" in fault["detail"]) == (fault["outcome"] is not None)


@pytest.mark.parametrize("position", ["iuvo-2 3oA2/4o2/7/7/7/7/7 1 - 2", "iuvo-4 7/7/7/7/3C3/1DAooB1/2C4 3 - -"])
def test_a_win_in_one_ply_is_the_shortest(client, position):
    """Where the other seat is out, and with more than two in."""
    for engine in ({}, {"nodes": 50}):
        told = client.post("/v1/analysis", json={"position": position, "engine": engine}).value["engine"]
        assert told["lines"][0]["decided"] == {"result": "win", "plies": 1, "shortest": True}


def test_without_an_engine(tmp_path, issued_tokens):
    with Daemon(tmp_path / "x.db", "--engine-threads", "0") as daemon, Client(daemon, issued_tokens) as client:
        assert client.get("/version").value["limits"]["engine_level"] == 0
        table = client.create().play_all(["a1-b3"])
        problem(table.get("/hint"), 409, "no-engine")
        for after in (0, 1):
            problem(table.get(f"/analysis?after={after}"), 409, "no-engine")
        problem(client.create().get("/analysis"), 409, "no-engine")
        problem(analyse(client, nodes=10), 409, "no-engine")
        assert client.post("/v1/analysis", json={"variant": "iuvo-2", "moves": []}).status_code == 200


# ---- many at once ----

@pytest.fixture
def busy(tmp_path, issued_tokens):
    """A daemon whose one thread of the engine has as much to do as it may, and those who asked; some were refused."""
    with Daemon(tmp_path / "busy.db") as daemon, Client(daemon, issued_tokens) as client:
        table = client.create("halma-2")
        asking, answered = [], set()
        for seed in range(90):
            connection = daemon.connect()
            connection.sendall(f"GET {table.path}/hint?{MUCH}&seed={seed} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            asking.append(connection)
        # 64 wait, however slow the machine is; of the others some are refused at once.
        until = time.monotonic() + 60
        while len(answered) < 10:
            assert time.monotonic() < until
            answered |= set(select.select(asking, [], [], 1)[0])
        yield daemon, client, table, asking
        for connection in asking:
            connection.close()


def test_more_than_may_wait(busy):
    daemon, client, table, asking = busy
    refused = 0
    for connection in select.select(asking, [], [], 0)[0]:
        response = http.client.HTTPResponse(connection, method="GET")
        response.begin()
        reply = Reply(response.status, dict(response.getheaders()), response.read())
        if reply.status_code == 200:
            continue
        reply.value = check_reply("GET", f"{table.path}/hint", reply.status_code, reply.headers.items(), reply.content)
        problem(reply, 503, "engine-busy")
        assert int(reply.headers["Retry-After"]) > 0
        refused += 1
    assert refused > 0
    # Nobody else is held up.
    assert table.play("n4-m5").status_code == 201 and client.get("/healthz").status_code == 200
    assert client.post("/v1/analysis", json={"variant": "iuvo-2", "moves": []}).status_code == 200
    # Who leaves makes room.
    for connection in asking:
        connection.close()
    eventually(lambda: table.get("/hint?nodes=10").status_code == 200)
    assert daemon.log().count("event=cut_off phase=think") >= 32


def test_a_stop_while_it_thinks(busy):
    daemon, client, table, asking = busy
    table.play_all(["n4-m5", "c13-d12"])
    began = time.monotonic()
    assert daemon.stop() == 0
    assert time.monotonic() - began < 10  # all that waits would take a minute
    stopped = 0
    for connection in asking:
        reply = connection.makefile("rb").read()
        stopped += b'"code":"stopping"' in reply
        assert b"HTTP/1.1 200" in reply or b"HTTP/1.1 503" in reply
    assert stopped >= 32
    assert daemon.verify().returncode == 0
    daemon.start()
    assert table.get().value["ply"] == 2 and table.get("/hint?nodes=10").status_code == 200


def come(daemon, client):
    """How many questions have come, be they answered, in hand or in line."""
    told = scrape(daemon, client)
    waiting = sum(told.get("iuvod_engine_queue", **{"class": kind}) for kind in ("quick", "question"))
    return waiting + told.get("iuvod_engine_running") + sum(told.get("iuvod_requests_total", route=route) for route in ASKED)


def answered(wires):
    return select.select([wire.socket for wire in wires], [], [], 0)[0]


def test_a_quick_question_does_not_wait_for_all_dear_ones(start):
    """What is quick is answered before what is dear, though that came before it; one thread thinks."""
    daemon, client = start("turns.db", "--admin-listen", "0")
    two, four, halma = client.create(), client.create("iuvo-4"), client.create("halma-2")
    for _ in range(7):
        two.play(two.get("/legal-moves").value["moves"][0]["move"])

    def get(table, rest):
        return request("GET", f"{table.path}/{rest}")

    def post(variant, engine):
        return request("POST", "/v1/analysis", f'{{"variant": "{variant}", "moves": [], "engine": {engine}}}'.encode())

    def ask(asked):
        before = come(daemon, client)
        wires = [Wire(daemon).send(data) for data in asked]
        eventually(lambda: come(daemon, client) >= before + len(wires))
        return wires

    many = ask([get(halma, f"hint?nodes=300000&seed={seed}") for seed in range(24)])
    # Each is a node or a ply beyond what is quick, or is thought about twice.
    dear = ask([get(two, "hint?level=9"), get(two, "hint?nodes=14001"), get(two, "hint?level=8&lines=2"), get(four, "hint?nodes=14001"),
                get(two, "analysis?limit=4"), get(two, "analysis?nodes=7001&limit=1"), post("halma-2", '{"nodes": 14001}'), post("iuvo-4", '{"level": 9}')])
    quick = [Wire(daemon).send(data) for data in (
        get(two, "hint"), get(halma, "hint?nodes=14000&lines=5"), get(four, "hint?level=8&lines=5"), get(two, "hint?level=7&lines=2"),
        get(two, "analysis?limit=3"), get(two, "analysis?nodes=7000&limit=1"), post("halma-2", "{}"), post("iuvo-4", '{"nodes": 14000}'))]
    assert [wire.reply().status for wire in quick] == [200] * len(quick)
    assert answered(dear) == [] and 0 < len(answered(many)) < len(many)
    for wire in many + dear + quick:
        wire.socket.close()
