#!/usr/bin/env node
import { run } from './run.ts';

// The program that reads the output may stop reading, as `head` does, while the mock still serves its tests.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
process.exitCode = await run(process.argv.slice(2), process);
// Output that nobody reads would keep the process running.
setTimeout(() => process.exit(), 1_000).unref();
