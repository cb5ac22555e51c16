"""The contract itself: sound, complete, and of one mind with the tables in C."""

import functools
import itertools
import json
import re

import jsonschema
import pytest

from contract import SOURCE, Broken, Contract, contract, problem_codes
from schema import errors

FAULTS = re.findall(r'F\(FAULT_\w+, (\d+), "([a-z-]+)", "([^"]+)"', (SOURCE / "src/base/fault.h").read_text())
VERDICTS = [slug for slug in re.findall(r'V\(VERDICT_\w+,\s+"([a-z-]+)"', (SOURCE / "src/engine/verdict.h").read_text()) if slug != "legal"]
VARIANTS = re.findall(r'V\(VARIANT_\w+,\s+"([a-z0-9-]+)"', (SOURCE / "src/engine/variant.h").read_text())
REASONS = [word for word in re.findall(r'R\(REASON_\w+,\s+"([a-z]+)"', (SOURCE / "src/engine/reason.h").read_text()) if word != "none"]
LIMITS = {name: eval(value) for name, value in re.findall(r"(LIMIT_\w+) = ([0-9* ]+)", (SOURCE / "src/base/limits.h").read_text())}
SCHEMAS = contract.components["schemas"]


def nodes(node, path=""):
    if isinstance(node, dict):
        yield path, node
    for key, child in node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ():
        yield from nodes(child, f"{path}/{key}")


def test_problem_codes_are_those_of_the_tables():
    assert len(FAULTS) > 30 and len(VERDICTS) > 15
    assert SCHEMAS["ProblemCode"]["enum"] == [slug for _, slug, _ in FAULTS] + VERDICTS


def test_each_code_is_declared_with_its_status():
    status_of = {slug: status for status, slug, _ in FAULTS} | dict.fromkeys(VERDICTS, "409")
    used = set()
    for operation in contract.operations:
        for status, response in operation.responses.items():
            for code in problem_codes(response):
                assert status_of[code] == status, (operation, code)
                used.add(code)
    for kind in ("404", "405"):
        used.update(problem_codes(contract.other[kind]))
    assert used == set(status_of)


def test_enums_are_those_of_the_tables():
    assert SCHEMAS["VariantId"]["enum"] == VARIANTS
    assert SCHEMAS["Reason"]["enum"] == REASONS
    assert SCHEMAS["Refusal"]["properties"]["code"]["enum"] == VERDICTS


def test_limits_are_those_of_the_table():
    assert SCHEMAS["Name"]["maxLength"] == LIMITS["LIMIT_NAME"]
    assert SCHEMAS["Games"]["properties"]["games"]["maxItems"] == LIMITS["LIMIT_PAGE"]
    tags = SCHEMAS["Record"]["properties"]["tags"]
    assert (tags["maxProperties"], tags["propertyNames"]["maxLength"], tags["additionalProperties"]["maxLength"]) == \
        (LIMITS["LIMIT_TAGS"], LIMITS["LIMIT_TAG_NAME"], LIMITS["LIMIT_TAG_VALUE"])
    request, analysis, record = (SCHEMAS[name]["properties"] for name in ("GameRequest", "AnalysisRequest", "RecordRequest"))
    assert {place["maxLength"] for place in (request["position"], analysis["position"], record["start"])} == {LIMITS["LIMIT_POSITION_TEXT"]}
    assert SCHEMAS["MoveInput"]["maxLength"] == LIMITS["LIMIT_MOVE_TEXT"]
    assert {nodes["maximum"] for nodes in (analysis["engine"]["properties"]["nodes"], contract.components["parameters"]["EngineNodes"]["schema"])} == {LIMITS["LIMIT_ENGINE_NODES"]}
    assert {place["properties"]["level"]["maximum"] for place in (SCHEMAS["SeatRequest"]["properties"]["engine"], analysis["engine"])} == {LIMITS["LIMIT_ENGINE_LEVELS"]}
    _, _, per_move, budget = (kind.get("properties", {}) for kind in SCHEMAS["ClockRequest"]["oneOf"])
    for seconds in (per_move["per_move_seconds"], budget["initial_seconds"]):
        assert (seconds["minimum"], seconds["maximum"]) == (LIMITS["LIMIT_CLOCK_SECONDS_LEAST"], LIMITS["LIMIT_CLOCK_SECONDS"])
    assert budget["increment_seconds"]["maximum"] == LIMITS["LIMIT_CLOCK_INCREMENT"]
    events = contract.components["parameters"]["EventLimit"]
    assert events["schema"]["maximum"] == SCHEMAS["Events"]["properties"]["events"]["maxItems"] == LIMITS["LIMIT_EVENTS"]
    assert events["description"].endswith(f"left out, {LIMITS['LIMIT_EVENTS_DEFAULT']}.")
    assert contract.components["parameters"]["Limit"]["description"].endswith(f"left out, {LIMITS['LIMIT_PAGE_DEFAULT']}.")
    assert SCHEMAS["Problem"]["properties"]["errors"]["maxItems"] == LIMITS["LIMIT_JSON_ERRORS"]
    key = contract.components["parameters"]["IdempotencyKey"]
    assert key["schema"]["maxLength"] == LIMITS["LIMIT_KEY"] and f"{LIMITS['LIMIT_KEY_ALONE']} characters" in key["description"]
    assert f"{LIMITS['LIMIT_KEPT_MS'] // 3600000} hours" in key["description"]
    text = contract.raw["info"]["description"]
    assert f"at most {LIMITS['LIMIT_JSON_DEPTH']} levels" in text
    assert f"{LIMITS['LIMIT_BODY'] // 1024} KiB" in text and f"{LIMITS['LIMIT_BODY_RECORD'] // 1024} KiB" in text


