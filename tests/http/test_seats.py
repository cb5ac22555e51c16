"""Open seats: taken by strangers, left, re-keyed; the start; withdrawal.  Who may do which, and what the log tells."""

import itertools
import json
import re
import subprocess
import threading

import pytest

from client import Client, problem
from contract import SOURCE
from daemon import Daemon

OPEN = {"open": True}
STALE = {"If-Match": '"99-n-json"'}


def types(table):
    return [event["type"] if event["seat"] is None else f"{event['type']}:{event['seat']}" for event in table.events()]


def kinds(game):
    return [seat["kind"] for seat in game["seats"]]


@pytest.fixture
def lobby(client):
    """A game of Ada's that waits for seat 2."""
    return client.create(seats=[{"name": "Ada"}, OPEN])


def all_at_once(count, act):
    """Runs act(number) in as many threads, all let go at the same moment."""
    results, gate = [None] * count, threading.Barrier(count)

    def run(number):
        gate.wait()
        results[number] = act(number)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


# Waiting.

def test_a_game_with_an_open_seat_waits(client, lobby):
    game = lobby.game
    assert game["status"] == "open" and game["turn"] is None and game["outcome"] is None and game["seq"] == 1
    assert kinds(game) == ["player", "open"] and game["seats"][1]["name"] is None
    assert "token" in game["seats"][0] and "token" not in game["seats"][1] and lobby.creator
    assert game["links"]["open_seats"] == [f"{lobby.path}/seats/2"]
    assert types(lobby) == ["game_created"]
    assert lobby.events()[0]["data"]["seats"] == [{"seat": 1, "name": "Ada", "kind": "player"}, {"seat": 2, "name": None, "kind": "open"}]
    assert {key: value for key, value in lobby.get().value.items() if key != "seats"} == {key: value for key, value in game.items() if key not in ("seats", "creator_token")}
    # Nobody is to move yet, though the position says who will be.
    assert lobby.get("/legal-moves").value == {"game": lobby.id, "ply": 0, "turn": None, "moves": []}
    assert lobby.get("/legal-moves?from=a1").value["moves"] == []
    assert lobby.get("/positions/0").value["turn"] == 1
    assert lobby.get("/board.txt").status_code == lobby.get("/board.svg").status_code == 200


def test_nothing_is_played_before_the_start(lobby):
    for reply in (lobby.play("a1-b3", seat=1), lobby.play("a1-b3", seat=1, path="/moves?dry_run=true"), lobby.play("a1-a1", seat=1), lobby.resign(1)):
        assert problem(reply, 409, "game-not-started")["open_seats"] == [2]
    problem(lobby.play("a1-b3", seat=1, expected_ply=3), 412, "stale-ply")
    problem(lobby.post("/moves", json={"move": "a1-b3"}, token=lobby.creator), 403, "not-your-seat")
    assert types(lobby) == ["game_created"]


def test_open_games_are_found(client, lobby):
    assert lobby.id not in [game["id"] for game in client.get("/v1/games?turn=1&limit=100").value["games"]]
    service = client.get("/").value
    page = client.get(service["links"]["open_games"]).value
    game = next(game for game in page["games"] if game["id"] == lobby.id)
    assert {game["status"] for game in page["games"]} == {"open"}
    # What a stranger needs stands in the list: where to post.
    reply = client.post(game["links"]["open_seats"][0], json={"name": "Ben"})
    assert reply.status_code == 200 and reply.value["game"]["status"] == "active"
    assert lobby.id not in [game["id"] for game in client.get("/v1/games?status=open&limit=100").value["games"]]
    assert lobby.id in [game["id"] for game in client.get("/v1/games?turn=1&limit=100").value["games"]]


def test_a_name_is_listed_once_he_sits_there(client, lobby):
    name = f"Stranger {lobby.id}"
    listed = lambda: [game["id"] for game in client.get("/v1/games", params={"name": name}).value["games"]]  # noqa: E731
    four = client.create("iuvo-4", seats=[OPEN] * 4)
    assert listed() == []
    assert four.take(3, name).status_code == 200
    assert listed() == [four.id]
    assert four.leave(3).status_code == 200
    assert listed() == []


