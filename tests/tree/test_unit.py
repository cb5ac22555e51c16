"""The unit of systemd: it is sound, and shut in as well as systemd-analyze can tell."""

import os
import pathlib
import re
import subprocess

import pytest

SOURCE = pathlib.Path(os.environ["IUVOD_SOURCE"])
UNIT = pathlib.Path(os.environ["IUVOD_BUILD"]) / "packaging" / "iuvod.service"

# Of 10, where 0 is best.
EXPOSURE_MOST = 2.0


def analyze(*arguments):
    return subprocess.run(["systemd-analyze", *map(str, arguments)], capture_output=True, text=True)


def test_paths_are_those_of_the_installation():
    text = UNIT.read_text()
    assert "@bindir@" not in text and "@localstatedir@" not in text and "@sysconfdir@" not in text
    assert re.search(r"^ExecStart=/\S*/iuvod serve ", text, re.MULTILINE)


def test_the_unit_is_shut_in():
    result = analyze("security", "--offline=true", "--threshold=100", UNIT)
    found = re.search(r"Overall exposure level for iuvod\.service: ([0-9.]+)", result.stdout)
    assert found, result.stdout + result.stderr
    assert float(found[1]) < EXPOSURE_MOST


@pytest.mark.parametrize("unit", [UNIT, SOURCE / "packaging" / "iuvod.socket"], ids=["service", "socket"])
def test_the_units_are_sound(unit, tmp_path):
    """The program need not be installed for that."""
    for each in (UNIT, SOURCE / "packaging" / "iuvod.socket"):
        (tmp_path / each.name).write_text(re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", each.read_text(), flags=re.MULTILINE))
    result = analyze("verify", "--man=no", tmp_path / unit.name)
    assert result.returncode == 0 and "iuvod" not in result.stderr, result.stderr
