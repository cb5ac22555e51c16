"""What all rings that talk to the daemon share."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "http"))

import issued  # noqa: E402
from client import Client  # noqa: E402
from daemon import Daemon  # noqa: E402


def pytest_addoption(parser):
    parser.addoption("--seen-to", metavar="FILE", help="this is a part of a run: what it sees of the contract is written, not judged")
    parser.addoption("--seen-by", metavar="FILE", action="append", default=[], help="judge what the parts of a run saw, which --seen-to wrote")


@pytest.fixture(scope="session")
def issued_tokens():
    """Every token that any daemon of this run has issued; contract.py sees to it that none is missing."""
    return issued.tokens


@pytest.fixture
def start(tmp_path, issued_tokens):
    """Starts further daemons, each on a file of its own: start("name", "--option", …) -> (daemon, client)."""
    daemons = []

    def start_one(name="game.db", *options):
        daemon = Daemon(tmp_path / name, *options)
        daemons.append(daemon)
        daemon.start()
        return daemon, Client(daemon, issued_tokens)

    yield start_one
    for daemon in daemons:
        daemon.kill()
        issued.check_files(daemon)
