"""What TLS costs, each figure beside the same without: make -C build bench-tls.

The client is on the same cores, so that rates would be its own; what is told is the
memory and the processor time of the daemon, and what others wait while somebody does
nothing but shake hands.
"""

import contextlib
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "http"))

import pki  # noqa: E402
from daemon import Daemon  # noqa: E402
from test_wire import Wire, request  # noqa: E402

CONNECTIONS, REQUESTS, HANDSHAKES, FLOODERS = 800, 4000, 400, 2


def resident(daemon):
    return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{daemon.process.pid}/status").read_text())[1])


def seconds(daemon):
    fields = pathlib.Path(f"/proc/{daemon.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(daemon):
    """KiB of a connection that was used."""
    before, wires = resident(daemon), [Wire(daemon) for _ in range(CONNECTIONS)]
    for wire in wires:
        wire.send(request()).reply()
    each = (resident(daemon) - before) / CONNECTIONS
    for wire in wires:
        wire.socket.close()
    return each


def cost(daemon, times, what):
    """Microseconds of processor time each."""
    before = seconds(daemon)
    for _ in range(times):
        what()
    return (seconds(daemon) - before) / times * 1e6


def asking(daemon):
    with Wire(daemon) as wire:
        return cost(daemon, REQUESTS, lambda: (wire.send(request()), wire.socket.recv(65536)))


def waits(daemon, count=1000):
    """The middle and the 99th hundredth of what a request on an open connection takes, in ms."""
    took = []
    with Wire(daemon) as wire:
        for _ in range(count):
            began = time.perf_counter()
            wire.send(request())
            wire.socket.recv(65536)
            took.append((time.perf_counter() - began) * 1000)
    return f"{statistics.median(took):.2f} and {statistics.quantiles(took, n=100)[-1]:.2f} ms"


@contextlib.contextmanager
def flood(daemon):
    command = ["openssl", "s_time", "-connect", f"127.0.0.1:{daemon.port}", "-new", "-time", "60", "-CAfile", str(pki.root())]
    floods = [subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for _ in range(FLOODERS)]
    time.sleep(0.5)
    yield
    for each in floods:
        each.terminate()
        each.wait()


def main():
    for tls in (False, True):
        kind = "by TLS" if tls else "without"
        with tempfile.TemporaryDirectory() as folder, Daemon(pathlib.Path(folder) / "b.db", "--engine-threads", "0", tls=tls) as daemon:
            print(f"{kind}: memory of a connection {memory(daemon):.1f} KiB; CPU of a GET {asking(daemon):.0f} µs; it takes {waits(daemon)} (middle, 99 %)")
            if tls:
                print(f"{kind}: CPU of a handshake (P-256) {cost(daemon, HANDSHAKES, lambda: Wire(daemon).socket.close()):.0f} µs")
                with flood(daemon):
                    print(f"{kind}: a GET while {FLOODERS} shake hands without end takes {waits(daemon)}")
            daemon.stop()


main()
