"""Playing: what is legal, what is refused and how, what was played."""

import pytest

from client import problem
from contract import contract

CHAIN = "iuvo-2 7/7/3oo2/1B1A3/1ooo3/1oBo3/1o5 2 e5 -"
HALMA_IN_CAMP = "halma-2 4A11/16/16/16/16/16/16/16/7A8/16/16/16/16/16/16/7B8 1 - -"

# variant, position or None, moves before, the move, its verdict, the rule, the cells
REFUSED = [
    ("iuvo-2", None, "", "a1-h3", "off-board", "I1", ["h3"]),
    ("iuvo-2", None, "", "a1-b99", "off-board", "I1", ["b99"]),
    ("iuvo-2", None, "", "z1-b3", "off-board", "I1", ["z1"]),
    ("iuvo-2", None, "", "b1-c3", "no-stone", "I6", ["b1"]),
    ("iuvo-2", None, "", "a7-b5", "not-your-stone", "I6", ["a7"]),
    ("iuvo-2", None, "c3-b1", "b1-d2", "stone-rests", "I11", ["b1"]),
    ("iuvo-2", None, "", "a1-a1", "null-move", "I7", ["a1"]),
    ("iuvo-2", None, "", "a1-a2", "not-a-jump", "I7", ["a1", "a2"]),
    ("iuvo-2", None, "", "a1-b3-d4", "not-a-jump", "I7", None),
    ("iuvo-2", None, "a1-b3 a7-b5", "b3-a5", "capture-too-early", "I10", ["a5"]),
    ("iuvo-2", None, "a1-b3 a7-b5", "b3xc5", "capture-too-early", "I10", ["c5"]),
    ("iuvo-2", CHAIN, "", "b4xd3", "neutral-not-captured", "I10", ["d3"]),
    ("iuvo-2", CHAIN, "", "b4-c2", "own-not-captured", "I10", ["c2"]),
    ("iuvo-2", None, "", "a1xb3", "no-capture", "T1", ["b3"]),
    ("iuvo-2", None, "c1-b3 c3-e4", "a1-c2", "no-neighbour", "I8", ["c2"]),
    ("iuvo-2", None, "a1-b3 c7-d5 c1-d3 a7-b5", "b3-d4", "breaks-group", "I9", ["b3", "d4"]),
    ("iuvo-4", None, "", "a3-b5", "not-your-stone", "I6", ["a3"]),
    ("iuvo-4", None, "", "a7-b5", "not-your-stone", "I6", ["a7"]),
    ("halma-2", None, "", "m3-q4", "off-board", "H1", ["q4"]),
    ("halma-2", None, "", "a1-b2", "no-stone", "H3", ["a1"]),
    ("halma-2", None, "", "a16-a11", "not-your-stone", "H3", ["a16"]),
    ("halma-2", None, "", "m3-m3", "null-move", "H5", ["m3"]),
    ("halma-2", None, "", "m3-m5", "not-a-step-or-jump", "H4", ["m3", "m5"]),
    ("halma-2", None, "", "n2-l4-l6", "not-a-chain-of-jumps", "H5", ["l4", "l6"]),
    ("halma-2", None, "", "m1-m2", "occupied", "H5", ["m2"]),
    ("halma-2", None, "", "m3xm4", "no-capture", "T1", None),
    ("halma-2", HALMA_IN_CAMP, "", "e16-f16", "leaves-camp", "H6", ["e16", "f16"]),
]


@pytest.mark.parametrize("variant, position, before, move, code, rule, cells", REFUSED)
def test_refused_moves(client, variant, position, before, move, code, rule, cells):
    table = client.create(variant, **({"position": position} if position else {}))
    table.play_all(before.split())
    game = table.get().value
    for path in ("/moves", "/moves?dry_run=true"):
        fault = problem(table.play(move, path=path), 409, code)
        assert (fault["rule"], fault["move"]) == (rule, move)
        assert fault["cells"] and (cells is None or fault["cells"] == cells), fault
    assert table.get().value == game


def test_every_verdict_is_covered():
    verdicts = set(contract.components["schemas"]["Refusal"]["properties"]["code"]["enum"])
    assert verdicts - {row[4] for row in REFUSED} == {"third-repetition"}


