"""The board as a picture and as text."""

import re
import xml.etree.ElementTree as ElementTree

import pytest

from client import problem
from test_service import START

SVG = "{http://www.w3.org/2000/svg}"


def test_by_accept_and_by_name(client):
    table = client.create()
    svg, text = table.get("/board.svg"), table.get("/board.txt")
    for accept, want in (("image/svg+xml", svg), ("text/plain", text), ("*/*", svg), ("image/*", svg), ("text/*", text), ("text/html,application/xhtml+xml,*/*;q=0.8", svg),
                         ("text/plain;q=0.5,image/svg+xml", svg), ("image/svg+xml;q=0.1,text/plain", text), ("image/svg+xml;q=0,*/*", text)):
        reply = table.get("/board", headers={"Accept": accept})
        assert (reply.content, reply.headers["Content-Type"].split(";")[0]) == (want.content, want.headers["Content-Type"].split(";")[0]), accept
    for accept in ("text/html", "image/png", "application/json", "image/svg+xml;q=0"):
        fault = problem(table.get("/board", headers={"Accept": accept}), 406, "not-acceptable")
        assert fault["available"] == ["image/svg+xml", "text/plain"] and fault["detail"] == "There is image/svg+xml or text/plain."


@pytest.mark.parametrize("variant", START)
def test_a_picture_is_sound_and_speaks(client, variant):
    table = client.create(variant, seats=[{"name": "<Ada & \"Bo\">"}] + [{}] * (3 if "-4" in variant else 1))
    table.play(table.get("/legal-moves").value["moves"][0]["move"])
    picture = table.get("/board.svg").content.decode()
    root = ElementTree.fromstring(picture)
    assert root.tag == f"{SVG}svg" and root.find(f"{SVG}title").text and root.find(f"{SVG}desc").text
    assert not list(root.iter(f"{SVG}script")) and "javascript:" not in picture and not re.search(r"\son[a-z]+=", picture)
    assert "prefers-color-scheme" in picture and not re.search(r'(?:href|src)="(?!#)', picture)


@pytest.mark.parametrize("variant", START)
def test_text_fits_a_terminal(client, variant):
    table = client.create(variant, seats=[{"name": "Ada" * 21}] + [{"name": "名前" * 30}] * (3 if "-4" in variant else 1))
    table.play(table.get("/legal-moves").value["moves"][0]["move"])
    board = table.get("/board.txt").content.decode()
    assert max(len(line) for line in board.split("\n")) <= 80 and board.endswith("\n")
    files = "abcdefghijklmnop"[:16 if variant == "halma-2" else 7]
    assert any(re.sub(r"[^a-p]", "", line) == files for line in board.split("\n")), board


def test_each_view_differs(client):
    table = client.create().play_all(["a1-b3", "a7-b5"])
    for rest in ("/board.svg", "/board.txt"):
        views = {query: table.get(rest + query).content for query in ("", "?ply=0", "?ply=1", "?seat=2", "?legal_from=c1", "?legal_from=e1", "?ply=1&seat=2&legal_from=c7")}
        assert len(set(views.values())) == len(views)
        for same in ("?ply=2", "?seat=1", "?ply=2&seat=1"):
            assert table.get(rest + same).content == views[""], same


@pytest.mark.parametrize("query, code", [("ply=3", "no-such-ply"), ("ply=-1", "invalid-parameter"), ("ply=x", "invalid-parameter"), ("seat=3", "invalid-parameter"), ("seat=0", "invalid-parameter"), ("seat=", "invalid-parameter"),
                                         ("legal_from=h1", "invalid-parameter"), ("legal_from=", "invalid-parameter"), ("legal_from=A", "invalid-parameter"), ("seat=1&seat=1", "repeated-parameter"), ("side=2", "unknown-parameter")])
def test_views_that_there_are_not(client, query, code):
    table = client.create().play_all(["a1-b3", "a7-b5"])
    for rest in ("/board", "/board.svg", "/board.txt"):
        problem(table.get(f"{rest}?{query}"), 404 if code == "no-such-ply" else 400, code)


def test_the_last_of_four(client):
    """Three resign: that is their common reason; with one put out by the rules it is no longer."""
    table = client.create("iuvo-4", seats=[{"name": name} for name in ("Ada", "Bo", "Cleo", "Dag")])
    for seat in (1, 2, 3):
        assert table.resign(seat).status_code == 200
    assert "\nWon, by resignation: Dag\n" in table.get("/board.txt").text
    table = client.create("iuvo-4", position="iuvo-4 7/2A4/2qoA2/2oBo2/2Co3/3p3/7 3 - 4")
    for seat in (1, 2):
        assert table.resign(seat).status_code == 200
    assert "\nWon, the last seat in the game: Seat 3\n" in table.get("/board.txt").text
