"""Reads what GET /metrics tells: with the strict parser of python3-prometheus-client, and more strictly where that lets things pass."""

import collections
import re

from prometheus_client.openmetrics.parser import text_string_to_metric_families

from contract import SOURCE

# The table of the program: {name: (kind, unit, labels, help)}.
TABLE = {name: (kind.lower(), unit, tuple(labels.split()), text.replace('"', ""))
         for kind, name, unit, labels, text in re.findall(
             r'M\(\w+, (\w+), "(\w+)", "(\w*)", \w+, "([\w ]*)", \\\n\s+"([^"]*)"\)', (SOURCE / "src" / "base" / "metric.h").read_text(encoding="utf-8"))}


class Scrape:
    """One exposition.  `values` are its samples: {(name, ((label, value), …)): number}."""

    def __init__(self, text):
        assert text.endswith("\n# EOF\n") and text.count("# EOF") == 1 and "\n\n" not in text
        self.text = text
        self.families = list(text_string_to_metric_families(text))
        self.values = {}
        for family in self.families:
            self._check_family(family)
        assert {family.name for family in self.families} == set(TABLE) and len(self.families) == len(TABLE)

    def _check_family(self, family):
        kind, unit, labels, about = TABLE[family.name]
        assert (family.type, family.unit, family.documentation) == (kind, unit, about), family.name
        assert unit == "" or family.name.endswith(f"_{unit}")
        for sample in family.samples:
            assert sample.name == family.name + {"counter": "_total", "gauge": "", "info": "_info"}.get(kind, sample.name[len(family.name):])
            own = tuple(name for name in sample.labels if name != "le")
            assert own == labels, sample
            assert sample.value >= 0 and sample.timestamp is None, sample
            key = (sample.name, tuple(sample.labels.items()))
            assert key not in self.values, f"it stands twice: {key}"
            self.values[key] = sample.value
        if kind == "histogram":
            self._check_histograms(family)

    def _check_histograms(self, family):
        """The buckets of each are cumulative, the last is all of them and the count."""
        buckets = collections.defaultdict(list)
        for sample in family.samples:
            if sample.name.endswith("_bucket"):
                own = tuple((name, value) for name, value in sample.labels.items() if name != "le")
                buckets[own].append((float(sample.labels["le"]), sample.value))
        for own, counts in buckets.items():
            assert counts == sorted(counts) and [count for _, count in counts] == sorted(count for _, count in counts), own
            bound, last = counts[-1]
            assert bound == float("inf") and last == self.values[f"{family.name}_count", own], own

    def sums_fit(self):
        """Each sum lies where its buckets let it lie; while others count one may be ahead of the other."""
        for (name, own), total in self.values.items():
            if not name.endswith("_sum"):
                continue
            counts = [(float(dict(labels)["le"]), value) for (bucket, labels), value in self.values.items()
                      if bucket == name.removesuffix("_sum") + "_bucket" and tuple(label for label in labels if label[0] != "le") == own]
            each = [(low, high, count - before) for (low, before), (high, count) in zip([(0, 0), *counts], counts)]
            assert sum(low * times for low, _, times in each) <= total, (name, own)
            assert total <= sum(high * times for _, high, times in each if times), (name, own)
        return True

    def get(self, name, **labels):
        """The sum of the samples of a name that have these labels; 0 where there are none."""
        return sum(value for (found, own), value in self.values.items() if found == name and labels.items() <= dict(own).items())

    def series(self):
        return set(self.values)


def scrape(daemon, client):
    reply = client.get("/metrics")
    assert reply.status_code == 200
    assert reply.headers["Content-Type"] == "application/openmetrics-text; version=1.0.0; charset=utf-8"
    return Scrape(reply.text)