def test_a_move(client):
    table = client.create(seats=[{"name": "Ada"}, {"name": "Bo"}])
    reply = table.play("a1-b3", expected_ply=0)
    assert reply.status_code == 201
    move, game = reply.value["move"], reply.value["game"]
    assert {key: move[key] for key in move if key != "at"} == {
        "ply": 1, "seat": 1, "move": "a1-b3", "from": "a1", "to": "b3", "path": ["a1", "b3"], "captures": False, "kind": "own", "eliminations": []}
    assert (game["ply"], game["turn"], game["last_move"]) == (1, 2, move)
    assert game["position"] == "iuvo-2 B1B1B1B/7/o1o1o1o/7/oAo1o1o/7/2A1A1A 2 - -"
    assert reply.headers["Location"] == f"{table.path}/moves/1" and client.get(reply.headers["Location"]).value == move
    again = table.get(token=table.tokens[1])
    assert again.value == game and again.headers["ETag"] == reply.headers["ETag"]
    assert table.get("/moves").value == {"game": table.id, "ply": 1, "moves": [move]}


@pytest.mark.parametrize("text", ["a1b3", "A1-B3", "A1b3"])
def test_ways_to_write_a_move(client, text):
    assert client.create().play(text).value["move"]["move"] == "a1-b3"


@pytest.mark.parametrize("text, at", [("a1", 2), ("a1-", 3), ("hello", None), ("a1-b3 ", 5), (" a1-b3", 0), ("a1--b3", 3), ("a1-b3x", None), ("11-b3", 0), ("a1-b3\n", 5), ("á1-b3", None), ("a1xb3xc5", None)])
def test_text_that_is_no_move(client, text, at):
    fault = problem(client.create().play(text), 400, "malformed-move")
    assert at is None or fault["at"] == at, fault


def test_a_capture_and_its_ways_to_be_written(client):
    position = "iuvo-2 4o2/2BBA2/1Bo1AB1/1ooo1A1/1o1Ao2/1o5/7 2 - -"
    captures = [move for move in client.create(position=position).get("/legal-moves").value["moves"] if move["captures"]]
    assert captures
    move = captures[0]
    for text in (move["move"], move["move"].replace("x", "-"), move["move"].replace("x", ""), move["move"].upper().replace("X", "x")):
        table = client.create(position=position)
        before = table.game
        reply = table.play(text)
        assert reply.value["move"] == {**reply.value["move"], **move}
        assert len(reply.value["game"]["stones"]) == len(before["stones"]) - 1


def test_a_chain_of_jumps_has_its_path(client):
    table = client.create("halma-2")
    table.play_all(["n4-m5", "c13-d12"])
    moves = table.get("/legal-moves").value["moves"]
    chain = next(move for move in moves if len(move["path"]) > 2)
    reply = table.play("-".join(chain["path"]))
    assert reply.status_code == 201
    assert reply.value["move"]["move"] == f"{chain['from']}-{chain['to']}" and reply.value["move"]["path"] == chain["path"]


def test_legal_moves_are_in_order_and_narrowed(client):
    for variant, count in (("iuvo-2", 60), ("iuvo-4", 44), ("iuvo-2-loose", 60), ("iuvo-4-loose", 44), ("halma-2", 40)):
        table = client.create(variant)
        everything = table.get("/legal-moves").value
        moves = everything["moves"]
        assert (len(moves), everything["turn"], everything["ply"], everything["game"]) == (count, 1, 0, table.id)

        def key(cell):
            return cell[0], int(cell[1:])

        assert moves == sorted(moves, key=lambda move: (key(move["from"]), key(move["to"])))
        for cell in {move["from"] for move in moves} | {"a2"}:
            assert table.get(f"/legal-moves?from={cell}").value["moves"] == [move for move in moves if move["from"] == cell]


def test_dry_runs_store_nothing(client):
    table = client.create()
    before = table.get().value
    reply = table.play("a1-b3", path="/moves?dry_run=true")
    assert reply.status_code == 200
    assert reply.value["game"]["position"] == "iuvo-2 B1B1B1B/7/o1o1o1o/7/oAo1o1o/7/2A1A1A 2 - -"
    assert table.get().value == before
    assert table.play("a1-b3", path="/moves?dry_run=false").status_code == 201


def test_whose_turn_it_is(client):
    table = client.create()
    fault = problem(table.play("a7-b5", seat=2), 409, "not-your-turn")
    assert fault["turn"] == 1
    table.play("a1-b3")
    problem(table.play("c1-d3", seat=1), 409, "not-your-turn")


def test_whose_token_it_is(client):
    table, other = client.create(), client.create()
    body = {"move": "a1-b3"}
    problem(table.post("/moves", json=body), 401, "token-required")
    problem(table.post("/moves", json=body, token="b" * 52), 401, "token-unknown")
    problem(table.post("/moves", json=body, token="nonsense"), 401, "token-unknown")
    problem(table.post("/moves", json=body, token=table.tokens[1][:-1]), 401, "token-unknown")
    problem(table.post("/moves", json=body, token=other.tokens[1]), 403, "not-your-seat")
    foreign = problem(table.post("/moves", json=body, token=other.creator), 403, "not-your-seat")
    for reply in (table.post("/moves", json=body, token=table.creator), table.post("/moves?dry_run=true", json=body, token=table.creator),
                  table.post("/resignation", token=table.creator)):
        fault = problem(reply, 403, "not-your-seat")
        assert fault["detail"] == "This is the creator's token; a seat's token moves." != foreign["detail"]
    assert table.post("/moves", json=body, headers={"Authorization": f"bearer {table.tokens[1]}"}).status_code == 201


