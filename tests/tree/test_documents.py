"""What the pages promise: each page that is cited is there, each rule that is named is in docs/RULES.md."""

import json
import os
import pathlib
import re

SOURCE = pathlib.Path(os.environ["IUVOD_SOURCE"])
RULES = (SOURCE / "docs" / "RULES.md").read_text(encoding="utf-8")
README = (SOURCE / "README.md").read_text(encoding="utf-8")
# A rule begins its line: "- I9 Groups. …"
NUMBERS = set(re.findall(r"^- ([IHT]\d+L?) ", RULES, re.MULTILINE))


def files(*suffixes):
    for folder in ("src", "sql", "tests", "tools", "openapi"):
        yield from (path for path in (SOURCE / folder).rglob("*") if path.suffix in suffixes and path.is_file())


def test_pages_that_are_cited_are_there():
    pages = {path.name for path in [SOURCE / "README.md", *(SOURCE / "docs").glob("*.md")]}
    for path in files(".c", ".h", ".sql", ".py", ".json"):
        for page in re.findall(r"\b([A-Z]+\.md)\b", path.read_text(encoding="utf-8")):
            assert page in pages, f"{path.name} cites {page}"
    for page in re.findall(r"\]\(([\w/]+\.(?:md|json))\)", README):
        assert (SOURCE / page).is_file(), page


def test_promises_name_tests_that_are_there():
    """A row says what is promised, which tests hold the program to it, and what their forms are."""
    page = (SOURCE / "docs" / "PROMISES.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1:-1] for line in page.splitlines() if line.startswith("| ") and not line.startswith(("| promise", "| ---"))]
    for row in rows:
        assert len(row) == 4, row
        tests = re.findall(r"`([\w./-]+)`", row[1])
        assert tests, row
        for test in tests:
            assert (SOURCE / test).exists(), test


def test_rules_that_are_named_are_in_the_rules():
    assert {"I1", "I9", "I9L", "I18", "H1", "H12", "T1", "T4"} <= NUMBERS
    table = (SOURCE / "src" / "engine" / "verdict.h").read_text(encoding="utf-8")
    assert set(re.findall(r'"([IHT]\d+L?)"', table)) <= NUMBERS
    for path in files(".c", ".h"):
        for rule in re.findall(r"\b([IH]\d+L?|T[1-4])\b(?=[,;).: ])", " ".join(re.findall(r"/\*.*?\*/", path.read_text(encoding="utf-8"), re.DOTALL))):
            assert rule in NUMBERS, f"{path.name} cites {rule}"


def test_nothing_is_left_to_fill_in():
    assert "@@" not in README


def test_one_version():
    version = re.search(r"AC_INIT\(\[iuvod\], \[([0-9.]+)\]", (SOURCE / "configure.ac").read_text())[1]
    contract = json.loads((SOURCE / "openapi" / "openapi.json").read_text(encoding="utf-8"))
    assert contract["info"]["version"] == version
