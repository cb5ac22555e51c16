"""Records out and in: the same bytes again, and nothing believed that the rules do not bear out."""

import json
import re

import pytest

from client import problem
from test_service import START

TEXT = {"Content-Type": "text/plain; charset=utf-8"}


def export(client, id_):
    """Both forms of a game's record, as bytes."""
    reply = client.get(f"/v1/games/{id_}/record", headers={"Accept": "text/plain"})
    return client.get(f"/v1/games/{id_}/record").content, reply.content


def round_trip(client, id_):
    """Exports, imports and exports again, in both forms."""
    first = export(client, id_)
    json_reply = client.post("/v1/records", data=first[0], headers={"Content-Type": "application/json"})
    text_reply = client.post("/v1/records", data=first[1], headers=TEXT)
    games = []
    for reply in (json_reply, text_reply):
        assert reply.status_code == 201, reply.text
        assert export(client, reply.value["id"]) == first
        games.append(reply.value)
    original = client.get(f"/v1/games/{id_}").value
    for game in games:
        assert (game["imported"], game["visibility"]) == (True, "unlisted")
        for key in ("variant", "start", "position", "ply", "turn", "status", "outcome", "phase", "stones"):
            assert game[key] == original[key], key
        assert [(seat["name"], seat["status"], seat["out_reason"]) for seat in game["seats"]] == \
            [(seat["name"], seat["status"], seat["out_reason"]) for seat in original["seats"]]
    return games