# Taking.

def test_taking_the_last_seat_starts_the_game(lobby):
    before = lobby.get()
    reply = lobby.take(2, "Ben")
    assert reply.status_code == 200 and set(reply.value) == {"seat", "token", "game"} and reply.value["seat"] == 2
    game = reply.value["game"]
    assert game["status"] == "active" and game["turn"] == 1 and game["seq"] == 3 and game["links"]["open_seats"] == []
    assert [(seat["name"], seat["kind"]) for seat in game["seats"]] == [("Ada", "player"), ("Ben", "player")]
    assert reply.headers["Cache-Control"] == "no-store" and reply.headers["ETag"].startswith('"3-')
    after = lobby.get(headers={"If-None-Match": before.headers["ETag"]})
    assert after.status_code == 200 and after.value == game
    assert types(lobby) == ["game_created", "seat_taken:2", "game_started"]
    taken, started = lobby.events()[1:]
    assert taken["data"] == {"name": "Ben", "open_seats": []} and started["data"] == {"position": game["position"], "turn": 1}
    assert taken["at"] == started["at"] == game["updated_at"] and game["created_at"] <= game["updated_at"]
    assert lobby.tokens[2] not in lobby.get("/events").text + lobby.get().text
    assert lobby.play("a1-b3").status_code == 201 and lobby.play("a7-b5").status_code == 201


def test_a_name_is_not_needed(client):
    for more in ({}, {"json": {}}, {"json": {"name": "Ann"}}):
        table = client.create(seats=[{}, OPEN])
        reply = table.post("/seats/2", **more)
        assert reply.status_code == 200 and reply.value["game"]["seats"][1]["name"] == more.get("json", {}).get("name")


def test_the_start_may_be_another_position(client):
    position = "iuvo-2 3o3/2AB3/2oAoB1/3o3/7/7/7 2 - -"
    table = client.create(position=position, seats=[OPEN, {"name": "Ben"}])
    assert table.game["turn"] is None
    game = table.take(1, "Ada").value["game"]
    assert game["turn"] == 2 and game["position"] == position
    assert table.get("/legal-moves").value["turn"] == 2


def test_seats_that_are_not_to_be_had(client, lobby):
    assert problem(lobby.post("/seats/1"), 409, "seat-taken")["open_seats"] == [2]
    for seat in ("0", "3", "4", "-1", "02", "x", "2.0", "99999999999999999999"):
        problem(lobby.post(f"/seats/{seat}"), 404, "no-such-seat")
        problem(client.request("DELETE", f"{lobby.path}/seats/{seat}", token=lobby.tokens[1]), 404, "no-such-seat")
        problem(lobby.post(f"/seats/{seat}/token", token=lobby.tokens[1]), 404, "no-such-seat")
    missing = f"/v1/games/{'a' * 26}"
    problem(client.post(f"{missing}/seats/1"), 404, "no-such-game")
    for method, path in (("DELETE", missing), ("DELETE", f"{missing}/seats/1"), ("POST", f"{missing}/seats/1/token")):
        problem(client.request(method, path, token=lobby.tokens[1]), 404, "no-such-game")
    lobby.take(2)
    assert problem(lobby.post("/seats/2"), 409, "seat-taken")["open_seats"] == []
    lobby.resign(1)
    assert problem(lobby.post("/seats/2"), 409, "game-over")["outcome"] == {"winner": 2, "reason": "resigned"}


