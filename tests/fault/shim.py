"""The counters of shim.c as a test sees them."""

import ctypes
import mmap

KINDS = ("memory", "write", "sync", "send", "read", "open", "map", "truncate", "name")
DIES, LIES, WAITS = -1, -2, -3
COUNTED = 1 << 30


class Counter(ctypes.Structure):
    _fields_ = [("left", ctypes.c_int32), ("failures", ctypes.c_int32), ("failed", ctypes.c_int32), ("error", ctypes.c_int32),
                ("before", ctypes.c_int32)]

    def fail(self, after, times=1, error=0, before=0):
        """Lets `after` calls pass, then fails `times`; with DIES for an error the daemon is killed, with LIES a sync is not done, with WAITS the call hangs until off().  before: bytes that get through first."""
        self.left, self.failures, self.failed, self.error, self.before = -1, times, 0, error, before
        self.left = after

    def count(self):
        """Nothing fails; counted() tells how often it was called since."""
        self.fail(COUNTED)

    def counted(self):
        return COUNTED - self.left

    def off(self):
        self.left = -1


class Counters(ctypes.Structure):
    _fields_ = [(kind, Counter) for kind in KINDS]


class Shim:
    """The file that the daemon and the test both map, and the environment that makes the daemon do so."""

    def __init__(self, folder, build):
        self.path = folder / "counters"
        self.path.write_bytes(bytes(ctypes.sizeof(Counters)))
        with open(self.path, "r+b") as file:
            self._map = mmap.mmap(file.fileno(), ctypes.sizeof(Counters))
        self.counters = Counters.from_buffer(self._map)
        self.off()
        self.environment = {"LD_PRELOAD": str(build / "tests" / "fault" / "shim.so"), "IUVOD_SHIM": str(self.path)}

    def off(self):
        for kind in KINDS:
            getattr(self.counters, kind).off()

    def pause(self):
        """Nothing fails until go_on, and what is called meanwhile does not count."""
        lefts = [getattr(self.counters, kind).left for kind in KINDS]
        self.off()
        return lefts

    def go_on(self, lefts):
        for kind, left in zip(KINDS, lefts):
            getattr(self.counters, kind).left = left

    def __getattr__(self, kind):
        if kind in KINDS:
            return getattr(self.counters, kind)
        raise AttributeError(kind)
