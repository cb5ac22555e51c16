"""Replies without a body (204, 304) leave nothing behind: the daemon does not grow by them."""

import pytest

from daemon import sanitized


def resident_kib(daemon):
    with open(f"/proc/{daemon.process.pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS:"))


@pytest.mark.skipif(sanitized(), reason="the sanitizers keep what was freed; their leak check is sharper")
def test_replies_without_a_body_leave_nothing_behind(start):
    daemon, client = start()
    table = client.create("iuvo-2")
    tag = table.get().headers["ETag"]
    kinds = [lambda: client.request("OPTIONS", table.path), lambda: table.get(headers={"If-None-Match": tag})]
    for reply, status in zip([kind() for kind in kinds], (204, 304)):
        assert reply.status_code == status
    for kind in kinds:
        for _ in range(100):
            kind()
        before = resident_kib(daemon)
        for _ in range(600):
            kind()
        assert resident_kib(daemon) - before < 1024  # leaving 4 KiB each would be 2400
    assert daemon.stop() == 0
