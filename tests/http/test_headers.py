"""ETag, 304, If-Match, CORS, HEAD, OPTIONS, Accept, caching, and the order of checks."""

import pytest

from client import problem
from contract import contract

TAGGED = ["", "/legal-moves", "/moves", "/moves/1", "/positions/1", "/board", "/board.svg", "/board.txt", "/record", "/events", "/hint?nodes=50", "/analysis?nodes=500"]
PATHS = sorted(contract.items)


def fill(path, table):
    """The path with a real game, ply and so on in it."""
    values = {"game": table.id, "ply": "1", "variant": "iuvo-2", "slug": "internal", "seat": "1", "offer": getattr(table, "offered", "a" * 26), "player": "a" * 26}
    for name, value in values.items():
        path = path.replace(f"{{{name}}}", value)
    return path


@pytest.fixture(scope="module")
def table(client):
    return client.create().play_all(["a1-b3"])


def spare(client, operation, table):
    """A game for this call alone, if it makes the tokens of the common one useless, or is about something that ends."""
    if operation.id == "get_offer":
        table = client.create()
        table.offered = table.offer(1, "draw").value["offer"]["id"]
    return client.create() if operation.id == "replace_token" else table


def needs_token(operation):
    return operation.node.get("security") == [{"token": []}]


def call(client, operation, table, **more):
    """A call to an operation that is fine but for what `more` says."""
    table = spare(client, operation, table)
    more.setdefault("token", table.tokens[1] if needs_token(operation) else None)
    if operation.body and "data" not in more:
        more.setdefault("json", {})
    query = more.pop("query", "")
    return client.request(operation.method, fill(operation.path, table) + query, **more)


@pytest.mark.parametrize("rest", TAGGED)
def test_not_modified(client, rest):
    table = client.create().play_all(["a1-b3"])
    first = table.get(rest)
    tag = first.headers["ETag"]
    for value in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        again = table.get(rest, headers={"If-None-Match": value})
        assert again.status_code == 304 and again.content == b"", value
        assert again.headers["ETag"] == tag and again.headers["Vary"] == first.headers["Vary"] and again.headers["Cache-Control"] == first.headers["Cache-Control"]
        assert client.request("HEAD", table.path + rest, headers={"If-None-Match": value}).status_code == 304
    for value in ('"other"', tag.strip('"'), ""):
        assert table.get(rest, headers={"If-None-Match": value}).status_code == 200
    table.play("a7-b5")
    again = table.get(rest, headers={"If-None-Match": tag})
    assert again.status_code == 200 and again.headers["ETag"] != tag
    if rest not in ("/moves/1", "/positions/1"):
        assert again.content != first.content


def test_a_tag_is_of_format_and_view(client):
    table = client.create().play_all(["a1-b3"])
    tags = [table.get(rest, headers=headers).headers["ETag"] for rest, headers in (
        ("/board", {"Accept": "text/plain"}), ("/board", {"Accept": "image/svg+xml"}), ("/record", {"Accept": "application/json"}), ("/record", {"Accept": "text/plain"}))]
    assert len(set(tags)) >= 2 and tags[0] != tags[1] and tags[2] != tags[3]
    # A tag of one format is no match for another.
    assert table.get("/board", headers={"Accept": "text/plain", "If-None-Match": tags[1]}).status_code == 200


def test_a_tag_is_of_the_viewer(client):
    table = client.create()
    nobody, holder = table.get(), table.get(token=table.tokens[1])
    assert nobody.value == holder.value
    assert nobody.headers["ETag"] != holder.headers["ETag"]
    assert "private" in holder.headers["Cache-Control"] and "private" not in nobody.headers["Cache-Control"]


