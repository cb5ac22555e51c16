"""The real binary on a real file: started, waited for, stopped, and asked what it left behind."""

import os
import pathlib
import re
import select
import signal
import socket
import subprocess
import time

import contract
import issued
import pki

BINARY = os.environ.get("IUVOD", str(contract.SOURCE / "build" / "iuvod"))
BUILD = pathlib.Path(os.environ.get("IUVOD_BUILD", contract.SOURCE / "build"))

# Whether tests take their long form.
LONG = os.environ.get("IUVOD_LONG") == "1"

# Whether all that is asked is asked by TLS: a run of the suite that looks whether it makes a difference.
TLS = os.environ.get("IUVOD_TLS") == "1"


def sanitized():
    """Whether the binary was built with sanitizers: then it is several times slower."""
    config = BUILD / "config.h"
    return config.exists() and "#define IUVOD_SANITIZED 1" in config.read_text()


# What tells the tests of their run, and is no option: the program would warn of each.
OF_TESTS = {"IUVOD_BUILD", "IUVOD_LONG", "IUVOD_RANDOM", "IUVOD_SOURCE", "IUVOD_TLS"}

# Whoever runs the tests may ignore what the program is to obey (nohup, a shell's &), and what is ignored is inherited.
for number, usual in ((signal.SIGHUP, signal.SIG_DFL), (signal.SIGINT, signal.default_int_handler), (signal.SIGQUIT, signal.SIG_DFL)):
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, usual)


def without_tests(environment):
    return {name: value for name, value in environment.items() if name not in OF_TESTS}


def run(*arguments, env=os.environ, **more):
    """Runs the program to its end, as on a command line."""
    return subprocess.run([BINARY, *map(str, arguments)], capture_output=True, text=True, timeout=60, env=without_tests(env), **more)


def wait(process, seconds=60):
    """The status with which a process ends, as soon as it does: Popen.wait with a timeout looks 20 times a second."""
    descriptor = os.pidfd_open(process.pid)
    try:
        select.select([descriptor], [], [], seconds)
    finally:
        os.close(descriptor)
    return process.wait(timeout=0)


class Daemon:
    """`iuvod serve` on a database, on a free port of loopback; with TLS for clients that trust pki.root()."""

    def __init__(self, database, *options, tls=TLS):
        self.tls = tls
        self.database = pathlib.Path(database)
        self.options = options
        self.environment = None
        self.process = None
        self.starts = 0
        self.log_paths = []

    def start(self):
        self.starts += 1
        out, err = (self.database.with_name(f"{self.database.name}.{self.starts}.{kind}") for kind in ("out", "log"))
        self.log_paths.append(err)
        with open(out, "wb") as out_file, open(err, "wb") as err_file:
            self.process = subprocess.Popen(
                [BINARY, "serve", "--database", str(self.database), *self._place(), *self._patience(), *self.options],
                stdin=subprocess.DEVNULL, stdout=out_file, stderr=err_file, env=without_tests(self.environment or os.environ))
        self.url = self._wait_for_address(out, err)
        self.port = int(self.url.rsplit(":", 1)[1])
        self.admin_url = (re.findall(r"^metrics on (http://\S+)$", out.read_text(), re.MULTILINE) or [None])[0]
        return self

    def _place(self):
        if not self.tls:
            return "--listen", "127.0.0.1:0"
        # The default is more than some machines allow, since each takes three descriptors.
        return "--listen", "https://127.0.0.1:0", *pki.server().options(), "--streams", "2000"

    def connect(self, timeout=60, receive_buffer=None, url=None):
        """A connection to it, or to another of its listeners, by TLS if that speaks it."""
        url = url or self.url
        plain = socket.socket()
        if receive_buffer is not None:
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        plain.settimeout(timeout)
        plain.connect(("127.0.0.1", int(url.rsplit(":", 1)[1])))
        return pki.context().wrap_socket(plain, server_hostname="localhost") if url.startswith("https:") else plain

    def _patience(self):
        """However slow this machine is, a restart is no downtime, which would be given back and told; where time stands still it is as it is."""
        own = {"--test-clock", "--downtime-ms"} & set(self.options)
        return () if own else ("--downtime-ms", "3600000")

    def _wait_for_address(self, out, err):
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            found = re.search(r"^listening on (https?://127\.0\.0\.1:[0-9]+)$", out.read_text(), re.MULTILINE)
            if found:
                return found[1]
            if self.process.poll() is not None:
                break
            time.sleep(0.01)
        self.kill()
        raise AssertionError(f"the daemon did not start (status {self.process.returncode}): {err.read_text()[-2000:]}")

    def stop(self, number=signal.SIGTERM):
        """Asks it to end, and returns the status with which it did."""
        self.process.send_signal(number)
        try:
            return wait(self.process)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError("the daemon did not end within a minute") from None

    def kill(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def running(self):
        return self.process is not None and self.process.poll() is None

    def log(self):
        """What it has written to standard error, over all starts."""
        return "".join(path.read_text(encoding="utf-8", errors="backslashreplace") for path in self.log_paths)

    def verify(self):
        """`iuvod verify` on the database; the daemon must be stopped."""
        return run("verify", "--database", self.database)

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.kill()
        issued.check_files(self)
