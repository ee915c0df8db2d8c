"""What a Prometheus would read off a page of metrics."""

from collections.abc import Iterator, Mapping

import httpx
from prometheus_client.parser import text_string_to_metric_families

Labels = Mapping[str, str]


class Readings:
    """The series of a page. Call it for what they come to: `readings("name", label="value")`."""

    def __init__(self, page: str) -> None:
        self.page = page
        self._series = [
            (sample.name, sample.labels, sample.value)
            for family in text_string_to_metric_families(page)
            for sample in family.samples
        ]

    def __call__(self, name: str, **labels: str) -> float:
        """The sum of all series of this name that have these labels; there must be one."""
        found = [
            value
            for other, has, value in self._series
            if other == name and labels.items() <= has.items()
        ]
        assert found, f"no series {name} with {labels}"
        return sum(found)

    def __iter__(self) -> Iterator[tuple[str, Labels]]:
        return ((name, labels) for name, labels, _ in self._series)


async def readings(http: httpx.AsyncClient) -> Readings:
    """What the service has counted up to now."""
    answer = await http.get("/metrics")
    assert answer.status_code == 200, answer.text
    return Readings(answer.text)
