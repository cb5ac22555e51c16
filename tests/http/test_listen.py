"""Where the daemon listens: several addresses at once, Unix-domain sockets, sockets that are handed over."""

import contextlib
import http.client
import os
import re
import signal
import socket
import sqlite3
import stat
import subprocess
import time

import pytest

from daemon import BINARY, run


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("unix", timeout=60)
        self.path = str(path)

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


def ask(path, target="/healthz"):
    connection = UnixConnection(path)
    connection.request("GET", target)
    reply = connection.getresponse()
    body = reply.read()
    connection.close()
    return reply.status, body


@pytest.fixture
def serve(tmp_path):
    """Starts a daemon with its --listen, and waits until it has said so many lines."""
    processes = []

    def begin(*options, lines=1, **more):
        process = subprocess.Popen([BINARY, "serve", "--database", tmp_path / f"{len(processes)}.db", *map(str, options)],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)
        processes.append(process)
        process.said = [process.stdout.readline().removeprefix("listening on ").strip() for _ in range(lines)]
        return process

    yield begin
    for process in processes:
        process.kill()
        process.communicate()


def end(process, number=signal.SIGTERM):
    process.send_signal(number)
    return process.wait(timeout=60), process.stderr.read()


def test_tcp_and_unix_at_once(serve, tmp_path):
    process = serve("--listen", f"127.0.0.1:0,unix:{tmp_path}/a,unix:{tmp_path}/b", lines=3)
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+", process.said[0]) and process.said[1:] == [f"unix:{tmp_path}/a", f"unix:{tmp_path}/b"]
    tcp = http.client.HTTPConnection("127.0.0.1", int(process.said[0].rsplit(":", 1)[1]), timeout=60)
    tcp.request("GET", "/healthz")
    assert tcp.getresponse().status == 200
    tcp.close()
    for name in "ab":
        assert ask(tmp_path / name) == (200, b'{"status":"ok"}\n')
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o660
    status, log = end(process)
    assert status == 0 and "address=unix" in log and "address=127.0.0.1:" in log
    assert not (tmp_path / "a").exists() and not (tmp_path / "b").exists()


def test_a_port_alone_is_of_this_machine(serve):
    assert re.fullmatch(r"http://127\.0\.0\.1:[1-9]\d*", serve("--listen", "0").said[0])


def test_a_stream_over_a_unix_socket(serve, tmp_path):
    serve("--listen", f"unix:{tmp_path}/s")
    connection = UnixConnection(tmp_path / "s")
    connection.request("POST", "/v1/games", body='{"variant":"iuvo-2"}', headers={"Content-Type": "application/json"})
    game = re.search(rb'"id": ?"([^"]+)"', connection.getresponse().read())[1].decode()
    connection.request("GET", f"/v1/games/{game}/events", headers={"Accept": "text/event-stream"})
    reply = connection.getresponse()
    assert reply.status == 200 and reply.getheader("Content-Type").startswith("text/event-stream")
    assert [reply.readline() for _ in range(2)] == [b": iuvod\n", b"retry: 2000\n"]
    connection.close()


@pytest.mark.parametrize("mode", ["600", "666"])
def test_the_mode_of_the_file(serve, tmp_path, mode):
    serve("--listen", f"unix:{tmp_path}/s", "--socket-mode", mode, preexec_fn=lambda: os.umask(0o077))
    assert stat.S_IMODE((tmp_path / "s").stat().st_mode) == int(mode, 8)


def test_the_file_of_a_server_that_was_killed_is_replaced(serve, tmp_path):
    first = serve("--listen", f"unix:{tmp_path}/s")
    first.kill()
    first.wait()
    assert stat.S_ISSOCK((tmp_path / "s").stat().st_mode)
    serve("--listen", f"unix:{tmp_path}/s")
    assert ask(tmp_path / "s")[0] == 200


def refused(tmp_path, *options):
    result = run("serve", "--database", tmp_path / "refused.db", *options)
    assert result.returncode in (1, 2) and result.stdout == ""
    return result.stderr


def test_where_somebody_answers_nobody_else_listens(serve, tmp_path):
    serve("--listen", f"unix:{tmp_path}/s")
    assert f"iuvod: cannot listen on unix:{tmp_path}/s: Address already in use\n" in refused(tmp_path, "--listen", f"unix:{tmp_path}/s")
    assert ask(tmp_path / "s")[0] == 200


def test_a_file_that_is_no_socket_stays(tmp_path):
    (tmp_path / "s").write_text("a letter")
    assert "Address already in use" in refused(tmp_path, "--listen", f"unix:{tmp_path}/s")
    assert (tmp_path / "s").read_text() == "a letter"


def test_a_file_that_somebody_else_has_put_there_stays(serve, tmp_path):
    process = serve("--listen", f"unix:{tmp_path}/s")
    (tmp_path / "s").unlink()
    (tmp_path / "s").write_text("a letter")
    assert end(process)[0] == 0 and (tmp_path / "s").read_text() == "a letter"


