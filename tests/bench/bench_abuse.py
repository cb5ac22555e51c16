"""Ordinary requests beside abuse: what they wait, quiet and meanwhile.  A part of bench_http.

    bench_abuse.py KIND PORT    the abuser: a process of its own, until its input ends
"""

import collections
import contextlib
import select
import socket
import statistics
import subprocess
import sys
import time

from bench_streams import Table

# Whoever plays comes from 127.0.0.1, so that they are two clients where this machine is counted.
ABUSER = "127.0.0.2"
LIMITED = ["--limit-loopback", *(part for kind in ("games", "moves", "changes", "questions") for part in (f"--{kind}-per-minute", "0"))]
HEAD = b"POST /v1/records HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
# What each connection begins with, what follows every second, and whether it goes on as soon as it is answered.
Abuse = collections.namedtuple("Abuse", "count first more flood")
ABUSES = {
    "idle connections": Abuse(3000, b"", b"", False),
    "slow heads": Abuse(900, b"GET /healthz HTTP/1.1\r\nHost: a\r\nX: ", b"x", False),
    "slow bodies": Abuse(900, HEAD + b"Content-Length: 400000\r\n\r\n", b" ", False),
    "huge chunks": Abuse(900, HEAD + b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{", b" ", False),
    "a flood of bad requests": Abuse(64, b"GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n", b"", True),
    "a flood of what is no HTTP": Abuse(64, b"\x16\x03\x01 nonsense\r\n\r\n", b"", True),
    "a flood of unknown tokens": Abuse(64, b"GET /v1/me HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + b"a" * 43 + b"\r\n\r\n", b"", True),
}


class Crowd:
    """Connections that do what the abuse says; one that is closed comes again."""

    def __init__(self, abuse, port):
        self.abuse, self.port, self.poll, self.sockets = abuse, port, select.epoll(), {}
        for _ in range(abuse.count):
            self.join()

    def join(self):
        with contextlib.suppress(OSError):
            one = socket.create_connection(("127.0.0.1", self.port), timeout=30, source_address=(ABUSER, 0))
            one.setblocking(False)
            self.sockets[one.fileno()] = one
            self.poll.register(one, select.EPOLLIN)
            one.send(self.abuse.first)

    def take(self, number):
        one, data = self.sockets[number], b""
        with contextlib.suppress(OSError):
            data = one.recv(65536)
            if data and self.abuse.flood:
                one.send(self.abuse.first)
        if not data:
            self.poll.unregister(one)
            del self.sockets[number]
            one.close()
            self.join()

    def run(self, end):
        self.poll.register(end, select.EPOLLIN)
        print("open", flush=True)
        due = time.monotonic() + 1
        while True:
            for number, _ in self.poll.poll(max(0, due - time.monotonic())):
                if number == end.fileno():
                    return
                self.take(number)
            if time.monotonic() >= due:
                due += 1
                for one in list(self.sockets.values()):
                    with contextlib.suppress(OSError):
                        one.send(self.abuse.more)


class Abuser:
    """The crowd, in its process."""

    def __init__(self, kind, server):
        self.process = subprocess.Popen([sys.executable, __file__, kind, str(server.port)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        if self.process.stdout.readline() != b"open\n":
            raise SystemExit(f"bench_abuse: {kind}: the crowd did not come")

    def stop(self):
        self.process.stdin.close()
        self.process.wait()


def ask(port):
    """Milliseconds of a request on a connection of its own."""
    began = time.monotonic()
    with socket.create_connection(("127.0.0.1", port), timeout=60) as one:
        one.sendall(b"GET /v1/variants HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        answer = b"".join(iter(lambda: one.recv(65536), b""))
    if not answer.startswith(b"HTTP/1.1 200 "):
        raise SystemExit(f"bench_abuse: {answer[:200]}")
    return (time.monotonic() - began) * 1000


def latencies(server, variant, seconds):
    """Milliseconds of what somebody who plays asks for, by kind."""
    seen = {"legal moves": [], "a move": [], "a new connection": []}
    until, table = time.monotonic() + seconds, Table(server, variant)
    while time.monotonic() < until:
        for _ in range(20):
            began = time.monotonic()
            table.ready()
            seen["legal moves"].append((time.monotonic() - began) * 1000)
            began, answered = table.play()
            seen["a move"].append((answered - began) * 1000)
            seen["a new connection"].append(ask(server.port))
            time.sleep(0.002)
        table.connection.close()
        table = Table(server, variant)
    table.connection.close()
    return {kind: (statistics.median(all_), statistics.quantiles(all_, n=100)[98]) for kind, all_ in seen.items()}


def bench_abuse(bench, variant):
    """Quiet, beside the abuse of another server of the same machine, and beside that of the server itself, with and without its limit on refusals."""
    many = ["--connections", "4096", "--connections-per-address", "4096"]
    seconds = max(2, bench.options.seconds)
    print("\nbeside abuse: milliseconds, median and 99 of 100 (how often the median of the quiet server)")
    for kind, abuse in ABUSES.items():
        server, other, limited = bench.serve(*many), bench.serve(*many), bench.serve(*many, *LIMITED)
        latencies(server, variant, 0.5)
        rows = {"quiet": latencies(server, variant, seconds)}
        for name, victim, played in (("abuse of another server", other, server), ("abuse, unlimited", server, server), ("abuse", limited, limited)):
            abuser = Abuser(kind, victim)
            if abuse.flood:
                time.sleep(1)  # in which it uses up what it may
            rows[name] = latencies(played, variant, seconds)
            memory = victim.memory()
            abuser.stop()
        print(f"{kind} ({abuse.count} connections; {memory:.0f} MiB)")
        for name, row in rows.items():
            print(f"  {name:<25}" + "".join(
                f"{what} {p50:.2f} {p99:.2f} ({p50 / rows['quiet'][what][0]:.1f})   " for what, (p50, p99) in row.items()), flush=True)
        for one in (server, other, limited):
            one.stop()


if __name__ == "__main__":
    Crowd(ABUSES[sys.argv[1]], int(sys.argv[2])).run(sys.stdin)