def test_one_of_fifty_gets_it(daemon, issued_tokens, client, lobby):
    def take(number):
        with Client(daemon, issued_tokens) as own:
            return own.post(f"{lobby.path}/seats/2", json={"name": f"Taker {number}"})

    replies = all_at_once(50, take)
    (winner,) = [reply for reply in replies if reply.status_code == 200]
    for reply in replies:
        if reply is not winner:
            assert problem(reply, 409, "seat-taken")["open_seats"] == []
    game = lobby.get().value
    assert game["seats"][1]["name"] == winner.value["game"]["seats"][1]["name"] and game["status"] == "active"
    assert types(lobby) == ["game_created", "seat_taken:2", "game_started"]
    lobby.tokens[2] = winner.value["token"]
    assert lobby.play("a1-b3", seat=1).status_code == 201 and lobby.play("a7-b5", seat=2).status_code == 201


def test_fifty_for_four_seats(daemon, issued_tokens, client):
    """Each seat goes to one, the game starts once, and behind the fourth."""
    table = client.create("iuvo-4", seats=[OPEN] * 4)

    def take(number):
        with Client(daemon, issued_tokens) as own:
            return own.post(f"{table.path}/seats/{number % 4 + 1}", json={"name": f"Taker {number}"})

    replies = all_at_once(50, take)
    won = [reply.value for reply in replies if reply.status_code == 200]
    assert sorted(reply["seat"] for reply in won) == [1, 2, 3, 4] and {reply.status_code for reply in replies} == {200, 409}
    game, log = table.get().value, types(table)
    assert log[0] == "game_created" and log[-1] == "game_started" and sorted(log[1:-1]) == [f"seat_taken:{seat}" for seat in (1, 2, 3, 4)]
    for reply in won:
        assert game["seats"][reply["seat"] - 1]["name"] == reply["game"]["seats"][reply["seat"] - 1]["name"]
    # Each was told the game as it was when he sat down.
    assert sorted(reply["game"]["seq"] for reply in won) == [2, 3, 4, 6]


@pytest.mark.parametrize("order", list(itertools.permutations([1, 2, 3, 4])), ids=repr)
def test_four_seats_fill_in_any_order(client, order):
    table = client.create("iuvo-4", seats=[OPEN] * 4)
    left = {1, 2, 3, 4}
    for seat in order:
        assert table.game["status"] == "open" and [path[-1] for path in table.game["links"]["open_seats"]] == sorted(map(str, left))
        assert table.take(seat, f"S{seat}").status_code == 200
        left.discard(seat)
        assert table.events()[len(order) - len(left)]["data"] == {"name": f"S{seat}", "open_seats": sorted(left)}
    assert table.game["status"] == "active" and table.game["turn"] == 1
    assert types(table) == ["game_created", *(f"seat_taken:{seat}" for seat in order), "game_started"]
    assert [seat["name"] for seat in table.game["seats"]] == ["S1", "S2", "S3", "S4"]
    for seat in (1, 2, 3, 4):
        assert table.play(table.get("/legal-moves").value["moves"][0]["move"], seat=seat).status_code == 201


# Leaving.

def test_leaving_and_taking_again(client, lobby):
    first = lobby.tokens[1]
    reply = lobby.leave(1)
    assert reply.status_code == 200 and kinds(reply.value) == ["open", "open"] and reply.value["seats"][0]["name"] is None
    assert reply.value["links"]["open_seats"] == [f"{lobby.path}/seats/1", f"{lobby.path}/seats/2"] and reply.value["seq"] == 2
    problem(lobby.leave(1), 401, "token-unknown")
    problem(lobby.get(token=first), 401, "token-unknown")
    lobby.take(2, "Ben"), lobby.leave(2), lobby.take(2, "Cem"), lobby.take(1, "Zoe")
    assert [seat["name"] for seat in lobby.game["seats"]] == ["Zoe", "Cem"] and lobby.game["status"] == "active"
    assert types(lobby) == ["game_created", "seat_left:1", "seat_taken:2", "seat_left:2", "seat_taken:2", "seat_taken:1", "game_started"]
    assert [event["data"]["open_seats"] for event in lobby.events()[1:-1]] == [[1, 2], [1], [1, 2], [1], []]
    problem(lobby.leave(1), 409, "game-started")
    problem(lobby.play("a1-b3", seat=None, path="/moves", expected_ply=1), 412, "stale-ply")
    assert lobby.play("a1-b3").status_code == 201
    lobby.resign(1)
    assert problem(lobby.leave(2), 409, "game-over")["outcome"]["winner"] == 2


