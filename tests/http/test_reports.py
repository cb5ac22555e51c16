"""GET /v1/games/{game}/analysis: what each ply of a game was worth."""

import pytest

from client import problem
from test_hints import LATE, LATE_MOVES

LOST_TO_ALL = -30999  # the score of what all others together would bring down

GAMES = {
    "iuvo-2": ["a1-b3", "a7-b5", "c1-d3", "c7-d5", "e1-f3", "e7-f5"],
    "halma-2": ["n4-m5", "c13-d12", "m5-l6", "d12-e11"],
}


def played(client, variant, plies):
    """A game of so many plies, of which every third is a weak move."""
    table = client.create(variant)
    for ply in range(plies):
        moves = table.get("/legal-moves").value["moves"]
        table.play_all([moves[-1]["move"] if ply % 3 == 2 else table.get("/hint?nodes=300").value["move"]])
    return table


@pytest.mark.parametrize("variant", ["iuvo-2", "iuvo-4", "halma-2"])
def test_a_report(client, variant):
    table = played(client, variant, 9)
    report = table.get("/analysis?nodes=3000").value
    assert (report["game"], report["ply"], report["budget"], report["next"]) == (table.id, 9, 3000, None)
    moves = table.get("/moves").value["moves"]
    assert [(ply["ply"], ply["seat"], ply["move"]) for ply in report["plies"]] == [(move["ply"], move["seat"], move["move"]) for move in moves]
    for ply in report["plies"]:
        assert ply["loss"] == max(0, ply["best_score"] - ply["score"]) and ply["depth"] >= 1
        assert ply["move"] != ply["best"] or ply["loss"] == 0
        before = [move["move"] for move in moves[:ply["ply"] - 1]]
        engine = client.post("/v1/analysis", json={"variant": variant, "moves": before, "engine": {"nodes": 3000}}).value["engine"]
        assert (ply["best"], ply["best_score"], ply["depth"]) == (engine["move"], engine["lines"][0]["score"], engine["depth"])
    losses = {ply["ply"]: ply["loss"] for ply in report["plies"]}
    assert report["worst"] == [ply for ply in sorted(losses, key=lambda ply: (-losses[ply], ply)) if losses[ply] > 0][:5]
    assert report["worst"] and table.get("/analysis?nodes=3000", token=table.tokens[1]).value == report


@pytest.mark.parametrize("limit", [1, 2, 4])
def test_in_pieces(client, limit):
    table = played(client, "iuvo-2", 8)
    whole = table.get("/analysis?nodes=600").value["plies"]
    path, plies = f"{table.path}/analysis?nodes=600&limit={limit}", []
    while path:
        reply = client.get(path)
        assert len(reply.value["plies"]) == limit and set(reply.value["worst"]) <= {ply["ply"] for ply in reply.value["plies"]}
        plies += reply.value["plies"]
        path = reply.value["next"]
        assert reply.headers.get("Link") == (f'<{path}>; rel="next"' if path else None)
    assert plies == whole


def test_the_end_of_a_game(client):
    table = client.create(position=LATE).play_all(LATE_MOVES)
    plies = table.get("/analysis?nodes=20000").value["plies"]
    assert plies[-1]["decided"] == {"result": "win", "plies": 1, "shortest": True} and plies[-1]["loss"] == 0
    # Lost it was anyway, but not so soon.
    assert (plies[-2]["decided"]["result"], plies[-2]["decided"]["plies"], plies[-2]["score"]) == ("loss", 2, -31998)
    assert 0 < plies[-2]["loss"] < 64 and plies[-2]["best"] != plies[-2]["move"]


def test_a_game_thrown_away(client):
    """To leave a win in one ply is worse than anything else."""
    table = client.create(position=LATE).play_all(LATE_MOVES[:4])
    others = [move["move"] for move in table.get("/legal-moves").value["moves"] if move["move"] != LATE_MOVES[4]]
    table.play_all(others[:1])
    report = table.get("/analysis?nodes=5000").value
    last = report["plies"][-1]
    assert last["best"] == LATE_MOVES[4] and last["best_score"] == 31999 and last["score"] < 31999 and last["loss"] > 0


def test_seats_that_gave_up(client):
    """Between two plies a seat goes out: the next seat found a game without it."""
    table = client.create("iuvo-4")
    table.play_all([table.get("/hint?nodes=50").value["move"] for _ in range(1)])
    table.resign(2)
    assert table.game["turn"] == 3
    for _ in range(3):
        table.play_all([table.get("/hint?nodes=50").value["move"]])
    table.resign(4)
    report = table.get("/analysis?nodes=500").value
    assert [ply["seat"] for ply in report["plies"]] == [1, 3, 4, 1]
    assert table.get("/analysis?nodes=500&after=1&limit=1").value["plies"] == report["plies"][1:2]


@pytest.mark.parametrize("position", ["iuvo-4 7/7/1BooC2/2oDs2/3oA2/7/7 4 - -", "iuvo-4 7/7/1BooC2/2oDs2/2AoA2/7/7 1 - -"])
def test_what_all_others_together_could_do_is_not_held_against_a_move(client, position):
    """Where they could bring a seat down at full depth, it is compared less deep, if there is such a depth."""
    table = client.create("iuvo-4", position=position)
    while table.game["turn"] is not None and table.game["ply"] < 24:
        table.play_all([table.get("/hint?nodes=60").value["move"]])
    plies = table.get("/analysis?nodes=2000").value["plies"]
    less_deep = 0
    for ply in plies:
        state = table.get(f"/positions/{ply['ply'] - 1}").value["position"]
        together = (ply["score"], ply["best_score"]).count(LOST_TO_ALL)
        assert ply["loss"] < 10000 and together in (0, 2) and (not together or ply["loss"] == 0)
        whole = client.post("/v1/analysis", json={"position": state, "engine": {"nodes": 2000}}).value["engine"]
        less_deep += ply["depth"] < whole["depth"]
    assert less_deep > 2


def test_nothing_to_report(client):
    table = client.create()
    assert table.get("/analysis").value == {"game": table.id, "ply": 0, "budget": 2000, "plies": [], "worst": [], "next": None}
    table.play_all(["a1-b3"])
    for after in (1, 2, 4096):
        assert table.get(f"/analysis?after={after}").value["plies"] == []
    table = client.create(seats=[{}, {"open": True}])
    assert table.get("/analysis").value["plies"] == []
    problem(client.get(f"/v1/games/{'a' * 26}/analysis"), 404, "no-such-game")


@pytest.mark.parametrize("query, parameter", [
    ("nodes=499", "nodes"), ("nodes=20001", "nodes"), ("nodes=x", "nodes"), ("limit=0", "limit"), ("limit=51", "limit"), ("after=-1", "after"), ("after=4097", "after")])
def test_queries_that_are_wrong(client, query, parameter):
    assert problem(client.create().get(f"/analysis?{query}"), 400, "invalid-parameter")["parameter"] == parameter


def test_a_budget_too_small(client):
    """Where not even one ply could be looked at in full, nothing is said of the move."""
    table = client.create("halma-2").play_all(GAMES["halma-2"])
    for ply in table.get("/analysis?nodes=500").value["plies"]:
        assert ply["depth"] >= 1 or (ply["score"], ply["loss"]) == (ply["best_score"], 0)


def test_not_modified(client):
    table = client.create().play_all(GAMES["iuvo-2"])
    tag = table.get("/analysis?nodes=500").headers["ETag"]
    again = table.get("/analysis?nodes=500", headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")
