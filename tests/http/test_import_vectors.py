"""Whole games of tests/vectors, through the service."""

import json

import pytest

from client import problem
from contract import SOURCE
from test_moves import shuttle
from test_service import START

VECTORS = SOURCE / "tests" / "vectors"


def load(name):
    return json.loads((VECTORS / name).read_text())


def seats_out(position):
    return position.split(" ")[4].replace("-", "")


@pytest.mark.parametrize("number", range(5))
def test_games_played_move_by_move(client, number):
    """The shortest game of each variant, every move over HTTP, every position and list compared."""
    by_variant = {}
    for game in load("games.json"):
        best = by_variant.setdefault(game["variant"], game)
        if len(game["plies"]) < len(best["plies"]):
            by_variant[game["variant"]] = game
    game = list(by_variant.values())[number]
    table = client.create(game["variant"], position=game["start"])
    for ply in game["plies"][:80]:
        assert table.game["turn"] == ply["seat"]
        assert len(table.get("/legal-moves").value["moves"]) == ply["legal"]
        result = table.play(ply["move"])
        assert result.status_code == 201, result.text
        assert result.value["game"]["position"] == ply["position"]
    assert client.post("/v1/analysis", json={"position": table.game["position"]}).value["stones"] == table.game["stones"]


@pytest.mark.parametrize("game", load("games.json") if VECTORS.exists() else [], ids=lambda game: f"{game['variant']}-{len(game['plies'])}")
def test_games_imported(client, game):
    record = {"format": "iuvod-record-1", "variant": game["variant"], "start": game["start"], "moves": [ply["move"] for ply in game["plies"]], "outcome": game["outcome"]}
    reply = client.post("/v1/records", json=record)
    assert reply.status_code == 201, reply.text
    imported = reply.value
    assert imported["outcome"] == game["outcome"] and imported["position"] == game["plies"][-1]["position"]
    moves = client.get(imported["links"]["moves"]).value["moves"]
    assert [move["move"] for move in moves] == record["moves"]
    for ply, move in zip(game["plies"], moves):
        assert move["seat"] == ply["seat"]
        assert [(out["seat"], out["reason"]) for out in move["eliminations"]] == [(int(seat), reason) for seat, reason in ply.get("out", {}).items()]
    for ply in [*range(1, len(moves) + 1, 7), len(moves)]:
        assert client.get(f"{imported['links']['self']}/positions/{ply}").value["position"] == game["plies"][ply - 1]["position"]


@pytest.mark.parametrize("case", load("cases.json") if VECTORS.exists() else [], ids=lambda case: f"{case['start'].split()[0]}-{len(case['steps'])}")
def test_cases(client, case):
    table = client.create(case["start"].split()[0], position=case["start"])
    for step in case["steps"]:
        reply = table.resign(int(step.split(":")[1])) if step.startswith("resign:") else table.play(step)
        assert reply.status_code in (200, 201), (step, reply.text)
    assert (table.game["position"], table.game["outcome"]) == (case["position"], case["outcome"])
    assert [move["move"] for move in table.get("/legal-moves").value["moves"]] == case["legal"]
    assert "".join(str(seat["seat"]) for seat in table.game["seats"] if seat["status"] == "out") == seats_out(case["position"])
    reply = client.post("/v1/records", data=table.get("/record").content, headers={"Content-Type": "application/json"})
    assert reply.status_code == 201 and reply.value["position"] == case["position"]


def test_positions(client):
    for entry in load("positions.json"):
        found = client.post("/v1/analysis", json={"position": entry["position"]}).value
        if "moves" in entry:
            assert [move["move"] for move in found["legal_moves"]] == entry["moves"]
        assert len(found["legal_moves"]) == entry["perft"][0]


def from_the_start(variant):
    return [game for game in load("games.json") if game["variant"] == variant and game["start"] == START[variant]]


def test_captures_refused_in_analysis(client):
    """leaves-camp, own-not-captured and neutral-not-captured take whole games to reach from the start."""
    wanted = {"own-not-captured", "neutral-not-captured", "leaves-camp"}
    for game in from_the_start("iuvo-2") + from_the_start("halma-2"):
        wanted -= refusals_on_the_way(client, game, wanted)
        if not wanted:
            break
    assert not wanted


def test_a_repetition_refused_in_analysis(client):
    for game in from_the_start("iuvo-2"):
        moves = [ply["move"] for ply in game["plies"]]
        length = next((n for n in range(len(moves)) if client.post("/v1/analysis", json={"variant": "iuvo-2", "moves": moves[:n]}).value["phase"] == "chain"), None)
        if length is None:
            continue
        try:
            cycle = shuttle(client, game["plies"][length - 1]["position"])
        except AssertionError:
            continue
        fault = problem(client.post("/v1/analysis", json={"variant": "iuvo-2", "moves": [*moves[:length], *cycle, *cycle, cycle[0]]}), 409, "third-repetition")
        assert fault["ply"] == length + 9
        return
    raise AssertionError("no game in which two seats can go to and fro")


KNIGHT = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]


def refusals_on_the_way(client, game, wanted):
    """The wanted codes that some move at the end of this game gives."""
    found = set()
    moves = [ply["move"] for ply in game["plies"]]
    for length in (len(moves) - 1, len(moves) - 2, len(moves) * 3 // 4):
        at = client.post("/v1/analysis", json={"variant": game["variant"], "moves": moves[:length]}).value
        if at["turn"] is None:
            continue
        occupied = {stone["cell"]: stone["owners"] for stone in at["stones"]}
        for start, owners in occupied.items():
            if at["turn"] not in owners:
                continue
            for to in ways(game["variant"], start, at["turn"], occupied):
                reply = client.post("/v1/analysis", json={"variant": game["variant"], "moves": [*moves[:length], f"{start}-{to}"]})
                if reply.status_code == 409:
                    problem(reply, 409, reply.value["code"])
                    found.add(reply.value["code"])
                if found >= wanted:
                    return found
    return found


def ways(variant, start, turn, occupied):
    """Cells to which a move of this stone may be refused for one of the wanted reasons."""
    file, rank = ord(start[0]) - 97, int(start[1:])
    if variant == "halma-2":
        steps = [(file + x, rank + y) for x in (-1, 0, 1) for y in (-1, 0, 1)]
        cells = [f"{chr(97 + f)}{r}" for f, r in steps if 0 <= f < 16 and 1 <= r <= 16]
        return [cell for cell in cells if cell not in occupied]
    cells = [f"{chr(97 + file + x)}{rank + y}" for x, y in KNIGHT if 0 <= file + x < 7 and 1 <= rank + y <= 7]
    return [cell for cell in cells if cell in occupied and (turn in occupied[cell] or not occupied[cell])]