def test_nobody_else_empties_a_seat(client, lobby):
    other = client.create()
    for token in (other.tokens[1], other.creator, lobby.creator):
        problem(lobby.leave(1, token=token), 403, "not-your-seat")
    problem(lobby.leave(2, token=lobby.tokens[1]), 403, "not-your-seat")
    problem(lobby.leave(1, token=None), 401, "token-required")
    problem(lobby.leave(1, token="a" * 52), 401, "token-unknown")
    assert types(lobby) == ["game_created"]


def test_a_game_that_all_have_left_goes_on_waiting(client, lobby):
    lobby.leave(1)
    assert lobby.get().value["status"] == "open"
    assert lobby.take(1).status_code == 200 and lobby.take(2).status_code == 200 and lobby.game["status"] == "active"


# Tokens.

def test_a_holder_replaces_his_token(lobby):
    old = lobby.tokens[1]
    reply = lobby.rekey(1, old)
    assert reply.status_code == 200 and set(reply.value) == {"seat", "token", "game"} and reply.value["seat"] == 1
    new = reply.value["token"]
    assert new != old and reply.value["game"] == lobby.get().value and reply.value["game"]["seq"] == 2 and reply.headers["Cache-Control"] == "no-store"
    problem(lobby.get(token=old), 401, "token-unknown")
    problem(lobby.rekey(1, old), 401, "token-unknown")
    lobby.take(2)
    problem(lobby.play("a1-b3", seat=1, path="/moves", expected_ply=5), 412, "stale-ply")
    assert lobby.play("a1-b3", seat=1).status_code == 201
    # In the middle of a game too, and one after the other as often as he likes.
    for _ in range(3):
        before = lobby.tokens[2]
        assert lobby.rekey(2, before, json={}).status_code == 200
        problem(lobby.post("/moves", json={"move": "a7-b5"}, token=before), 401, "token-unknown")
    assert lobby.play("a7-b5", seat=2).status_code == 201
    assert types(lobby) == ["game_created", "seat_rekeyed:1", "seat_taken:2", "game_started", "move_played:1", "seat_rekeyed:2", "seat_rekeyed:2", "seat_rekeyed:2", "move_played:2"]
    assert [event["data"] for event in lobby.events() if event["type"] == "seat_rekeyed"] == [{"by": "holder"}] * 4
    assert new not in lobby.get("/events").text


def test_what_the_creator_may_replace(client):
    """His own seats until somebody has made them his; never one that was taken."""
    table = client.create("iuvo-4", seats=[{"name": "Ada"}, {"name": "Ben"}, {"name": "Cem"}, OPEN])
    lost = table.tokens[2]
    assert table.rekey(2, table.creator).status_code == 200 and table.rekey(2, table.creator).status_code == 200
    problem(table.get(token=lost), 401, "token-unknown")
    # Ben got his token and replaces it: from now on the seat is his.
    assert table.rekey(2, table.tokens[2]).status_code == 200
    ben = table.tokens[2]
    problem(table.rekey(2, table.creator), 403, "not-your-seat")
    # A seat that was open never was the creator's, nor is one that somebody has left.
    problem(table.rekey(4, table.creator), 403, "not-your-seat")
    table.leave(3)
    problem(table.rekey(3, table.creator), 403, "not-your-seat")
    table.take(3, "Dag"), table.take(4, "Eli")
    for seat in (3, 4):
        problem(table.rekey(seat, table.creator), 403, "not-your-seat")
        problem(table.rekey(seat, table.tokens[1]), 403, "not-your-seat")
    # Seat 1 is still as he made it, also when the game has started.
    assert table.rekey(1, table.creator).status_code == 200
    assert [event["data"]["by"] for event in table.events() if event["type"] == "seat_rekeyed"] == ["creator", "creator", "holder", "creator"]
    assert table.play("c1-d3", seat=1).status_code == 201
    assert table.get(token=ben).status_code == 200 and table.get(token=table.creator).status_code == 200
    # A creator's token moves nothing.
    problem(table.post("/moves", json={"move": "a3-b5"}, token=table.creator), 403, "not-your-seat")
    problem(table.post("/resignation", token=table.creator), 403, "not-your-seat")


