"""GET /v1/games: order, pages, filters."""

import itertools
import re
import urllib.parse

import pytest

from client import problem


def pages(client, path):
    """All entries of a list, page by page."""
    while path:
        page = client.get(path)
        link = re.fullmatch(r'<([^>]*)>; rel="next"', page.headers.get("Link", ""))
        assert (link and link[1]) == page.value["next"]
        yield page.value["games"]
        path = page.value["next"]


def names(prefix, count):
    return [f"{prefix}-{number}" for number in range(count)]


@pytest.fixture(scope="module")
def games(client):
    """Games of one name, so that other tests' games do not disturb: newest first."""
    tables = []
    for number in range(25):
        variant = ("iuvo-2", "halma-2", "iuvo-4")[number % 3]
        table = client.create(variant, seats=[{"name": "Lister"}] + [{"name": "Other"}] * (3 if variant == "iuvo-4" else 1))
        if number % 5 == 0:
            table.resign(1)
        tables.append(table)
    return [table.id for table in reversed(tables)]


def test_newest_first(client, games):
    found = client.get("/v1/games?limit=100").value["games"]
    created = [game["created_at"] for game in found]
    assert created == sorted(created, reverse=True)
    assert [game["id"] for game in found if game["seats"][0]["name"] == "Lister"] == games


def test_an_entry_is_the_game_without_its_details(client, games):
    entry = client.get("/v1/games?name=Lister&limit=1").value["games"][0]
    game = client.get(f"/v1/games/{entry['id']}").value
    assert entry == {key: game[key] for key in entry}


@pytest.mark.parametrize("limit", [1, 7, 24, 25, 26, 100])
def test_pages(client, games, limit):
    found = [[game["id"] for game in page] for page in pages(client, f"/v1/games?name=Lister&limit={limit}")]
    assert list(itertools.chain(*found)) == games
    assert all(len(page) == limit for page in found[:-1]) and 1 <= len(found[-1]) <= limit


def test_the_default_page_has_20(client, games):
    assert len(client.get("/v1/games").value["games"]) == 20


def test_pages_stay_while_games_change(client, games):
    page = client.get("/v1/games?name=Lister&limit=10").value
    fresh = client.create(seats=[{"name": "Lister"}, {}])
    client.request("GET", f"/v1/games/{games[15]}")
    rest = [game["id"] for part in pages(client, page["next"]) for game in part]
    assert [game["id"] for game in page["games"]] + rest == games
    assert next(pages(client, "/v1/games?name=Lister"))[0]["id"] == fresh.id
    games.insert(0, fresh.id)


@pytest.mark.parametrize("query, fits", [
    ("variant=halma-2", lambda game: game["variant"] == "halma-2"),
    ("status=finished", lambda game: game["status"] == "finished"),
    ("status=active", lambda game: game["status"] == "active"),
    ("variant=iuvo-2&status=finished", lambda game: (game["variant"], game["status"]) == ("iuvo-2", "finished"))])
def test_filters(client, games, query, fits):
    everything = [game for page in pages(client, "/v1/games?limit=100") for game in page]
    found = [game for page in pages(client, f"/v1/games?limit=100&{query}") for game in page]
    assert found == [game for game in everything if fits(game)] and found


def combinations(client):
    return problem(client.get("/v1/games?" + "&".join(f"{name}={value}" for name, value in VALUES.items())), 400, "unsupported-filters")["combinations"]


VALUES = {"variant": "iuvo-2", "status": "active", "turn": "1", "name": "Lister", "updated_since": "2000-01-01T00:00:00Z"}


def test_each_combination_is_served_or_refused_as_it_says(client, games):
    served = {frozenset(re.findall(r"[a-z_]+", combination)) for combination in combinations(client)}
    everything = [game for page in pages(client, "/v1/games?limit=100") for game in page]
    fits = {"variant": lambda game: game["variant"] == "iuvo-2", "status": lambda game: game["status"] == "active", "turn": lambda game: game["turn"] == 1,
            "name": lambda game: "Lister" in [seat["name"] for seat in game["seats"]], "updated_since": lambda game: True}
    count = 0
    for size in range(1, len(VALUES) + 1):
        for chosen in itertools.combinations(VALUES, size):
            path = "/v1/games?limit=100&" + "&".join(f"{name}={VALUES[name]}" for name in chosen)
            if frozenset(chosen) not in served:
                problem(client.get(path), 400, "unsupported-filters")
                continue
            count += 1
            want = [game["id"] for game in everything if all(fits[name](game) for name in chosen)]
            found = [game["id"] for page in pages(client, path) for game in page]
            assert sorted(found) == sorted(want), chosen
            if "updated_since" not in chosen:
                assert found == want, chosen
    assert count >= 5 and {"name", "variant", "status", "updated_since"} <= {next(iter(one)) for one in served if len(one) == 1}


def test_a_name_is_whole_and_any_seat_is_asked(client):
    name = "Zoë & Co/50%+1"
    first = client.create(seats=[{"name": name}, {"name": name}])
    second = client.create(seats=[{}, {"name": name}])
    quoted = urllib.parse.quote(name, safe="")
    assert [game["id"] for game in client.get(f"/v1/games?name={quoted}").value["games"]] == [second.id, first.id]
    assert client.get("/v1/games?name=Zo%C3%AB").value["games"] == []


def test_updated_since_is_by_time_of_change(client):
    tables = [client.create(seats=[{"name": "Mover"}, {}]) for _ in range(3)]
    since = tables[0].game["created_at"]
    tables[0].play("a1-b3")
    found = [game for page in pages(client, f"/v1/games?updated_since={since}&limit=2") for game in page]
    assert [game["updated_at"] for game in found] == sorted(game["updated_at"] for game in found)
    assert [game["id"] for game in found if game["seats"][0]["name"] == "Mover"] == [tables[1].id, tables[2].id, tables[0].id]
    last = tables[0].get().value["updated_at"]
    assert tables[0].id in [game["id"] for game in client.get(f"/v1/games?updated_since={last}").value["games"]]
    # An offset is read too; the plus sign must be escaped, since it is a blank.
    assert client.get("/v1/games?updated_since=2001-01-01T01:00:00%2B01:00").status_code == 200


@pytest.mark.parametrize("query", ["limit=0", "limit=101", "limit=-1", "limit=x", "limit=", "limit=1.5", "limit=99999999999999999999", "limit=+1", "variant=chess", "variant=", "status=over",
                                   "turn=0", "turn=5", "turn=x", "name=", "name=" + "x" * 65, "updated_since=yesterday", "updated_since=2026-13-01T00:00:00Z", "updated_since=2026-02-30T00:00:00Z"])
def test_values_that_are_not_allowed(client, query):
    assert problem(client.get(f"/v1/games?{query}"), 400, "invalid-parameter")["parameter"] == query.split("=")[0]


def test_cursors_are_not_to_be_made_up(client, games):
    for cursor in ("x", "0", "a" * 100, "%20", "MTIz"):
        problem(client.get(f"/v1/games?cursor={cursor}"), 400, "invalid-cursor")
    after = client.get("/v1/games?name=Lister&limit=2").value["next"]
    cursor = urllib.parse.parse_qs(urllib.parse.urlsplit(after).query)["cursor"][0]
    # It belongs to its filters.
    problem(client.get(f"/v1/games?status=finished&cursor={urllib.parse.quote(cursor, safe='')}"), 400, "invalid-cursor")
    problem(client.get(f"/v1/games?cursor={urllib.parse.quote(cursor, safe='')[:-1]}"), 400, "invalid-cursor")
