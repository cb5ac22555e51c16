"""Streams of events, and answers that wait for news: nothing is missed, nothing comes twice, and nobody holds the service up."""

import concurrent.futures
import itertools
import json
import random
import re
import shutil
import signal
import subprocess
import time

import pytest
import requests

from client import Client, problem
from contract import SOURCE, read_stream
from daemon import BINARY, Daemon
from follower import NDJSON, SSE, Follower
from patience import eventually

FORMS = [SSE, NDJSON]
LATE = "iuvo-2 3o3/2AB3/2oAoB1/3o3/7/7/7 1 - -"
LATE_MOVES = ["c5-e6", "f5-e7", "c6xe7", "d6-e4", "d5-c7"]
HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no", "access-control-allow-origin": "*", "connection": "close"}


@pytest.fixture
def serve(tmp_path, issued_tokens):
    """Starts a daemon of its own with these options; gives it and a client."""
    started = []

    def start(*options):
        daemon = Daemon(tmp_path / f"{len(started)}.db", *options).start()
        started.append(daemon)
        return daemon, Client(daemon, issued_tokens)

    yield start
    for daemon in started:
        daemon.kill()


def follow(table, after=None, media=SSE, **more):
    return Follower(table.client.daemon, f"{table.path}/events" + ("" if after is None else f"?after={after}"), media, **more)


def comments(follower):
    """What keeps a stream alive, as often as it came."""
    return follower.text.count("\n:\n\n") if follower.media == SSE else follower.text.count("\n\n")


# ---- what a stream holds ----

@pytest.mark.parametrize("media", FORMS)
def test_the_log_as_it_is_and_as_it_grows(client, media):
    table = client.create().play_all(["a1-b3"])
    with follow(table, media=media) as stream:
        assert stream.status == 200 and stream.headers["content-type"] == media and stream.chunked
        assert HEADERS.items() <= stream.headers.items() and "date" in stream.headers
        assert stream.take(3) == table.events()
        table.play_all(["a7-b5", "c1-d3"])
        assert stream.take(5) == table.events()
        table.resign(2)
        assert stream.finish() == table.events()


@pytest.mark.parametrize("media, first", [(SSE, ": iuvod\nretry: 2000\n\n"), (NDJSON, "\n")])
def test_the_first_bytes_come_at_once(client, media, first):
    """Also when there is nothing to tell: proxies and browsers wait for them."""
    table = client.create()
    with follow(table, 2, media) as stream:
        assert stream.until(lambda stream: stream.body) and stream.text == first
        table.play("a1-b3")
        assert [event["seq"] for event in stream.take(1)] == [3]


def test_each_form_is_asked_for_by_header_or_parameter(client):
    table = client.create(position=LATE).play_all(LATE_MOVES)
    log = table.events()
    for media, word in ((SSE, "sse"), (NDJSON, "ndjson")):
        assert Follower(client.daemon, f"{table.path}/events?format={word}&after=3", media=media, Accept=None).finish() == log[3:]
    asked = table.get("/events?format=json&after=3", headers={"Accept": "text/event-stream"})
    assert asked.headers["Content-Type"] == "application/json" and asked.value["events"] == log[3:]
    liked = table.get("/events", headers={"Accept": "text/html, application/x-ndjson;q=0.5, text/event-stream;q=0.1"})
    assert liked.headers["Content-Type"] == NDJSON and liked.value == log


def test_the_last_event_of_a_game_ends_the_stream_and_then_there_is_none(client):
    over = client.create(position=LATE).play_all(LATE_MOVES)
    withdrawn = client.create()
    with follow(withdrawn, 1) as stream:
        withdrawn.withdraw()
        assert stream.finish()[-1]["type"] == "game_withdrawn"
    for table in (over, withdrawn):
        last = table.events()[-1]["seq"]
        assert follow(table, last - 1).finish() == table.events()[-1:]
        for media in FORMS:
            told = table.get(f"/events?after={last}", headers={"Accept": media})
            assert told.status_code == 204 and not told.content
        assert table.get("/events", headers={"Accept": SSE, "Last-Event-ID": str(last)}).status_code == 204


