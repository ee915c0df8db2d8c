"""All kinds of requests with secrets in all kinds of places: none of them may be told again."""

from tests.service.tables import Table, bearer

SEED = "5eed" * 8
KEY = "a-key-as-secret-as-the-tokens-it-brings"


def secrets_of(table: Table) -> list[str]:
    tokens = [*table.seats, table.organiser, table.invitation]
    return [str(token) for token in tokens if token is not None]


def tails(tokens: list[str]) -> list[str]:
    """Tokens without their prefix and game: not even that part may be written."""
    return [token.rpartition("_")[2] for token in tokens]


async def everything(table: Table) -> None:
    """All kinds of requests, with secrets in all kinds of places."""
    http, token = table.http, str(table.seats[0])
    await table.sit("guest", client_seed=SEED, invitation=table.invitation)
    for who in (None, 0, 3, "organiser", "garbage", table.invitation, token + "0"):
        for tail in ("", "/log", "/score", "/record", "/legal-actions"):
            await table.ask("GET", tail, who)
        await table.send(who, "meld X1 X2 X3", at=0)
    await table.play(1, "draw_stock")
    await table.send(1, "meld QH QS JC", "discard 8D")
    await table.send(1, "discard TH", at=1)
    await table.ask("POST", "/moves", 1, {"actions": [{"type": "discard", "card": "9c"}]})
    await table.ask("POST", "/moves", 1, {token: token, "cards": ["QH"]})
    await table.ask("POST", "/moves", 1, "QH 9C", {"Idempotency-Key": KEY})
    await table.ask("GET", f"?token={token}&card=QH", 1)
    await table.ask("GET", f"/log?cursor={token}", 1)
    for path in (token, f"{token}/log", f"x/{token}", f"{table.invitation}/{table.organiser}"):
        await http.get(f"/v1/games/{path}", headers=bearer(token))
        await http.get(f"/{path}")
        await http.get(f"/v1/{path.replace('_', '%5F').replace('p', '%70')}")
    await http.get(table.path, headers=[("X-Request-Id", token)])
    await http.get(table.path, headers={"Cookie": f"t={token}", "User-Agent": token})
    await http.request("PUT", table.path, headers=bearer(token))
    await table.ask("POST", "/seats/0/token", "organiser", {})
    await table.ask("POST", "/forfeit", "organiser", {"team": "A"})
    await table.ask("GET", "/record")
