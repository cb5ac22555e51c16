"""Errors have one form, whatever the path and Accept, and show nothing of the inside."""

import re

import pytest

from client import problem


@pytest.mark.parametrize("accept", [None, "text/html", "image/png", "application/json", "text/plain", "*/*"])
def test_always_the_same_type(client, accept):
    headers = {"Accept": accept} if accept else {}
    for method, path in (("GET", "/nowhere"), ("GET", f"/v1/games/{'a' * 26}/board.svg"), ("PATCH", "/v1/games"), ("POST", f"/v1/games/{'a' * 26}/moves"), ("GET", "/v1/games?x=1")):
        reply = client.request(method, path, headers=headers)
        assert reply.status_code >= 400 and reply.headers["Content-Type"] == "application/problem+json"


def test_all_faults_of_a_body_are_listed(client):
    body = {"variant": "chess", "seats": [{"name": ""}, {"name": 7}, "x"], "visibility": 1, "position": [], "colour": "red"}
    fault = problem(client.post("/v1/games", json=body), 400, "invalid-body")
    pointers = {error["pointer"] for error in fault["errors"]}
    assert pointers >= {"/variant", "/seats/0/name", "/seats/1/name", "/seats/2", "/visibility", "/position", "/colour"}, pointers
    fault = problem(client.post("/v1/games", json={"a/b~c": 1}), 400, "invalid-body")
    assert {"/a~1b~0c", ""} <= {error["pointer"] for error in fault["errors"]} or {"/a~1b~0c", "/variant"} <= {error["pointer"] for error in fault["errors"]}


def test_the_list_of_faults_is_bounded(client):
    fault = problem(client.post("/v1/games", json={"variant": "iuvo-2", **{f"x{n}": n for n in range(500)}}), 400, "invalid-body")
    assert len(fault["errors"]) == 32


def test_nothing_of_the_inside_is_shown(client):
    for path in ("/v1/games?name=%27%3B--", "/v1/games?cursor=%27", "/v1/games/'", "/v1/games?updated_since='", "/problems/'"):
        text = client.get(path).text
        assert not re.search(r"sqlite|SELECT|INSERT|\.c:|/src/|malloc|0x[0-9a-f]{6}", text, re.IGNORECASE), text


def test_details_say_what_is_wrong_this_time(client):
    first = client.get("/v1/games?limit=0").value
    second = client.get("/v1/games?limit=x&nothing=1").value
    assert first["detail"] != second["detail"] and first["title"] != first["detail"]
