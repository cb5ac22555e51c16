"""What `make install` puts where, what is in it, and that nothing is left of it."""

import os
import pathlib
import re
import subprocess

import pytest

SOURCE = pathlib.Path(os.environ["IUVOD_SOURCE"])
BUILD = pathlib.Path(os.environ["IUVOD_BUILD"])
IUVOD = os.environ["IUVOD"]
PREFIX = "opt/iuvod"


def make(*arguments):
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    made = subprocess.run(["make", "-s", "-C", str(BUILD), f"prefix=/{PREFIX}", *arguments], env=environment, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr


def files(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    folder = tmp_path_factory.mktemp("root")
    make("install", f"DESTDIR={folder}")
    yield folder
    make("uninstall", f"DESTDIR={folder}")
    assert files(folder) == set()


def test_all_of_it_is_there(root):
    expected = {"bin/iuvod", "share/man/man1/iuvod.1", "share/man/man7/iuvod.7", "share/iuvod/openapi.json", "share/bash-completion/completions/iuvod",
                *(f"share/doc/iuvod/{name}" for name in ("README.md", "HTTP.md", "PROMISES.md", "RULES.md"))}
    assert {f"{PREFIX}/{name}" for name in expected} <= files(root)
    installed = root / PREFIX
    assert (installed / "share/iuvod/openapi.json").read_bytes() == (SOURCE / "openapi/openapi.json").read_bytes()
    assert subprocess.run([installed / "bin/iuvod", "--version"], capture_output=True, text=True).stdout.startswith("iuvod ")


def helped(*command):
    return subprocess.run([IUVOD, *command, "--help"], capture_output=True, text=True, check=True).stdout


def commands():
    return re.findall(r"^  ([a-z]+) ", helped(), re.MULTILINE)


def plain(page):
    """A page without roff's marks."""
    return re.sub(r"\\f[BIR]", "", page.read_text()).replace("\\-", "-")


def test_the_first_page_tells_every_command_option_and_variable(root):
    page = plain(root / PREFIX / "share/man/man1/iuvod.1")
    for command in commands():
        section = page[page.index(f"\n.SS {command}\n"):].split("\n.S", 2)[1]
        options = re.findall(r"^  (--[a-z-]+)", helped(command), re.MULTILINE)
        assert options and options == re.findall(r"^(--[a-z-]+)", section, re.MULTILINE)
    for option in re.findall(r"^  --([a-z-]+)", helped("serve"), re.MULTILINE):
        assert option == "help" or f"\nIUVOD_{option.upper().replace('-', '_')}\n" in page


def test_the_examples_of_the_first_page_are_commands_that_are_taken(root):
    page = plain(root / PREFIX / "share/man/man1/iuvod.1")
    assert re.findall(r"^\.SH (.*)$", page, re.MULTILINE)[-6:] == ["CONFIGURATION", "SIGNALS", "FILES", "EXAMPLES", "EXIT STATUS", "SEE ALSO"]
    examples = page.split("\n.SH EXAMPLES\n")[1].split("\n.SH ")[0]
    named = re.findall(r"\biuvod ([a-z]+)((?: --[a-z-]+ [^\s-]\S*)*)", examples)
    assert {command for command, _ in named} == {"serve", "backup", "verify", "engine"}
    for command, options in named:
        assert set(re.findall(r"--[a-z-]+", options)) <= set(re.findall(r"^  (--[a-z-]+)", helped(command), re.MULTILINE))


def test_the_second_page_tells_every_rule(root):
    page = (root / PREFIX / "share/man/man7/iuvod.7").read_text()
    rules = re.findall(r"^- ([A-Z]+\d+L?) ", (SOURCE / "docs/RULES.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(rules) > 30 and rules == re.findall(r"^\\fB([A-Z]+\d+L?)\\fR$", page, re.MULTILINE)
    assert "`" not in page and page.isascii()
    grammar = re.search(r"``` *text record\n(.*?)```", (SOURCE / "README.md").read_text(encoding="utf-8"), re.DOTALL)[1]
    assert grammar in plain(root / PREFIX / "share/man/man7/iuvod.7").replace("\\(aq", "'").replace("\\e", "\\")


@pytest.mark.parametrize("page", ["man1/iuvod.1", "man7/iuvod.7"])
def test_pages_are_set_without_a_warning(root, page):
    result = subprocess.run(["groff", "-man", "-ww", "-Tutf8", "-z", root / PREFIX / "share/man" / page], capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize("page", ["man1/iuvod.1", "man7/iuvod.7"])
def test_pages_keep_to_the_language_of_manuals(root, page):
    """Another roff than the one above, and one that knows what a section or a date looks like."""
    result = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", root / PREFIX / "share/man" / page], capture_output=True, text=True)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def completed(root, *words):
    """What bash offers for the last word of a line."""
    script = '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _iuvod; printf "%s\\n" "${COMPREPLY[@]}"'
    result = subprocess.run(["bash", "-c", script, "bash", root / PREFIX / "share/bash-completion/completions/iuvod", IUVOD, *words],
                            capture_output=True, text=True, cwd=root)
    assert (result.returncode, result.stderr) == (0, "")
    return set(result.stdout.split())


def test_bash_completes(root):
    assert completed(root, "") == {*commands(), "--help", "--version"}
    assert completed(root, "ve") == {"verify"}
    assert completed(root, "serve", "--streams-per") == {"--streams-per-game", "--streams-per-address"}
    assert completed(root, "serve", "--log-level", "") == {"debug", "info", "warn", "error"}
    assert completed(root, "serve", "--log-level", "w") == {"warn"}
    assert completed(root, "serve", "--database", "o") == {"opt"} == completed(root, "backup", "o")
    assert completed(root, "serve", "--loops", "") == set()
    assert completed(root, "perft", "iuvo-4") == {"iuvo-4", "iuvo-4-loose"}
    assert completed(root, "nothing", "") == set()
