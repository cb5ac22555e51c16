"""A daemon whose allocations, writes and syncs can be made to fail."""

import pytest

import issued
from client import Client
from daemon import BUILD, Daemon, sanitized
from shim import Shim


@pytest.fixture
def shimmed(tmp_path, issued_tokens, monkeypatch):
    """(daemon, client, shim), the shim switched off."""
    if sanitized():
        pytest.skip("the sanitizers have an allocator of their own")
    shim = Shim(tmp_path, BUILD)
    daemon = Daemon(tmp_path / "game.db", "--admin-listen", "0")
    with monkeypatch.context() as patch:
        for name, value in shim.environment.items():
            patch.setenv(name, value)
        daemon.start()
    yield daemon, Client(daemon, issued_tokens), shim
    shim.off()
    daemon.kill()
    issued.check_files(daemon)
