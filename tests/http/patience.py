"""Waiting for what comes soon, and fails a test only if it does not come at all: nothing depends on speed."""

import time

from daemon import sanitized

PATIENCE = 300 if sanitized() else 60


def eventually(look, seconds=PATIENCE, told=lambda: None):
    """What look() finds, as soon as it finds anything; what told() says goes with the failure."""
    until = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < until, told()
        time.sleep(0.02)
    return found


def until_ready(client):
    """A disk that others keep busy may take longer than /readyz waits for its probe."""
    eventually(lambda: client.get("/readyz").status_code == 200, told=lambda: "it does not become ready")
