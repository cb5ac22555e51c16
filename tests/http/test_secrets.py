"""A token is told once and kept by nobody: the searches of issued.py find what there is to find, and there is nothing."""

import base64
import hashlib
import json
import subprocess

import pytest
import requests

import issued
from daemon import BINARY


def files(daemon):
    return {path.name: path.read_bytes() for path in daemon.database.parent.glob(daemon.database.name + "*") if path.is_file()}


def test_at_rest_there_are_hashes(start):
    """In the file, in its WAL and in a backup of both; whoever reads them has nothing to send."""
    daemon, client = start("rest.db")
    ada = client.register("Ada")
    table = client.create(token=ada["token"])
    table.rekey(2, table.tokens[2])
    client.post("/v1/games", json={"variant": "iuvo-2"}, headers={"Idempotency-Key": "k" * 30})
    backup = subprocess.run([BINARY, "backup", "--database", daemon.database, f"{daemon.database}.copy"], capture_output=True, timeout=60)
    assert backup.returncode == 0, backup.stderr
    mine = [ada["token"], table.creator, *table.tokens.values()]
    left = files(daemon)
    assert {"rest.db", "rest.db-wal", "rest.db.copy"} <= set(left)
    assert daemon.stop() == 0
    for data in (left["rest.db"] + left["rest.db-wal"], left["rest.db.copy"], files(daemon)["rest.db"]):
        assert table.id.encode() in data
        for token in mine:
            assert hashlib.blake2b(token.encode(), digest_size=32).digest() in data
            assert token.encode() not in data and base64.b32decode(token.upper() + "====") not in data


def test_the_search_finds_what_is_there(client, tmp_path, daemon):
    token = client.create().tokens[1]
    assert issued.found(b"xx" + token.encode() + b"yy") == {token}
    assert not issued.found(token[:-1].encode())
    for headers, body in (([("Location", f"/v1/games?t={token}")], b""), ([], json.dumps({"detail": token}).encode()),
                          ([], json.dumps({"token": token}).encode())):
        with pytest.raises(issued.Leak):
            issued.check_reply("GET", headers, body)
    left = type(daemon)(tmp_path / "left.db")
    issued.check_files(left)
    (tmp_path / "left.db-wal").write_bytes(b"\0" * 100 + token.encode() + b"\0")
    with pytest.raises(issued.Leak):
        issued.check_files(left)


def test_a_token_in_the_wrong_place_is_not_logged(start):
    """Whoever sends it there may see it in the answer to himself, as whatever he sent; the log of however many lines, and the metrics, have nothing of it."""
    daemon, client = start("wrong.db", "--log-level", "debug", "--admin-listen", "0")
    table = client.create()
    token = table.tokens[1]
    own = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    tries = [("GET", f"{table.path}?token={token}", {}, None), ("GET", f"{table.path}?{token}=x", {}, None), ("GET", f"/{token}", {}, None),
             ("GET", f"/v1/games/{token}", {}, None), ("GET", f"/problems/{token}", {}, None), (token, "/v1/games", {}, None), ("GET", f"/%{token}", {}, None),
             ("POST", "/v1/games", own, {"variant": token}), ("POST", f"{table.path}/moves", own, {"move": token}), ("POST", f"{table.path}/moves", own, {token: 1}),
             ("GET", "/v1/games", {"Authorization": f"Basic {token}"}, None), ("GET", "/v1/games", {"Authorization": token}, None), ("GET", "/healthz", {token: "x"}, None)]
    names = ("Cookie", "Accept", "If-Match", "If-None-Match", "Last-Event-ID", "Prefer", "Idempotency-Key", "X-Request-ID", "Forwarded", "User-Agent", "Content-Type")
    tries += [("POST", f"{table.path}/moves", {**own, name: token}, {"move": 1}) for name in names]
    for method, path, headers, body in tries:
        assert 200 <= requests.request(method, daemon.url + path, headers=headers, json=body, timeout=60).status_code < 500, (method, path, headers)
    assert not issued.found(client.get("/metrics").content)
    assert daemon.stop() == 0
    assert daemon.log().count("event=request") == len(tries) + 2
    assert token not in daemon.log()
