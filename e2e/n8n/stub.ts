import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * A stub that replaces the 2 GB of n8n. It accepts every import, and its server gives every request the same response.
 */
const n8n = `
if (process.argv[2] !== 'start') process.exit();
const answer = (_, response) => response.setHeader('Content-Type', 'application/json').end('{"data":{}}');
require('node:http').createServer(answer).listen(process.env.N8N_PORT, '127.0.0.1', () => console.log('Editor is now accessible'));
process.once('SIGTERM', () => process.exit());
`;

const smtpServer = `
exports.SMTPServer = class {
  server = require('node:net').createServer();
  listen(...args) { this.server.listen(...args); }
  close(done) { this.server.close(done); }
};
`;

/** The script that the pnpm stub runs in e2e/n8n instead of an installation. */
const install = `
const { mkdirSync, writeFileSync } = require('node:fs');
for (const [file, text] of ${JSON.stringify([
  ['n8n/bin/n8n', n8n],
  ['n8n/package.json', '{}'],
  ['smtp-server/index.js', smtpServer],
])}) {
  mkdirSync('node_modules/' + file.replace(/[^/]*$/, ''), { recursive: true });
  writeFileSync('node_modules/' + file, text);
}
`;

/**
 * Writes programs to prepend to the PATH of `./dev`. In e2e/n8n, `pnpm` installs small stubs of n8n and smtp-server;
 * everywhere else, it runs the real pnpm. `npx` makes `./dev` use the Node and pnpm of this path.
 * @returns the path
 */
export const stubN8n = (folder: string, path: string): string => {
  const pnpm = execFileSync('sh', ['-c', 'command -v pnpm'], { encoding: 'utf8', env: { PATH: path } }).trim();
  const installer = join(folder, 'install.cjs');
  writeFileSync(installer, install);
  const programs = {
    pnpm: `case "$(pwd -P)" in */e2e/n8n) exec node "${installer}" ;; esac\nexec "${pnpm}" "$@"`,
    npx: 'echo "$PATH"; echo "$npm_config_globalconfig"',
  };
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return [folder, path].join(delimiter);
};