def test_the_last_id_goes_before_the_address(client):
    """A browser that lost its stream asks for the same address again, and says how far it has read."""
    table = client.create(position=LATE).play_all(LATE_MOVES)
    assert follow(table, 1, Last_Event_ID="4").finish() == table.events()[4:]
    assert follow(table, 2, Last_Event_ID="").finish() == table.events()[2:]
    assert table.get("/events?after=1", headers={"Last-Event-ID": "4"}).value["events"] == table.events()[4:]
    problem(table.get("/events", headers={"Last-Event-ID": "x"}), 400, "invalid-header")


@pytest.mark.parametrize("media", FORMS)
@pytest.mark.parametrize("cursor", [{"after": 99}, *({"Last_Event_ID": text} for text in ("99", "x", "-1", "07", "2147483648", "9" * 20))])
def test_an_id_that_is_not_known_gets_everything_anew_and_then_the_log(client, media, cursor):
    table = client.create().play_all(["a1-b3"])
    with follow(table, media=media, **{"after": 1, **cursor}) as stream:
        (reset,) = stream.take(1)
        game = table.get().value
        assert reset == {"seq": 3, "type": "reset", "at": game["updated_at"], "ply": 1, "seat": None, "data": {"game": game}}
        table.play_all(["a7-b5", "c1-d3"])
        assert stream.take(3)[1:] == table.events()[3:]


def test_a_reset_of_a_game_that_is_over_is_all_there_is(client):
    table = client.create(position=LATE).play_all(LATE_MOVES)
    (reset,) = follow(table, 99).finish()
    assert reset["type"] == "reset" and reset["data"]["game"] == table.get().value


# ---- nothing is missed ----

def test_cut_after_every_event_and_resumed_over_restarts(serve):
    """Whatever ends a stream, and whoever asks again in whatever way: the pieces together are the log."""
    daemon, client = serve()
    table = client.create(variant="iuvo-2")
    chance, log, pieces = random.Random(7), [], {media: [] for media in FORMS}
    for number in itertools.count():
        if number < 30:
            legal = table.get("/legal-moves").value["moves"]
            assert table.play(chance.choice(legal)["move"]).status_code == 201
        else:
            table.resign(1)
        log = table.events()
        for media, events in pieces.items():
            while len(events) < len(log):
                at = len(events)
                more = {"after": at} if number % 2 else {"Last_Event_ID": str(at)}
                stream = follow(table, media=media, **more)
                events += stream.take(1)[:1]
                stream.socket.close()
        if number == 31 or log[-1]["type"] == "game_finished":
            break
        if number % 5 == 2:
            daemon.process.send_signal(signal.SIGKILL if number % 2 else signal.SIGTERM)
            daemon.process.wait()
            daemon.start()
    assert pieces == {media: log for media in FORMS}
    assert [event["seq"] for event in log] == list(range(1, len(log) + 1)) and log[-1]["type"] == "game_finished"


def test_killed_in_the_middle_of_a_stream(serve):
    """A reader who sees the connection break has no more than what is stored, and gets the rest."""
    daemon, client = serve()
    table = client.create()
    with follow(table) as stream:
        table.play_all(["a1-b3", "a7-b5"])
        seen = stream.take(4)
        daemon.kill()
        stream.until(lambda stream: False)
        assert stream.broken and not stream.ended and stream.events == seen
    daemon.start()
    table.play_all(["c1-d3"])
    with follow(table, Last_Event_ID="4") as stream:
        assert seen + stream.take(1) == table.events()


