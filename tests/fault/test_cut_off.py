"""Clients that are cut off at each stage of a request: the move is stored whole or not at all, and others are served."""

import json
import socket

from patience import eventually


def request_bytes(table, move, token):
    body = json.dumps({"move": move}).encode()
    head = (f"POST {table.path}/moves HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n").encode()
    return head + body


def test_cut_off_at_every_tenth_byte(start):
    daemon, client = start()
    table = client.create("iuvo-2")
    whole = request_bytes(table, "c1-d3", table.tokens[1])
    for cut in [*range(0, len(whole) - 1, 10), len(whole) - 1]:
        with socket.create_connection(("127.0.0.1", daemon.port)) as connection:
            connection.sendall(whole[:cut])
        assert table.get().value["ply"] == 0
    # All of it is sent, and the client is gone before the answer: the move stands, once.
    with socket.create_connection(("127.0.0.1", daemon.port)) as connection:
        connection.sendall(whole)
    eventually(lambda: table.get().value["ply"] > 0)
    assert table.get().value["ply"] == 1
    # The natural retry (rule 5) is told what became of it.
    reply = table.play("c1-d3", seat=1, expected_ply=0)
    assert reply.status_code == 200, reply.text
    assert [move["move"] for move in table.get("/moves").value["moves"]] == ["c1-d3"]
    assert daemon.stop() == 0


def test_a_reset_while_the_answer_is_sent(start):
    daemon, client = start()
    table = client.create("halma-2")
    for _ in range(50):
        connection = socket.create_connection(("127.0.0.1", daemon.port))
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
        connection.sendall(f"GET {table.path}/legal-moves HTTP/1.1\r\nHost: localhost\r\n\r\n".encode() * 8)
        connection.close()  # a reset, with eight answers on their way
    assert table.get("/legal-moves").status_code == 200
    assert daemon.stop() == 0
