"""What README.md shows, executed as it stands.

The convention.  Every fenced block marked `sh` is run, in order, by one bash, so
that variables and functions carry over, in an empty folder; a command that fails
ends it (-e, pipefail), as does a variable that is not set.  The address
127.0.0.1:8080 or localhost:8080 is replaced by that of a daemon on a fresh file.
A block marked `json` or `text` that follows is what the commands before it
print.  Blocks with any other mark are for the eye alone.

In an answer `…` stands for what differs from time to time or is left out:

    in a JSON string or in a line of text      any characters
    a JSON string that is "…" alone            any value
    bare in a JSON array or object             any further entries or members
    a line of text that is … alone             any number of lines

JSON is compared by value (order of members and white space do not matter; a
member that the answer has and README has not must be covered by a bare …).
Several JSON documents in one answer are compared one by one.  An `sh` block
that is followed by no answer must only succeed.
"""

import json
import os
import re
import signal
import subprocess
import threading

import pytest

from contract import SOURCE

README = (SOURCE / "README.md").read_text(encoding="utf-8")
REST = "\N{HORIZONTAL ELLIPSIS}"


def shown(text):
    """[(commands, mark of the answer or None, answer)]"""
    steps = []
    for mark, content in re.findall(r"^``` *([^\n]*?) *\n(.*?)^``` *$", text, re.MULTILINE | re.DOTALL):
        if mark == "sh":
            steps.append((content, None, None))
        elif mark in ("json", "text") and steps and steps[-1][1] is None:
            steps[-1] = (steps[-1][0], mark, content)
    return steps