def test_what_may_be_kept_for_ever(client):
    table = client.create().play_all(["a1-b3"])
    assert "immutable" in table.get("/positions/0").headers["Cache-Control"]
    assert "no-cache" in table.get("/positions/1").headers["Cache-Control"] and "immutable" not in table.get("/positions/1").headers["Cache-Control"]
    for rest in TAGGED:
        assert "no-cache" in table.get(rest).headers["Cache-Control"], rest
    table.resign(1)
    assert "immutable" in table.get("/positions/1").headers["Cache-Control"]


def test_a_live_token_reads_every_game(client, table):
    other = client.create()
    for rest in TAGGED:
        assert table.get(rest, token=other.tokens[1]).status_code == 200
    assert client.get("/v1/games", token=other.creator).status_code == 200


@pytest.mark.parametrize("operation", [operation for operation in contract.operations if operation.method == "GET"], ids=repr)
def test_head_is_get_without_a_body(client, table, operation):
    table = spare(client, operation, table)
    player = client.register("Ada")
    path, token = fill(operation.path.replace("{player}", player["id"]), table), table.tokens[1] if needs_token(operation) else None
    if operation.path.startswith("/v1/me"):
        token = player["token"]
    got, head = client.get(path, token=token), client.request("HEAD", path, token=token)
    assert head.status_code == got.status_code == 200 and head.content == b""
    changing = {"Date", "Connection", "Keep-Alive"} | ({"Content-Length"} if operation.admin else set())
    assert {k: v for k, v in head.headers.items() if k not in changing} == {k: v for k, v in got.headers.items() if k not in changing}


@pytest.mark.parametrize("path", PATHS)
def test_options_and_wrong_methods(client, table, path):
    at = fill(path, table)
    allowed = contract.methods(path)
    assert client.request("OPTIONS", at).status_code == 204
    preflight = client.request("OPTIONS", at, headers={"Origin": "https://example.org", "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization"})
    assert preflight.status_code == 204
    for method in {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "BREW"} - allowed:
        assert client.request(method, at).status_code == 405, method
    if contract.is_admin(at):
        assert not [name for name in preflight.headers if name.startswith("Access-Control-")]
        return
    methods = {word.strip() for word in preflight.headers["Access-Control-Allow-Methods"].split(",")}
    assert methods >= allowed - {"OPTIONS", "HEAD"}
    sent = {word.strip().lower() for word in preflight.headers["Access-Control-Allow-Headers"].split(",")}
    assert sent == {"authorization", "content-type", "if-match", "if-none-match", "idempotency-key", "last-event-id", "prefer"}


def test_what_pages_may_read(client, table):
    for reply in (table.get(), table.get(headers={"Origin": "https://example.org"}), client.get("/nowhere"), table.post("/moves"), table.get(headers={"If-None-Match": "*"})):
        exposed = {word.strip().lower() for word in reply.headers["Access-Control-Expose-Headers"].split(",")}
        assert exposed == {"etag", "location", "link", "retry-after", "idempotency-replayed", "preference-applied", "www-authenticate", "allow", "ratelimit", "ratelimit-policy"}
        assert "Access-Control-Allow-Credentials" not in reply.headers


@pytest.mark.parametrize("path", ["/nowhere", "/v1", "/v1/", "/v1/games/", "//", "/v1//games", "/V1/games", "/v1/games/x/y/z", "/healthz/", "/.well-known/x", "/favicon.ico", "/v1/variants/iuvo-2/x", "/index.html"])
def test_there_is_nothing_there(client, path):
    for method in ("GET", "HEAD", "POST", "DELETE", "OPTIONS"):
        reply = client.exact(method, path, [("Accept", "image/png")])
        assert reply.status_code == 404 and (method == "HEAD" or reply.value["code"] == "no-such-path")


@pytest.mark.parametrize("operation", contract.operations, ids=repr)
def test_accept(client, table, operation):
    for accept in ("image/png", "text/html", "application/json;q=0, text/plain;q=0, image/svg+xml;q=0"):
        problem(call(client, operation, table, headers={"Accept": accept}), 406, "not-acceptable")
    kinds = next(response for status, response in operation.responses.items() if status in ("200", "201", "204")).get("content", ["application/json"])
    for accept in [*kinds, "*/*", "", *(kind.upper() for kind in kinds), f"x/y, {next(iter(kinds))};q=0.1", f"{next(iter(kinds))}; charset=utf-8"]:
        assert call(client, operation, table, headers={"Accept": accept}).status_code != 406, accept


