#!/usr/bin/python3
"""Writes tests/vectors/*.json as a table in C (tests/engine/vectors.h), so that no test reads JSON.

usage: vectors.py DIRECTORY OUTPUT
"""

import json
import pathlib
import sys


def text(string):
    """A string of C; the vectors are plain ASCII."""
    if string is None:
        return "NULL"
    assert string.isascii() and string.isprintable()
    return '"' + string.replace("\\", "\\\\").replace('"', '\\"') + '"'


def strings(name, values):
    return f"static const char *const {name}[] = {{{', '.join(map(text, [*values, None]))}}};\n"


def outcome(value):
    """The members `winner, reason`: 0 for a draw, NULL for a game that is not over."""
    if value is None:
        return "0, NULL"
    return f"{value['winner'] or 0}, {text(value['reason'])}"


def table(kind, rows):
    rows = "".join(f"\t{{{row}}},\n" for row in rows)
    return (f"const struct vector_{kind} vector_{kind}s[] = {{\n{rows}}};\n"
            f"const unsigned vector_{kind}s_count = sizeof vector_{kind}s / sizeof *vector_{kind}s;\n\n")


def games(values):
    lists, rows = [], []
    for number, game in enumerate(values):
        lists.append(f"static const struct vector_ply plies_{number}[] = {{\n")
        for ply in game["plies"]:
            out = ", ".join(text(ply.get("out", {}).get(str(seat))) for seat in range(1, 5))
            lists.append(f"\t{{{ply['seat']}, {ply['legal']}, {text(ply['move'])}, {text(ply['position'])}, {{{out}}}}},\n")
        lists.append("};\n")
        rows.append(f"{text(game['variant'])}, {text(game['start'])}, {len(game['plies'])}, plies_{number}, "
                    f"{outcome(game['outcome'])}")
    return "".join(lists) + table("game", rows)


def positions(values):
    lists, rows = [], []
    for number, position in enumerate(values):
        if "moves" in position:
            lists.append(strings(f"moves_{number}", position["moves"]))
        lists.append(f"static const uint64_t perft_{number}[] = {{{', '.join(map(str, position['perft']))}}};\n")
        moves = f"{len(position['moves'])}, moves_{number}" if "moves" in position else "0, NULL"
        rows.append(f"{text(position['position'])}, {moves}, {len(position['perft'])}, perft_{number}")
    return "".join(lists) + table("position", rows)


def cases(values):
    lists, rows = [], []
    for number, case in enumerate(values):
        lists.append(strings(f"steps_{number}", case["steps"]))
        lists.append(strings(f"legal_{number}", case["legal"]))
        rows.append(f"{text(case['start'])}, {len(case['steps'])}, steps_{number}, {text(case['position'])}, "
                    f"{len(case['legal'])}, legal_{number}, {outcome(case['outcome'])}")
    return "".join(lists) + table("case", rows)


def main():
    folder, output = map(pathlib.Path, sys.argv[1:])
    parts = ['/* Made by tests/engine/vectors.py from tests/vectors. */\n#include "tests/engine/vectors.h"\n\n']
    for make, name in ((games, "games"), (positions, "positions"), (cases, "cases")):
        parts.append(make(json.loads((folder / f"{name}.json").read_text())))
    output.write_text("".join(parts))


if __name__ == "__main__":
    main()