def test_many_readers_while_many_play(client):
    """Each sees the whole log once and in order, wherever in it he began."""
    table = client.create()
    chance = random.Random(3)

    def read(number):
        chance = random.Random(number)
        at, events = (0, []) if number % 3 else (1, [])
        while True:
            with follow(table, at + len(events), FORMS[number % 2]) as stream:
                if stream.status == 204:
                    return at, events
                wanted = chance.randrange(1, 12)
                stream.until(lambda stream: len(stream.events) >= wanted)
                events += stream.events

    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        readers = [pool.submit(read, number) for number in range(16)]
        for _ in range(25):
            legal = table.get("/legal-moves").value["moves"]
            table.play(chance.choice(legal)["move"])
        table.resign(2)
        log = table.events()
        for reader in readers:
            at, events = reader.result(timeout=60)
            assert events == log[at:]


# ---- what keeps it alive, and what ends it ----

@pytest.mark.parametrize("media", FORMS)
def test_a_heartbeat(serve, media):
    daemon, client = serve("--heartbeat-ms", "100")
    table = client.create()
    began = time.monotonic()
    with follow(table, 2, media) as stream:
        assert stream.until(lambda stream: comments(stream) >= 5), stream.text
        assert 0.4 <= time.monotonic() - began
        table.play("a1-b3")
        beats = comments(stream)
        assert stream.take(1) and stream.until(lambda stream: comments(stream) >= beats + 2)


def test_a_goodbye_at_the_end_of_the_service(serve):
    """Streams get all that was done, and a goodbye that says where to go on; it does not take long."""
    daemon, client = serve("--streams-per-game", "300")
    tables = [client.create() for _ in range(3)]
    streams = [follow(tables[number % 3], number % 2, FORMS[number % 2]) for number in range(300)]
    for stream in streams:
        stream.take(1)
    tables[0].play("a1-b3")
    began = time.monotonic()
    assert daemon.stop() == 0 and time.monotonic() - began < 4
    daemon.start()
    logs = [table.events() for table in tables]
    for number, stream in enumerate(streams):
        *events, goodbye = stream.finish()
        log = logs[number % 3]
        assert events == log[number % 2:]
        assert (goodbye["type"], goodbye["seq"], goodbye["data"]) == ("goodbye", log[-1]["seq"], {"reason": "stopping"})
    with follow(tables[0], Last_Event_ID=str(goodbye["seq"])) as stream:
        tables[0].play("a7-b5")
        assert stream.take(1)[0]["seq"] == goodbye["seq"] + 1 or number % 3


def test_a_token_that_dies_ends_its_streams(serve):
    daemon, client = serve("--heartbeat-ms", "200")
    table, other = client.create(), client.create()
    old = table.tokens[1]
    with follow(table, token=old) as own, follow(other, token=old) as elsewhere, follow(table) as nobody, \
            follow(table, token=table.tokens[2]) as opponent:
        for stream in (own, elsewhere, nobody, opponent):
            stream.take(2)
        table.rekey(1, old)
        for stream in (own, elsewhere):
            goodbye = stream.finish(5)[-1]
            assert (goodbye["type"], goodbye["seq"], goodbye["data"]) == ("goodbye", 2, {"reason": "token"})
        assert nobody.take(3)[-1]["type"] == opponent.take(3)[-1]["type"] == "seat_rekeyed"
    with follow(table, token=old) as stream:
        assert stream.status == 401
    with follow(table, 2, token=table.tokens[1]) as stream:
        assert stream.take(1)[0]["type"] == "seat_rekeyed"


def test_whoever_leaves_gives_his_place_back(serve):
    daemon, client = serve("--streams", "1")
    table = client.create()
    for _ in range(5):
        stream = eventually(lambda: (stream := follow(table)).status != 503 and stream)
        stream.take(2)
        problem(table.get("/events", headers={"Accept": SSE}), 503, "too-many-streams")
        stream.close()


# ---- a player's own log ----

def follow_mine(player, client, after=0, media=SSE, **more):
    return Follower(client.daemon, f"/v1/me/events?after={after}", media, **{"token": player["token"], **more})


