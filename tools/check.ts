// Checks what a compiler cannot: `node tools/check.ts` runs all checks, `node tools/check.ts links` only the check
// named links.
import { fileURLToPath } from 'node:url';
import { checkPages } from './conformance/pages.ts';
import { checkDependencies } from './dependencies.ts';
import { checkDataBlocks } from './docs-check/data-blocks.ts';
import { checkFences } from './docs-check/fences.ts';
import { checkHelp } from './docs-check/help.ts';
import { checkLinks } from './docs-check/links.ts';
import { checkMessages } from './docs-check/messages.ts';
import { checkShellBlocks } from './docs-check/shell-blocks.ts';
import { checkTypeScriptBlocks } from './docs-check/typescript-blocks.ts';
import { checkLicenses } from './licenses.ts';

type Check = (root: string) => string[] | Promise<string[]>;

/** Each check stays as long as it finds what reading and the compiler don't: see the comments. */
const checks: Record<string, Check> = {
  links: checkLinks, // anchors of renamed headings, files that moved
  fences: checkFences, // blocks that run nowhere and don't say why
  'data-blocks': checkDataBlocks, // configurations that a client could not parse
  'typescript-blocks': checkTypeScriptBlocks, // samples with names and options that changed
  'shell-blocks': checkShellBlocks, // commands and flags that are gone
  messages: checkMessages, // error codes and topics of doctor without an entry
  help: checkHelp, // flags and variables that only the help or only the README names
  licenses: checkLicenses, // bundled packages without their license
  dependencies: checkDependencies, // dependencies without a reason, and reasons without a dependency
  pages: checkPages, // pages of an earlier run
};

const root = fileURLToPath(new URL('..', import.meta.url));
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in checks));
if (unknown.length > 0) {
  console.error(`Unknown check ${unknown.join(', ')}; available: ${Object.keys(checks).join(', ')}.`);
  process.exit(2);
}
for (const name of wanted.length > 0 ? wanted : Object.keys(checks)) {
  const findings = (await checks[name]?.(root)) ?? [];
  console.log(`${findings.length === 0 ? 'ok  ' : 'FAIL'} ${name}`);
  for (const finding of findings) console.log(`       ${finding}`);
  if (findings.length > 0) process.exitCode = 1;
}