def test_the_seats_of_an_imported_game_are_the_importers(client):
    record = client.create().play_all(["a1-b3"]).get("/record").value
    game = client.post("/v1/records", json=record).value
    reply = client.post(f"/v1/games/{game['id']}/seats/2/token", token=game["creator_token"])
    assert reply.status_code == 200 and reply.value["seat"] == 2
    problem(client.get("/v1/games", token=game["seats"][1]["token"]), 401, "token-unknown")


def test_two_replacements_at_once(daemon, issued_tokens, client, lobby):
    """One is first, and then the other's token is dead: never two live ones."""
    def rekey(_):
        with Client(daemon, issued_tokens) as own:
            return own.post(f"{lobby.path}/seats/1/token", token=lobby.tokens[1])

    replies = all_at_once(8, rekey)
    (first,) = [reply for reply in replies if reply.status_code == 200]
    for reply in replies:
        assert reply is first or problem(reply, 401, "token-unknown")
    assert lobby.get(token=first.value["token"]).status_code == 200
    assert types(lobby) == ["game_created", "seat_rekeyed:1"]


def test_nothing_is_replaced_after_the_last_event(client):
    table = client.create()
    table.resign(1)
    assert problem(table.rekey(2, table.tokens[2]), 409, "game-over")["outcome"]["winner"] == 2
    problem(table.rekey(2, table.creator), 409, "game-over")
    assert table.get(token=table.tokens[2]).status_code == 200 and types(table)[-1] == "game_finished"


# Withdrawal.

def test_a_creator_withdraws(client, lobby):
    lobby.take(2, "Ben"), lobby.rekey(2, lobby.tokens[2])
    reply = lobby.withdraw()
    assert reply.status_code == 200 and reply.value["status"] == "withdrawn" and reply.value["turn"] is None and reply.value["outcome"] is None
    assert lobby.get().value == reply.value and [seat["name"] for seat in reply.value["seats"]] == ["Ada", "Ben"]
    assert types(lobby) == ["game_created", "seat_taken:2", "game_started", "seat_rekeyed:2", "game_withdrawn"]
    assert lobby.events()[-1]["data"] == {"started": True, "reason": "creator"}
    problem(lobby.withdraw(), 409, "game-withdrawn")
    problem(lobby.post("/seats/2"), 409, "game-withdrawn")
    problem(lobby.leave(2), 409, "game-withdrawn")
    problem(lobby.rekey(2, lobby.tokens[2]), 409, "game-withdrawn")
    problem(lobby.rekey(1, lobby.creator), 409, "game-withdrawn")
    for path in ("/moves", "/moves?dry_run=true"):
        problem(lobby.play("a1-b3", seat=1, path=path), 409, "game-withdrawn")
    problem(lobby.resign(1), 409, "game-withdrawn")
    assert lobby.get("/legal-moves").value["moves"] == [] and lobby.get("/moves").value["moves"] == []
    assert lobby.get("/record", headers={"Accept": "text/plain"}).text.endswith("unfinished\n")
    assert lobby.id in [game["id"] for game in client.get("/v1/games?status=withdrawn").value["games"]]
    assert lobby.id not in [game["id"] for game in client.get("/v1/games?turn=1&limit=100").value["games"]]


def test_an_open_game_is_withdrawn(client, lobby):
    assert lobby.withdraw().value["links"]["open_seats"] == []
    assert types(lobby) == ["game_created", "game_withdrawn"] and lobby.events()[-1]["data"] == {"started": False, "reason": "creator"}
    problem(lobby.post("/seats/2"), 409, "game-withdrawn")
    # What it was can be played elsewhere: its record is that of a game in which nobody has moved.
    game = client.post("/v1/records", json=lobby.get("/record").value).value
    assert game["status"] == "active" and [seat["name"] for seat in game["seats"]] == ["Ada", None]