@pytest.mark.parametrize("variant", START)
def test_a_game_that_goes_on(client, variant):
    table = client.create(variant, seats=[{"name": f"Seat {n}"} for n in range(4 if "-4" in variant else 2)])
    for _ in range(6):
        moves = table.get("/legal-moves").value["moves"]
        table.play(moves[len(moves) // 2]["move"])
    record = table.get("/record").value
    assert record["moves"] == [move["move"] for move in table.get("/moves").value["moves"]]
    assert (record["format"], record["variant"], record["start"], record["outcome"], record["endings"]) == ("iuvod-record-1", variant, START[variant], None, [])
    for game in round_trip(client, table.id):
        # It goes on: every seat is the importer's.
        token = game["seats"][game["turn"] - 1]["token"]
        move = client.get(game["links"]["legal_moves"]).value["moves"][0]["move"]
        assert client.post(game["links"]["moves"], json={"move": move}, token=token).status_code == 201


def test_a_new_game(client):
    round_trip(client, client.create().id)


@pytest.mark.parametrize("seats", [(1,), (2,)])
def test_resignation_of_two(client, seats):
    table = client.create()
    table.play("a1-b3")
    table.resign(seats[0])
    record = table.get("/record").value
    assert record["endings"] == [{"ply": 1, "seat": seats[0], "reason": "resigned"}]
    assert record["outcome"] == {"winner": 3 - seats[0], "reason": "resigned"}
    round_trip(client, table.id)


def test_resignations_of_four(client):
    table = client.create("iuvo-4")
    table.resign(3)
    table.resign(1)
    table.play(table.get("/legal-moves").value["moves"][0]["move"])
    round_trip(client, table.id)
    table.resign(2)
    assert [ending["ply"] for ending in table.get("/record").value["endings"]] == [0, 0, 1]
    round_trip(client, table.id)


@pytest.mark.parametrize("start, moves", [
    ("iuvo-2 2AoB2/3o3/3A3/7/7/7/7 1 - -", "d5xe7"), ("iuvo-2 4B2/4o2/3Ao2/4o2/4o2/4o2/4B2 1 - -", "d5xe7"), ("iuvo-2 7/7/3oo2/1B1A3/1ooo3/1oBo3/1o5 2 e5 -", ""),
    ("iuvo-4-loose 1oC4/2C3o/1oC2DD/roo2oo/2o1o2/7/6D 3 b7 12", "a4-b6")])
def test_from_other_starts(client, start, moves):
    table = client.create(start.split()[0], position=start).play_all(moves.split())
    assert table.get("/record").value["start"] == start
    round_trip(client, table.id)


def test_a_draw(client):
    table = client.create("halma-2").play_all(["n4-m5", "c13-d12", "m5-n4", "d12-c13"] * 2)
    assert table.get("/record").value["outcome"] == {"winner": None, "reason": "repetition"}
    round_trip(client, table.id)


def test_an_agreed_draw_and_a_timeout_are_read(client):
    record = {"format": "iuvod-record-1", "variant": "iuvo-2", "moves": ["a1-b3"]}
    for ending, outcome in (({"ply": 1, "seat": None, "reason": "agreement"}, {"winner": None, "reason": "agreement"}), ({"ply": 1, "seat": 1, "reason": "timeout"}, {"winner": 2, "reason": "timeout"})):
        reply = client.post("/v1/records", json={**record, "endings": [ending], "outcome": outcome})
        assert reply.status_code == 201, reply.text
        assert reply.value["outcome"] == outcome and reply.value["status"] == "finished"
        round_trip(client, reply.value["id"])


@pytest.mark.parametrize("name", ['"]', '[Key "value"]', "\\", "\\n", 'back\\slash "quoted"', "Ω名前🂡", "1 c1-d3", "% ; #", " x ", "'", "]\\\""])
def test_names_that_contain_the_format(client, name):
    round_trip(client, client.create(seats=[{"name": name}, {}]).id)


def test_tags_are_kept_in_order(client):
    tags = {"Zulu": "last first", "date": "2026-01-02", "Line": "one\ntwo \\ \"three\"", "名": "値", "empty": ""}
    reply = client.post("/v1/records", json={"format": "iuvod-record-1", "variant": "iuvo-2", "tags": tags, "moves": []})
    assert reply.status_code == 201, reply.text
    assert list(client.get(f"/v1/games/{reply.value['id']}/record").value["tags"].items()) == list(tags.items())
    round_trip(client, reply.value["id"])


def text_of(client, moves=("a1-b3", "a7-b5"), resign=None, **more):
    table = client.create(**more).play_all(moves)
    if resign:
        table.resign(resign)
    return export(client, table.id)[1].decode()


def test_the_text_is_as_it_is_said_to_be(client):
    text = text_of(client, resign=2, seats=[{"name": "Ada"}, {"name": "Bo"}])
    assert "\r" not in text and text.endswith("\n")
    head, blank, body = text.partition("\n\n")
    assert blank and all(re.fullmatch(r'\[\S+ "(?:[^"\\\n]|\\["\\n])*"\]', line) for line in head.split("\n")), text
    assert re.search(r"^1 a1-b3\n2 a7-b5\n2 seat 2 resigned\n", body, re.MULTILINE), text


@pytest.mark.parametrize("change", [lambda text: text.replace("\n", "\r\n"), lambda text: "\ufeff" + text, lambda text: "\ufeff" + text.replace("\n", "\r\n"), lambda text: text.rstrip("\n")])
def test_text_from_other_systems(client, change):
    text = text_of(client)
    reply = client.post("/v1/records", data=change(text).encode(), headers=TEXT)
    assert reply.status_code == 201, reply.text
    assert export(client, reply.value["id"])[1].decode() == text


def test_visibility_is_asked_for(client):
    record = {"format": "iuvod-record-1", "variant": "iuvo-2", "moves": []}
    assert client.post("/v1/records", json=record).value["visibility"] == "unlisted"
    reply = client.post("/v1/records?visibility=public", json=record)
    assert reply.value["visibility"] == "public" and reply.value["imported"]
    assert client.get("/v1/games?limit=1").value["games"][0]["id"] == reply.value["id"]
    problem(client.post("/v1/records?visibility=secret", json=record), 400, "invalid-parameter")
    problem(client.post("/v1/records?visibility=public&visibility=public", json=record), 400, "repeated-parameter")


RECORD = {"format": "iuvod-record-1", "variant": "iuvo-2", "moves": ["a1-b3", "a7-b5"]}


@pytest.mark.parametrize("change, code", [
    ({"format": "iuvod-record-2"}, "invalid-body"), ({"format": None}, "invalid-body"), ({"variant": "chess"}, "invalid-body"), ({"moves": "a1-b3"}, "invalid-body"), ({"moves": [1]}, "invalid-body"),
    ({"moves": ["a1-b3"] * 4097}, "invalid-body"), ({"more": 1}, "invalid-body"), ({"tags": {"a": 1}}, "invalid-body"), ({"tags": {"": "x"}}, None), ({"tags": {"x" * 33: "x"}}, None),
    ({"tags": {f"t{n}": "" for n in range(33)}}, "invalid-body"), ({"tags": {"x": "y" * 1025}}, "invalid-body"), ({"seats": [{"seat": 1, "name": "x" * 65}, {"seat": 2, "name": None}]}, "invalid-body"),
    ({"outcome": {"winner": 3.5, "reason": "target"}}, "invalid-body"), ({"outcome": {"winner": 1, "reason": "luck"}}, "invalid-body"),
    ({"moves": ["a1-b3", "what"]}, "malformed-record"), ({"start": "nonsense"}, "malformed-record"), ({"start": START["iuvo-4"]}, "malformed-record"),
    ({"seats": [{"seat": 2, "name": None}, {"seat": 1, "name": None}]}, None), ({"endings": [{"ply": 9, "seat": 1, "reason": "resigned"}]}, None),
    ({"start": "iuvo-2 2AoA2/3o3/7/7/7/7/7 - - 2", "moves": []}, "not-a-start"),
    ({"moves": ["a1-b3", "a1-b3"]}, "record-illegal-move"), ({"moves": ["a1xb3"]}, "record-illegal-move"),
    ({"outcome": {"winner": 1, "reason": "target"}}, "record-contradicted"), ({"endings": [{"ply": 2, "seat": 1, "reason": "resigned"}], "outcome": {"winner": 1, "reason": "resigned"}}, "record-contradicted"),
    ({"endings": [{"ply": 1, "seat": 1, "reason": "resigned"}]}, None), ({"endings": [{"ply": 2, "seat": 1, "reason": "resigned"}], "outcome": None}, "record-contradicted")])
def test_records_that_are_refused(client, change, code):
    reply = client.post("/v1/records", json={**RECORD, **change})
    assert reply.status_code == 400
    if code:
        problem(reply, 400, code)


def test_a_wrong_move_is_named(client):
    fault = problem(client.post("/v1/records", json={**RECORD, "moves": ["a1-b3", "a7-b5", "c1-d2"]}), 400, "record-illegal-move")
    assert (fault["ply"], fault["verdict"], fault["rule"]) == (3, "not-a-jump", "I7") and fault.get("pointer") == "/moves/2"
    text = text_of(client).replace("2 a7-b5", "2 a7-b6")
    fault = problem(client.post("/v1/records", data=text.encode(), headers=TEXT), 400, "record-illegal-move")
    line = text.split("\n").index("2 a7-b6") + 1
    assert (fault["ply"], fault["verdict"], fault["line"], fault["column"]) == (2, "not-a-jump", line, 3)


@pytest.mark.parametrize("spoil, line_of", [
    (lambda text: text.replace("2 a7-b5", "2 zzz"), "2 zzz"), (lambda text: text.replace("2 a7-b5", "3 a7-b5"), "3 a7-b5"), (lambda text: text.replace('[Variant "', '[Variant'), '[Variantiuvo-2"]'),
    (lambda text: "hello\n" + text, "hello"), (lambda text: text.replace("1 a1-b3", "1 a1-b3 and so on"), "1 a1-b3 and so on")])
def test_text_that_cannot_be_read(client, spoil, line_of):
    text = spoil(text_of(client))
    fault = problem(client.post("/v1/records", data=text.encode(), headers=TEXT), 400, "malformed-record")
    assert line_of in text.split("\n"), text
    assert fault["line"] == text.split("\n").index(line_of) + 1 and fault["column"] >= 1, fault


def test_text_that_lost_its_line_ends(client):
    """As curl -d leaves a file; with its line ends the same text is told nothing about them."""
    text = text_of(client)
    fault = problem(client.post("/v1/records", data=text.replace("\n", "").encode(), headers=TEXT), 400, "malformed-record")
    assert "no line ends" in fault["detail"] and "--data-binary" in fault["detail"]
    fault = problem(client.post("/v1/records", data=text.replace("2 a7-b5", "2 zzz").encode(), headers=TEXT), 400, "malformed-record")
    assert "--data-binary" not in fault["detail"]


@pytest.mark.parametrize("body", [b"", b"\n", b"\x00", b"\xff\xfe", b"[", b"\xef\xbb\xbf", b"1 a1-b3\n", b"x" * 70000])
def test_text_that_is_no_record(client, body):
    reply = client.post("/v1/records", data=body, headers=TEXT)
    assert reply.status_code == 400, reply.text


def test_nothing_is_stored_by_a_refusal(client):
    before = client.get("/v1/games?limit=1").value
    client.post("/v1/records?visibility=public", json={**RECORD, "moves": ["a1-b3", "a1-b3"]})
    assert client.get("/v1/games?limit=1").value == before


def test_a_long_game_and_one_that_is_too_long(client):
    """4,096 plies is a draw by length (I18); one more is no record."""
    table = client.create("iuvo-2-loose")
    record = json.loads(export(client, table.id)[0])
    assert problem(client.post("/v1/records", json={**record, "moves": ["a1-b3"] * 4096}), 400, "record-illegal-move")["ply"] == 2
    problem(client.post("/v1/records", json={**record, "moves": ["a1-b3"] * 4097}), 400, "invalid-body")
