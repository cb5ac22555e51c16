"""The package holds what the repository holds: a file that nobody lists is missed here, and so is one that is listed and gone."""

import os
import pathlib
import re
import shutil
import subprocess

import pytest

SOURCE = pathlib.Path(os.environ["IUVOD_SOURCE"])
BUILD = pathlib.Path(os.environ["IUVOD_BUILD"])

# Of use in a checkout alone.
NOT_PACKED = {".gitignore"}
# Made by autoreconf, for those who have no autoconf.
MADE = {"Makefile.in", "aclocal.m4", "config.h.in", "configure"}


def tracked():
    """Another user may own the checkout, as in CI."""
    listing = subprocess.run(["git", "-c", "safe.directory=*", "-C", str(SOURCE), "ls-files", "-z"],
                             check=True, capture_output=True, text=True).stdout
    return {name for name in listing.split("\0") if name and (SOURCE / name).exists()}


def packed(folder):
    """What `make dist` would pack."""
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    made = subprocess.run(["make", "-s", "-C", str(BUILD), "distdir", f"distdir={folder}"],
                          env=environment, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


@pytest.mark.skipif(not (SOURCE / ".git").exists(), reason="not a checkout: make distcheck tests the package itself")
@pytest.mark.skipif(shutil.which("git") is None, reason="a copy of a checkout, where nobody works on it")
def test_all_that_is_tracked_is_packed(tmp_path):
    files = packed(tmp_path / "package")
    assert tracked() - files == NOT_PACKED
    made = {name for name in files - tracked() if not name.startswith("build-aux/")}
    assert made == MADE


def test_what_is_built_by_hand_is_cleaned():
    """Automake cleans what check builds, and nothing of EXTRA_PROGRAMS and EXTRA_LIBRARIES: distcheck finds what is left."""
    listed = {"by hand": set(), "cleaned": set()}
    for file in [SOURCE / "Makefile.am", *SOURCE.glob("*/local.mk"), *SOURCE.glob("*/*/local.mk")]:
        text = file.read_text().replace("\\\n", " ")
        for name, values in re.findall(r"^(\w+) \+= (.+)$", text, re.MULTILINE):
            if name in ("EXTRA_PROGRAMS", "EXTRA_LIBRARIES"):
                listed["by hand"] |= set(values.split())
            if name in ("CLEANFILES", "UNIT_TESTS", "check_PROGRAMS", "check_LIBRARIES"):
                listed["cleaned"] |= set(values.split())
    assert len(listed["by hand"]) > 5 and listed["by hand"] <= listed["cleaned"], listed["by hand"] - listed["cleaned"]
