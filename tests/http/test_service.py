"""What the service says of itself: /, health, version, variants, problems."""

from contract import contract
from daemon import run
from test_contract import FAULTS, VERDICTS

START = {
    "iuvo-2": "iuvo-2 B1B1B1B/7/o1o1o1o/7/o1o1o1o/7/A1A1A1A 1 - -",
    "iuvo-4": "iuvo-4 q1C1C1r/7/B1o1o1D/7/B1o1o1D/7/p1A1A1s 1 - -",
    "halma-2": "halma-2 BBBBB11/BBBBB11/BBBB12/BBB13/BB14/16/16/16/16/16/16/14AA/13AAA/12AAAA/11AAAAA/11AAAAA 1 - -",
}
START |= {f"{variant}-loose": START[variant].replace(variant, f"{variant}-loose") for variant in ("iuvo-2", "iuvo-4")}


def test_every_link_of_the_service_leads_somewhere(client):
    service = client.get("/").value
    token = client.post("/v1/players", json={"name": "Ada"}).value["token"]
    for name, path in service["links"].items():
        method = "POST" if name in ("players", "records", "analysis") else "GET"
        assert client.request(method, path, token=token).status_code in ((200,) if method == "GET" else (400, 415)), name
    assert {"players", "me", "my_games", "my_events"} <= set(service["links"])
    assert client.get(service["links"]["self"]).value == service


def test_it_is_alive_and_ready(client):
    assert client.get("/healthz").value == {"status": "ok"}
    assert client.get("/readyz").value == {"status": "ready"}


def test_versions_agree(client):
    version = client.get("/version").value
    assert client.get("/").value["version"] == version["version"]
    assert run("--version").stdout.split() == ["iuvod", version["version"]]


def test_variants(client):
    variants = client.get("/v1/variants").value["variants"]
    assert [variant["id"] for variant in variants] == list(contract.components["schemas"]["VariantId"]["enum"])
    for variant in variants:
        assert client.get(variant["links"]["self"]).value == variant
        assert variant["start"] == START[variant["id"]]
        assert [target["seat"] for target in variant["targets"]] == list(range(1, variant["seats"] + 1))
        assert (variant["files"], variant["ranks"]) == ((16, 16) if variant["id"] == "halma-2" else (7, 7))


def test_targets_are_across_the_board(client):
    def targets(variant):
        return {target["seat"]: target["cells"] for target in client.get(f"/v1/variants/{variant}").value["targets"]}

    south, north = ["a1", "c1", "e1", "g1"], ["a7", "c7", "e7", "g7"]
    west, east = ["a1", "a3", "a5", "a7"], ["g1", "g3", "g5", "g7"]
    assert targets("iuvo-2") == targets("iuvo-2-loose") == {1: north, 2: south}
    assert targets("iuvo-4") == targets("iuvo-4-loose") == {1: north, 2: east, 3: south, 4: west}
    halma = targets("halma-2")
    assert halma[1][:5] == ["a12", "a13", "a14", "a15", "a16"] and halma[1][-1] == "e16" and len(halma[1]) == 19
    assert halma[2][0] == "l1" and halma[2][-5:] == ["p1", "p2", "p3", "p4", "p5"] and len(halma[2]) == 19


def test_refusals_name_the_rules_of_the_variant(client):
    def rules(variant):
        return {refusal["code"]: refusal["rule"] for refusal in client.get(f"/v1/variants/{variant}").value["refusals"]}

    assert rules("iuvo-2")["breaks-group"] == "I9" and rules("iuvo-2-loose")["breaks-group"] == "I9L"
    assert rules("halma-2")["leaves-camp"] == "H6" and "breaks-group" not in rules("halma-2")
    assert "leaves-camp" not in rules("iuvo-4")
    for variant in START:
        order = list(rules(variant))
        assert order == [code for code in VERDICTS if code in order]


def test_problems_are_those_of_the_tables(client):
    problems = client.get("/problems").value["problems"]
    assert [problem["code"] for problem in problems] == [slug for _, slug, _ in FAULTS] + VERDICTS
    for status, slug, title in FAULTS:
        problem = next(problem for problem in problems if problem["code"] == slug)
        assert (problem["status"], problem["title"], problem["rules"]) == (int(status), title, [])
        assert problem["advice"]
    for problem in problems:
        assert client.get(problem["type"]).value == problem
        assert (problem["rules"] != []) == (problem["code"] in VERDICTS)


def test_what_is_not_there(client):
    for path, code in (("/problems/nothing", "no-such-problem"), ("/v1/variants/chess", "no-such-variant"), ("/v1/variants/IUVO-2", "no-such-variant")):
        reply = client.get(path)
        assert (reply.status_code, reply.value["code"]) == (404, code)
