#!/usr/bin/python3
"""Seeds for the fuzzers, made from the vectors and the contract: tests/fuzz/seed.py DIRECTORY -> DIRECTORY/TARGET/…

What a fuzzer found worth keeping of them, and of what it made of them, is the corpus.
"""

import json
import pathlib
import re
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
VECTORS = SOURCE / "tests" / "vectors"
STARTS = {
    "iuvo-2": "iuvo-2 B1B1B1B/7/o1o1o1o/7/o1o1o1o/7/A1A1A1A 1 - -",
    "iuvo-4": "iuvo-4 q1C1C1r/7/B1o1o1D/7/B1o1o1D/7/p1A1A1s 1 - -",
    "halma-2": "halma-2 BBBBB11/BBBBB11/BBBB12/BBB13/BB14/16/16/16/16/16/16/14AA/13AAA/12AAAA/11AAAAA/11AAAAA 1 - -",
}


def vectors(name):
    return json.loads((VECTORS / f"{name}.json").read_text())


def games():
    return sorted(vectors("games"), key=lambda game: len(game["plies"]))


# Each target: an iterable of texts.

def position():
    yield from STARTS.values()
    for entry in vectors("positions"):
        yield entry["position"]
    for case in vectors("cases"):
        yield case["position"]


def move():
    for case in vectors("cases"):
        yield "\n".join([case["start"], *case["steps"]])
    for entry in vectors("positions"):
        yield "\n".join([entry["position"], *entry.get("moves", [])[:3]])
    for game in games()[:12]:
        yield "\n".join([game["start"], *(ply["move"] for ply in game["plies"][:40])])
    yield STARTS["halma-2"] + "\nm3-k5-i5\nM3K5\nm3xk5\nm3-m3\nz99-a0\n"


def record_lines(variant, start, moves, endings=(), outcome="unfinished", tags=()):
    lines = ['[Format "iuvod-record-1"]', f'[Variant "{variant}"]', f'[Start "{start}"]', '[Seat1 "Ada"]', *tags, ""]
    for ply, text in enumerate(moves, start=1):
        lines.append(f"{ply} {text}")
    return "\n".join([*lines, *endings, outcome, ""])


def endings(case):
    """(moves, endings) of the steps of a case, an ending as (ply, seat)."""
    moves, ends = [], []
    for step in case["steps"]:
        if step.startswith("resign:"):
            ends.append((len(moves), int(step.removeprefix("resign:"))))
        else:
            moves.append(step)
    return moves, ends


def outcome_text(outcome):
    if outcome is None:
        return "unfinished"
    return f"seat {outcome['winner']} wins, {outcome['reason']}" if outcome["winner"] else f"draw, {outcome['reason']}"


def record():
    for case in vectors("cases"):
        moves, ends = endings(case)
        text = record_lines(case["start"].split()[0], case["start"], moves, outcome=outcome_text(case["outcome"]))
        for ply, seat in reversed(ends):
            at = text.find(f"\n{ply + 1} ") if f"\n{ply + 1} " in text else text.rfind("\n", 0, -1)
            text = f"{text[:at]}\n{ply} seat {seat} resigned{text[at:]}"
        yield text
    for game in games()[:8]:
        yield record_lines(game["variant"], game["start"], [ply["move"] for ply in game["plies"][:60]],
                           tags=['[Event "Spring"]', '["Any \\"key\\"" "a\\nb"]'])
    yield '\ufeff[Variant "iuvo-2"]\r\n\r\n1 a1-b3\r\n1 draw agreement\r\ndraw, agreement\r\n'


def record_json(variant, start, moves, ends=(), outcome=None, **more):
    seats = {"iuvo-4": 4, "iuvo-4-loose": 4}.get(variant, 2)
    return json.dumps({"format": "iuvod-record-1", "variant": variant, "start": start,
                       "seats": [{"seat": seat + 1, "name": ["Ada", None][seat % 2]} for seat in range(seats)],
                       "tags": {"Event": "Spring"}, "moves": moves,
                       "endings": [{"ply": ply, "seat": seat, "reason": "resigned"} for ply, seat in ends],
                       "outcome": outcome, **more})


def import_():
    for case in vectors("cases"):
        moves, ends = endings(case)
        yield record_json(case["start"].split()[0], case["start"], moves, ends, case["outcome"])
    for game in games()[:8]:
        yield record_json(game["variant"], game["start"], [ply["move"] for ply in game["plies"][:40]])
    yield '{"format":"iuvod-record-1","variant":"iuvo-2","moves":["a1-b3"],"endings":[{"ply":1,"seat":null,"reason":"agreement"}]}'