@pytest.mark.parametrize("operation", contract.operations, ids=repr)
def test_targets_that_cannot_be_read(client, table, operation):
    path = fill(operation.path, table)
    for tail in ("?a=%zz", "?a=%0", "?a=%", "?%00=1", "?a=%00", "?a=%ff", "?a=%c0%af", "?a=%ed%a0%80"):
        problem(client.exact(operation.method, path + tail), 400, "malformed-target")


@pytest.mark.parametrize("operation", contract.operations, ids=repr)
def test_targets_that_are_too_long(client, table, operation):
    path = fill(operation.path, table)
    assert problem(client.exact(operation.method, f"{path}?a={'x' * 2048}"), 414, "target-too-long")["limit"] == 2048
    fits = client.exact(operation.method, f"{path}?a={'x' * (2048 - len(path) - 3)}", [("Content-Type", "application/json")])
    assert fits.status_code in (400, 401), fits.content


@pytest.mark.parametrize("operation", contract.operations, ids=repr)
def test_queries_of_many_parameters(client, table, operation):
    """Sixteen are read, more than any resource has: what is wrong is among them."""
    for count in (16, 17, 400):
        problem(call(client, operation, table, query="?" + "&".join(f"x{i}" for i in range(count))), 400, "unknown-parameter")


def test_paths_of_many_segments(client):
    for count in (11, 12, 13, 1000):
        problem(client.exact("GET", "/v1" + "/x" * (count - 1)), 404, "no-such-path")
        problem(client.exact("GET", "/v1/problems" + "/" * (count - 2)), 404, "no-such-path")


@pytest.mark.parametrize("operation", contract.operations, ids=repr)
def test_unknown_and_repeated_parameters(client, table, operation):
    for query in ("?nothing=1", "?nothing", "?=", "?LIMIT=1"):
        fault = problem(call(client, operation, table, query=query), 400, "unknown-parameter")
        assert fault["allowed"] == [parameter["name"] for parameter in operation.queries()]
    for parameter in operation.queries():
        value = {"dry_run": "true", "from": "a1", "variant": "iuvo-2", "status": "active", "name": "x", "updated_since": "2026-01-01T00:00:00Z", "visibility": "public", "legal_from": "c1"}.get(parameter["name"], "1")
        fault = problem(call(client, operation, table, query=f"?{parameter['name']}={value}&{parameter['name']}={value}"), 400, "repeated-parameter")
        assert fault["parameter"] == parameter["name"]
        if parameter["name"] not in ("cursor", "name"):
            assert problem(call(client, operation, table, query=f"?{parameter['name']}=%22"), 400, "invalid-parameter")["parameter"] == parameter["name"]


@pytest.mark.parametrize("operation", contract.operations, ids=repr)
def test_requests_that_can_be_read_in_two_ways(client, table, operation):
    path = fill(operation.path, table)
    for head in (b"Host: a\r\nHost: b\r\n", b"Host: a\r\nAuthorization: Bearer x\r\nAuthorization: Bearer y\r\n"):
        problem(client.raw(operation.method, path, head), 400, "ambiguous-request")