def test_what_was_opened_is_removed_when_another_fails(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        said = refused(tmp_path, "--listen", f"unix:{tmp_path}/s,127.0.0.1:{taken.getsockname()[1]}")
    assert "Address already in use" in said and not (tmp_path / "s").exists()


@pytest.mark.parametrize("options, said", [
    (("--listen", "unix:"), "the path of a socket has 1 to 107 bytes, and this has 0"),
    (("--listen", "unix:/" + "x" * 107), "the path of a socket has 1 to 107 bytes, and this has 108"),
    *((("--listen", wrong), "must be PORT, ADDRESS:PORT or [ADDRESS]:PORT with a port from 0 to 65535, an address with https:// before it for TLS, or unix:PATH") for wrong in ("127.0.0.1:0,", "65536", "nowhere")), (("--listen", ",".join(["127.0.0.1:0"] * 17)), "up to 16 addresses"),
    (("--listen", "unix:/nowhere/at/all"), "cannot listen on unix:/nowhere/at/all: No such file or directory"),
    *((("--socket-mode", mode), "must be three octal digits, as 660") for mode in ("66", "0660", "rw-", "680"))])
def test_what_is_wrong_is_said(options, said, tmp_path):
    assert said in refused(tmp_path, *options)


# ---- sockets that are handed over, as sd_listen_fds(3) says ----

def hand_over(sockets, **environment):
    """For Popen: the sockets as descriptors from 3 on, and the process's own number in LISTEN_PID."""
    script = 'export LISTEN_PID=$$; exec "$@"'
    wrapped = [os.dup(one.fileno()) for one in sockets]

    def move():
        for at, fd in enumerate(wrapped):
            os.dup2(fd, 60 + at)
        for at in range(len(wrapped)):
            os.dup2(60 + at, 3 + at)

    fds = tuple(range(3, 3 + len(sockets)))
    return ["sh", "-c", script, "sh"], {"preexec_fn": move, "close_fds": False, "pass_fds": (), "env": {**os.environ, "LISTEN_FDS": str(len(fds)), **environment}}, wrapped


def begin_with(tmp_path, sockets, *options, **environment):
    words, more, copies = hand_over(sockets, **environment)
    process = subprocess.Popen([*words, BINARY, "serve", "--database", str(tmp_path / "handed.db"), *options],
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)
    for fd in copies:
        os.close(fd)
    return process


def test_sockets_that_are_handed_over(tmp_path):
    path = tmp_path / "s"
    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_UNIX) as local:
        local.bind(str(path))
        local.listen()
        process = begin_with(tmp_path, [tcp, local], "--listen", "127.0.0.1:1")
        try:
            said = [process.stdout.readline().strip() for _ in range(2)]
            assert said == [f"listening on http://127.0.0.1:{tcp.getsockname()[1]}", f"listening on unix:{path}"]
            assert ask(path)[0] == 200
            assert end(process)[0] == 0
        finally:
            process.kill()
            process.communicate()
    assert path.exists(), "it is the service manager's"


def test_what_is_handed_over_must_listen(tmp_path):
    with socket.socket() as idle:
        process = begin_with(tmp_path, [idle])
        said = process.communicate(timeout=60)[1]
    assert process.returncode == 1 and "descriptor 3, which is handed over, is no listening stream socket" in said


@pytest.mark.parametrize("name, value", [("LISTEN_FDS", "many"), ("WATCHDOG_USEC", "soon"), ("NOTIFY_SOCKET", "nowhere")])
def test_an_environment_that_makes_no_sense(tmp_path, name, value):
    process = begin_with(tmp_path, [], **{name: value})
    said = process.communicate(timeout=60)[1]
    assert process.returncode == 1 and f"iuvod: {name} in the environment: '{value}' " in said


# ---- the service manager is told, as sd_notify(3) says ----

@pytest.fixture
def manager(tmp_path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
        told.bind(str(tmp_path / "notify"))
        told.settimeout(30)
        yield told


def hear(manager, word):
    """The next message that says this."""
    while True:
        lines = manager.recv(4096).decode().split("\n")
        if word in lines:
            return lines


def test_the_service_manager_is_told(serve, tmp_path, manager):
    process = serve("--listen", f"unix:{tmp_path}/s", env={**os.environ, "NOTIFY_SOCKET": str(tmp_path / "notify")})
    assert hear(manager, "READY=1") == ["READY=1", f"STATUS=Serving on unix:{tmp_path}/s"]
    process.send_signal(signal.SIGHUP)
    lines = manager.recv(4096).decode().split("\n")
    assert lines[0] == "RELOADING=1" and re.fullmatch(r"MONOTONIC_USEC=\d+", lines[1])
    assert manager.recv(4096) == b"READY=1" and ask(tmp_path / "s")[0] == 200
    assert end(process)[0] == 0
    assert manager.recv(4096).startswith(b"STOPPING=1\nSTATUS=")


def test_the_watchdog_hears_of_a_server_that_lives(serve, tmp_path, manager):
    process = serve("--listen", f"unix:{tmp_path}/s", env={**os.environ, "NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "200000"})
    for _ in range(5):
        hear(manager, "WATCHDOG=1")
    status, log = end(process)
    assert status == 0


def test_the_watchdog_hears_nothing_of_one_whose_writer_hangs(serve, tmp_path, manager):
    """Somebody else holds the data file, and the writer waits for it."""
    process = serve("--listen", f"unix:{tmp_path}/s", env={**os.environ, "NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "200000"})
    other = sqlite3.connect(tmp_path / "0.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    connection = UnixConnection(tmp_path / "s")
    connection.request("POST", "/v1/games", body='{"variant":"iuvo-2"}', headers={"Content-Type": "application/json"})
    time.sleep(0.3)
    manager.setblocking(False)
    with contextlib.suppress(BlockingIOError):
        while True:
            manager.recv(4096)
    time.sleep(0.4)
    with pytest.raises(BlockingIOError):
        manager.recv(4096)
    other.execute("ROLLBACK")
    other.close()
    manager.settimeout(30)
    hear(manager, "WATCHDOG=1")
    assert connection.getresponse().status == 201
    connection.close()
    status, log = end(process)
    assert status == 0 and "event=no_turn thread=writer" in log
