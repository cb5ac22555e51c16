"""Idempotency-Key: whatever happens to an answer, the call may be sent again, and is done once."""

import concurrent.futures
import json
import re
import sqlite3
import time
import uuid

import pytest

from client import problem
from contract import SOURCE, check_reply, contract
from patience import eventually

KEYED = {operation.id: operation for operation in contract.operations
         if any(parameter["name"] == "Idempotency-Key" for parameter in operation.parameters)}
# Those that a player calls with his own token, about himself.
PERSONAL = {"change_me", "erase_me", "replace_my_token"}
GOOD = (200, 201, 204)
# Those that need a time of their own to move: test_clocks.py sends them again.
HERE = [name for name in KEYED if name not in ("claim_win", "move_test_clock")]
RECORD = {"format": "iuvod-record-1", "variant": "iuvo-2", "moves": ["a1-b3"]}
# Whose key could be used with another body; a player's token that was replaced is dead, and with it goes its key.
REUSABLE = [name for name in KEYED if KEYED[name].body and name != "replace_my_token"]
# What belongs to the exchange and not to the answer, and what says that it is given again.
PASSING = {"date", "connection", "keep-alive", "idempotency-replayed"}


def new_key():
    return str(uuid.uuid4())


def stage(client, name, **more):
    """A game in which the operation is possible, and a player who has nothing to do with it."""
    if name in ("take_seat", "leave_seat"):
        more["seats"], more["clock"] = [{"name": "Ada"}, {"open": True}], "none"
    table = client.create(**more)
    if name in ("answer_offer", "withdraw_offer"):
        table.offered = f"{table.path}/offers/{table.offer(1, 'draw').value['offer']['id']}"
    if name == "rematch":
        table.resign(1)
    table.player = client.register("Ada")["token"] if name in PERSONAL else None
    return table


def what(name, table):
    """(path, token, body or None) of a call of this operation that succeeds."""
    return {"create_game": lambda: ("/v1/games", None, {"variant": "iuvo-2", "seats": [{"name": "Zora Quist"}, {}]}),
            "import_record": lambda: ("/v1/records", None, RECORD),
            "play_move": lambda: (f"{table.path}/moves", table.tokens[1], {"move": "a1-b3"}),
            "rematch": lambda: (f"{table.path}/rematch", table.tokens[2], {}),
            "resign": lambda: (f"{table.path}/resignation", table.tokens[2], {}),
            "make_offer": lambda: (f"{table.path}/offers", table.tokens[2], {"kind": "draw"}),
            "answer_offer": lambda: (table.offered, table.tokens[2], {"accept": True}),
            "withdraw_offer": lambda: (table.offered, table.tokens[1], None),
            "withdraw_game": lambda: (table.path, table.creator, None),
            "take_seat": lambda: (f"{table.path}/seats/2", None, {"name": "Bo"}),
            "leave_seat": lambda: (f"{table.path}/seats/1", table.tokens[1], None),
            "replace_token": lambda: (f"{table.path}/seats/1/token", table.creator, {}),
            "register_player": lambda: ("/v1/players", None, {"name": "Bo"}),
            "change_me": lambda: ("/v1/me", table.player, {"name": "Cem"}),
            "erase_me": lambda: ("/v1/me", table.player, None),
            "replace_my_token": lambda: ("/v1/me/token", table.player, {})}[name]()


def send(client, name, table, key, headers=None, **more):
    path, token, body = what(name, table)
    more = {"token": token, "json": body, **more}
    return client.request(KEYED[name].method, more.pop("path", path), headers={"Idempotency-Key": key, **(headers or {})}, **more)


def answer(reply):
    """An answer as far as it must be the same each time, byte for byte."""
    return reply.status_code, {name.lower(): value for name, value in reply.headers.items() if name.lower() not in PASSING}, reply.content


def assert_replayed(reply, first):
    assert answer(reply) == answer(first)
    assert reply.headers["Idempotency-Replayed"] == "true" and "Idempotency-Replayed" not in first.headers


def seen(client, table):
    """What the service shows of a game, and how many games it lists."""
    return table.get().value, table.get("/events").value, len(client.get("/v1/games?limit=100").value["games"])


