import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../packages/testing/src/free-port.ts';
import { installN8n } from './install.ts';

const packSource = fileURLToPath(new URL('../../packages/n8n-nodes/', import.meta.url));
const packName = 'n8n-nodes-order-license';

/** The part of the output of `n8n execute` that the tests read. */
export interface Run {
  data: {
    resultData: {
      runData: Record<string, { data?: { main: { json: Record<string, unknown> }[][] } }[]>;
      error?: unknown;
    };
  };
  status: string;
}

/** A credential as n8n imports it. */
export interface CredentialFields {
  baseUrl: string;
  apiKey: string;
  requestsPerMinute?: number;
}

export const credentialId = 'orderLicenseCred';
/** The reference with which a node names the home's credential. */
export const credentials = { orderLicenseApi: { id: credentialId, name: 'Order License' } };
/** The references to the credentials of a mail server, and of an MCP server with an access token. */
export const mailCredentials = { smtp: { id: 'mailCred', name: 'Mail' } };
export const tokenCredentials = { httpBearerAuth: { id: 'tokenCred', name: 'Access token' } };

export const modelCredentials = { openAiApi: { id: 'modelCred', name: 'Model' } };

/** A user folder of n8n. The pack is installed in it, as n8n would unpack it from npm. */
export interface Home {
  folder: string;
  /** The only folder to which workflows may write files. */
  files: string;
  /** Starts n8n's command line. The environment applies to this process only. */
  start(words: string[], env?: NodeJS.ProcessEnv): ChildProcessByStdio<null, Readable, Readable>;
  /** Runs a command to its end. @throws with the output, if the command fails */
  run(...words: string[]): Promise<string>;
  importCredential(fields: CredentialFields): Promise<void>;
  /** Imports the credential of a mail server on loopback, without sign-in or TLS. */
  importMailCredential(port: number): Promise<void>;
  importTokenCredential(token: string): Promise<void>;
  /** Imports the credential of a model that is served with the OpenAI API at this address. */
  importModelCredential(url: string): Promise<void>;
  importWorkflows(workflows: { id: string }[]): Promise<void>;
  /** Runs an imported workflow in its own process. */
  execute(id: string): Promise<Run>;
  remove(): void;
}

export const createHome = (): Home => {
  const command = installN8n();
  const folder = mkdtempSync(join(tmpdir(), 'order-license-n8n-'));
  installPack(folder);
  const files = join(folder, 'files');
  mkdirSync(files);
  const base: NodeJS.ProcessEnv = {
    ...Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^(N8N|VITEST|NODE_OPTIONS|TEST)/.test(name)),
    ),
    NODE_ENV: 'production',
    N8N_USER_FOLDER: folder,
    // n8n's temporary files are removed together with the folder.
    TMPDIR: folder,
    N8N_ENCRYPTION_KEY: 'for-tests-only',
    N8N_LISTEN_ADDRESS: '127.0.0.1',
    N8N_SECURE_COOKIE: 'false',
    N8N_RESTRICT_FILE_ACCESS_TO: files,
    // Keeps n8n from sending anything to other machines.
    ...Object.fromEntries(
      ['DIAGNOSTICS', 'VERSION_NOTIFICATIONS', 'TEMPLATES', 'DYNAMIC_BANNERS', 'PERSONALIZATION', 'HIRING_BANNER'].map(
        (name) => [`N8N_${name}_ENABLED`, 'false'],
      ),
    ),
    N8N_VERIFIED_PACKAGES_ENABLED: 'false',
  };

  const start: Home['start'] = (words, env = {}) =>
    spawn(process.execPath, [command, ...words], {
      env: { ...base, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // Gives n8n its own process group, so that its child processes can be ended together with it.
      detached: true,
    });

  /** Sends the output to files, because n8n exits before its output to a pipe has been read. */
  const finish = async (words: string[]): Promise<{ code: number | null; output: string }> => {
    const env = { ...base, N8N_RUNNERS_BROKER_PORT: String(await freePort()) };
    const files = ['stdout', 'stderr'].map((name) => join(folder, `${name}-${randomUUID()}`));
    const [stdout, stderr] = files.map((file) => openSync(file, 'w')) as [number, number];
    const child = spawn(process.execPath, [command, ...words], {
      env,
      stdio: ['ignore', stdout, stderr],
      detached: true,
    });
    closeSync(stdout);
    closeSync(stderr);
    const [code] = (await once(child, 'exit')) as [number | null];
    return { code, output: files.map((file) => readFileSync(file, 'utf8')).join('') };
  };

  const run: Home['run'] = async (...words) => {
    const { code, output } = await finish(words);
    if (code !== 0) throw new Error(`n8n ${words.join(' ')} ended with ${code}:\n${output}`);
    return output;
  };

  const importAs = async (kind: string, values: unknown[]): Promise<void> => {
    const file = join(folder, `${kind}.json`);
    writeFileSync(file, JSON.stringify(values));
    await run(`import:${kind}`, `--input=${file}`);
    rmSync(file);
  };

  return {
    folder,
    files,
    start,
    run,
    importCredential: (fields) =>
      importAs('credentials', [{ ...credentials.orderLicenseApi, type: 'orderLicenseApi', data: fields }]),
    importTokenCredential: (token) =>
      importAs('credentials', [{ ...tokenCredentials.httpBearerAuth, type: 'httpBearerAuth', data: { token } }]),
    importModelCredential: (url) =>
      importAs('credentials', [{ ...modelCredentials.openAiApi, type: 'openAiApi', data: { apiKey: 'none', url } }]),
    importMailCredential: (port) => {
      const data = { host: '127.0.0.1', port, secure: false, disableStartTls: true };
      return importAs('credentials', [{ ...mailCredentials.smtp, type: 'smtp', data }]);
    },
    importWorkflows: (workflows) =>
      importAs(
        'workflow',
        workflows.map((workflow) => ({ settings: {}, active: false, ...workflow })),
      ),
    async execute(id) {
      const { output } = await finish(['execute', '--id', id, '--rawOutput']);
      const lines = output.split('\n');
      const from = lines.indexOf('{');
      const to = lines.lastIndexOf('}');
      if (from < 0) throw new Error(`n8n execute printed no run:\n${output}`);
      return JSON.parse(lines.slice(from, to + 1).join('\n')) as Run;
    },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
};

/** Packs the built pack and unpacks it where n8n stores community nodes. */
const installPack = (folder: string): void => {
  const modules = join(folder, '.n8n/nodes/node_modules');
  mkdirSync(modules, { recursive: true });
  const packed = execFileSync('pnpm', ['pack', '--json', '--pack-destination', folder], {
    cwd: packSource,
    encoding: 'utf8',
  });
  const { filename } = JSON.parse(packed) as { filename: string };
  execFileSync('tar', ['-xzf', filename, '-C', folder]);
  rmSync(filename);
  renameSync(join(folder, 'package'), join(modules, packName));
};
