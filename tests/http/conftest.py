"""One daemon for the whole run, checked at its end (test_end.py); others for tests that restart.

With IUVOD_RANDOM in the environment the made-up requests of test_random.py are
others each time; without it the same, so that a run can be repeated.

What the rings share (issued_tokens, start) stands in ../conftest.py.
"""

import os
import pathlib

import hypothesis
import pytest

from client import Client
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
    files = {pathlib.Path(str(item.fspath)).resolve() for item in items}
    narrowed = any(config.getoption(option, None) for option in ("keyword", "markexpr", "lf", "deselect"))
    config.whole = not narrowed and not any("::" in str(argument) for argument in config.args) \
        and files >= set(HERE.glob("test_*.py"))


@pytest.fixture(scope="session")
def daemon(tmp_path_factory):
    with Daemon(tmp_path_factory.mktemp("shared") / "shared.db", "--log-level", "debug", "--admin-listen", "0") as daemon:
        yield daemon


@pytest.fixture(scope="session")
def client(daemon, issued_tokens):
    with Client(daemon, issued_tokens) as client:
        yield client
