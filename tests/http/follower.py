"""A reader of streams on a socket of its own: it undoes the chunks itself, and holds what it read against the contract."""

import re
import time

from contract import check_reply, read_stream

SSE, NDJSON = "text/event-stream", "application/x-ndjson"


class Follower:
    """GET of a path, as it comes.  `lines` are those of the body, with comments; `events` those that are whole."""

    def __init__(self, daemon, path, media=SSE, token=None, timeout=30, version="1.1", receive_buffer=None, **headers):
        self.path, self.media, self.timeout = path, media, timeout
        self.raw = self.body = b""
        self.ended = self.broken = False  # by its last chunk; without it
        self.socket = daemon.connect(timeout, receive_buffer)
        headers = {"Accept": media, **{name.replace("_", "-"): value for name, value in headers.items()}}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        lines = [f"GET {path} HTTP/{version}", "Host: x", *(f"{name}: {value}" for name, value in headers.items() if value is not None)]
        self.send("\r\n".join(lines).encode() + b"\r\n\r\n")
        self._read_head()

    def send(self, data):
        self.socket.sendall(data)

    def _more(self, seconds):
        """One read; False if nothing came in time.  The end is noted."""
        self.socket.settimeout(max(seconds, 0.001))
        try:
            data = self.socket.recv(65536)
        except TimeoutError:
            return False
        except ConnectionResetError:
            data = b""
        if not data:
            self.broken = not self.ended
        self.raw += data
        return True

    def _read_head(self):
        while b"\r\n\r\n" not in self.raw:
            assert self._more(self.timeout) and not self.broken, self.raw
        head, self.raw = self.raw.split(b"\r\n\r\n", 1)
        first, *lines = head.decode().split("\r\n")
        self.status = int(first.split()[1])
        self.header_list = [tuple(line.split(": ", 1)) for line in lines]
        self.headers = {name.lower(): value for name, value in self.header_list}
        self.chunked = self.headers.get("transfer-encoding") == "chunked"
        self._undo_chunks()

    def _undo_chunks(self):
        if not self.chunked:
            self.body, self.raw = self.body + self.raw, b""
            return
        while (found := re.match(rb"([0-9a-f]+)\r\n", self.raw)) and not self.ended:
            size = int(found[1], 16)
            whole = found.end() + size + 2
            if len(self.raw) < whole:
                return
            assert self.raw[whole - 2:whole] == b"\r\n", self.raw[:200]
            self.body += self.raw[found.end():whole - 2]
            self.raw = self.raw[whole:]
            self.ended = size == 0

    @property
    def events(self):
        return read_stream(self.media, self.body)

    @property
    def text(self):
        return self.body.decode()

    def until(self, wanted, seconds=None):
        """Reads until wanted(self) holds; False if it does not in time, or the stream ends before."""
        deadline = time.monotonic() + (self.timeout if seconds is None else seconds)
        while not wanted(self):
            if self.ended or self.broken or not self._more(deadline - time.monotonic()):
                return bool(wanted(self))
            self._undo_chunks()
        return True

    def take(self, count, seconds=None):
        """So many events, or more."""
        assert self.until(lambda self: len(self.events) >= count, seconds), (count, self.text[-2000:])
        return self.events

    def finish(self, seconds=None):
        """Everything up to the end of the stream, which must be a clean one."""
        self.until(lambda self: False, seconds)
        assert self.ended or (self.broken and not self.chunked), self.text[-500:]
        return self.close().events

    def close(self):
        self.socket.close()
        check_reply("GET", self.path, self.status, self.header_list, self.body)
        return self

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        self.socket.close()
        if kind is None:
            check_reply("GET", self.path, self.status, self.header_list, self.body)