def test_nobody_else_withdraws(client, lobby):
    other = client.create()
    for token in (lobby.tokens[1], other.creator, other.tokens[1]):
        problem(lobby.withdraw(token=token), 403, "not-your-seat")
    problem(lobby.withdraw(token=None), 401, "token-required")
    problem(lobby.withdraw(token="a" * 52), 401, "token-unknown")
    assert lobby.get().value["status"] == "open"


def test_a_game_in_which_somebody_moved_is_not_withdrawn(client):
    table = client.create().play_all(["a1-b3"])
    problem(table.withdraw(), 409, "game-moved")
    table.resign(2)
    problem(table.withdraw(), 409, "game-over")
    # Giving up is no move: with four seats the others may be left with a game that nobody wants.
    four = client.create("iuvo-4")
    four.resign(3)
    assert four.withdraw().value["status"] == "withdrawn"
    assert types(four) == ["game_created", "game_started", "seat_out:3", "game_withdrawn"]


def test_withdrawn_while_it_is_taken(daemon, issued_tokens, client):
    """Whichever comes first: never a game that is withdrawn and started behind it."""
    for _ in range(5):
        table = client.create(seats=[{}, OPEN])

        def act(number):
            with Client(daemon, issued_tokens) as own:
                if number % 2 == 0:
                    return own.post(f"{table.path}/seats/2")
                return own.request("DELETE", table.path, token=table.creator)

        all_at_once(8, act)
        log = types(table)
        assert log in (["game_created", "game_withdrawn"], ["game_created", "seat_taken:2", "game_started", "game_withdrawn"])
        assert table.get().value["status"] == "withdrawn"


# Preconditions, and the order of checks (rule 3).

def test_if_match_on_each(client):
    table = client.create("iuvo-4", seats=[{}, {}, OPEN, OPEN])
    acts = [lambda **more: table.take(3, **more), lambda **more: table.rekey(1, table.tokens[1], **more), lambda **more: table.leave(3, **more), lambda **more: table.withdraw(**more)]
    for act in acts:
        before = table.get()
        reply = act(headers=STALE)
        assert problem(reply, 412, "precondition-failed")["game"] == before.value
        assert table.get().value == before.value
        reply = act(headers={"If-Match": before.headers["ETag"]})
        assert reply.status_code == 200
        assert reply.headers["ETag"].startswith(f'"{table.get().value["seq"]}-')
        # Sent once more it names a state that is gone.
        problem(table.rekey(2, table.creator, headers={"If-Match": before.headers["ETag"]}), 412, "precondition-failed")


def test_the_order_of_checks(client, lobby):
    path, bad = f"{lobby.path}/seats/2", {"Content-Type": "text/html"}
    problem(client.request("PUT", path, data=b"{", headers=bad), 405, "method-not-allowed")
    problem(client.post(path, data=b"{", headers={**bad, "Accept": "image/png"}), 406, "not-acceptable")
    problem(client.post(path, data=b"{", headers=bad), 415, "unsupported-media-type")
    problem(client.post(path, json={"name": ""}, token="a" * 52), 401, "token-unknown")
    missing = f"/v1/games/{'a' * 26}/seats/9"
    problem(client.post(missing, json={"name": ""}, headers=STALE), 400, "invalid-body")
    problem(client.post(missing, headers=STALE), 404, "no-such-game")
    problem(lobby.post("/seats/9", headers=STALE), 404, "no-such-seat")
    problem(lobby.post("/seats/1", headers=STALE), 412, "precondition-failed")
    problem(lobby.post("/seats/1"), 409, "seat-taken")
    problem(lobby.post("/seats/9/token", json={"a": 1}, token="a" * 52, headers=STALE), 401, "token-unknown")
    problem(lobby.post("/seats/9/token", json={"a": 1}, token=lobby.creator, headers=STALE), 400, "invalid-body")
    problem(lobby.post("/seats/9/token", token=lobby.creator, headers=STALE), 404, "no-such-seat")
    problem(lobby.post("/seats/2/token", token=lobby.creator, headers=STALE), 403, "not-your-seat")
    problem(lobby.post("/seats/1/token", token=lobby.creator, headers=STALE), 412, "precondition-failed")
    problem(client.request("DELETE", path, token=lobby.tokens[1], headers=STALE), 403, "not-your-seat")
    problem(client.request("DELETE", lobby.path, token=lobby.tokens[1], headers=STALE), 403, "not-your-seat")
    lobby.take(2)
    problem(client.request("DELETE", path, token=lobby.tokens[2], headers=STALE), 412, "precondition-failed")
    problem(client.request("DELETE", path, token=lobby.tokens[2]), 409, "game-started")
    lobby.play("a1-b3")
    problem(lobby.withdraw(headers=STALE), 412, "precondition-failed")
    problem(lobby.withdraw(), 409, "game-moved")
    assert types(lobby) == ["game_created", "seat_taken:2", "game_started", "move_played:1"]


