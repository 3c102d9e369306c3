// Runs the tests with real programs: `node e2e/run.ts` runs all parts, `node e2e/run.ts redis` those with "redis" in
// their name.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startVitest } from 'vitest/node';

const root = fileURLToPath(new URL('.', import.meta.url));
const wanted = process.argv.slice(2);
const all = readdirSync(root).filter((name) => name.endsWith('.e2e.ts'));
const unknown = wanted.filter((word) => !all.some((name) => name.includes(word)));
if (unknown.length > 0) {
  console.error(`e2e: there is no part named ${unknown.join(' or ')}; the parts are ${all.join(', ')}.`);
  process.exit(2);
}
const parts = all.filter((name) => wanted.length === 0 || wanted.some((word) => name.includes(word)));
console.log(`e2e: ${parts.join(', ')}`);
const vitest = await startVitest('test', parts, { root, watch: false });
await vitest.close();
