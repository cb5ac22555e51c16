"""The architecture as a test: each layer knows only the layers below it (DESIGN in README.md).

main -> http -> api -> play -> engine, store -> base; engine knows nothing of ours but itself.
Includes are read from the sources, symbols from the built libraries, so that neither a
header nor a hand-written prototype can bring an arrow that runs back.
"""

import os
import pathlib
import re
import subprocess

import pytest

SOURCE = pathlib.Path(os.environ["IUVOD_SOURCE"])
BUILD = pathlib.Path(os.environ["IUVOD_BUILD"])

BELOW = {
    "base": set(),
    "engine": set(),
    "store": {"base"},
    "play": {"engine", "store", "base"},
    "api": {"play", "engine", "store", "base"},
    "http": {"api", "play", "engine", "store", "base"},
}
# Each foreign header has one home.
HOME = {"sodium.h": "base", "sqlite3.h": "store", "cJSON.h": "api", "cjson/cJSON.h": "api", "microhttpd.h": "http",
        "gnutls/gnutls.h": "http", "gnutls/x509.h": "http"}
# The engine is arithmetic: nothing of the C library that does I/O, takes memory, or asks the time or for chance.
PURE = {"assert.h", "limits.h", "stdbool.h", "stddef.h", "stdint.h", "string.h"}
IMPURE = {"malloc", "calloc", "realloc", "free", "printf", "fprintf", "puts", "fopen", "open", "read", "write",
          "time", "clock_gettime", "gettimeofday", "rand", "random", "getrandom", "getenv"}

INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', re.MULTILINE)


def sources(layer):
    return sorted(path for path in (SOURCE / "src" / layer).iterdir() if path.suffix in (".c", ".h"))


def includes(path):
    return INCLUDE.findall(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("layer", BELOW)
def test_includes_point_down(layer):
    assert sources(layer)
    for path in sources(layer):
        for kind, name in includes(path):
            if kind == '"' and "/" in name:
                assert name.split("/")[0] in BELOW[layer] | {layer}, f"{path.name} includes {name}"
            if name in HOME:
                assert HOME[name] == layer, f"{path.name} includes {name}"


def test_includes_name_their_layer():
    for layer in BELOW:
        for path in sources(layer):
            for kind, name in includes(path):
                if kind == '"' and name != "config.h":
                    assert "/" in name, f"{path.name} includes {name} without its layer"


def included(path, seen):
    """The headers of ours that a file brings in, directly or through others."""
    for kind, name in includes(path):
        header = SOURCE / "src" / name
        if kind == '"' and header.exists() and header not in seen:
            seen.add(header)
            included(header, seen)
    return seen


@pytest.mark.parametrize("library, home", [("sqlite3", "store"), ("cJSON", "api"), ("MHD_", "http")])
def test_headers_hide_the_library_below_them(library, home):
    """What others include of a layer names no type of its library: another store could stand behind the same headers."""
    for layer in BELOW.keys() - {home}:
        for path in sources(layer):
            for header in included(path, set()):
                code = re.sub(r"/\*.*?\*/", "", header.read_text(encoding="utf-8"), flags=re.DOTALL)
                assert library not in code, f"{path.name} sees {library} through {header.name}"


def test_the_engine_includes_only_arithmetic():
    for path in sources("engine"):
        for kind, name in includes(path):
            if kind == "<":
                assert name in PURE, f"{path.name} includes <{name}>"


def symbols(layer):
    """(defined, undefined) global symbols of a layer's library."""
    listing = subprocess.run(["nm", "-g", "--format=posix", str(BUILD / f"lib{layer}.a")],
                             check=True, capture_output=True, text=True).stdout
    defined, undefined = set(), set()
    for line in listing.splitlines():
        words = line.split()
        if len(words) >= 2:
            (undefined if words[1] in "Uw" else defined).add(words[0])
    return defined, undefined - defined


def test_symbols_point_down():
    tables = {layer: symbols(layer) for layer in BELOW}
    home = {name: layer for layer, (defined, _) in tables.items() for name in defined}
    for layer, (_, undefined) in tables.items():
        for name in undefined & home.keys():
            assert home[name] in BELOW[layer], f"{layer} calls {name} of {home[name]}"


def test_the_engine_calls_no_one():
    _, undefined = symbols("engine")
    assert not undefined & IMPURE


def test_names_begin_with_their_file():
    """One noun, one pair of files, one prefix: x.h, with x_y.h beside it, declares only x_…"""
    for layer in BELOW:
        nouns = {part for path in sources(layer) for part in (path.stem, path.stem.split("_")[0])}
        for name in symbols(layer)[0]:
            if name.startswith("_") or "." in name:
                continue  # the compiler's and the sanitizers' own
            if layer == "api" and name.endswith(("_prepare", "_run")):
                continue  # a handler has the name of its row in the table of routes
            assert any(name == noun or name.startswith(noun + "_") for noun in nouns), \
                f"{layer}: {name} has no file of its name"


def test_sql_stands_only_under_sql():
    verb = re.compile(r'"\s*(SELECT|INSERT|UPDATE|DELETE|CREATE)\s', re.IGNORECASE)
    for layer in BELOW:
        for path in sources(layer):
            assert not verb.search(path.read_text(encoding="utf-8")), path.name


def test_only_the_top_layer_logs():
    for layer in BELOW:
        if layer in ("http", "base"):
            continue
        for path in sources(layer):
            assert "log_line" not in path.read_text(encoding="utf-8"), path.name
