import * as core from '@order-license/core';
import { runStep } from './steps.js';

const { argv } = globalThis.process ?? (await import('node:process'));
const [name, baseUrl, apiKey] = argv.slice(2);
console.log(JSON.stringify(await runStep(core, name, { baseUrl, apiKey })));
