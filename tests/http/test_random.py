"""Requests made up from the contract: whatever is sent, the answer is one that the contract declares, and never a 5xx.

The client checks the first; so each of these tests has little left to assert.
"""

import json
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contract import contract
from test_headers import fill, spare, table  # noqa: F401 (a fixture)

CALM = settings(max_examples=40)
TEXT = st.one_of(st.text(max_size=20), st.text(string.ascii_lowercase + string.digits + "-x \"\\[]{}:/%", max_size=30))


def from_schema(schema):
    """Values that mostly fit a schema; now and then something else in a field's place."""
    options = schema.get("oneOf") or schema.get("anyOf")
    if "const" in schema:
        return st.just(schema["const"])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if schema.get("type") == "object" and "properties" in schema:
        fields = {name: st.one_of(from_schema(inside), from_schema(inside), anything()) for name, inside in schema["properties"].items()}
        required = schema.get("required", [])
        return st.fixed_dictionaries({name: fields[name] for name in required}, optional={name: fields[name] for name in fields if name not in required})
    if schema.get("type") == "object":
        return st.dictionaries(TEXT, TEXT, max_size=4)
    if options:
        return st.one_of(*(from_schema(option) for option in options))
    if schema.get("type") == "array":
        return st.lists(from_schema(schema["items"]), max_size=6)
    if schema.get("type") == "integer":
        least = schema.get("minimum", -5)
        return st.integers(least, min(schema.get("maximum", least + 50), least + 50))
    if schema.get("type") == "boolean":
        return st.booleans()
    if schema.get("type") == "null":
        return st.none()
    examples = [example for example in schema.get("examples", []) if isinstance(example, str)]
    return st.one_of(st.sampled_from(examples), TEXT, cells()) if examples else TEXT


def cells():
    cell = st.builds(lambda file, rank: f"{file}{rank}", st.sampled_from("abcdefghq"), st.integers(0, 17))
    return st.builds(lambda a, mark, b: f"{a}{mark}{b}", cell, st.sampled_from(["-", "x", ""]), cell)


def anything():
    return st.recursive(st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), TEXT), lambda inside: st.one_of(st.lists(inside, max_size=3), st.dictionaries(TEXT, inside, max_size=3)), max_leaves=6)


def headers():
    names = st.sampled_from(["Accept", "If-Match", "If-None-Match", "Authorization", "Content-Type", "Prefer", "Last-Event-ID", "Origin", "Cookie"])
    values = st.one_of(st.sampled_from(["*/*", "*", '"1"', 'W/"1"', "Bearer x", "application/json", "text/plain", "application/json; charset=utf-8", "wait=5", "image/svg+xml;q=0.5, */*;q=0.1"]),
                       st.text(string.printable.replace("\r", "").replace("\n", "").replace("\x0b", "").replace("\x0c", ""), max_size=30).map(str.strip))
    return st.dictionaries(names, values, max_size=3)


def query(operation):
    known = [parameter["name"] for parameter in operation.queries()] or ["x"]
    by_name = {parameter["name"]: from_schema(parameter["schema"]) for parameter in operation.queries()}
    pair = st.sampled_from(known).flatmap(lambda name: st.tuples(st.just(name), st.one_of(by_name.get(name, TEXT), TEXT)))
    return st.lists(pair, max_size=3)


@pytest.mark.parametrize("operation", contract.operations, ids=repr)
def test_each_operation(client, table, operation):  # noqa: F811
    body = from_schema(operation.body["application/json"]["schema"]) if operation.body else st.none()

    @CALM
    @given(body, query(operation), headers(), st.sampled_from([None, 1, 2]))
    def go(body, query, headers, seat):
        headers = {"Content-Type": "application/json", **headers} if body is not None else headers
        at = spare(client, operation, table)
        reply = client.request(operation.method, fill(operation.path, at), params=query, headers={name: value.encode("latin-1") for name, value in headers.items()},
                               data=None if body is None else json.dumps(body).encode(), token=seat and at.tokens[seat])
        assert reply.status_code < 500

    go()


@pytest.mark.parametrize("operation", [operation for operation in contract.operations if operation.body], ids=repr)
def test_bytes_as_bodies(client, table, operation):  # noqa: F811
    good = json.dumps({"variant": "iuvo-2", "moves": ["a1-b3"], "format": "iuvod-record-1", "seats": [{"name": "é"}]}).encode()

    @CALM
    @given(st.one_of(st.binary(max_size=60), st.tuples(st.integers(0, len(good)), st.binary(max_size=3)).map(lambda cut: good[:cut[0]] + cut[1] + good[cut[0] + 1:])),
           st.sampled_from(["application/json", *operation.body]))
    def go(body, kind):
        at = spare(client, operation, table)
        reply = client.request(operation.method, fill(operation.path, at), headers={"Content-Type": kind}, data=body, token=at.tokens[1])
        assert reply.status_code < 500

    go()


PATH = st.lists(st.one_of(st.sampled_from(["v1", "games", "variants", "iuvo-2", "moves", "positions", "board.svg", "problems", "..", ".", "me"]), st.text(string.ascii_letters + string.digits + "%-._~!$&'()*+,;=:@", max_size=12)), max_size=6)


@settings(max_examples=200)
@given(PATH, st.text(string.ascii_letters + string.digits + "%&=+;/?", max_size=20), st.sampled_from(["GET", "HEAD", "POST", "DELETE", "OPTIONS", "PUT"]))
def test_targets(client, path, tail, method):
    target = "/" + "/".join(path) + ("?" + tail if tail else "")
    reply = client.exact(method, target)
    assert reply.status_code < 500


@settings(max_examples=100)
@given(st.data())
def test_records_with_a_spoiled_line(client, data):
    lines = ['[Variant "iuvo-2"]', '[Seat1 "Ada"]', "", "1 a1-b3", "2 a7-b5", "2 seat 2 resigned", "1 won, resigned"]
    spoiled = list(lines)
    for _ in range(data.draw(st.integers(0, 3))):
        at = data.draw(st.integers(0, len(spoiled) - 1))
        spoiled[at] = data.draw(st.one_of(TEXT, st.sampled_from(lines)))
    reply = client.post("/v1/records", data="\n".join(spoiled).encode("utf-8", "surrogatepass"), headers={"Content-Type": "text/plain"})
    assert reply.status_code in (201, 400)


@settings(max_examples=25)
@given(st.sampled_from(["iuvo-2", "iuvo-4", "iuvo-2-loose", "iuvo-4-loose", "halma-2"]), st.data())
def test_games_of_any_legal_moves(client, variant, data):
    """Every move that is listed can be played, the game's members agree, and its record makes the same game."""
    table = client.create(variant)
    for _ in range(data.draw(st.integers(1, 25))):
        if data.draw(st.integers(0, 19)) == 0:
            table.resign(data.draw(st.sampled_from([seat["seat"] for seat in table.game["seats"] if seat["status"] == "active"])))
        else:
            moves = table.get("/legal-moves").value["moves"]
            move = data.draw(st.sampled_from(moves))
            result = table.play(move["move"])
            assert result.status_code == 201 and {key: result.value["move"][key] for key in move} == move
        game = table.game
        assert (game["turn"] is None) == (game["outcome"] is not None) == (game["status"] == "finished")
        if game["turn"] is None:
            break
    record = table.get("/record")
    again = client.post("/v1/records", data=record.content, headers={"Content-Type": "application/json"}).value
    assert again["position"] == table.game["position"] and again["outcome"] == table.game["outcome"]
    assert client.get(again["links"]["record"]).content == record.content
