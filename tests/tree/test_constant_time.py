"""Tokens and their hashes are compared in constant time, by token_hash_equal alone."""

import os
import pathlib
import re

SOURCE = pathlib.Path(os.environ["IUVOD_SOURCE"]) / "src"
COMPARISON = re.compile(r"\b(?:memcmp|bcmp|str(?:n|case|ncase)?cmp)\s*\(")
SECRET = re.compile(r"token(?!_is_id)|secret|hash|seal|bearer|authorization|retry->", re.IGNORECASE)

# Of which a stranger learns nothing.
HARMLESS = {
    ("call.c", 'header, "Bearer ", 7'),
    # Only whoever sends key and token of an earlier call again comes so far, with the body that he sent.
    ("retry.c", "kept->request, retry->request, sizeof kept->request"),
}


def arguments(code, at):
    """What stands between the parenthesis before `at` and the one that closes it."""
    depth, end = 1, at
    while depth > 0:
        depth += {"(": 1, ")": -1}.get(code[end], 0)
        end += 1
    return code[at:end - 1]


def comparisons(code):
    """The arguments of each comparison that may end early."""
    code = re.sub(r"/\*.*?\*/", "", code, flags=re.DOTALL)
    return [arguments(code, call.end()) for call in COMPARISON.finditer(code)]


def test_no_comparison_of_secrets_ends_early():
    seen = 0
    for path in sorted(SOURCE.rglob("*.[ch]")):
        for compared in comparisons(path.read_text(encoding="utf-8")):
            seen += 1
            assert (path.name, compared) in HARMLESS or not SECRET.search(compared), f"{path.name}: {compared}"
    assert seen > 50


def test_it_would_be_seen():
    assert [bool(SECRET.search(compared)) for compared in comparisons("a = memcmp(row->hash, f(x), 32); strcmp(token, t); strcmp(a, b);")] == [True, True, False]


def test_hashes_are_compared_by_libsodium():
    code = (SOURCE / "base" / "token.c").read_text(encoding="utf-8")
    assert re.search(r"token_hash_equal\([^)]*\)\s*\{\s*return sodium_memcmp\(a, b, TOKEN_HASH_LEN\) == 0;\s*\}", code)
    assert "token_hash_equal(" in (SOURCE / "store" / "tokens.c").read_text(encoding="utf-8")