def go_on(table):
    """The game goes on after a call, as far as it can."""
    for seat, move in ((1, "a1-b3"), (2, "a7-b5")):
        if table.get().value["turn"] == seat and seat in table.tokens:
            table.play(move, seat=seat)
    if 1 in table.tokens:
        table.resign(1)


def test_every_operation_that_writes_takes_a_key():
    rows = re.findall(r'R\((\w+), "([^"]+)", WRITE,', (SOURCE / "src/api/route.h").read_text())
    assert len(rows) >= 8
    assert {(operation.method, operation.path) for operation in KEYED.values()} == set(rows)
    for operation in KEYED.values():
        good = [response for status, response in operation.responses.items() if status < "300"]
        assert all("Idempotency-Replayed" in response["headers"] for response in good), operation
        assert ("422" in operation.responses) == (operation.id in REUSABLE), operation


@pytest.mark.parametrize("name", HERE)
def test_the_first_answer_again(client, name):
    table, key = stage(client, name, visibility="unlisted"), new_key()
    first = send(client, name, table, key)
    assert first.status_code in GOOD
    after = seen(client, table)
    for _ in range(3):
        assert_replayed(send(client, name, table, key), first)
    assert seen(client, table) == after
    # Whatever has happened since, and whatever precondition is sent.
    go_on(table)
    for headers in ({}, {"If-Match": '"999-x-json"'}, {"If-Match": first.headers.get("ETag", "*")}, {"Accept": "*/*"}):
        assert_replayed(send(client, name, table, key, headers), first)
    # A player's name is what it is, however often it is set.
    assert name == "change_me" or answer(send(client, name, table, new_key())) != answer(first)


@pytest.mark.parametrize("name", HERE)
def test_the_first_answer_after_a_restart(start, name):
    daemon, client = start()
    table, key = stage(client, name), new_key()
    first = send(client, name, table, key)
    assert first.status_code in GOOD
    assert daemon.stop() == 0
    daemon.start()
    assert_replayed(send(client, name, table, key), first)
    daemon.kill()
    daemon.start()
    assert_replayed(send(client, name, table, key), first)
    after = seen(client, table)
    daemon.kill()
    daemon.start()
    assert seen(client, table) == after
    assert daemon.stop() == 0
    assert daemon.verify().returncode == 0


@pytest.mark.parametrize("name", [name for name in REUSABLE if name in HERE])
def test_another_body_is_another_request(client, name):
    table, key = stage(client, name), new_key()
    first = send(client, name, table, key)
    path, _, body = what(name, table)
    after = seen(client, table)
    for text in (json.dumps(body) + " ", "\n" + json.dumps(body)):
        fault = problem(send(client, name, table, key, {"Content-Type": "application/json"}, json=None, data=text), 422, "idempotency-key-reused")
        assert fault["header"] == "Idempotency-Key"
    assert seen(client, table) == after
    assert_replayed(send(client, name, table, key), first)


def test_another_query_is_another_request(client):
    key = new_key()
    first = send(client, "import_record", None, key, path="/v1/records?visibility=unlisted")
    assert first.status_code == 201
    for path in ("/v1/records", "/v1/records?visibility=public"):
        problem(send(client, "import_record", None, key, path=path), 422, "idempotency-key-reused")
    assert_replayed(send(client, "import_record", None, key, path="/v1/records?visibility=%75nlisted"), first)


def test_keys_of_others_do_not_meet(client):
    """The same key from two seats, on two games, without a token and with one: four calls."""
    table, other, key = client.create(), client.create(), "move-1"
    assert table.play("a1-b3", headers={"Idempotency-Key": key}).status_code == 201
    for reply in (table.play("a7-b5", headers={"Idempotency-Key": key}), other.play("a1-b3", headers={"Idempotency-Key": key})):
        assert reply.status_code == 201 and "Idempotency-Replayed" not in reply.headers
    key = new_key()
    games = [send(client, "create_game", None, key, token=token) for token in (None, table.tokens[1], table.creator)]
    assert len({reply.value["id"] for reply in games}) == 3
    assert_replayed(send(client, "create_game", None, key, token=table.creator), games[2])


