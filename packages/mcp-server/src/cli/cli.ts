#!/usr/bin/env node
const { node } = process.versions;
const [major = 0, minor = 0] = node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(`order-license-mcp: Node.js 22.19 or newer is required; this is ${node}. Update Node.js.\n`);
  process.exit(2);
}
// A static import would load before the version check above, and an older Node cannot run the imported code.
const { run } = await import('./run.ts');
await run(process.argv.slice(2), process.env);

export {}; // makes this file a module, so that top-level await is allowed
