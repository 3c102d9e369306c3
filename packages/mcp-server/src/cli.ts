#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

// Before anything else is loaded, so that all of it is cached.
enableCompileCache();
const { run } = await import('./run.ts');
await run(process.argv.slice(2), process.env);