def test_every_object_is_closed():
    for path, node in nodes(contract.raw["components"]["schemas"]):
        if node.get("type") == "object" and "/examples/" not in path:
            assert "additionalProperties" in node, path


def test_every_schema_is_sound_and_its_examples_fit():
    count = 0
    for name in SCHEMAS:
        validator = contract.schema(name)
        validator.check_schema(validator.schema)
        for example in validator.schema.get("examples", []):
            validator.validate(example)
            count += 1
    for _, node in nodes(contract.items):
        for example in node.get("examples", {}).values() if "schema" in node and isinstance(node.get("examples"), dict) else ():
            jsonschema.Draft202012Validator(node["schema"]).validate(example["value"])
            count += 1
    assert count > 20


def test_every_component_is_used():
    text = json.dumps(contract.raw)
    for kind in ("schemas", "parameters", "headers", "responses"):
        for name in contract.raw["components"][kind]:
            assert f'"#/components/{kind}/{name}"' in text, name


def test_every_operation_is_described():
    ids = [operation.id for operation in contract.operations]
    assert len(ids) == len(set(ids))
    tags = {tag["name"] for tag in contract.raw["tags"]}
    for operation in contract.operations:
        assert operation.node["summary"] and set(operation.node["tags"]) <= tags
        assert operation.node["description"]
        named = {parameter["name"] for parameter in operation.parameters if parameter["in"] == "path"}
        assert named == set(re.findall(r"\{(\w+)\}", operation.path)), operation


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_it_is_served(client, method):
    reply = client.request(method, "/openapi.json")
    assert reply.status_code == 200
    if method == "GET":
        assert reply.value == contract.raw
        assert reply.content == (SOURCE / "openapi" / "openapi.json").read_bytes()


GOOD_HEADERS = {"Content-Type": "application/json", "Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "ETag", "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"}
HEALTHY = b'{"status":"ok"}\n'


@pytest.fixture(scope="module")
def own():
    """A contract apart, so that nothing counts as seen."""
    return Contract()


@pytest.mark.parametrize("spoil", [
    {"status": 201}, {"body": b'{"status":"ok"}'}, {"body": b'{"status":"ok","more":1}\n'}, {"body": b'{"status":"ill"}\n'}, {"body": b'{"status":"ok","status":"ok"}\n'}, {"body": b"[]\n"}, {"body": b'{"status":1.0}\n'},
    {"headers": {"Content-Type": "text/html"}}, {"headers": {"Content-Type": "application/json; charset=latin-1"}}, {"headers": {"Content-Length": "3"}}, {"headers": {"Server": "x"}}, {"headers": {"Access-Control-Allow-Origin": "null"}},
    {"without": "Cache-Control"}, {"without": "Access-Control-Allow-Origin"}, {"without": "X-Content-Type-Options"}, {"target": "/healthzz"}, {"method": "POST"}, {"method": "OPTIONS"}, {"method": "HEAD"}])
def test_the_check_of_replies_finds_faults(own, spoil):
    own.seen.clear()
    good = {"method": "GET", "target": "/healthz", "status": 200, "headers": GOOD_HEADERS, "body": HEALTHY}
    assert own.check_reply(**good) == {"status": "ok"} and own.seen == {("get_health", "200", None)}
    bad = {**good, **{key: value for key, value in spoil.items() if key not in ("headers", "without")}}
    bad["headers"] = {name: value for name, value in {**GOOD_HEADERS, **spoil.get("headers", {})}.items() if name != spoil.get("without")}
    with pytest.raises(Broken):
        own.check_reply(**bad)


def spoiled(value, wrong):
    """The value with one piece after another replaced by something else, or gone."""
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        with_other = value.copy()
        with_other[key] = next(wrong)
        yield with_other
        del with_other[key]
        yield with_other
        for inside in spoiled(value[key], wrong):
            with_other = value.copy()
            with_other[key] = inside
            yield with_other


def test_what_is_asked_once_is_answered_as_ever():
    """What has had no fault is not looked at again: with the same findings as if it were."""
    wrong, count = itertools.cycle([True, 1, 0, "1", None, [], {}, -1, "x" * 200]), 0
    for name, schema in SCHEMAS.items():
        truth = contract.schema(name)
        for example in schema.get("examples", []):
            for value in itertools.islice(spoiled(example, wrong), 0, None, 3):
                asked = [[(error.json_path, error.message) for error in find(value)] for find in (truth.iter_errors, *[functools.partial(errors, schema)] * 2)]
                assert asked[0] == asked[1] == asked[2], (name, value)
                count += bool(asked[0])
    assert count > 100