def test_blanks_behind_a_value_are_not_part_of_it(client, table):
    """RFC 9110, 5.5: what a client or a proxy leaves there changes nothing."""
    def get(rest, *lines):
        return client.raw("GET", table.path + rest, "".join(f"{line}\r\n" for line in lines).encode() + b"Connection: close\r\n")

    for blanks in (" ", "\t", " \t  "):
        assert get("", f"Host: x{blanks}").status_code == 200
        assert get("", "Host: x", f"Authorization: Bearer {table.tokens[2]}{blanks}").status_code == 200
        tag = get("", "Host: x").headers["ETag"]
        assert get("", "Host: x", f"If-None-Match: {tag}{blanks}").status_code == 304
        assert get("/events", "Host: x", f"Last-Event-ID: 2{blanks}").json()["events"][0]["seq"] == 3
        assert get("/board", "Host: x", f"Accept: text/plain{blanks}").headers["Content-Type"].startswith("text/plain")


@pytest.mark.parametrize("operation", [operation for operation in contract.operations if "401" in operation.responses], ids=repr)
def test_unknown_tokens(client, table, operation):
    for value in ("Bearer " + "a" * 52, "Bearer x", "Bearer", "Bearer ", "Basic dXNlcjpwYXNz", "x", "Bearer " + table.tokens[1].upper(), f"Bearer {table.tokens[1]} x", "Bearer " + "x" * 3000):
        reply = call(client, operation, table, token=None, headers={"Authorization": value})
        assert reply.status_code == 401 and reply.value["code"] in operation.codes(401), value
    problem(call(client, operation, table, token="a" * 52), 401, "token-unknown")
    # What is no bearer token at all is told how to be one.
    for value in (table.tokens[1], "Basic dXNlcjpwYXNz", f"Token {table.tokens[1]}"):
        fault = problem(call(client, operation, table, token=None, headers={"Authorization": value}), 401, "token-unknown")
        assert "`Authorization: Bearer TOKEN`" in fault["detail"] and table.tokens[1] not in fault["detail"]


@pytest.mark.parametrize("operation", [operation for operation in contract.operations if any(parameter["name"] == "If-Match" for parameter in operation.parameters)], ids=repr)
def test_preconditions_that_cannot_be_read(client, table, operation):
    for value in ("no tag", '"', 'W/"', '"a" "b"', "*x", '"a", b'):
        assert problem(call(client, operation, table, headers={"If-Match": value}), 400, "invalid-header")["header"] == "If-Match"


def test_the_order_of_checks(client, table):
    """Rule 3: each call here breaks several rules, and the first in order is the answer."""
    path, bad = f"{table.path}/moves", {"Content-Type": "text/html", "Accept": "image/png"}
    problem(client.put("/nowhere", data=b"x" * 20000, headers=bad), 404, "no-such-path")
    problem(client.put(path, data=b"x" * 20000, headers=bad), 405, "method-not-allowed")
    problem(client.post(path, data=b"x" * 20000, headers=bad), 406, "not-acceptable")
    assert client.post(path, data=b"x" * 20000, headers={"Content-Type": "text/html"}).status_code in (413, 415)
    problem(client.post(path, data=b"{", headers={"Content-Type": "text/html"}), 415, "unsupported-media-type")
    problem(client.post(path, data=b"{", headers={"Content-Type": "application/json"}), 401, "token-required")
    missing = f"/v1/games/{'a' * 26}/moves"
    problem(client.post(missing, data=b"{", headers={"Content-Type": "application/json"}, token=table.tokens[1]), 400, "malformed-json")
    problem(client.post(missing, json={}, token=table.tokens[1]), 400, "invalid-body")
    problem(client.post(missing, json={"move": "?"}, token=table.tokens[1]), 400, "malformed-move")
    problem(client.post(missing, json={"move": "a1-b3"}, token=table.tokens[1]), 404, "no-such-game")
    other = client.create()
    other.resign(1)
    problem(other.post("/moves", json={"move": "a1-a1"}, token=table.tokens[1], headers={"If-Match": '"x"'}), 403, "not-your-seat")
    problem(other.post("/moves", json={"move": "a1-a1", "expected_ply": 7}, token=other.tokens[1], headers={"If-Match": '"x"'}), 412, "precondition-failed")
    problem(other.post("/moves", json={"move": "a1-a1"}, token=other.tokens[1]), 409, "game-over")