def my_log(client, player):
    log = client.get("/v1/me/events?limit=1000", token=player["token"]).value
    assert [event["seq"] for event in log["events"]] == list(range(1, log["seq"] + 1))
    return log["events"]


@pytest.mark.parametrize("media", FORMS)
def test_one_stream_for_all_games_of_a_player(client, media):
    ada, ben = client.register("Ada"), client.register("Ben")
    tables = [client.create(token=ada["token"], seats=[{}, {"open": True}]) for _ in range(3)]
    strangers = client.create()
    with follow_mine(ada, client, media=media) as hers, follow_mine(ben, client, media=media) as his:
        assert HEADERS.items() <= hers.headers.items() and hers.headers["content-type"] == media
        assert hers.take(3) == my_log(client, ada)
        for table in tables:
            table.take(2, token=ben["token"])
            strangers.play("a1-b3") if table is tables[0] else None
            table.play("a1-b3")
        assert hers.take(len(my_log(client, ada))) == my_log(client, ada)
        assert his.take(len(my_log(client, ben))) == my_log(client, ben)
        # It goes on when a game is over.
        tables[0].resign(1)
        tables[1].play("a7-b5")
        assert hers.take(len(my_log(client, ada))) == my_log(client, ada)
        assert hers.events[-1]["game"] == tables[1].id and hers.events[-1]["your_turn"] and not hers.ended


def test_a_players_log_cut_after_every_event_and_resumed_over_restarts(serve):
    daemon, client = serve()
    ada = client.register("Ada")
    table, pieces = client.create(token=ada["token"]), []
    for number, move in enumerate(["a1-b3", "a7-b5", "c1-d3", "c7-d5", "e1-f3"]):
        table.play(move)
        log = my_log(client, ada)
        while len(pieces) < len(log):
            stream = follow_mine(ada, client, len(pieces) if number % 2 else 0, FORMS[number % 2], Last_Event_ID=str(len(pieces)))
            pieces += stream.take(1)[:1]
            stream.socket.close()
        daemon.process.send_signal(signal.SIGKILL if number % 2 else signal.SIGTERM)
        daemon.process.wait()
        daemon.start()
    assert pieces == my_log(client, ada)


def test_a_players_stream_is_reset_and_says_goodbye(serve):
    daemon, client = serve("--heartbeat-ms", "200")
    ada, ben = client.register("Ada"), client.register("Ben")
    table = client.create(token=ada["token"])
    with follow_mine(ada, client, Last_Event_ID="99") as reset, follow_mine(ada, client, 2) as renewed, follow_mine(ben, client) as other:
        (told,) = reset.take(1)
        assert (told["type"], told["seq"]) == ("reset", my_log(client, ada)[-1]["seq"])
        assert client.get(told["data"]["links"]["needs_action"], token=ada["token"]).value["games"][0]["id"] == table.id
        table.play("a1-b3")
        assert reset.take(2)[1] == my_log(client, ada)[-1]
        assert client.post("/v1/me/token", token=ada["token"]).status_code == 200
        for stream in (reset, renewed):
            assert stream.finish(5)[-1]["data"] == {"reason": "token"}
        assert other.until(lambda stream: comments(stream) >= 1)
        assert daemon.stop() == 0
        assert other.finish()[-1]["data"] == {"reason": "stopping"}


def test_erasing_a_player_ends_his_streams_and_no_others(serve):
    """Also when the next player gets the key of the one who is gone, and the feeds have lost their newest entries."""
    daemon, client = serve("--heartbeat-ms", "200")
    ben = client.register("Ben")
    for _ in range(3):
        ada = client.register("Ada")
        table = client.create(token=ada["token"], seats=[{}, {"open": True}])
        table.take(2, token=ben["token"])
        with follow_mine(ada, client) as gone, follow_mine(ben, client, my_log(client, ben)[-1]["seq"]) as stays:
            gone.take(3)
            assert client.request("DELETE", "/v1/me", token=ada["token"]).status_code in (200, 204)
            zoe = client.register("Zoe")
            again = client.create(token=zoe["token"], seats=[{}, {"open": True}])
            again.take(2, token=ben["token"])
            assert gone.finish(5)[-1]["data"] == {"reason": "token"} and "Zoe" not in gone.text
            wanted = [event for event in my_log(client, ben) if event["game"] in (table.id, again.id)]
            assert stays.until(lambda stream: stream.events and stream.events[-1] == wanted[-1]), (stays.events, wanted)


