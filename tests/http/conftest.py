"""One daemon for the whole run, checked at its end (test_end.py); others for tests that restart.

With IUVOD_RANDOM in the environment the made-up requests of test_random.py are
others each time; without it the same, so that a run can be repeated.

What the rings share (issued_tokens, start) stands in ../conftest.py.

tests/run runs this folder in parts, each with a daemon of its own: what each has
seen of the contract it leaves in a file (--seen-to), and all are judged together
(--seen-by).  A run of the whole folder by hand is judged at its end.
"""

import json
import os
import pathlib

import hypothesis
import pytest

from client import Client
from contract import contract
from daemon import Daemon

HERE = pathlib.Path(__file__).resolve().parent

hypothesis.settings.register_profile(
    "iuvod", database=None, deadline=None, print_blob=True, derandomize="IUVOD_RANDOM" not in os.environ,
    suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture, hypothesis.HealthCheck.too_slow])
hypothesis.settings.load_profile("iuvod")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    """The tests of test_end.py come last, and judge coverage only if all of this folder runs."""
    items.sort(key=lambda item: item.get_closest_marker("last") is not None)
    parts = [read_part(pathlib.Path(path)) for path in config.getoption("seen_by")] or [part_of(config, items)]
    config.part = parts[0]
    config.whole = not any(part["narrowed"] for part in parts) and {file for part in parts for file in part["files"]} >= set(map(str, HERE.glob("test_*.py")))
    contract.seen.update(tuple(reply) for part in parts for reply in part["seen"])
    if config.getoption("seen_to"):
        items[:] = [item for item in items if item.get_closest_marker("whole") is None]


def read_part(path):
    if not path.exists():
        raise pytest.UsageError(f"{path}: the part that was to tell there what it has seen did not come to its end")
    return json.loads(path.read_text(encoding="utf-8"))


def part_of(config, items):
    """What this run is to run."""
    files = {str(pathlib.Path(str(item.fspath)).resolve()) for item in items}
    narrowed = any(config.getoption(option, None) for option in ("keyword", "markexpr", "lf", "deselect")) or any("::" in str(argument) for argument in config.args)
    return {"narrowed": narrowed, "files": sorted(files), "seen": []}


def pytest_sessionfinish(session, exitstatus):
    """A part that was cut short has run less than it was to run."""
    config = session.config
    if config.getoption("seen_to"):
        short = bool(session.shouldstop or session.shouldfail) or exitstatus not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
        told = {**config.part, "narrowed": config.part["narrowed"] or short, "seen": sorted(contract.seen, key=str)}
        pathlib.Path(config.getoption("seen_to")).write_text(json.dumps(told), encoding="utf-8")


@pytest.fixture(scope="session")
def daemon(tmp_path_factory):
    with Daemon(tmp_path_factory.mktemp("shared") / "shared.db", "--log-level", "debug", "--admin-listen", "0") as daemon:
        yield daemon


@pytest.fixture(scope="session")
def client(daemon, issued_tokens):
    with Client(daemon, issued_tokens) as client:
        yield client
