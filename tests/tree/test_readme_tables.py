"""What README.md repeats of the tables of the program: limits, options, packages, the grammar of records."""

import os
import pathlib
import re
import subprocess

SOURCE = pathlib.Path(os.environ["IUVOD_SOURCE"])
README = (SOURCE / "README.md").read_text(encoding="utf-8")


def text(*parts):
    return SOURCE.joinpath(*parts).read_text(encoding="utf-8")


def test_tables_are_those_of_the_program():
    """Options and limits: tools/manual makes them of the binary and of limits.h."""
    made = subprocess.run([SOURCE / "tools/manual", "readme", SOURCE / "README.md", os.environ["IUVOD"]], capture_output=True, text=True, check=True).stdout
    assert made == README, "README.md does not tell of options and limits as the program does: run `make -C build readme`"


def test_the_table_of_metrics_is_that_of_the_program():
    page = SOURCE / "docs" / "METRICS.md"
    made = subprocess.run([SOURCE / "tools/metrics", SOURCE / "src/base/metric.h", page], capture_output=True, text=True, check=True).stdout
    assert made == page.read_text(encoding="utf-8"), "docs/METRICS.md does not tell of the metrics as the program does: run `make -C build readme`"
    assert made.count("\n| `") == text("src", "base", "metric.h").count("\tM(") > 20


def section(name):
    return re.search(rf"^<!-- {name}: make readme -->\n(.*)^<!-- end of {name} -->$", README, re.MULTILINE | re.DOTALL)[1]


def test_no_option_and_no_limit_is_missing():
    helped = subprocess.run([os.environ["IUVOD"], "serve", "--help"], capture_output=True, text=True, check=True).stdout
    options = re.findall(r"^  (--[a-z-]+)", helped, re.MULTILINE)
    assert [*re.findall(r"^\| `(--[a-z-]+)", section("options"), re.MULTILINE), "--help"] == options
    names = re.findall(r"^\s+LIMIT_(\w+) =", text("src", "base", "limits.h"), re.MULTILINE)
    assert len(names) > 40 and re.findall(r"^\| `(\w+)` \| [0-9,]+ \|", section("limits"), re.MULTILINE) == names


def packages():
    rows = [line.split() for line in text("tools", "packages").splitlines() if line and not line.startswith("#")]
    return {use: {package for kind, package in rows if kind == use} for use in ("build", "check", "long", "bench")}


def test_packages_are_named():
    table = README[README.index("| Debian package | for |"):]
    table = table[:table.index("\n\n")]
    named = set(re.findall(r"[a-z][a-z0-9.+-]+", " ".join(line.split("|")[1] for line in table.splitlines()[2:])))
    needed = set.union(*packages().values())
    assert needed <= named, needed - named


def test_configure_asks_for_each_library():
    configure = text("configure.ac")
    for package in packages()["build"]:
        if package.startswith("lib"):
            assert f"[{package}]" in configure, f"configure.ac does not tell of {package}"


def test_grammar_of_records():
    comment = text("src", "play", "record_text.c").split("*/")[0]
    grammar = [line.removeprefix(" *").strip() for line in comment.splitlines()]
    shown = README[README.index("```text record"):].split("```")[1].splitlines()[1:]
    for line in filter(None, map(str.strip, shown)):
        assert line in grammar, line


def test_levels():
    table = text("src", "engine", "level.h").split("#define LEVEL_TABLE(L)")[1].split("/*")[0]
    rows = [[int(number) for number in row.split(",")] for row in re.findall(r"L\(([0-9, ]+)\)", table)]
    shown = README[README.index("| level | nodes"):].split("\n\n")[0].replace(",", "").splitlines()[2:]
    assert len(rows) == 10
    assert [[round(float(cell[:-1]) * 10) if cell.endswith("%") else int(cell) for cell in map(str.strip, line.strip("|").split("|"))] for line in shown] == rows


def test_matches_have_their_options():
    helped = subprocess.run([os.environ["IUVOD"], "match", "--help"], capture_output=True, text=True, check=True).stdout
    section = README[README.index("**`iuvod match"):README.index("| level | nodes")]
    for option in re.findall(r"^  (--\w+)", helped, re.MULTILINE):
        assert option in section or option in ("--help", "--hash"), option
