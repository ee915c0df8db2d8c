"""If-Match names one ply; If-None-Match is read as generously as RFC 9110 has it."""

import pytest

from tests.service.tiny import client, tiny_app


@pytest.mark.parametrize(
    ("sent", "ply"),
    [([], None), (["*"], None), (['"0"'], 0), (['"41"'], 41), (['"999999999"'], 999_999_999)],
)
async def test_if_match_names_a_ply_or_none(sent: list[str], ply: int | None) -> None:
    async with client(tiny_app()) as http:
        answer = await http.get("/moves/m", headers=[("If-Match", value) for value in sent])
    assert answer.json()["if_match"] == ply


@pytest.mark.parametrize(
    "sent",
    [["41"], ["'41'"], ['W/"41"'], ['"41", "42"'], ['"41",'], ['"41"', '"41"'], ["*", "*"],
     ['"041"'], ['"-1"'], ['"+1"'], ['"4_1"'], ['" 41"'], ['"41 "'], ['""'], [""], ['"'], ['"41'],
     ['"abc"'], ['"1e3"'], ['"4.0"'], ["null"], ['"9999999999"'], ['"' + "1" * 400 + '"'],
     ['"٤١"']],
)  # fmt: skip
async def test_every_other_if_match_is_malformed(sent: list[str]) -> None:
    async with client(tiny_app()) as http:
        headers = [(b"If-Match", value.encode()) for value in sent]
        answer = await http.get("/moves/m", headers=headers)
    assert answer.status_code == 400
    assert answer.json()["type"] == "/problems/malformed"
    assert "If-Match" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("sent", "status"),
    [(['"41"'], 304), (['W/"41"'], 304), (["*"], 304), (['"1", W/"41" ,"3"'], 304),
     (['"a,b", "41"'], 304), (['"1"', '"41"'], 304), ([], 200), (['"40"'], 200), (['"4"'], 200),
     (["41"], 200), (['"41'], 200), (["garbage"], 200), ([""], 200), (['"41x"'], 200)],
)  # fmt: skip
async def test_a_known_state_is_not_sent_again(sent: list[str], status: int) -> None:
    async with client(tiny_app()) as http:
        headers = [("If-None-Match", value) for value in sent]
        answer = await http.get("/moves/m", headers=headers)
    assert answer.status_code == status
    assert answer.headers["ETag"] == '"41"'