def contract():
    return json.loads((SOURCE / "openapi" / "openapi.json").read_text(encoding="utf-8"))


def examples(node):
    if isinstance(node, dict):
        for key, value in node.items():
            if key in ("example", "default"):
                yield value
            elif key == "examples":
                for entry in value.values() if isinstance(value, dict) else value:
                    yield entry.get("value", entry) if isinstance(entry, dict) else entry
            yield from examples(value)
    elif isinstance(node, list):
        for entry in node:
            yield from examples(entry)


def json_():
    for example in examples(contract()):
        yield json.dumps(example, ensure_ascii=len(str(example)) % 2 == 0)
    yield from ['"\\u00e9\\ud83d\\ude00\\n\\/"', "[1,-2,0.5,1e3,9007199254740991]", "[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]", '{"a":1,"\\u0061":2}',
                "01", "1e400", '"\\u0000"', '"\ud83d"', "nul", "{} x", "[1,]", '{"a"}', "\ufeff{}"]


PATH_WORDS = {"{game}": "abcdefghijklmnopqrstuvwxyz", "{seat}": "1", "{ply}": "0", "{variant}": "iuvo-2", "{slug}": "no-such-game",
              "{offer}": "abcdefghijklmnopqrstuvwxyz", "{player}": "abcdefghijklmnopqrstuvwxyz"}


def fill(path, words):
    return re.sub(r"\{\w+\}", lambda variable: words[variable[0]], path)


def operations():
    for path, item in contract()["paths"].items():
        for method, node in item.items():
            if method != "parameters":
                yield method.upper(), path, node


def target():
    for _, path, _ in operations():
        yield fill(path, PATH_WORDS)
    yield from ["/v1/games?variant=iuvo-2&status=active&name=Ada+B%c3%a9&limit=5", "/v1/%67ames", "http://host:1/v1/me?x", "/a%2Fb", "/a%00",
                "/%ff", "*", "//", "/v1/games/?&&=&=x&a==b", "/x/v1/games", "/v1/games?cursor=%2F%2f&" + "a=b&" * 20]


def header():
    yield from ["application/json", "text/event-stream;q=0.5, */*;q=0.1", "application/json; charset=\"utf-8\"", "image/*, text/plain;q=0",
                "wait=25, return=minimal", "respond-async; x=\"a,b\", wait=\"5\"", '"12-s1-json", W/"7"', "*", '"12-s1-json-r"', '"',
                "2026-01-02T03:04:05.678Z", "1969-12-31T23:59:60+14:00", "18446744073709551615", "0", "007", "Zo\u00eb \u202e \U0001f600"]


def forwarded():
    for trusted in ("127.0.0.1,10.0.0.0/8,2001:db8::/32,unix", "::1", "10.0.0.1/8", ",".join(["192.0.2.1"] * 33)):
        yield trusted + "\n198.51.100.7, 10.1.2.3, 127.0.0.1\n10.0.0.2:8080, [2001:db8::1]:_port,2001:db8::2\n"
        yield trusted + '\nfor=192.0.2.60;proto=http;by=203.0.113.43\nFor="[2001:db8:cafe::17]:4711", for=unknown;host="a\\"b", for=_hidden;;\n'
        yield trusted + '\nfor=10.0.0.1;for=10.0.0.2\nfor="1.2.3.4\n, ,\tfor = 1.2.3.4\n::ffff:1.2.3.4\n0.0.0.0, 224.0.0.1, ::\n'


def engine():
    yield "uci\nisready\nhelp\n"
    for start in STARTS.values():
        yield f"position {start}\nshow\nmoves\ngo nodes 500 lines 3\nstop\nquit\n"
    yield "position iuvo-2 moves a1-b3 a7-b5\ngo depth 2 seed 7\ngo level 1\nstop\nshow\n"
    yield "position halma-2\ngo movetime 1\nnonsense\nposition x y\ngo infinite\nmoves\n"
    case = next(case for case in vectors("cases") if case["outcome"])
    yield f"position {case['start']} moves {' '.join(step for step in case['steps'] if ':' not in step)}\nshow\ngo\n"


CALL_WORDS = {**PATH_WORDS, "{game}": "$g", "{offer}": "$o", "{player}": "$p"}


def request(line, body=None, *headers):
    lines = [line, *headers]
    if body is not None:
        lines += ["Content-Type: application/json", "", body if isinstance(body, str) else json.dumps(body)]
    return "\n".join(lines)


def script(*requests):
    return "\n.\n".join(requests)


def by(letter):
    return f"Authorization: Bearer ${letter}"