def test_a_player_waits_for_news(client):
    ada = client.register("Ada")
    table = client.create(token=ada["token"])
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        asked = pool.submit(Client(client.daemon, client.tokens).get, "/v1/me/events?after=2", headers={"Prefer": "wait=20"}, token=ada["token"])
        time.sleep(0.15)
        assert not asked.done()
        client.create()
        table.play("a1-b3")
        told = asked.result(60)
    assert told.headers["Preference-Applied"] == "wait=20" and told.value["events"] == my_log(client, ada)[2:]
    assert client.get("/v1/me/events?after=3", headers={"Prefer": "wait=1"}, token=ada["token"]).value["events"] == []


def test_streams_of_no_player(client):
    problem(client.get("/v1/me/events?format=sse"), 401, "token-required")
    problem(client.get("/v1/me/events?format=sse", token=client.create().tokens[1]), 403, "not-a-player")
    problem(client.get("/v1/me/events?format=x", token=client.register("Ada")["token"]), 400, "invalid-parameter")
    problem(client.get("/v1/me/events", headers={"Last-Event-ID": "x"}, token=client.register("Ada")["token"]), 400, "invalid-header")


# ---- limits ----

def test_streams_are_capped_in_all_of_a_game_and_of_an_address(serve):
    for options, games, most, why in (("--streams=4", 4, 4, "in all"), ("--streams-per-game=2", 1, 2, "one game"),
                                      ("--streams-per-address=3", 3, 3, "one address")):
        daemon, client = serve(*options.split("="))
        tables = [client.create() for _ in range(games)]
        streams = [follow(tables[number % games]) for number in range(most)]
        for stream in streams:
            stream.take(2)
        refused = follow(tables[0])
        assert refused.status == 503 and refused.headers["retry-after"]
        told = problem(tables[0].get("/events", headers={"Accept": NDJSON}), 503, "too-many-streams")
        assert why in told["detail"]
        problem(tables[0].get("/events?after=2", headers={"Prefer": "wait=5"}), 503, "too-many-streams")
        # What asks for no stream is answered.
        assert tables[0].get("/events").status_code == 200 and tables[0].play("a1-b3").status_code == 201
        assert [stream.take(3 if number % games == 0 else 2) for number, stream in enumerate(streams)]
        for stream in streams:
            stream.close()


def test_streams_are_not_counted_as_connections(serve):
    daemon, client = serve("--connections", "8")
    table = client.create()
    streams = [follow(table) for _ in range(40)]
    for stream in streams:
        stream.take(2)
    assert table.play("a1-b3").status_code == 201
    for stream in streams:
        assert stream.take(3) and stream.close()


def test_caps_that_do_not_fit_the_limit_on_files_are_an_error(tmp_path):
    command = [BINARY, "serve", "--database", str(tmp_path / "x.db"), "--listen", "127.0.0.1:0"]
    failed = subprocess.run(["prlimit", "--nofile=4096:4096", *command, "--streams", "5000"], capture_output=True, text=True, timeout=30)
    assert failed.returncode == 1 and not failed.stdout
    assert "1024 connections and 5000 streams need" in failed.stderr and "only 4096 are allowed" in failed.stderr and "--streams" in failed.stderr
    daemon = Daemon(tmp_path / "y.db", "--streams", "1000")
    with daemon:
        limit = next(line for line in open(f"/proc/{daemon.process.pid}/limits") if line.startswith("Max open files"))
        assert int(limit.split()[3]) >= 2024


