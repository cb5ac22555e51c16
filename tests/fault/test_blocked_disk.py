"""A disk that hangs: whoever reads is served, whoever writes waits, and all goes on when the disk does."""

import threading
import time

import pytest

from client import Client
from daemon import LONG
from patience import eventually
from shim import WAITS

HANGS = 35 if LONG else 3  # seconds


class Writer(threading.Thread):
    """A call that changes something, and its answer when there is one."""

    def __init__(self, call):
        super().__init__(daemon=True)
        self.call, self.reply = call, None
        self.start()

    def run(self):
        self.reply = self.call()


@pytest.mark.parametrize("kind", ["write", "sync"])
def test_a_disk_hangs(shimmed, issued_tokens, kind):
    daemon, client, shim = shimmed
    table, other = client.create("iuvo-2"), client.create("iuvo-2")
    counter = getattr(shim, kind)
    counter.fail(0, times=1 << 30, error=WAITS)
    writers = [Writer(lambda: table.play("a1-b3"))]
    eventually(lambda: counter.failed > 0, told=lambda: "nothing was written")
    reader = Client(daemon, issued_tokens)
    writers.append(Writer(lambda: Client(daemon, issued_tokens).post("/v1/games", json={"variant": "iuvo-2"})))
    writers.append(Writer(lambda: other.play("a1-b3")))
    until = time.monotonic() + HANGS
    eventually(lambda: reader.get("/readyz").status_code == 503, told=lambda: "readyz says ready while the disk hangs")
    while time.monotonic() < until:
        for target, status in ((f"{table.path}/legal-moves", 200), (table.path, 200), ("/v1/games", 200), ("/healthz", 200), ("/readyz", 503)):
            assert reader.get(target).status_code == status, target
        # What is not on the disk has not happened, for anybody.
        assert reader.get(table.path).value["ply"] == 0
        assert all(writer.reply is None for writer in writers)
        time.sleep(0.1)
    shim.off()
    for writer in writers:
        writer.join(60)
    assert [writer.reply.status_code for writer in writers] == [201, 201, 201]
    assert [reader.get(game.path).value["ply"] for game in (table, other)] == [1, 1]
    eventually(lambda: reader.get("/readyz").status_code == 200, told=lambda: "readyz says not ready though the disk writes again")
    assert daemon.stop() == 0
    assert daemon.verify().returncode == 0


def test_it_hangs_and_is_killed(shimmed, issued_tokens):
    """As a service manager does who hears nothing of it: whoever waited has got no answer, and may send his call again."""
    daemon, client, shim = shimmed
    table = client.create("iuvo-2")
    shim.sync.fail(0, times=1 << 30, error=WAITS)
    waiting = threading.Thread(target=lambda: pytest.raises(Exception, table.play, "a1-b3"), daemon=True)
    waiting.start()
    eventually(lambda: shim.sync.failed > 0, told=lambda: "nothing was written")
    daemon.kill()
    waiting.join(60)
    shim.off()
    daemon.start()
    again = Client(daemon, issued_tokens)
    assert again.get(table.path).value["ply"] in (0, 1)
    reply = again.post(f"{table.path}/moves", json={"move": "a1-b3", "expected_ply": 0}, token=table.tokens[1])
    assert reply.status_code in (200, 201) and again.get(table.path).value["ply"] == 1
    assert daemon.stop() == 0
    assert daemon.verify().returncode == 0