# What README shows.

def test_the_section_of_readme(client, tmp_path):
    text = (SOURCE / "README.md").read_text(encoding="utf-8")
    section = re.search(r"^## Playing with strangers$(.*?)^## ", text, re.MULTILINE | re.DOTALL)[1]
    (commands,) = re.findall(r"^```sh\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    run = subprocess.run(["bash", "-euc", f"iuvod={client.daemon.url}\n{commands}\necho $zoe"], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    *_, status, zoe = run.stdout.split()
    game = json.loads((tmp_path / "open.json").read_text())
    assert status == "withdrawn" and f"iuvo-2 {game['links']['open_seats'][0]}" in run.stdout
    issued = [game["creator_token"], game["seats"][0]["token"], json.loads((tmp_path / "taken.json").read_text())["token"], zoe]
    client.tokens.update(issued)
    problem(client.get("/v1/games", token=issued[2]), 401, "token-unknown")
    assert client.get("/v1/games", token=zoe).status_code == 200


# Restarts.

def test_all_of_it_over_restarts(tmp_path, issued_tokens):
    """Between any two of these the daemon is stopped and started: nothing is lost, and dead tokens stay dead."""
    with Daemon(tmp_path / "seats.db") as daemon, Client(daemon, issued_tokens) as client:
        def restart():
            assert daemon.stop() == 0
            assert daemon.verify().returncode == 0, daemon.verify().stdout
            daemon.start()

        table = client.create("iuvo-4", seats=[{"name": "Ada"}, OPEN, OPEN, OPEN], clock="none")
        other = client.create(seats=[OPEN, {}])
        dead = []
        for act in (lambda: table.take(2, "Ben"), lambda: table.take(3, "Cem"), lambda: table.leave(2), lambda: table.rekey(3, table.tokens[3]), lambda: table.take(4, "Dag"),
                    lambda: other.withdraw(), lambda: table.rekey(1, table.creator), lambda: table.take(2, "Eli")):
            before = dict(table.tokens)
            assert act().status_code == 200
            dead += [before[seat] for seat in before if table.tokens[seat] != before[seat]]
            game, log = table.get().value, table.events()
            restart()
            assert table.get().value == game and table.events() == log
            for token in dead:
                problem(table.get(token=token), 401, "token-unknown")
        assert types(table) == ["game_created", "seat_taken:2", "seat_taken:3", "seat_left:2", "seat_rekeyed:3", "seat_taken:4", "seat_rekeyed:1", "seat_taken:2", "game_started"]
        assert other.get().value["status"] == "withdrawn"
        table.game = table.get().value
        for seat in (1, 2, 3, 4):
            assert table.play(table.get("/legal-moves").value["moves"][0]["move"], seat=seat).status_code == 201
        assert daemon.stop() == 0
        result = daemon.verify()
        assert result.returncode == 0, result.stdout