@pytest.mark.parametrize("name", ["create_game", "import_record", "take_seat", "register_player"])
def test_weak_keys(client, name):
    token = client.create().tokens[1]
    for key in ("1", "x" * 21):
        table = stage(client, name)
        fault = problem(send(client, name, table, key), 400, "weak-idempotency-key")
        assert fault["header"] == "Idempotency-Key"
        # A token is secret enough.
        assert send(client, name, table, key, token=token).status_code in GOOD
    assert send(client, name, stage(client, name), new_key()[:22]).status_code in GOOD


@pytest.mark.parametrize("name", ["leave_seat", "replace_token"])
def test_the_call_that_ends_its_token(client, name):
    """The token is dead, and with it only this one call may be repeated, by who knows the key: no thief can guess that."""
    table, key = stage(client, name), new_key()
    old = table.tokens[1]
    for weak in ("1", "x" * 21):
        problem(send(client, name, table, weak, token=old), 400, "weak-idempotency-key")
    first = send(client, name, table, key, token=old)
    assert first.status_code == 200
    assert_replayed(send(client, name, table, key, token=old), first)
    problem(send(client, name, table, new_key(), token=old), 401, "token-unknown")
    problem(send(client, name, table, key, token=table.creator[:-4] + "aaaa"), 401, "token-unknown")
    problem(table.post("/moves", json={"move": "a1-b3"}, token=old, headers={"Idempotency-Key": key}), 401, "token-unknown")
    problem(table.post("/resignation", token=old), 401, "token-unknown")
    if name == "replace_token":
        # What was another request before is none of the dead token's business.
        problem(send(client, name, table, key, {"Content-Type": "application/json"}, token=old, json=None, data=" {}"), 401, "token-unknown")
        table.tokens[1] = first.value["token"]
        assert table.play("a1-b3").status_code == 201
    assert_replayed(send(client, name, table, key, token=old), first)


@pytest.mark.parametrize("name", ["erase_me", "replace_my_token"])
def test_the_call_that_ends_a_players_token(client, name):
    table, key = stage(client, name), new_key()
    for weak in ("1", "x" * 21):
        problem(send(client, name, table, weak), 400, "weak-idempotency-key")
    first = send(client, name, table, key)
    assert first.status_code in GOOD
    for _ in range(2):
        assert_replayed(send(client, name, table, key), first)
    problem(send(client, name, table, new_key()), 401, "token-unknown")
    problem(client.get("/v1/me", token=table.player), 401, "token-unknown")


@pytest.mark.parametrize("name", [name for name in HERE if name != "erase_me"])
def test_an_answer_that_told_of_a_player_who_was_erased(client, name):
    """What was done is not done again; but the answer is gone with him."""
    zoe = client.register("Zoe")["token"]
    table, key = stage(client, name, token=zoe), new_key()
    more = {"token": zoe} if name in ("create_game", "import_record") else {}
    first = send(client, name, table, key, **more)
    assert first.status_code in GOOD
    erased = first.value["token"] if name in ("register_player", "replace_my_token") else table.player or zoe
    assert client.request("DELETE", "/v1/me", token=erased).status_code == 204
    after = seen(client, table)
    for headers in ({}, {"If-Match": '"1-x-json"'}):
        assert "Zoe" not in str(problem(send(client, name, table, key, headers, **more), 410, "answer-erased"))
    assert seen(client, table) == after


def test_a_weak_key_leads_to_nothing_once_its_token_is_dead(client):
    table = client.create()
    old = table.tokens[1]
    assert table.play("a1-b3", headers={"Idempotency-Key": "1"}).status_code == 201
    assert table.rekey(1, old).status_code == 200
    problem(table.post("/moves", json={"move": "a1-b3"}, token=old, headers={"Idempotency-Key": "1"}), 401, "token-unknown")