@pytest.fixture
def long_log(serve):
    """A game of 1,100 moves, some 600 KB of events, served with a short patience."""
    daemon, client = serve("--stall-ms", "400", "--heartbeat-ms", "200")
    first = [*(f"{file}1" for file in "abcdefgh"), "h2", *(f"{file}3" for file in "hgfedcba"), "a2"]
    second = [*(f"{file}14" for file in "ijklmnop"), "p15", *(f"{file}16" for file in "ponmlkj"), "i15"]
    moves = [f"{way[turn % len(way)]}-{way[(turn + 1) % len(way)]}" for turn in range(550) for way in (first, second)]
    made = client.post("/v1/records", json={
        "format": "iuvod-record-1", "variant": "halma-2", "start": "halma-2 16/16/8B7/" + "16/" * 12 + "A15 1 - -", "moves": moves})
    assert made.status_code == 201
    return daemon, client, made.value["links"]["events"]


def memory(daemon):
    return int(next(line for line in open(f"/proc/{daemon.process.pid}/status") if line.startswith("VmRSS")).split()[1])


def test_a_reader_that_takes_nothing_is_cut_and_holds_nobody_up(long_log):
    daemon, client, path = long_log
    lazy = [Follower(daemon, path, receive_buffer=4096) for _ in range(20)]
    with Follower(daemon, path) as stream:
        assert len(stream.take(1102)) == 1102
    eventually(lambda: daemon.log().count("end=stalled") >= len(lazy), told=lambda: daemon.log()[-2000:])
    for stream in lazy:
        stream.until(lambda stream: False, 5)
        assert stream.broken and len(stream.events) < 1102
        stream.socket.close()


def test_a_slow_reader_gets_all(long_log):
    """He takes a little now and then, for longer than the patience: that is not nothing."""
    daemon, client, path = long_log
    with Follower(daemon, path, NDJSON, receive_buffer=16384) as stream:
        began = time.monotonic()
        while time.monotonic() - began < 1:
            time.sleep(0.1)
            stream._more(0.001)
            stream._undo_chunks()
        assert [event["seq"] for event in stream.take(1102)] == list(range(1, 1103))


# ---- other clients, other ways to ask ----

def test_http_1_0_has_no_chunks(client):
    table = client.create(position=LATE).play_all(LATE_MOVES)
    stream = follow(table, version="1.0")
    assert not stream.chunked and stream.finish() == table.events()
    stream = follow(table, 0, NDJSON, version="1.0")
    assert stream.finish() == table.events()


def test_curl(client):
    table = client.create(position=LATE)
    curl = subprocess.Popen(["curl", "-sN", f"{client.daemon.url}{table.path}/events", "-H", "Accept: text/event-stream"], stdout=subprocess.PIPE, bufsize=0)
    assert [curl.stdout.readline() for _ in range(4)] == [b": iuvod\n", b"retry: 2000\n", b"\n", b"id: 1\n"]
    table.play_all(LATE_MOVES)
    rest, _ = curl.communicate(timeout=30)
    assert curl.returncode == 0
    assert read_stream(SSE, b"id: 1\n" + rest) == table.events()


def test_requests_line_by_line(client):
    table = client.create(position=LATE)
    reply = requests.get(f"{client.daemon.url}{table.path}/events?format=ndjson", stream=True, timeout=30)
    lines = (json.loads(line) for line in reply.iter_lines(chunk_size=1) if line)
    assert next(lines)["type"] == "game_created"
    table.play_all(LATE_MOVES)
    assert [event["seq"] for event in lines] == list(range(2, table.get().value["seq"] + 1))


