"""The tokens that were issued in this run, and where they turn up again: nowhere (HTTP.md rule 7).

Every reply that a test receives passes through `check_reply`, whoever sent the
request (contract.py).  What daemons leave behind, logs and files of data, is
searched when they end.
"""

import hashlib
import re

LENGTH = 52
RUN = re.compile(rb"[a-z2-7]{52,}")
TOLD = re.compile(rb'"(?:creator_)?token": ?"([a-z2-7]{52})"')

# Every token that any daemon of this run has issued.
tokens = set()
_bodies = {}  # token: the hash of the body that issued it


class Leak(AssertionError):
    """A token stands where it must not."""


def words(data):
    """Every piece of the bytes that could be a token."""
    for run in RUN.finditer(data):
        for at in range(run.start(), run.end() - LENGTH + 1):
            yield data[at:at + LENGTH].decode()


def found(data):
    """The tokens that stand in the bytes."""
    return {word for word in words(data) if word in tokens}


def check_reply(method, headers, body):
    """Notes the tokens that a reply issues; raises Leak if it tells one that an earlier one issued, or tells one elsewhere."""
    if method != "POST" and not found(body):
        body = b""  # nothing is issued but by POST; the contract has examples
    head = "\n".join(f"{name}: {value}" for name, value in headers).encode("utf-8", "replace")
    if found(head):
        raise Leak(f"a token stands in a header: {head.decode()}")
    new, here = {token.decode() for token in TOLD.findall(body)}, hashlib.sha256(body).digest()
    replayed = "idempotency-replayed" in {name.lower() for name, _ in headers}
    for token in new - tokens:
        _bodies[token] = here
        tokens.add(token)
    for token in found(body):
        if not replayed and _bodies.get(token, here) != here:
            raise Leak(f"a token is told a second time: {body[:500]!r}")
        if body.count(token.encode()) != sum(told.decode() == token for told in TOLD.findall(body)):
            raise Leak(f"a token stands in another place of the answer that issues it: {body[:500]!r}")


def check_files(daemon):
    """Searches all that a daemon has left beside its file: data, WAL, backups, standard output and error."""
    for path in sorted(daemon.database.parent.glob(daemon.database.name + "*")):
        if path.is_file() and found(path.read_bytes()):
            raise Leak(f"{path.name} shows {len(found(path.read_bytes()))} tokens")
