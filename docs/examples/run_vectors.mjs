// Runs the vectors of one function against your own code.
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";

function isFresh({ received_at, lifetime_ms, now }) {
  return now < received_at + lifetime_ms; // your code
}

const file = JSON.parse(readFileSync("vectors/2026-07-28/decision/caching-is-fresh.json", "utf8"));
let failed = 0;
for (const { id, title, requirements, input, expected, acceptable = [] } of file.cases) {
  const answer = isFresh(input);
  const permitted = [expected, ...acceptable.map((other) => other.output)];
  if (permitted.some((output) => isDeepStrictEqual(output, answer))) continue;
  failed += 1;
  console.log(`${id}: ${title}; breaks ${requirements[0]}`);
}
console.log(`${file.cases.length} cases, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
