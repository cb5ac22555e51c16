"""A server in which everything occurs that a data file can hold, for tests of what becomes of the file."""

import uuid

from client import Table

LOST = "iuvo-2 3o3/2AB3/2oAoB1/3o3/7/7/7 1 - -"


def play(table, plies):
    for _ in range(plies):
        moves = table.get("/legal-moves").value["moves"]
        reply = table.play(moves[table.game["ply"] * 7 % len(moves)]["move"])
        assert reply.status_code == 201, reply.text


def registered(client, name):
    """A player; his name has what text can have."""
    return client.register(name)


def make(client):
    """{what: Table}; each with the tokens of its seats."""
    made = {}
    ada, bo = registered(client, 'Ada "the \\ first"'), registered(client, "Bø 😀")
    key = {"Idempotency-Key": str(uuid.uuid4())}

    made["iuvo"] = client.create("iuvo-2", seats=[{"name": "Zoë"}, {}])
    play(made["iuvo"], 6)
    made["retried"] = Table(client, client.post("/v1/games", json={"variant": "iuvo-2"}, headers=key).value)
    made["key"] = key
    made["players"] = client.create("iuvo-2", token=ada["token"], seats=[{}, {"open": True}], clock={"per_move_seconds": 86400})
    made["players"].tokens[1] = ada["token"]
    made["players"].take(2, token=bo["token"])
    made["players"].tokens[2] = bo["token"]
    play(made["players"], 4)
    made["players"].offer(1, "draw")
    made["halma"] = client.create("halma-2", clock={"initial_seconds": 86400, "increment_seconds": 60})
    play(made["halma"], 12)
    assert made["halma"].answer(made["halma"].offer(2, "takeback", ply=9), 1).status_code == 200
    play(made["halma"], 3)
    assert made["halma"].answer(made["halma"].offer(1, "pause"), 2).status_code == 200
    made["four"] = client.create("iuvo-4", seats=[{"name": "Ada"}, {}, {}, {}])
    play(made["four"], 3)
    assert made["four"].resign(3).status_code == 200
    play(made["four"], 2)
    made["over"] = client.create("iuvo-2", position=LOST, visibility="unlisted")
    play(made["over"], 1)
    assert made["over"].resign(2).status_code == 200
    rematch = made["over"].post("/rematch", token=made["over"].tokens[1]).value
    made["rematch"] = Table(client, {**rematch, "creator_token": made["over"].creator})
    made["rematch"].tokens = {seat % 2 + 1: token for seat, token in made["over"].tokens.items()}
    play(made["rematch"], 1)
    made["open"] = client.create("iuvo-4", seats=[{}, {"open": True}, {"open": True}, {}])
    made["open"].take(3, "Cem")
    made["withdrawn"] = client.create("halma-2")
    assert made["withdrawn"].withdraw().status_code in (200, 204)
    record = made["four"].get("/record").value
    record["tags"] = {"Event": 'Kaffee "am" Sonntag', "Note": "two\nlines"}
    imported = client.post("/v1/records", json=record)
    assert imported.status_code == 201, imported.text
    made["imported"] = Table(client, imported.value)
    made["long"] = client.create("iuvo-2")
    play(made["long"], 40)
    return made


def tables(made):
    return {name: table for name, table in made.items() if isinstance(table, Table)}
