"""Bad input: bodies of the wrong size, type, form and content, and bad paths."""

import concurrent.futures
import json

import pytest

from client import Client, problem
from contract import contract
from test_headers import call, fill, table  # noqa: F401 (a fixture)

WITH_BODY = [operation for operation in contract.operations if operation.body]
JSON = {"Content-Type": "application/json"}
SMALL, LARGE = 16 * 1024, 512 * 1024
LIMITS = {"create_game": SMALL, "make_offer": SMALL, "answer_offer": SMALL, "play_move": SMALL, "resign": SMALL, "take_seat": SMALL, "replace_token": SMALL, "import_record": LARGE, "analyse": LARGE, "claim_win": SMALL, "move_test_clock": SMALL}


@pytest.mark.parametrize("operation", WITH_BODY, ids=repr)
def test_sizes(client, table, operation):  # noqa: F811
    limit = LIMITS.get(operation.id, SMALL)
    for size in (limit + 1, limit + 30000):
        # Up to 64 KiB past the limit the sender must see the answer.
        assert problem(call(client, operation, table, data=b" " * size, headers=JSON), 413, "body-too-large")["limit"] == limit
    reply = call(client, operation, table, data=b" " * limit, headers=JSON)
    assert reply.status_code == 400 and reply.value["code"] == "malformed-json"
    chunks = call(client, operation, table, data=iter([b" " * 8000] * (limit // 8000 + 2)), headers=JSON)
    problem(chunks, 413, "body-too-large")


def test_far_past_the_limit(client, table):  # noqa: F811
    """The rest is not read any more, and its sender may not see the answer; all at once, since each is given two seconds to stop."""
    def send(operation):
        limit = LIMITS.get(operation.id, SMALL)
        with Client(client.daemon, client.tokens) as own:
            try:
                return problem(call(own, operation, table, data=b" " * (limit + 5_000_000), headers=JSON), 413, "body-too-large")["limit"] == limit
            except OSError:
                return True

    with concurrent.futures.ThreadPoolExecutor(len(WITH_BODY)) as pool:
        assert all(list(pool.map(send, WITH_BODY)))
    assert client.get("/healthz").status_code == 200


@pytest.mark.parametrize("operation", WITH_BODY, ids=repr)
def test_types(client, table, operation):  # noqa: F811
    for kind in ("text/html", "application/xml", "application/json; charset=latin-1", "application/x-www-form-urlencoded", "json", "", "application/jsonx", "text/plain; charset=utf-16"):
        if not kind and operation.id == "import_record":
            continue
        fault = problem(call(client, operation, table, data=b"{}", headers={"Content-Type": kind}), 415, "unsupported-media-type")
        assert "application/json" in fault["accepted"] and set(fault["accepted"]) == set(operation.body)
        assert fault["detail"] == f"Send Content-Type: {' or '.join(fault['accepted'])}."
    for kind in ("application/json", "Application/JSON", "application/json; charset=utf-8", "application/json;charset=UTF-8", 'application/json; charset="utf-8"', "APPLICATION/JSON ; CHARSET=Utf-8"):
        reply = call(client, operation, table, data=b"[1", headers={"Content-Type": kind})
        problem(reply, 400, "malformed-json")
    reply = client.exact(operation.method, fill(operation.path, table), [("Authorization", f"Bearer {table.tokens[1]}")], b"{}")
    problem(reply, 415, "unsupported-media-type")


def test_texts_and_numbers_have_limits(client, table):  # noqa: F811
    """At the limit it is judged for what it is, one beyond it is too long or too much."""
    calls = [
        ("/v1/games", lambda n: {"variant": "iuvo-2", "position": "x" * n}, [(512, "malformed-position"), (513, "invalid-body")]),
        ("/v1/analysis", lambda n: {"position": "x" * n}, [(512, "malformed-position"), (513, "invalid-body")]),
        ("/v1/records", lambda n: {"format": "iuvod-record-1", "variant": "iuvo-2", "start": "x" * n, "moves": []}, [(512, "malformed-record"), (513, "invalid-body")]),
        (f"{table.path}/moves", lambda n: {"move": "x" * n}, [(512, "malformed-move"), (513, "invalid-body")]),
        ("/v1/analysis", lambda n: {"variant": "iuvo-2", "moves": ["x" * n]}, [(512, "malformed-move"), (513, "invalid-body")]),
        ("/v1/records", lambda n: {"format": "iuvod-record-1", "variant": "iuvo-2", "moves": ["x" * n]}, [(512, "malformed-record"), (513, "invalid-body")]),
        ("/v1/analysis", lambda n: {"variant": "iuvo-2", "engine": {"level": n}}, [(11, "invalid-body")])]
    for path, body, expected in calls:
        for size, code in expected:
            problem(client.post(path, json=body(size), token=table.tokens[1] if path.startswith(table.path) else None), 400, code)


def test_a_number_has_a_limit_of_bytes(client, table):  # noqa: F811
    def ply(digits):
        return b'{"move": "x", "expected_ply": 0.' + b"0" * (digits - 2) + b"}"

    for digits, code in ((32, "malformed-move"), (33, "malformed-json")):
        problem(client.post(f"{table.path}/moves", data=ply(digits), headers=JSON, token=table.tokens[1]), 400, code)


def deep(depth, inside=b"1"):
    return b"[" * depth + inside + b"]" * depth


MALFORMED = [
    b"", b" ", b"{", b"}", b"[", b"nul", b"{'a': 1}", b'{"a": 1,}', b'{"a" 1}', b"{} {}", b"{}x", b"{}\x00", b"\x00", b'{"a": "\x00"}', b'{"a": "\\u0000"}', b'{"\\u0000": 1}',
    b'{"variant": "iuvo-2", "variant": "iuvo-2"}', b'{"a": {"b": 1, "b": 1}}', b'{"a": 1, "\\u0061": 2}', b'{"a": "\xff"}', b'{"\xc3": 1}', b'{"a": "\xc0\xaf"}', b'{"a": "\xed\xa0\x80"}', b'{"a": "\xf4\x90\x80\x80"}',
    b'{"a": "\\ud800"}', b'{"a": "\\udc00\\ud800"}', b'{"a": "\\x41"}', b'{"a": "line\nbreak"}', b'{"a": "\t"}', b"\xef\xbb\xbf{}", b'{"a": 01}', b'{"a": +1}', b'{"a": .5}', b'{"a": 1.}', b'{"a": 1e}', b'{"a": 0x10}', b'{"a": NaN}', b'{"a": Infinity}', b'{"a": -}',
    b"// comment\n{}", b'{"a": True}', b"\xff\xfe{\x00}\x00", deep(17), deep(1000), deep(7000), b'{"a":' * 17 + b"1" + b"}" * 17, b"[" * 15000, b'{"a":' * 3000]


@pytest.mark.parametrize("operation", WITH_BODY, ids=repr)
def test_bodies_that_are_not_strict_json(client, table, operation):  # noqa: F811
    for body in MALFORMED:
        if body == b"" and not operation.node["requestBody"]["required"]:
            continue
        reply = call(client, operation, table, data=body, headers=JSON)
        assert (reply.status_code, reply.value["code"]) == (400, "malformed-json"), (body[:60], reply.text)
    # At the limit of depth it is JSON, only not the right one.
    reply = call(client, operation, table, data=deep(16), headers=JSON)
    problem(reply, 400, "invalid-body")


def test_where_json_goes_wrong(client):
    for body, line, column in ((b"{", 1, 2), (b'{\n  "a": 01\n}', 2, None), (b'{"a": 1,\n "a": 2}', 2, None), (b"{}\n\nx", 3, 1)):
        fault = problem(client.post("/v1/games", data=body, headers=JSON), 400, "malformed-json")
        assert fault["line"] == line and column in (None, fault["column"]), (body, fault)


@pytest.mark.parametrize("operation", WITH_BODY, ids=repr)
def test_bodies_of_the_wrong_shape(client, table, operation):  # noqa: F811
    for body in (b"[]", b"1", b'"x"', b"null", b"true", b'{"nothing": 1}', b'{"": 1}', b"1e5", b"-0"):
        problem(call(client, operation, table, data=body, headers=JSON), 400, "invalid-body")


WRONG = ["x", 1, -1, 1.5, True, None, [], {}, [[]], {"a": 1}]


@pytest.mark.parametrize("operation", [operation for operation in WITH_BODY if operation.body["application/json"]["schema"].get("properties")], ids=repr)
def test_each_field_of_each_wrong_type(client, table, operation):  # noqa: F811
    good = {"create_game": {"variant": "iuvo-2"}, "play_move": {"move": "c1-d3"}, "take_seat": {}, "make_offer": {"kind": "draw"}, "answer_offer": {"accept": True}, "import_record": {"format": "iuvod-record-1", "variant": "iuvo-2", "moves": []}, "analyse": {"variant": "iuvo-2", "moves": []}}.get(operation.id, {})
    schema = operation.body["application/json"]["schema"]
    import jsonschema
    for field, inside in schema["properties"].items():
        for value in WRONG:
            if jsonschema.Draft202012Validator(inside).is_valid(value):
                continue
            body = {**good, field: value}
            if operation.id == "analyse" and field == "position":
                body = {"position": value}
            reply = call(client, operation, table, json=body)
            fault = problem(reply, 400, "invalid-body")
            assert any(error["pointer"].startswith(f"/{field}") for error in fault["errors"]), (field, value, fault)


@pytest.mark.parametrize("number", ["9007199254740993", "-9007199254740993", "18446744073709551616", "1e400", "1e999999999", "1" * 400, "0.1", "4097", "-1"])
def test_numbers_that_are_no_ply(client, table, number):  # noqa: F811
    reply = table.post("/moves", data=f'{{"move": "c1-d3", "expected_ply": {number}}}', headers=JSON, token=table.tokens[1])
    assert reply.status_code == 400 and reply.value["code"] in ("invalid-body", "malformed-json"), reply.text


@pytest.mark.parametrize("name", ["", "x" * 65, "🂡" * 65, "a\nb", "a\tb", "\u007f", "\u0085", "a\u202eb", "\u200f", "\u2066x", "\u061c", "\u0001"])
def test_names_that_are_none(client, name):
    reply = client.post("/v1/games", json={"variant": "iuvo-2", "seats": [{"name": name}, {}]})
    fault = problem(reply, 400, "invalid-body")
    assert fault["errors"][0]["pointer"] == "/seats/0/name"
    record = {"format": "iuvod-record-1", "variant": "iuvo-2", "moves": [], "seats": [{"seat": 1, "name": name}, {"seat": 2, "name": None}]}
    assert client.post("/v1/records", json=record).status_code == 400


@pytest.mark.parametrize("seat", [{"name": "Ada", "engine": {"level": 3}}, {"open": True, "engine": {"level": 3}}, {"name": "Ada", "open": True, "engine": {"level": 3}}])
def test_what_excludes_one_another_is_named(client, seat):
    fault = problem(client.post("/v1/games", json={"variant": "iuvo-2", "seats": [seat, {}]}), 400, "invalid-body")
    assert fault["errors"] == [{"pointer": "/seats/0", "detail": "expected no more than 1 of: name, open, engine"}]


@pytest.mark.parametrize("seats", [[], [{}], [{}, {}, {}], [{}] * 5, [{"name": "a", "open": True}, {}], [{"name": None}, {}], [{"colour": "red"}, {}], [{"open": False}, {}], [{"engine": {"level": 0}}, {}], [{"engine": {}}, {}]])
def test_seats_that_do_not_fit(client, seats):
    reply = client.post("/v1/games", json={"variant": "iuvo-2", "seats": seats})
    problem(reply, 400, "invalid-body")


@pytest.mark.parametrize("variant, wanted", [("iuvo-2", 2), ("iuvo-4", 4), ("iuvo-4-loose", 4), ("halma-2", 2)])
def test_how_many_seats_there_must_be(client, variant, wanted):
    """It is the variant's number that is told, by both bodies that name seats."""
    for count in {*range(7)} - {wanted}:
        seats = [{"seat": n % 4 + 1, "name": None} for n in range(count)]
        for reply in (client.post("/v1/games", json={"variant": variant, "seats": [{}] * count}),
                      client.post("/v1/records", json={"format": "iuvod-record-1", "variant": variant, "moves": [], "seats": seats})):
            fault = problem(reply, 400, "invalid-body")
            assert fault["errors"] == [{"pointer": "/seats", "detail": f"expected {wanted} entries, one for each seat of the variant"}]


@pytest.mark.parametrize("id_", ["abc%00x", "abc%2Fx", "abc%2fx", "%zz", "%", "%1", "%ff", "%c0%ae%c0%ae", "abc%", "%00"])
def test_bad_escapes_in_paths(client, table, id_):  # noqa: F811
    for target in (f"/v1/games/{id_}", f"/v1/games/{id_}/moves", f"{table.path}/moves/{id_}", f"/problems/{id_}", f"/v1/variants/{id_}", f"{table.path}/positions/0{id_}"):
        problem(client.exact("GET", target), 400, "malformed-target")
    reply = client.exact("GET", f"{table.path}%00x")
    problem(reply, 400, "malformed-target")
    reply = client.exact("GET", f"{table.path}%2Fmoves")
    problem(reply, 400, "malformed-target")


def test_escapes_that_are_good(client, table):  # noqa: F811
    escaped = "".join(f"%{ord(letter):02x}" for letter in table.id)
    assert client.exact("GET", f"/v1/games/{escaped}").value["id"] == table.id
    assert client.exact("GET", f"{table.path}/legal-moves?fr%6fm=%631").value == table.get("/legal-moves?from=c1").value


@pytest.mark.parametrize("operation", [operation for operation in contract.operations if not operation.body], ids=repr)
def test_a_large_body_that_is_not_needed(client, table, operation):  # noqa: F811
    for body in (b"x" * (64 * 1024 + 1), b"x" * (200 * 1024)):
        try:
            fault = problem(client.request(operation.method, fill(operation.path, table), data=body), 413, "body-too-large")
        except OSError:
            assert len(body) > 128 * 1024  # so far past the limit, the reply may be lost
            continue
        assert fault["limit"] == 64 * 1024 and "65536" in fault["detail"]


def test_a_body_that_is_not_needed_is_read_over(client, table):  # noqa: F811
    reply = client.request("GET", table.path, data=b"x" * 1000)
    assert reply.status_code == 200
    assert client.get("/healthz").status_code == 200


def test_many_requests_on_one_connection(client, table):  # noqa: F811
    """A refusal leaves the connection in order: the next request on it is answered as its own."""
    with client.daemon.connect(30) as connection:
        get, bad = f"GET {table.path} HTTP/1.1\r\nHost: a\r\n\r\n".encode(), b'POST /v1/games HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 5\r\n\r\n{"a":'
        connection.sendall((get + bad) * 3 + b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        received = b"".join(iter(lambda: connection.recv(65536), b""))
    assert received.count(b"HTTP/1.1 200 ") == 4 and received.count(b"HTTP/1.1 400 ") == 3
    assert received.endswith(b'{"status":"ok"}\n') or json.loads(received.rsplit(b"\r\n\r\n", 1)[1]) == {"status": "ok"}
