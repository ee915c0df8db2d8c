// Check shuffles: node verify_shuffle.mjs FILE, the record of a game or the vectors shuffle.json.
// Prints what it found; status 0 if all is as promised, else 1. It needs Node alone.

import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";

const hmac = (key, message) => createHmac("sha256", key).update(message).digest();
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

function* words(key) {
  const counter = Buffer.alloc(8);
  for (let block = 0n; ; block += 1n) {
    counter.writeBigUInt64BE(block);
    const bytes = hmac(key, counter);
    for (let at = 0; at < 32; at += 4) yield bytes.readUInt32BE(at);
  }
}

/** Pack `number` in order of dealing. */
function pack(secret, seeds, number, jokers) {
  const stream = words(hmac(secret, ["persian-rummy/1", ...seeds, number].join("|")));
  const cards = [..."CDHS"].flatMap((suit) => [..."23456789TJQKA"].map((rank) => rank + suit));
  cards.push(...["X1", "X2", "X3", "X4"].slice(0, jokers));
  for (let last = cards.length - 1; last > 0; last -= 1) {
    const ways = last + 1;
    const fair = Math.floor(2 ** 32 / ways) * ways; // words from here up would favour low places
    let word = stream.next().value;
    while (word >= fair) word = stream.next().value;
    [cards[last], cards[word % ways]] = [cards[word % ways], cards[last]];
  }
  return cards;
}

const keepsCommitment = (told) =>
  createHash("sha256").update(Buffer.from(told.secret, "hex")).digest("hex") === told.commitment;

function* vectorChecks(told, at) {
  const cards = pack(Buffer.from(told.secret, "hex"), told.client_seeds, told.pack, told.jokers);
  yield [`commitment of vector ${at}`, keepsCommitment(told)];
  yield [`cards of vector ${at}`, same(cards, told.cards)];
}

/** A record shows what came of its packs: the draw for teams, who was dealt what, the stock. */
function* recordChecks(told) {
  const secret = Buffer.from(told.secret, "hex");
  const { preset, options } = told.ruleset;
  const jokers = options.jokers ?? (preset === "persian" ? 4 : 0);
  const dealt = 4 * (options.hand_size ?? 7);
  yield ["commitment", keepsCommitment(told)];
  const played = [...new Set(told.log.map((one) => one.deal).filter((deal) => deal > 0))];
  yield ["deals", same(played, told.deals.map((_, at) => at + 1))];
  const drawn = (told.draw ?? []).map((one) => one.card);
  const top = pack(secret, ["", "", "", ""], 0, jokers).slice(0, drawn.length);
  yield ["draw for teams", same(drawn, top)];
  for (const [at, deal] of told.deals.entries()) {
    const cards = pack(secret, told.client_seeds, at + 1, jokers);
    const log = told.log.filter((one) => one.deal === at + 1 && one.action);
    const came = log.filter((one) => one.action.type === "draw_stock").map((one) => one.drawn);
    yield [`stock of deal ${at + 1}`, same(came, cards.slice(dealt + 1, dealt + 1 + came.length))];
    const holder = {}; // whoever plays a card first, or keeps it to the end, was dealt it or drew it
    for (const { action, seat } of log.filter((one) => one.action.type !== "draw_discard"))
      for (const card of action.cards ?? [action.card]) holder[card] ??= seat;
    deal.hands.forEach((hand, seat) => hand.forEach((card) => (holder[card] ??= seat)));
    const seats = cards.slice(0, dealt).map((_, place) => (deal.dealer + 1 + place) % 4);
    yield [`hands of deal ${at + 1}`, seats.every((seat, place) => holder[cards[place]] === seat)];
  }
}

function checksOf(told) {
  if (told.vectors) return told.vectors.flatMap((one, at) => [...vectorChecks(one, at)]);
  if (told.secret === null) return [["shuffle: there was none, the packs were given", false]];
  return [...recordChecks(told)];
}

if (process.argv.length !== 3) {
  console.error("usage: node verify_shuffle.mjs FILE");
  process.exit(1);
}
const checks = checksOf(JSON.parse(readFileSync(process.argv[2], "utf-8")));
for (const [what, isSo] of checks) console.log(isSo ? "right" : "WRONG", what);
process.exitCode = checks.length && checks.every(([, isSo]) => isSo) ? 0 : 1;