@pytest.mark.skipif(shutil.which("node") is None, reason="no JavaScript here")
def test_the_page_of_the_readme(client):
    """The function that README gives to pages follows a game to its end, with a token and without."""
    (function,) = re.findall(r"^```js\n(.*?)^```$", (SOURCE / "README.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    table = client.create(position=LATE)
    pages = [subprocess.Popen(
        ["node", "--input-type=module", "-e", function + f"""
            const told = event => console.log(JSON.stringify(event));
            console.log(await follow({json.dumps(client.daemon.url + table.path)}, {json.dumps(token)}, told));
        """], stdout=subprocess.PIPE, bufsize=0) for token in (None, table.tokens[1])]
    for page in pages:
        assert json.loads(page.stdout.readline())["type"] == "game_created"
    table.play_all(LATE_MOVES)
    for page in pages:
        rest, _ = page.communicate(timeout=30)
        *events, status = map(json.loads, rest.splitlines())
        assert (events, status) == (table.events()[1:], 204)


@pytest.mark.parametrize("media", FORMS)
def test_head_begins_no_stream(serve, media):
    daemon, client = serve("--streams", "1")
    table = client.create()
    told = client.request("HEAD", f"{table.path}/events", headers={"Accept": media})
    assert told.status_code == 200 and told.headers["Content-Type"] == media and "Content-Length" not in told.headers
    assert told.headers["Cache-Control"] == "no-store" and told.headers["X-Accel-Buffering"] == "no"
    with follow(table, media=media) as stream:
        assert {name: value for name, value in stream.headers.items() if name not in ("date", "connection")} == \
            {name.lower(): value for name, value in told.headers.items() if name.lower() not in ("date", "connection")}
        assert stream.take(2)


def test_a_page_of_another_origin(client):
    table = client.create()
    asked = client.request("OPTIONS", f"{table.path}/events", headers={
        "Origin": "http://elsewhere.example", "Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "authorization, last-event-id"})
    allowed = asked.headers["Access-Control-Allow-Headers"].lower()
    assert asked.status_code == 204 and "last-event-id" in allowed and "authorization" in allowed and "prefer" in allowed
    with follow(table, Origin="http://elsewhere.example") as stream:
        assert stream.headers["access-control-allow-origin"] == "*" and stream.take(2)


def test_what_follows_on_the_connection_is_not_read(client):
    """The stream ends with the connection, and says so."""
    table = client.create()
    with follow(table) as stream:
        stream.send(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n" * 10)
        table.play("a1-b3")
        assert stream.take(3) == table.events()
        table.resign(1)
        assert stream.finish() == table.events()


def test_a_body_that_nobody_wants(client):
    table = client.create(position=LATE).play_all(LATE_MOVES)
    reply = table.get("/events", headers={"Accept": NDJSON}, data=b"x" * 1000)
    assert reply.status_code == 200 and reply.value == table.events()


@pytest.mark.parametrize("query, status, code", [
    ("format=xml", 400, "invalid-parameter"), ("format=sse&limit=5", 400, "invalid-parameter"), ("format=sse&after=-1", 400, "invalid-parameter"),
    ("format=sse&format=sse", 400, "repeated-parameter"), ("format=sse&cursor=1", 400, "unknown-parameter")])
def test_streams_that_are_refused(client, query, status, code):
    problem(client.create().get(f"/events?{query}"), status, code)


def test_streams_of_nothing(client):
    problem(client.get("/v1/games/aaaaaaaaaaaaaaaaaaaaaaaaaa/events?format=sse"), 404, "no-such-game")
    problem(client.create().get("/events", headers={"Accept": "text/html"}), 406, "not-acceptable")
    problem(client.create().get("/events?format=sse", token="a" * 52), 401, "token-unknown")


# ---- answers that wait ----

def waiting(pool, table, after, seconds=20, **more):
    """A long poll, on its way."""
    headers = {"Prefer": f"wait={seconds}", **more.pop("headers", {})}
    path = f"{table.path}/events?after={after}"
    client = Client(table.client.daemon, table.client.tokens)
    asked = pool.submit(client.get, path, headers=headers, **more)
    time.sleep(0.15)
    assert not asked.done(), asked.result().text
    return asked


@pytest.fixture
def pool():
    with concurrent.futures.ThreadPoolExecutor(32) as pool:
        yield pool


def test_an_answer_waits_for_news(client, pool):
    table = client.create()
    asked = [waiting(pool, table, 2) for _ in range(3)]
    began = time.monotonic()
    table.play("a1-b3")
    for told in asked:
        told = told.result(60)
        assert told.status_code == 200 and told.headers["Preference-Applied"] == "wait=20" and told.headers["ETag"]
        assert told.value["events"] == table.events()[2:3] and told.value["seq"] == 3
    assert time.monotonic() - began < 18


def test_an_answer_waits_no_longer_than_it_was_asked_to(client):
    table = client.create()
    for token in (None, table.tokens[1]):
        began = time.monotonic()
        told = table.get("/events?after=2", headers={"Prefer": "respond-async, wait=1"}, token=token)
        assert 0.9 < time.monotonic() - began < 18
        assert told.status_code == 200 and told.value["events"] == [] and told.headers["Preference-Applied"] == "wait=1"
    tag = told.headers["ETag"]
    assert table.get("/events?after=2", headers={"Prefer": "wait=1", "If-None-Match": tag}, token=table.tokens[1]).status_code == 304


def test_what_does_not_wait(client):
    table, over = client.create(), client.create(position=LATE).play_all(LATE_MOVES)
    last = over.events()[-1]["seq"]
    began = time.monotonic()
    assert table.get("/events?after=1", headers={"Prefer": "wait=30"}).headers["Preference-Applied"] == "wait=30"
    assert over.get(f"/events?after={last}", headers={"Prefer": "wait=30"}).value["events"] == []
    # Who names an event that there is not is told at once how far the log goes.
    assert table.get("/events?after=9", headers={"Prefer": "wait=99999"}).headers["Preference-Applied"] == "wait=50"
    assert client.request("HEAD", f"{table.path}/events?after=2", headers={"Prefer": "wait=30"}).status_code == 200
    for text in ("wait=x", "wait=-1", "wait", "wait=0", "return=minimal"):
        assert "Preference-Applied" not in table.get("/events?after=2", headers={"Prefer": text}).headers
    assert time.monotonic() - began < 28


def test_a_wait_holds_until_the_token_dies_or_the_service_ends(serve, pool):
    daemon, client = serve()
    table, other = client.create(), client.create()
    dead = waiting(pool, table, 2, token=table.tokens[1])
    held = [waiting(pool, other, 2) for _ in range(3)]
    table.rekey(1, table.tokens[1])
    problem(dead.result(60), 401, "token-unknown")
    began = time.monotonic()
    assert daemon.stop() == 0 and time.monotonic() - began < 18
    for told in held:
        assert told.result(60).status_code == 200 and told.result().value["events"] == []


def test_a_connection_goes_on_after_a_wait(client, pool):
    """The same connection waits, is answered and asks again, as a client that polls does."""
    table = client.create()
    log = []

    def poll():
        session = Client(client.daemon, client.tokens)
        while not log or log[-1]["type"] != "game_finished":
            log.extend(session.get(f"{table.path}/events?after={len(log)}", headers={"Prefer": "wait=20"}).value["events"])

    polling = pool.submit(poll)
    for move in ("a1-b3", "a7-b5", "c1-d3"):
        table.play(move)
        time.sleep(0.02)
    table.resign(2)
    polling.result(30)
    assert log == table.events()


def test_the_end_of_a_reader_that_waits_is_survived(serve, pool):
    """The library does not see it before the wait is over."""
    daemon, client = serve()
    table = client.create()
    for _ in range(5):
        with pytest.raises(requests.Timeout):
            client.get(f"{table.path}/events?after=2", headers={"Prefer": "wait=20"}, timeout=0.1)
    table.play("a1-b3")
    assert table.get("/events?after=2", headers={"Prefer": "wait=1"}).value["seq"] == 3
    assert daemon.stop() == 0
