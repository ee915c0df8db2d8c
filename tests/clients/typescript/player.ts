// Plays a whole game with openapi-fetch and the types that openapi-typescript makes of the contract.
//
//   npm ci && npx openapi-typescript ../../../openapi/openapi.yaml -o referee.ts
//   npx tsc && node player.js http://127.0.0.1:8000
//
// One program plays all four seats, and prints the id of the game and how it ended.

import createClient from "openapi-fetch";
import type { components, paths } from "./referee.js";

type Action = components["schemas"]["Action"];
type Problem = components["schemas"]["Problem"];
type Record = components["schemas"]["Record"];

const client = createClient<paths>({ baseUrl: process.argv[2] ?? "http://127.0.0.1:8000" });

/** Open a game, play it to its end, and fetch its record. */
async function play(): Promise<Record> {
  const players = ["north", "east", "south", "west"].map((name) => ({ name }));
  const opened = given(await client.POST("/v1/games", { body: { players } }));
  const badge = (seat: number) => ({ Authorization: `Bearer ${opened.tokens.seats[seat]}` });
  const path = { game: opened.game.id };
  let turn = opened.game.turn;
  while (turn !== null) {
    const headers = badge(turn);
    const seen = given(await client.GET("/v1/games/{game}", { params: { path }, headers }));
    const moved = given(
      await client.POST("/v1/games/{game}/moves", {
        // With its ply, a move whose answer got lost can be sent again, and is played once.
        params: { path, header: { "If-Match": `"${seen.ply}"` } },
        headers,
        body: { actions: [choice(seen.legal_actions ?? [])] },
      }),
    );
    if (!("game" in moved)) throw new Error("only a dry run is answered with a judgement");
    turn = moved.game.turn;
  }
  return given(
    await client.GET("/v1/games/{game}/record", { params: { path }, headers: badge(0) }),
  );
}

/** Lay as many cards as possible; take the first of what is left. */
function choice(legal: Action[]): Action {
  const laid = (one: Action) => ("cards" in one ? one.cards.length : 0);
  return legal.reduce((best, one) => (laid(one) > laid(best) ? one : best));
}

/** The answer that was hoped for, or an error with what the service said instead. */
function given<Answer>(answer: { data?: Answer; error?: Problem }): Answer {
  if (answer.data === undefined) throw new Error(JSON.stringify(answer.error));
  return answer.data;
}

const played = await play();
console.log(
  JSON.stringify({ game: played.game, deals: played.deals.length, plies: played.log.length }),
);