def test_a_move_sent_twice_is_played_once(client):
    table = client.create()
    first = table.play("a1-b3", seat=1, expected_ply=0)
    for more in ({"expected_ply": 0}, {}):
        again = table.play("a1-b3", seat=1, **more)
        assert again.status_code == 200 and again.value == first.value
    table.play("a7-b5")
    again = table.play("A1b3", seat=1, expected_ply=0)
    assert again.status_code == 200 and again.value["move"] == first.value["move"] and again.value["game"]["ply"] == 2
    # Without the ply it is not the last move any more, and so another move: there is no stone.
    problem(table.play("a1-b3", seat=1), 409, "no-stone")
    # Another move for the same ply is no repetition.
    problem(table.play("c1-d3", seat=1, expected_ply=0), 412, "stale-ply")
    # A precondition is not asked of a move that was played.
    assert table.play("a7-b5", seat=2, expected_ply=1, headers={"If-Match": '"nothing"'}).status_code == 200


def test_the_last_move_of_a_game_sent_twice(client):
    table = client.create(position="iuvo-2 4B2/4o2/3Ao2/4o2/4o2/4o2/4B2 1 - -")
    first = table.play("d5xe7", seat=1, expected_ply=0)
    assert first.value["game"]["outcome"] == {"winner": 1, "reason": "target"}
    again = table.play("d5xe7", seat=1, expected_ply=0)
    assert again.status_code == 200 and again.value == first.value


def test_expected_ply(client):
    table = client.create()
    for wrong in (1, 5, 4096):
        assert problem(table.play("a1-b3", seat=1, expected_ply=wrong), 412, "stale-ply")["game"] == table.get().value
    assert table.play("a1-b3", expected_ply=0).status_code == 201


def test_if_match(client):
    table = client.create()
    tag = table.get().headers["ETag"]
    assert table.play("a1-b3", headers={"If-Match": tag}).status_code == 201
    fault = problem(table.play("a7-b5", headers={"If-Match": tag}), 412, "precondition-failed")
    assert fault["game"]["ply"] == 1
    # Any of several, any format's, any viewer's, and the star.
    tags = [table.get(token=table.tokens[2]).headers["ETag"], table.get("/board.svg").headers["ETag"]]
    assert table.play("a7-b5", headers={"If-Match": f'{tag}, {tags[0]}'}).status_code == 201
    problem(table.play("c1-d3", headers={"If-Match": tags[1]}), 412, "precondition-failed")
    assert table.play("c1-d3", headers={"If-Match": table.get("/board.svg").headers["ETag"]}).status_code == 201
    assert table.play("c7-d5", headers={"If-Match": "*"}).status_code == 201
    # A weak tag never matches strongly (RFC 9110).
    problem(table.play("e1-f3", headers={"If-Match": f'W/{table.get().headers["ETag"]}'}), 412, "precondition-failed")
    problem(table.play("e1-f3", headers={"If-Match": "no tag"}), 400, "invalid-header")


def test_moves_after_the_end(client):
    table = client.create()
    table.play("a1-b3")
    table.resign(1)
    for seat in (1, 2):
        fault = problem(table.play("a7-b5", seat=seat), 409, "game-over")
        assert fault["outcome"] == {"winner": 2, "reason": "resigned"}
    assert table.get("/legal-moves").value == {"game": table.id, "ply": 1, "turn": None, "moves": []}


def test_a_seat_that_is_out_may_not_move(client):
    table = client.create("iuvo-4")
    table.resign(1)
    problem(table.play("c1-d3", seat=1), 409, "seat-out")


def test_what_a_capture_ends(client):
    table = client.create(position="iuvo-2 2AoB2/3o3/3A3/7/7/7/7 1 - -")
    result = table.play("d5xe7").value
    assert result["move"]["captures"] and result["move"]["eliminations"] == [{"seat": 2, "reason": "captured"}]
    game = result["game"]
    assert (game["status"], game["outcome"], game["position"]) == ("finished", {"winner": 1, "reason": "captured"}, "iuvo-2 2AoA2/3o3/7/7/7/7/7 - - 2")
    assert game["seats"][1]["status"] == "out" and game["seats"][1]["out_reason"] == "captured"