def call():
    create = request("POST /v1/games", {"variant": "iuvo-2", "clock": {"per_move_seconds": 3600}})
    played = [create, request("POST /v1/games/$g/moves", {"move": "a1-b3", "expected_ply": 0}, by("1")),
              request("POST /v1/games/$g/moves", {"move": "a7-b5"}, by("2"))]
    for method, path, _ in operations():
        yield script(*played, request(f"{method} {fill(path, CALL_WORDS)}", "{}" if method in ("POST", "PUT", "PATCH") else None, by("1")))
    for kind in ("draw", "takeback", "pause", "resume", "handover"):
        offer = {"kind": kind, **({"ply": 1} if kind == "takeback" else {})}
        yield script(*played, request("POST /v1/games/$g/offers", offer, by("1")), request("PUT /v1/games/$g/offers/$o", {"accept": True}, by("2")),
                     request("GET /v1/games/$g/events?after=2", None, "Accept: text/event-stream"), request("DELETE /v1/games/$g/offers/$o", None, by("1")))
    yield script(request("POST /v1/players", {"name": "Ada"}), request("POST /v1/games", {"variant": "iuvo-4", "seats": [{"name": "Ada"}, {"open": True}, {"engine": {"level": 1}}, {"name": "Bo"}]}, by("k")),
                 request("POST /v1/games/$g/seats/2", {"name": "Cy"}), request("GET /v1/me/games?needs_action=true", None, by("k")), request("GET /v1/me/events?after=0", None, by("k")),
                 request("DELETE /v1/me", None, by("k")))
    yield script(*played, request("GET /v1/games/$g +7200"), request("POST /v1/games/$g/claims", {}, by("1")), request("POST /v1/games/$g/rematch", {}, by("2")), request("GET /v1/games/$g"))
    yield script(request("POST /v1/games", {"variant": "halma-2", "clock": {"initial_seconds": 600, "increment_seconds": 5, "on_timeout": "claim"}}, "Idempotency-Key: abcdefghijklmnopqrstuvwxyz"),
                 request("POST /v1/games", {"variant": "halma-2", "clock": {"initial_seconds": 600, "increment_seconds": 5, "on_timeout": "claim"}}, "Idempotency-Key: abcdefghijklmnopqrstuvwxyz"),
                 request("POST /v1/games/$g/moves?dry_run=true", {"move": "m3-k5"}, by("1")), request("POST /v1/games/$g/moves", {"move": "m3-k5"}, by("1"), "If-Match: $e", "Prefer: return=minimal"),
                 request("POST /v1/games/$g/claims +900", None, by("1")), request("GET /v1/games/$g/record", None, "Accept: text/plain"))
    yield script(create, request("GET /v1/games?limit=1"), create, request("GET /v1/games?limit=1"), request("GET $n"), request("GET /v1/games?variant=iuvo-2&status=active&turn=1"))
    yield script(request("POST /v1/analysis", {"variant": "iuvo-2", "moves": ["a1-b3"], "engine": {"nodes": 10, "lines": 2}}), create,
                 request("GET /v1/games/$g/hint?nodes=10&lines=3"), *played[1:], request("GET /v1/games/$g/analysis?nodes=500&limit=1"), request("GET $n"))
    yield script("POST /v1/records?visibility=public\nContent-Type: text/plain\n\n" + record_lines("iuvo-2", STARTS["iuvo-2"], ["a1-b3"], ["1 seat 1 resigned"], "seat 2 wins, resigned"), request("GET /v1/games/$g/record"))
    for variant in ("board", "board.svg", "board.txt"):
        yield script(*played, request(f"GET /v1/games/$g/{variant}?ply=1&seat=2&legal_from=a1", None, "Accept: image/svg+xml, text/plain;q=0.5"))
    yield script(*played, request("POST /v1/games/$g/resignation", {"seat": 1}, by("c")), request("GET /v1/games/$g", None, by("1"), "If-None-Match: $e"), request("OPTIONS /v1/games/$g"), request("HEAD /base/v1/games/$g"))


TARGETS = {"position": position, "move": move, "record": record, "import": import_, "json": json_, "target": target, "header": header,
           "forwarded": forwarded, "engine": engine, "call": call}


def main():
    folder = pathlib.Path(sys.argv[1])
    for name, make in TARGETS.items():
        (folder / name).mkdir(parents=True, exist_ok=True)
        for number, text in enumerate(make()):
            (folder / name / f"seed-{number:03}").write_bytes(text.encode("utf-8", "surrogatepass"))


if __name__ == "__main__":
    main()
