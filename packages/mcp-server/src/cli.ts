#!/usr/bin/env node
import module from 'node:module';

if (Number.parseInt(process.versions.node, 10) < 22) {
  process.stderr.write(`order-license-mcp: Node.js 22.19 or newer is needed; this is ${process.versions.node}.\n`);
  process.exit(2);
}
// Before anything else is loaded, so that all of it is cached.
module.enableCompileCache();
const { run } = await import('./run.ts');
await run(process.argv.slice(2), process.env);
