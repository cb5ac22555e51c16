"""Ten thousand open streams: what they take, and what they cost others.  A part of bench_http."""

import http.client
import json
import re
import statistics
import subprocess
import time


class Watchers:
    """Readers of streams, in a process of their own."""

    def __init__(self, bench, server, count, paths):
        self.count = count
        file = bench.path("paths")
        with open(file, "w") as out:
            out.write("".join(path + "\n" for path in paths))
        self.process = subprocess.Popen(
            [f"{bench.tools}/watchers", str(server.port), str(count), file], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline() != "open\n":
            raise SystemExit("bench_streams: the streams did not open")

    def report(self):
        """(events since the last report, when the first and the last came, in seconds)."""
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        events, first, last = map(int, re.findall(r"=(\d+)", self.process.stdout.readline()))
        return events, first / 1e6, last / 1e6

    def wait_for(self, count):
        """Until so many events have come; when the first and the last did."""
        deadline, seen, first = time.monotonic() + 30, 0, None
        while seen < count:
            events, begun, last = self.report()
            if events and first is None:
                first = begun
            if events:
                end = last
            seen += events
            if time.monotonic() > deadline:
                raise SystemExit(f"bench_streams: {seen} of {count} events came")
            time.sleep(0.001)
        return first, end

    def stop(self):
        self.process.stdin.close()
        self.process.wait()


class Table:
    """A game on a connection of its own, in which random but legal moves are made."""

    def __init__(self, server, variant):
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port)
        self.variant = variant
        self.game = self.ask("POST", "/v1/games", {"variant": variant})
        self.tokens = {seat["seat"]: seat["token"] for seat in self.game["seats"]}
        self.path = f"/v1/games/{self.game['id']}"

    def ask(self, method, path, body=None, token=None):
        headers = {"Content-Type": "application/json"} if body else {}
        if token:
            headers["Authorization"] = "Bearer " + token
        self.connection.request(method, path, json.dumps(body) if body else None, headers)
        reply = self.connection.getresponse()
        text = reply.read()
        if reply.status >= 300:
            raise SystemExit(f"bench_streams: {method} {path}: {reply.status} {text[:500]}")
        return json.loads(text)

    def ready(self):
        legal = self.ask("GET", self.path + "/legal-moves")
        self.move, self.token = legal["moves"][len(legal["moves"]) // 2]["move"], self.tokens[legal["turn"]]

    def play(self):
        """When the move was sent, and when it was answered."""
        began = time.monotonic()
        self.ask("POST", self.path + "/moves", {"move": self.move}, self.token)
        return began, time.monotonic()


def quiet(server, seconds):
    """The CPU that the server takes while nothing happens, as a part of a core."""
    before, began = server.cpu(), time.monotonic()
    time.sleep(seconds)
    return (server.cpu() - before) / (time.monotonic() - began)


def latency(watchers, tables, each):
    """Milliseconds from a move to those who watch its game: medians of (all of them, the first of them)."""
    lasts, firsts = [], []
    for _ in range(each):
        for table, count in tables:
            table.ready()
            watchers.report()
            began, _ = table.play()
            first, last = watchers.wait_for(count)
            firsts.append((first - began) * 1000)
            lasts.append((last - began) * 1000)
            time.sleep(0.02)
    return statistics.median(lasts), statistics.median(firsts)


def bench_streams(bench, variant, make_games):
    options = bench.options
    count = options.streams
    many = ["--streams", str(count), "--streams-per-game", str(count), "--streams-per-address", str(count)]
    server, calm = bench.serve(*many), bench.serve()
    paths = {each: [f"/v1/games/{game}" for game in make_games(each, variant, 8)] for each in (server, calm)}
    print(f"\n{count} streams", flush=True)

    empty = server.memory()
    tables = [Table(server, variant) for _ in range(20)]
    ids = [f"{path}/events?after=10" for path in paths[server]] + [f"{table.path}/events?after=2" for table in tables]
    watchers = Watchers(bench, server, count, ids)
    print(f"memory: {(server.memory() - empty) * 1024 / count:.2f} KiB a stream ({empty:.1f} MiB before, {server.memory():.1f} MiB after)")
    each = [(table, count // len(ids) + (number + len(paths[server]) < count % len(ids))) for number, table in enumerate(tables)]
    last, first = latency(watchers, each, 3)
    print(f"from a move to those who watch its game, {count // len(ids)} each: the first {first:.2f} ms, all {last:.2f} ms (median)")
    print(f"CPU while nothing happens but the heartbeats: {quiet(server, options.quiet) * 100:.2f} % of a core")
    files = {}
    for each, list_ in paths.items():
        files[each] = bench.path("paths")
        with open(files[each], "w") as out:
            out.write("".join(path + "\n" for path in list_))
    for name, loads in (
        ("GET of a game", [(each, "get", 64, options.seconds, files[each]) for each in (server, calm)]),
        ("durable moves", [(each, "play", 64, options.seconds, variant, 0) for each in (server, calm)]),
    ):
        with_, without = bench.rounds(*loads)
        ratio = statistics.median(a / b for a, b in zip(with_["rates"], without["rates"]))
        print(f"{name}: {with_['rate']:.0f}/s beside the streams, {without['rate']:.0f}/s without: {ratio:.2f}")
    watchers.stop()

    one = Table(server, variant)
    watchers = Watchers(bench, server, count, [f"{one.path}/events?after=2"])
    last, first = latency(watchers, [(one, count)], 7)
    print(f"all {count} watch one game: the first has a move after {first:.2f} ms, the last after {last:.1f} ms (median)")
    watchers.stop()

    alone = Table(server, variant)
    watchers = Watchers(bench, server, 1, [f"{alone.path}/events?after=2"])
    last, _ = latency(watchers, [(alone, 1)], 50)
    print(f"one stream alone: {last:.2f} ms from a move to its reader (median)")
    watchers.stop()
    server.stop()
    calm.stop()
