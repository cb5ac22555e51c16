"""What a power cut leaves of the files in a folder, from the journal that the shim writes (journal.h).

What was synced is there.  Of what was written since, to each file by itself: nothing, all, some first writes with the
last one torn, or any sectors, the new length with or without them.  Names come and go in their order, and an
order is kept up to some moment after the folder was last synced.
"""

import contextlib
import os
import struct

ENTRY = struct.Struct("=IIQq")
WRITE, LENGTH, SYNC, MADE, GONE, MOVED = range(1, 7)
SECTOR = 512
PAGE = os.sysconf("SC_PAGE_SIZE")
FATES = ("nothing", "all", "first", "sectors", "few sectors")
# Of no weight after a cut: what the daemon says, who has the lock, and the index of the WAL, which is made anew.
PASSING = (".out", ".log", "-lock", "-shm", "counters", "journal")


class File:
    """A file's bytes at the beginning, and what was done to it since."""

    def __init__(self, content=b""):
        self.content, self.done = content, []  # (where in the journal, WRITE or LENGTH, at, bytes)
        self.synced = 0  # as far in the journal

    def pending(self):
        return [op for op in self.done if op[0] >= self.synced]

    def after(self, ops):
        content = bytearray(self.content)
        for _, kind, at, data in ops:
            if kind == WRITE:
                content.extend(bytes(max(0, at - len(content))))
                content[at:at + len(data)] = data
            else:
                content[at:] = bytes(max(0, at - len(content)))
        return bytes(content)

    def whole(self, left_out=0):
        return self.after(self.done[:len(self.done) - left_out])

    def ways(self):
        """What is there after a kill: the last entry was done, or not, or its first pages, since the kernel writes page by page and a kill ends that."""
        yield from (self.whole(), self.whole(1))
        for place, kind, at, data in self.done[-1:]:
            for end in range(at - at % PAGE + PAGE, at + len(data), PAGE):
                yield self.after([*self.done[:-1], (place, kind, at, data[:end - at])])

    def cut(self, fate, chance):
        """What is left of it."""
        ops = [op for op in self.done if op[0] < self.synced]
        pending = self.pending()
        if fate == "all":
            ops += pending
        elif fate == "first" and pending:
            n = chance.randrange(len(pending))
            ops += pending[:n] + [part for part in sectors(pending[n])[:chance.randrange(9)]]
        elif fate in ("sectors", "few sectors"):
            share = 0.1 if fate == "few sectors" else 0.7
            ops += [part for op in pending for part in sectors(op) if chance.random() < share]
        return self.after(ops)


def sectors(op):
    """A write as the disk does it: sector by sector."""
    place, kind, at, data = op
    if kind != WRITE:
        return [op]
    parts, end = [], at + len(data)
    while at < end:
        upto = min(end, at - at % SECTOR + SECTOR)
        parts.append((place, kind, at, data[len(data) - (end - at):len(data) - (end - upto)]))
        at = upto
    return parts


class Disk:
    """The files of a folder since begin()."""

    def __init__(self, folder, journal):
        self.folder, self.journal = folder, journal
        journal.write_bytes(b"")
        self.environment = {"IUVOD_SHIM_JOURNAL": str(journal)}
        self.begin()

    def lasting(self):
        return [path for path in self.folder.iterdir() if path.is_file() and not path.name.endswith(PASSING)]

    def begin(self):
        """All that is there now was synced long ago; nobody writes."""
        self.files = {path.stat().st_ino: File(path.read_bytes()) for path in self.lasting()}
        self.names = {path.name: self.files[path.stat().st_ino] for path in self.lasting()}
        self.renamed, self.names_synced = [], 0  # (where in the journal, what, name, other name, file)
        os.truncate(self.journal, 0)

    def read(self):
        """Looks at what was done."""
        journal, at = self.journal.read_bytes(), 0
        while at + ENTRY.size <= len(journal):
            kind, length, inode, where = ENTRY.unpack_from(journal, at)
            data = journal[at + ENTRY.size:at + ENTRY.size + length]
            if len(data) < length:
                break  # killed while it was written
            self.take(at, kind, inode, where, data)
            at += ENTRY.size + length

    def take(self, place, kind, inode, where, data):
        if kind in (WRITE, LENGTH) and inode in self.files:
            self.files[inode].done.append((place, kind, where, data))
        elif kind == SYNC and inode == self.folder.stat().st_ino:
            self.names_synced = where
        elif kind == SYNC and inode in self.files:
            self.files[inode].synced = where
        elif kind in (MADE, GONE, MOVED):
            name, other, *_ = data.decode().split("\0")
            if kind == MADE:
                self.files.pop(inode, None)  # it may have been that of a file that is gone
            if os.path.dirname(name) == str(self.folder) and not name.endswith(PASSING):
                if kind == MADE:
                    self.files[inode] = File()
                self.renamed.append((place, kind, os.path.basename(name), os.path.basename(other), self.files[inode]))

    def named(self, count):
        """The files by name after the first changes of names."""
        names = dict(self.names)
        for _, kind, name, other, file in self.renamed[:count]:
            names.pop(name if kind == GONE else other, None)
            if kind != GONE:
                names[name] = file
        return names

    def assert_complete(self):
        """The journal tells of all that was done: with it one arrives at what is there."""
        names = self.named(len(self.renamed))
        for path in self.lasting():
            if path.name in names:
                content = path.read_bytes()
                assert any(content == way for way in names[path.name].ways()), path

    def unsynced(self):
        return sum(len(file.pending()) for file in self.files.values())

    def cut(self, chance, fate=None):
        """The power is cut: the folder holds what is left.  The process has been killed before.  How many writes were at stake."""
        self.read()
        self.assert_complete()
        at_stake = self.unsynced()
        sure = sum(place < self.names_synced for place, *_ in self.renamed)
        count = sure if fate == "nothing" else chance.randint(sure, len(self.renamed))
        left = {name: file.cut(fate or chance.choice(FATES), chance) for name, file in self.named(count).items()}
        for path in self.lasting():
            path.unlink()
        for name, content in left.items():
            (self.folder / name).write_bytes(content)
        for index in self.folder.glob("*-shm"):
            with contextlib.suppress(FileNotFoundError):
                index.write_bytes(chance.randbytes(32768)) if chance.random() < 0.5 else index.unlink()
        return at_stake
