"""How a start ends that cannot come to anything: with a line that says so, and without a trace; and what signals and limits make of it before it serves."""

import contextlib
import os
import re
import signal
import socket
import subprocess

import pytest
import requests

import pki
from client import Client
from daemon import BINARY, Daemon, run
from follower import Follower
from patience import eventually

TLS = "--listen", "https://127.0.0.1:0", *pki.server().options()
PLAIN = "--listen", "127.0.0.1:0"


def began(*arguments, **more):
    return subprocess.Popen([BINARY, "serve", *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)


def left_in(folder):
    return sorted(path.name for path in folder.iterdir())


# ---- no trace ----

@pytest.mark.parametrize("kind", ["taken", "the operator's taken", "no such address", "no folder", "one of two", "few files"])
def test_a_start_that_fails_leaves_no_data_file(tmp_path, kind):
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = f"127.0.0.1:{other.getsockname()[1]}"
        options = {"taken": ("--listen", taken), "the operator's taken": (*PLAIN, "--admin-listen", taken), "no such address": ("--listen", "192.0.2.1:80"),
                   "no folder": ("--listen", f"unix:{tmp_path}/no/s"), "one of two": ("--listen", f"unix:{tmp_path}/s,{taken}"),
                   "few files": (*PLAIN, "--streams", "100000")}[kind]
        few = ["prlimit", "--nofile=4096:4096"] if kind == "few files" else []
        failed = subprocess.run([*few, BINARY, "serve", "--database", tmp_path / "new.db", *options], capture_output=True, text=True, timeout=60)
    assert failed.returncode == 1 and failed.stdout == "" and failed.stderr.startswith("iuvod: ")
    assert left_in(tmp_path) == []


def test_a_file_that_is_there_stays_as_it_is(start, tmp_path):
    """Not even the time of its last service is written."""
    daemon, client = start()
    table = client.create()
    assert daemon.stop() == 0
    before = daemon.database.read_bytes(), left_in(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as other:
        assert run("serve", "--database", daemon.database, "--listen", f"127.0.0.1:{other.getsockname()[1]}").returncode == 1
    assert (daemon.database.read_bytes(), left_in(tmp_path)) == before
    again, client = start()
    assert client.get(table.path).value["ply"] == 0


def test_a_data_file_that_cannot_be_opened_leaves_no_socket(tmp_path):
    failed = run("serve", "--database", tmp_path, "--listen", f"unix:{tmp_path}/s,127.0.0.1:0")
    assert failed.returncode == 1 and str(tmp_path) in failed.stderr and left_in(tmp_path) == []


# ---- signals ----

def in_the_middle(tmp_path, *options):
    """A server that is reading its options, and where it reads them from: it does not get on before that is closed."""
    os.mkfifo(tmp_path / "options")
    process = began("--config", tmp_path / "options", "--database", tmp_path / "new.db", *options)

    def writer():
        with contextlib.suppress(OSError):  # ENXIO, as long as nobody is about to read it
            return os.fdopen(os.open(tmp_path / "options", os.O_WRONLY | os.O_NONBLOCK), "w")

    return process, eventually(writer)


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2, signal.SIGPIPE])
def test_a_signal_while_it_starts_ends_nothing(tmp_path, number):
    process, options = in_the_middle(tmp_path, *TLS)
    with options:
        process.send_signal(number)
        options.write("log-level = info\nstreams = 100\n")
    url = re.fullmatch(r"listening on (\S+)\n", process.stdout.readline())[1]
    for _ in range(3):
        process.send_signal(number)
    assert requests.get(f"{url}/healthz", verify=str(pki.root()), timeout=60).status_code == 200
    process.terminate()
    _, log = process.communicate(timeout=60)
    assert process.returncode == 0
    assert ("event=reloading" in log) == (number == signal.SIGHUP)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_an_end_while_it_reads_its_options(tmp_path, number):
    process, options = in_the_middle(tmp_path)
    with options:
        process.send_signal(number)
        process.communicate(timeout=60)
    assert process.returncode == -number and left_in(tmp_path) == ["options"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_an_end_before_there_is_a_data_file(tmp_path, number):
    def before():
        signal.pthread_sigmask(signal.SIG_BLOCK, {number})
        os.kill(os.getpid(), number)

    process = began("--database", tmp_path / "new.db", "--listen", f"unix:{tmp_path}/s", preexec_fn=before)
    out, _ = process.communicate(timeout=60)
    assert (process.returncode, out, left_in(tmp_path)) == (0, "", [])


# ---- open files ----

def allowed(files, tmp_path, *options):
    return subprocess.Popen(["prlimit", f"--nofile={files}:{files}", BINARY, "serve", "--database", tmp_path / "new.db", *map(str, options)],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("files, options, connections, streams", [
    (4096, PLAIN, 1024, 2816), (1024, PLAIN, 384, 384), (400, PLAIN, 72, 72), (4096, TLS, 576, 576),
    (4096, (*PLAIN, "--connections", "3000"), 3000, 840), (4096, (*PLAIN, "--streams", "3500"), 340, 3500), (4096, (*PLAIN, "--streams", "100"), 1024, 100),
])
def test_what_nobody_has_set_is_what_the_limit_on_files_allows(tmp_path, files, options, connections, streams):
    process = allowed(files, tmp_path, *options)
    url = re.fullmatch(r"listening on (\S+)\n", process.stdout.readline())[1]
    limits = requests.get(f"{url}/version", verify=str(pki.root()), timeout=60).json()["limits"]
    process.terminate()
    _, log = process.communicate(timeout=60)
    assert process.returncode == 0
    assert (limits["connections"], limits["streams"]) == (connections, streams)
    lowered = f"level=warn event=limits_lowered open_files={files} wanted="
    assert (lowered in log) == ((connections, streams) != (1024, 100))
    assert streams == 100 or f"connections={connections} streams={streams}" in log


@pytest.mark.parametrize("files, options", [
    (4096, (*PLAIN, "--streams", "5000")), (4096, (*PLAIN, "--connections", "4000")), (4096, (*TLS, "--streams", "1200")),
    (4096, (*PLAIN, "--connections", "1000", "--streams", "3000")), (280, PLAIN), (500, TLS)])
def test_what_somebody_has_set_is_never_lowered(tmp_path, files, options):
    process = allowed(files, tmp_path, *options)
    out, said = process.communicate(timeout=60)
    assert process.returncode == 1 and not out
    assert re.search(rf"\d+ connections and \d+ streams need \d+ open files.*, but only {files} are allowed \(ulimit -n\); see --connections and --streams", said)
    assert "event=limits_lowered" not in said and left_in(tmp_path) == []


def test_the_environment_sets_by_hand_too(tmp_path):
    failed = subprocess.run(["prlimit", "--nofile=4096:4096", BINARY, "serve", "--database", tmp_path / "new.db", *PLAIN],
                            env={**os.environ, "IUVOD_STREAMS": "12000"}, capture_output=True, text=True, timeout=60)
    assert failed.returncode == 1 and "12000 streams need" in failed.stderr


def test_as_many_as_are_told_can_be_open(tmp_path, issued_tokens):
    """Connections and streams to the last, and the data file is written meanwhile."""
    process = allowed(400, tmp_path, *PLAIN)
    url = re.fullmatch(r"listening on (\S+)\n", process.stdout.readline())[1]
    daemon = Daemon(tmp_path / "new.db", tls=False)
    daemon.url, daemon.port, daemon.admin_url = url, int(url.rsplit(":", 1)[1]), None
    client = Client(daemon, issued_tokens)
    table = client.create()
    streams = [Follower(daemon, f"{table.path}/events") for _ in range(72)]
    idle = [daemon.connect() for _ in range(71)]
    table.play("a1-b3")
    assert all(stream.take(3) for stream in streams)
    for one in (*streams, *idle):
        one.close()
    process.terminate()
    _, log = process.communicate(timeout=60)
    assert process.returncode == 0 and "accept_failed" not in log


def test_a_port_alone_with_tls_is_told_what_is_missing(tmp_path):
    for scheme in ("https://", "http://"):
        said = run("serve", "--database", tmp_path / "x.db", "--listen", f"{scheme}8443").stderr.splitlines()[0]
        assert said == f"iuvod: --listen '{scheme}8443': has no address: {scheme}0.0.0.0:8443 is for everybody, {scheme}127.0.0.1:8443 for this machine"