def test_what_was_played(client):
    table = client.create()
    moves = ["a1-b3", "a7-b5", "c1-d3", "c7-d5"]
    positions = [table.game["position"]]
    for move in moves:
        positions.append(table.play(move).value["game"]["position"])
    played = table.get("/moves").value
    assert [move["move"] for move in played["moves"]] == moves and played["ply"] == 4
    assert [move["seat"] for move in played["moves"]] == [1, 2, 1, 2]
    for ply, move in enumerate(played["moves"], 1):
        assert move["ply"] == ply and table.get(f"/moves/{ply}").value == move
        assert table.get(f"/moves?after={ply}").value["moves"] == played["moves"][ply:]
    for ply, position in enumerate(positions):
        found = table.get(f"/positions/{ply}").value
        assert (found["position"], found["ply"], found["turn"], found["outcome"]) == (position, ply, 1 + ply % 2, None)
    assert found["stones"] == table.game["stones"] and found["phase"] == table.game["phase"]


@pytest.mark.parametrize("ply", ["2", "4096", "4097", "99999999999999999999", "-1", "x", "1.0", "01", "+1", "1e0"])
def test_there_is_no_such_ply(client, ply):
    table = client.create()
    table.play("a1-b3")
    problem(table.get(f"/moves/{ply}"), 404, "no-such-ply")
    problem(table.get(f"/positions/{ply}"), 404, "no-such-ply")


def test_ply_0_is_a_position_and_no_move(client):
    table = client.create()
    problem(table.get("/moves/0"), 404, "no-such-ply")
    assert table.get("/positions/0").value["position"] == table.game["start"]


def test_a_position_is_what_its_ply_left(client):
    """A resignation comes after it, so that what may be kept for ever never changes."""
    table = client.create()
    table.play("a1-b3")
    before = [table.get(f"/positions/{ply}").value for ply in (0, 1)]
    table.resign(2)
    assert [table.get(f"/positions/{ply}").value for ply in (0, 1)] == before and before[1]["outcome"] is None


def test_the_position_in_which_a_move_ended_the_game(client):
    table = client.create(position="iuvo-2 4B2/4o2/3Ao2/4o2/4o2/4o2/4B2 1 - -").play_all(["d5xe7"])
    found = table.get("/positions/1").value
    assert (found["turn"], found["outcome"]) == (None, {"winner": 1, "reason": "target"})


def test_the_third_repetition_in_halma_is_a_draw(client):
    table = client.create("halma-2")
    cycle = ["n4-m5", "c13-d12", "m5-n4", "d12-c13"]
    table.play_all(cycle)
    assert table.game["outcome"] is None
    table.play_all(cycle)
    assert table.game["outcome"] == {"winner": None, "reason": "repetition"}


def shuttle(client, position):
    """A cycle of four moves that two seats can play over and over from a position: there and back again."""

    def moves(at):
        return [move for move in client.post("/v1/analysis", json={"position": at}).value["legal_moves"] if move["kind"] == "own" and not move["captures"]]

    def after(at, text):
        return client.create(at.split()[0], position=at).play(text).value["game"]["position"]

    for first in moves(position):
        second_at = after(position, first["move"])
        for second in moves(second_at):
            third_at = after(second_at, second["move"])
            back = f"{first['to']}-{first['from']}"
            if back not in [move["move"] for move in moves(third_at)]:
                continue
            fourth_at = after(third_at, back)
            home = f"{second['to']}-{second['from']}"
            if home in [move["move"] for move in moves(fourth_at)]:
                return [first["move"], second["move"], back, home]
    raise AssertionError("no such cycle")


def test_the_third_repetition_in_iuvo_is_not_legal(client):
    position = "iuvo-2 4o2/2BBA2/1Bo1AB1/1ooo1A1/1o1Ao2/1o5/7 2 - -"
    cycle = shuttle(client, position)
    table = client.create(position=position)
    table.play_all(cycle * 2)
    assert cycle[0] not in [move["move"] for move in table.get("/legal-moves").value["moves"]]
    fault = problem(table.play(cycle[0]), 409, "third-repetition")
    assert fault["rule"] == "I16"
    # A position alone has no past.
    assert cycle[0] in [move["move"] for move in client.post("/v1/analysis", json={"position": table.game["position"]}).value["legal_moves"]]
    # Nor does the import let it pass.
    record = table.get("/record").value
    fault = problem(client.post("/v1/records", json={**record, "moves": [*record["moves"], cycle[0]]}), 400, "record-illegal-move")
    assert (fault["verdict"], fault["ply"]) == ("third-repetition", 9)
