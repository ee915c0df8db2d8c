"""What the service knows of a game that a generated client says it has played."""

import json

import httpx


def assert_two_deals(url: str, told: str) -> None:
    """Fail unless the game that a player tells of has been played to its end, two deals long."""
    said = json.loads(told)
    game = httpx.get(f"{url}/v1/games/{said['game']}").raise_for_status().json()
    assert game["status"] == "finished"
    assert game["result"]["reason"] == "score"
    assert [deal["deal"] for deal in game["deals"]] == [1, 2]
    assert (said["deals"], said["plies"]) == (2, game["ply"])
