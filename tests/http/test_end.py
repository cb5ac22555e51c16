"""What must hold once all other tests have run against the shared daemon.  The order of these tests matters."""

import re

import pytest

import issued
from contract import contract
from scrape import scrape

pytestmark = pytest.mark.last


@pytest.mark.whole
def test_every_declared_reply_was_seen(request):
    if not request.config.whole:
        pytest.skip("only some of the tests were run")
    unseen = contract.unseen()
    assert not unseen, f"{len(unseen)} replies are declared and never occurred:\n" + "\n".join(map(str, unseen))


def test_no_token_is_in_the_metrics(client):
    """Nor an id of a game or player: after all that this run has sent, in paths, methods and headers."""
    told = scrape(client.daemon, client)
    assert len(told.series()) > 100
    assert not issued.found(told.text.encode())
    assert not re.search(r"[a-z2-7]{26}", told.text)


def test_it_ends_with_status_0(client, daemon):
    issued.check_files(daemon)  # there is a WAL now
    assert client.get("/healthz").status_code == 200
    assert daemon.stop() == 0, daemon.log()[-2000:]


def test_nothing_that_it_left_shows_a_token(daemon, issued_tokens):
    assert issued_tokens and daemon.log().count("\n") > 0
    issued.check_files(daemon)


def test_no_statement_scanned_a_table(daemon):
    if daemon.running():
        pytest.skip("the daemon has not been stopped")
    lines = re.findall(r"event=statement .*", daemon.log())
    assert lines, "no statistics at --log-level debug"
    scans = [line for line in lines if int(re.search(r"\bscanned=(\d+)", line)[1]) > 0]
    assert not scans, "\n".join(scans)


def test_verify_is_clean(daemon):
    if daemon.running():
        pytest.skip("the daemon has not been stopped")
    result = daemon.verify()
    assert result.returncode == 0, result.stdout + result.stderr
