"""The contract as the tests read it: openapi/openapi.json, and what a reply must be to keep it.

Every reply that a test receives goes through `check_reply`, whoever sent the
request: the client of client.py does so by itself, tests that write to a
socket of their own call it.  It notes which replies were seen, so that the
suite can fail on a declared reply that never occurs.
"""

import functools
import json
import os
import pathlib

import jsonschema

import issued
from schema import errors

SOURCE = pathlib.Path(os.environ.get("IUVOD_SOURCE", pathlib.Path(__file__).resolve().parents[2]))

# Headers that belong to the connection or the body and are declared nowhere.
TRANSPORT = {"date", "connection", "keep-alive", "content-length", "content-type", "transfer-encoding"}

# What may come before the route is looked at, so on paths that are not in the contract too.
BEFORE_ROUTE = {"malformed-target": 400, "ambiguous-request": 400, "target-too-long": 414}


# Only when a deadline passes between the sweep and the call in one transaction: from outside that
# cannot be brought about.  tests/http/test_lane.c and tests/play bring it about with times of their own.
BY_CHANCE = {"time-is-up"}


class Broken(AssertionError):
    """A reply that the contract does not declare."""


def strict_json(body):
    """Reads JSON as a strict client does: UTF-8, no duplicate names, integers alone."""

    def members(pairs):
        names = [name for name, _ in pairs]
        if len(names) != len(set(names)):
            raise Broken(f"a name stands twice: {names}")
        return dict(pairs)

    def refuse(text):
        raise Broken(f"a number that is no integer: {text}")

    return json.loads(body.decode("utf-8"), object_pairs_hook=members, parse_float=refuse, parse_constant=refuse)


def read_stream(media_type, body):
    """The events of a stream, which may have been cut off anywhere."""
    text = body.decode("utf-8", "replace")
    if media_type == "application/x-ndjson":
        return [strict_json(line.encode()) for line in text[:text.rfind("\n") + 1].split("\n") if line]
    events = []
    for block in text[:text.rfind("\n\n") + 1].split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.split("\n") if line and not line.startswith(":"))
        if "data" not in fields:
            continue
        event = strict_json(fields["data"].encode())
        if (fields["id"], fields["event"]) != (str(event["seq"]), event["type"]):
            raise Broken(f"id and event of {block}")
        events.append(event)
    return events


class Operation:
    """A method of a path."""

    def __init__(self, path, method, item, node):
        self.path, self.method, self.node = path, method, node
        self.id = node["operationId"]
        self.admin = "servers" in node  # where --admin-listen says, and nowhere else
        self.responses = node["responses"]
        self.parameters = item.get("parameters", []) + node.get("parameters", [])
        self.body = node.get("requestBody", {"content": {}})["content"]

    def queries(self):
        return [parameter for parameter in self.parameters if parameter["in"] == "query"]

    def codes(self, status):
        """The problem codes declared for a status."""
        return problem_codes(self.responses.get(str(status), {}))

    def __repr__(self):
        return f"{self.method} {self.path}"


def problem_codes(response):
    content = response.get("content", {}).get("application/problem+json")
    if content is None:
        return []
    parts = [part["properties"] for part in content["schema"]["allOf"] if "properties" in part]
    return next(part["code"]["enum"] for part in parts if "const" in part.get("status", {}))