@pytest.mark.parametrize("name", HERE)
def test_keys_that_are_none(client, name):
    table = stage(client, name)
    for key in ("", "x" * 256, "two words that make up a key", b"na\xc3\xafve-key-with-22-letters", "tab\tin-a-key-of-22-letters"):
        assert problem(send(client, name, table, key), 400, "invalid-header")["header"] == "Idempotency-Key"
    path, token, body = what(name, table)
    text = b"" if body is None else json.dumps(body).encode()
    head = (f"Host: x\r\nContent-Type: application/json\r\nContent-Length: {len(text)}\r\nIdempotency-Key: {new_key()}\r\nIdempotency-Key: {new_key()}\r\n"
            + (f"Authorization: Bearer {token}\r\n" if token else ""))
    problem(client.raw(KEYED[name].method, path, head.encode(), text), 400, "ambiguous-request")
    assert send(client, name, table, new_key() + "~" * 219).status_code in GOOD


def test_refusals_are_not_kept(client):
    table, key = client.create(), {"Idempotency-Key": "k"}
    problem(table.play("a7-b5", seat=2, headers=key), 409, "not-your-turn")
    problem(table.play("a7-b5", seat=2, headers={**key, "If-Match": '"1-x-json"'}), 412, "precondition-failed")
    table.play("a1-b3")
    reply = table.play("a7-b5", seat=2, headers=key)
    assert reply.status_code == 201 and "Idempotency-Replayed" not in reply.headers


def test_a_dry_run_keeps_nothing(client):
    table, key = client.create(), {"Idempotency-Key": new_key()}
    for path in ("/moves?dry_run=true", "/moves?dry_run=true", "/moves"):
        reply = table.play("a1-b3", seat=1, headers=key, path=path)
        assert reply.status_code == (201 if path == "/moves" else 200) and "Idempotency-Replayed" not in reply.headers


def test_a_move_that_was_repeated_without_a_key_is_answered_again(client):
    table, key = client.create().play_all(["a1-b3"]), {"Idempotency-Key": new_key()}
    repeated = table.play("a1-b3", seat=1, headers=key)
    assert repeated.status_code == 200
    table.play("a7-b5")
    assert_replayed(table.play("a1-b3", seat=1, headers=key), repeated)


def test_the_order_of_checks(client):
    """Rule 3: behind what tells who asks, before precondition and state."""
    table, other, key = client.create(), client.create(), {"Idempotency-Key": "k"}
    assert table.play("a1-b3", headers=key).status_code == 201
    wrong = {**key, "If-Match": '"1-x-json"'}
    problem(table.post("/moves", json={"move": "a1-b3"}, token="a" * 52, headers=key), 401, "token-unknown")
    problem(table.post("/moves", json={"move": "?"}, token=table.tokens[1], headers=key), 400, "malformed-move")
    problem(table.post("/moves", json={"move": "a1-b3"}, token=other.tokens[1], headers=key), 403, "not-your-seat")
    problem(table.post("/moves", json={"move": "a1-c2"}, token=table.tokens[1], headers=wrong), 422, "idempotency-key-reused")
    problem(table.post("/resignation", json={}, headers={"Idempotency-Key": "weak"}), 401, "token-required")


def test_fifty_at_once_make_one_game(client):
    key, name = new_key(), "Fifty at once"

    def create(_):
        return send(client, "create_game", None, key, json={"variant": "iuvo-2", "seats": [{"name": name}, {}]})

    with concurrent.futures.ThreadPoolExecutor(50) as pool:
        replies = list(pool.map(create, range(50)))
    first = [reply for reply in replies if "Idempotency-Replayed" not in reply.headers]
    assert len(first) == 1
    for reply in replies:
        assert answer(reply) == answer(first[0])
    assert len(client.get(f"/v1/games?name={name}").value["games"]) == 1


def test_fifty_at_once_take_one_seat(client):
    table, key = stage(client, "take_seat"), new_key()
    with concurrent.futures.ThreadPoolExecutor(50) as pool:
        replies = list(pool.map(lambda _: send(client, "take_seat", table, key), range(50)))
    assert {reply.status_code for reply in replies} == {200} and len({reply.content for reply in replies}) == 1
    assert client.get(table.path, token=replies[0].value["token"]).status_code == 200