class Shell:
    """One bash for all of it."""

    END = "--end of the commands--"

    def __init__(self, folder):
        self.process = subprocess.Popen(["bash", "-eu", "-o", "pipefail"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8", bufsize=1, start_new_session=True)

    def run(self, commands):
        """(status of the last command, what was printed)"""
        self.process.stdin.write(f"{commands}\nprintf '\\n%s %d\\n' '{self.END}' $?\n")
        self.process.stdin.flush()
        lines = []
        hangs = threading.Timer(120, os.killpg, (self.process.pid, signal.SIGKILL))    # a stream, say, that does not end
        hangs.start()
        try:
            for line in self.process.stdout:
                if line.startswith(self.END):
                    return int(line.split()[-1]), "".join(lines).removesuffix("\n")
                lines.append(line)
        finally:
            hangs.cancel()
        raise AssertionError(f"the shell ended in {commands}: {''.join(lines)}")

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=10)
        self.process.stdout.close()


def wild(pattern):
    return ".*".join(map(re.escape, pattern.split(REST)))


def quote_rest(text):
    """JSON with bare …: in an array "…", in an object the member "…": "…"."""
    out, stack, i = [], [], 0
    while i < len(text):
        string = re.match(r'"(?:[^"\\]|\\.)*"', text[i:])
        if string:
            out.append(string[0])
            i += len(string[0])
            continue
        if text[i] in "[{":
            stack.append(text[i])
        elif text[i] in "]}":
            stack.pop()
        if text[i] == REST:
            out.append(f'"{REST}": "{REST}"' if stack and stack[-1] == "{" and not re.search(r":\s*$", "".join(out[-3:])) else f'"{REST}"')
        else:
            out.append(text[i])
        i += 1
    return "".join(out)


def documents(text):
    decoder, found = json.JSONDecoder(), []
    text = text.strip()
    while text:
        value, end = decoder.raw_decode(text)
        found.append(value)
        text = text[end:].strip()
    return found


def difference(want, have, at=""):
    """Where `have` is not what README says, or None."""
    if want == REST:
        return None
    if isinstance(want, str) and isinstance(have, str):
        return None if re.fullmatch(wild(want), have, re.DOTALL) else f"{at}: {have!r} is not {want!r}"
    if isinstance(want, dict) and isinstance(have, dict):
        extra = set(have) - set(want)
        missing = set(want) - set(have) - {REST}
        if missing or (extra and REST not in want):
            return f"{at}: members missing: {sorted(missing)}, not shown: {sorted(extra)}"
        return next(filter(None, (difference(want[key], have[key], f"{at}/{key}") for key in want if key != REST)), None)
    if isinstance(want, list) and isinstance(have, list):
        if REST in want:
            cut = want.index(REST)
            head, tail = want[:cut], want[cut + 1:]
            if len(have) < len(head) + len(tail):
                return f"{at}: {len(have)} entries"
            pairs = [*zip(head, have), *zip(reversed(tail), reversed(have))]
        elif len(want) != len(have):
            return f"{at}: {len(have)} entries, not {len(want)}"
        else:
            pairs = list(zip(want, have))
        return next(filter(None, (difference(a, b, f"{at}/{n}") for n, (a, b) in enumerate(pairs))), None)
    return None if want == have and type(want) is type(have) else f"{at}: {have!r} is not {want!r}"


def compare(mark, want, have):
    if mark == "json":
        wanted, had = documents(quote_rest(want)), documents(have)
        assert len(wanted) == len(had), have
        for a, b in zip(wanted, had):
            assert difference(a, b) is None, f"{difference(a, b)}\n{have}"
        return
    lines = [line.rstrip() for line in want.rstrip("\n").split("\n")]
    pattern = "".join("(?:[^\n]*\n)*?" if line.strip() == REST else wild(line).replace(".*", "[^\n]*") + "[ ]*\n" for line in lines)
    assert re.fullmatch(pattern, have.rstrip("\n") + "\n"), f"README says\n{want}\nthe answer is\n{have}"


def test_what_is_shown(start, tmp_path):
    steps = shown(README)
    assert sum(mark is not None for _, mark, _ in steps) >= 10, "README shows answers"
    daemon, _ = start("readme.db")
    folder = tmp_path / "empty"
    folder.mkdir()
    shell = Shell(folder)
    try:
        for commands, mark, answer in steps:
            status, printed = shell.run(re.sub(r"\b(?:127\.0\.0\.1|localhost):8080\b", f"127.0.0.1:{daemon.port}", commands))
            printed = printed.replace(f"127.0.0.1:{daemon.port}", "127.0.0.1:8080")
            assert status == 0, f"{commands}\n{printed}"
            if mark:
                compare(mark, answer, printed)
    finally:
        shell.close()
    assert daemon.stop() == 0 and daemon.verify().returncode == 0


@pytest.mark.parametrize("mark, want, have, same", [
    ("json", '{"a": 1, …}', '{"b": 2, "a": 1}', True), ("json", '{"a": 1}', '{"b": 2, "a": 1}', False), ("json", '{"a": "…", "b": …}', '{"a": [1], "b": 3}', True), ("json", '{"a": 1, …}', '{"a": 2}', False),
    ("json", "[1, …, 9]", "[1, 2, 3, 9]", True), ("json", "[1, …, 9]", "[1, 2, 3]", False), ("json", '"/v1/games/…/moves"', '"/v1/games/abc/moves"', True), ("json", '"/v1/…/moves"', '"/v1/games"', False), ("json", "1\n2", "1 2", True), ("json", "true", "1", False),
    ("text", "a … b\n", "a xyz b", True), ("text", "a\n…\nb\n", "a\nx\ny\nb", True), ("text", "a\nb\n", "a\nx\nb", False), ("text", "a.b\n", "axb", False)])
def test_the_comparison(mark, want, have, same):
    try:
        compare(mark, want, have)
    except AssertionError:
        assert not same
    else:
        assert same


def test_the_engine_answers_as_shown():
    lines = re.search(r"((?:^    .*\n)+)", README[README.index("**`iuvod engine`**"):], re.MULTILINE)[1].splitlines()
    lines = [line.strip() for line in lines]
    end = next(n for n, line in enumerate(lines) if line.startswith("info"))
    done = subprocess.run([os.environ["IUVOD"], "engine"], input="\n".join(lines[:end]) + "\n", capture_output=True, encoding="utf-8", timeout=120, check=True)
    have = re.sub(r"time \d+ nps \d+", "", done.stdout).splitlines()
    for line in lines[end:]:
        assert line == REST or re.sub(r"time \d+ nps \d+", "", line) in have, line


def test_the_blocks_that_are_run():
    text = "# x\n```sh\na=1\n```\n```sh\necho $a\n# no heading\n```\nis\n```text\n1\n```\n```console\nnot run\n```\n## Next\n```sh\nb=2\n```\n```text record\nnot an answer\n```\n"
    assert shown(text) == [("a=1\n", None, None), ("echo $a\n# no heading\n", "text", "1\n"), ("b=2\n", None, None)]