class Contract:
    def __init__(self, path=SOURCE / "openapi" / "openapi.json"):
        self.raw = json.loads(path.read_text(encoding="utf-8"))
        self._resolved = {}  # by name: one object, wherever it is referred to
        whole = self._resolve(self.raw)
        self.components = whole["components"]
        self.everywhere = whole["x-headers-on-every-reply"]
        self.counted = whole["x-headers-where-429-is"]
        self.other = whole["x-other-replies"]
        self.items = whole["paths"]
        self.operations = [Operation(path, method.upper(), item, node) for path, item in self.items.items()
                           for method, node in item.items() if method != "parameters"]
        self.by_id = {operation.id: operation for operation in self.operations}
        self.seen = set()

    def _resolve(self, node, into=()):
        """Puts what a $ref names in its place; the contract has no cycle."""
        if isinstance(node, list):
            return [self._resolve(entry, into) for entry in node]
        if not isinstance(node, dict):
            return node
        if "$ref" in node:
            name = node["$ref"]
            assert name not in into, f"{name} refers to itself"
            if name not in self._resolved:
                target = functools.reduce(lambda at, key: at[key], name.removeprefix("#/").split("/"), self.raw)
                self._resolved[name] = self._resolve(target, (*into, name))
            siblings = {key: value for key, value in node.items() if key != "$ref"}
            return {**self._resolved[name], **siblings} if siblings else self._resolved[name]
        return {key: self._resolve(value, into) for key, value in node.items()}

    @functools.lru_cache(maxsize=None)
    def schema(self, name):
        return jsonschema.Draft202012Validator(self.components["schemas"][name])

    def _body_schema(self, place, status, media_type):
        response = self.other[status] if place is None else self.by_id[place].responses[status]
        return response["content"][media_type]["schema"]

    def match(self, target):
        """The path of the contract that a request target is at, or None."""
        parts = target.split("?")[0].split("/")
        for path in sorted(self.items, key=lambda path: path.count("{")):
            template = path.split("/")
            if len(template) == len(parts) and all(
                    want == have or (want.startswith("{") and have) for want, have in zip(template, parts)):
                return path
        return None

    def is_admin(self, target):
        """Whether a target is the operator's, on listeners of his own."""
        path = self.match(target)
        return path is not None and any(operation.admin for operation in self.operations if operation.path == path)

    def methods(self, path):
        """What Allow must say at a path."""
        declared = {method.upper() for method in self.items[path] if method != "parameters"}
        return declared | {"OPTIONS"} | ({"HEAD"} if "GET" in declared else set())

    def operation(self, method, path):
        method = "GET" if method == "HEAD" else method
        return next((operation for operation in self.operations if (operation.method, operation.path) == (method, path)), None)

    def declared(self):
        """Every (operation, status, code or None) that must occur: all but what only a fault can produce."""
        for operation in self.operations:
            for status, response in operation.responses.items():
                if not response.get("x-fault"):
                    for code in problem_codes(response) or [None]:
                        if code not in BY_CHANCE:
                            yield operation.id, status, code
        for kind in ("options", "404", "405"):
            for code in problem_codes(self.other[kind]) or [None]:
                yield None, kind, code

    def unseen(self):
        return sorted(set(self.declared()) - self.seen, key=str)

    def check_reply(self, method, target, status, headers, body):
        """Raises Broken unless the contract declares this reply.

        headers: a mapping, or (name, value) pairs.  Returns the body: parsed if
        it is JSON, else its bytes, None where there is none.
        """
        pairs = list(headers.items() if hasattr(headers, "items") else headers)
        issued.check_reply(method, pairs, body)
        try:
            return self._check(method, target, int(status), pairs, body)
        except Broken as broken:
            raise Broken(f"{method} {target[:200]}: {status}: {broken}; body {body[:500]!r}") from None

    def _check(self, method, target, status, pairs, body):
        held = {}
        for name, value in pairs:
            if name.lower() in held and name.lower() != "vary":
                raise Broken(f"the header {name} stands twice")
            held[name.lower()] = f"{held[name.lower()]}, {value}" if name.lower() in held else value
        path = self.match(target)
        operation = path and self.operation(method, path)
        place, key = (operation.id, str(status)) if operation else (None, str(status))
        if operation is None:
            key, response = self._other_reply(method, path, status, held)
        elif key not in operation.responses:
            raise Broken(f"the status is not declared; there are {', '.join(operation.responses)}")
        else:
            response = operation.responses[key]
        value = self._check_body(place, key, response, method, held, body)
        self._check_headers(response, held, self.counted if operation and "429" in operation.responses else {}, self.is_admin(target))
        if status == 429 and not set(map(str.lower, self.counted)) <= set(held):
            raise Broken("it does not say how the client stands")
        code = value.get("code") if isinstance(value, dict) and status >= 400 else None
        if status < 400 or code is not None:
            self.seen.add((place, key, code))
        return value

    def _other_reply(self, method, path, status, held):
        """Where no operation is: 404, 405, or the true Allow on OPTIONS; and what comes before the route."""
        if status in BEFORE_ROUTE.values():
            operation = self.by_id["get_service"]
            return str(status), operation.responses[str(status)]
        if path is None:
            if status != 404:
                raise Broken("the path is not in the contract, so it should be 404")
            return "404", self.other["404"]
        if status != (204 if method == "OPTIONS" else 405):
            raise Broken("the path has no such method")
        allowed = {word.strip() for word in held.get("allow", "").split(",")}
        if allowed != self.methods(path):
            raise Broken(f"Allow should be {self.methods(path)}")
        key = "options" if method == "OPTIONS" else "405"
        return key, self.other[key]

    def _check_body(self, place, key, response, method, held, body):
        content = response.get("content")
        kind = held.get("content-type")
        if content is None:
            if body:
                raise Broken("a body where none is declared")
            return None
        media_type, *parameters = [part.strip().lower() for part in (kind or "").split(";")]
        if media_type not in content:
            raise Broken(f"the content type is {kind}; there are {', '.join(content)}")
        if parameters not in ([], ["charset=utf-8"], ["version=1.0.0", "charset=utf-8"][:len(parameters) if "openmetrics" in media_type else 0]):
            raise Broken(f"the content type is {kind}")
        if method == "HEAD":
            if body:
                raise Broken("a body on HEAD")
            return None
        if "content-length" in held and int(held["content-length"]) != len(body):
            raise Broken(f"Content-Length is {held['content-length']}, the body has {len(body)} bytes")
        if "x-event-schema" in content[media_type]:
            return self._check_stream(content[media_type]["x-event-schema"], media_type, body)
        json_ = media_type.endswith("json")
        value = strict_json(body) if json_ else body.decode("utf-8")
        if place is None and key in ("400", "414"):
            schema = self._body_schema("get_service", key, media_type)
        else:
            schema = self._body_schema(place, key, media_type)
        for error in errors(schema, value):
            raise Broken(f"{error.json_path}: {error.message[:300]}")
        if media_type == "application/problem+json":
            self._check_problem(value)
        if json_ and not body.endswith(b"\n"):
            raise Broken("JSON that does not end its last line")
        return value if json_ else body

    def _check_stream(self, schema, media_type, body):
        """A stream as far as it was read: its events, each as it is declared."""
        events = read_stream(media_type, body)
        for event in events:
            for error in errors(schema, event):
                raise Broken(f"{event}: {error.json_path}: {error.message[:300]}")
        return events

    def _check_problem(self, problem):
        if not problem["type"].endswith(f"/problems/{problem['code']}"):
            raise Broken(f"type {problem['type']} is not that of {problem['code']}")

    def _check_headers(self, response, held, more, admin):
        declared = {name.lower(): header for name, header in {**self.everywhere, **more, **response.get("headers", {})}.items()}
        if admin:  # it is for no page of another origin
            declared = {name: header for name, header in declared.items() if not name.startswith("access-control-")}
        for name, header in declared.items():
            if name not in held:
                if header["required"]:
                    raise Broken(f"the header {name} is missing")
                continue
            for error in errors(header["schema"], held[name]):
                raise Broken(f"the header {name}: {error.message}")
        strange = set(held) - set(declared) - TRANSPORT
        if strange:
            raise Broken(f"undeclared headers: {', '.join(sorted(strange))}")


contract = Contract()
check_reply = contract.check_reply