def test_fifty_at_once_make_one_move(client):
    table = client.create()

    def play(_):
        return table.post("/moves", json={"move": "a1-b3"}, token=table.tokens[1], headers={"Idempotency-Key": "1", "If-Match": '"2-x-json"'})

    with concurrent.futures.ThreadPoolExecutor(50) as pool:
        replies = list(pool.map(play, range(50)))
    assert {answer(reply)[0] for reply in replies} == {201} and len({reply.content for reply in replies}) == 1
    assert len(table.get("/moves").value["moves"]) == 1


def test_the_answer_that_nobody_read(start):
    """The client is gone before the answer; then the service is killed; then the call is sent again."""
    daemon, client = start()
    key, body = new_key(), json.dumps({"variant": "iuvo-2", "seats": [{"name": "Lost"}, {}]})
    with daemon.connect() as connection:
        connection.sendall(f"POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nIdempotency-Key: {key}\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode())
    games = eventually(lambda: client.get("/v1/games?name=Lost").value["games"])
    daemon.kill()
    daemon.start()
    reply = client.post("/v1/games", data=body, headers={"Content-Type": "application/json", "Idempotency-Key": key})
    assert reply.status_code == 201 and reply.headers["Idempotency-Replayed"] == "true"
    assert reply.value["id"] == games[0]["id"] and len(client.get("/v1/games?name=Lost").value["games"]) == 1
    # Its tokens are alive: nothing was lost.
    seat = reply.value["seats"][0]
    assert client.post(f"/v1/games/{games[0]['id']}/moves", json={"move": "a1-b3"}, token=seat["token"]).status_code == 201
    check_reply("POST", "/v1/games", 201, reply.headers, reply.content)


def kept(daemon, change=None):
    """How many answers the file holds; changes when they expire first."""
    connection = sqlite3.connect(daemon.database)
    try:
        if change is not None:
            connection.execute("UPDATE retries SET expires = ?", (change,))
            connection.commit()
        return connection.execute("SELECT count(*) FROM retries").fetchone()[0]
    finally:
        connection.close()


def test_what_has_expired_goes_with_later_calls(start):
    daemon, client = start()
    keys = [new_key() for _ in range(30)]
    first = [send(client, "create_game", None, key) for key in keys]
    assert daemon.stop() == 0
    now = int(time.time() * 1000)
    with_time = sqlite3.connect(daemon.database)
    expires = [row[0] for row in with_time.execute("SELECT expires FROM retries")]
    with_time.close()
    assert len(expires) == 30 and all(86_400_000 - 60_000 < at - now <= 86_400_000 for at in expires)
    # A day later.
    assert kept(daemon, now) == 30
    daemon.start()
    # The first call still finds its answer, and housekeeping goes on with each call: a few at a time.
    assert_replayed(send(client, "create_game", None, keys[-1]), first[-1])
    left = [kept(daemon)]
    while left[-1] > 1 and len(left) < 40:
        assert send(client, "create_game", None, keys[-1] if len(left) == 1 else new_key()).status_code == 201
        left.append(kept(daemon))
    assert left[0] > 20 and left[-1] <= len(left) and max(a - b for a, b in zip(left, left[1:])) <= 5, left
    # What is gone is forgotten: the key is free.
    again = send(client, "create_game", None, keys[0])
    assert again.status_code == 201 and again.value["id"] != first[0].value["id"]
    assert daemon.stop() == 0
    assert daemon.verify().returncode == 0


def test_the_file_alone_tells_no_secret(start):
    daemon, client = start()
    secrets = set()
    for _ in range(5):
        for name in HERE:
            table, key = stage(client, name), new_key()
            assert send(client, name, table, key).status_code in GOOD
            secrets |= {key, table.creator, *table.tokens.values()}
    issued = client.tokens
    stored = {}
    for when in ("running", "stopped"):
        if when == "stopped":
            assert daemon.stop() == 0
        for path in daemon.database.parent.glob(daemon.database.name + "*"):
            if path.suffix not in (".log", ".out"):
                stored[when, path.name] = path.read_bytes()
    assert any(name.endswith("-wal") and bytes_ for (_, name), bytes_ in stored.items())
    for place, bytes_ in stored.items():
        assert not [secret for secret in secrets | issued if secret.encode() in bytes_], place
    assert daemon.verify().returncode == 0
    assert not [secret for secret in secrets if secret in daemon.log()]
