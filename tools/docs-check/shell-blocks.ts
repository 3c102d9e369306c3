import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { listen } from '@order-license/mock-api';
import { type Block, blocksIn, documents, parse, read } from './markdown.ts';
import { type OurCommand, ourCommands } from './our-commands.ts';
import { runCommand } from './run-command.ts';

interface Line {
  block: Block;
  words: string[];
}

/**
 * Checks that every command in the documents' `sh` blocks exists. It can be a command of `./dev`, a script in
 * package.json or an existing file. It can also be one of our own commands, which is then run against the mock.
 * Anything else needs `no-run: reason` in the fence, as does a shell that cannot run here.
 */
export const checkShellBlocks = async (root: string): Promise<string[]> => {
  const blocks = blocksIn(root, ['sh', 'bash', 'shell', 'console', 'powershell', 'bat']);
  const lines = blocks.filter(({ noRun }) => noRun === undefined).flatMap(linesOf);
  const unknown = lines.flatMap((line) => say(line, checkWords(root, line)));
  return [...checkDevCommands(root), ...unknown, ...(unknown.length > 0 ? [] : await runOurs(lines))];
};

const say = ({ block }: Line, problem: string): string[] =>
  problem === '' ? [] : [`${block.file}:${block.line} ${problem}`];

/** Returns a block's commands, without comments and variable assignments. */
const linesOf = (block: Block): Line[] =>
  block.text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
    .map((line) => line.replace(/^(\w+=\S*(\s+|$))+/, ''))
    .filter((line) => line !== '')
    .map((line) => ({ block, words: line.split(/\s+/) }));

/** Checks that every `./dev <name>` in the documents names a command of `./dev`. */
const checkDevCommands = (root: string): string[] =>
  documents(root).flatMap((file) => {
    const { prose } = parse(file, read(root, file));
    return [...prose.matchAll(/`(\.\/dev [^`]+)`/g)].flatMap(([, command = '']) => {
      const problem = checkDev(root, command.split(/\s+/));
      return problem === '' ? [] : [`${file} ${problem}`];
    });
  });

const checkDev = (root: string, [, name = '', ...rest]: readonly string[]): string => {
  if (name === '') return '';
  if (!read(root, 'dev').includes(`#: ./dev ${name} `)) return `there is no ./dev ${name}.`;
  const missing = rest.filter((part) => globSync(`e2e/*${part}*.e2e.ts`, { cwd: root }).length === 0);
  return name === 'e2e' && missing.length > 0 ? `there is no part ${missing.join(', ')} in e2e.` : '';
};

const checkWords = (root: string, { block, words }: Line): string => {
  const [first = '', second = '', third = ''] = words;
  const scripts = JSON.parse(read(root, 'package.json')).scripts ?? {};
  switch (first) {
    case 'export':
    case 'cd':
    case 'git':
      return '';
    case './dev':
      return checkDev(root, words);
    case 'pnpm':
      return ['install', 'exec', 'changeset'].includes(second) || (second === 'run' ? third : second) in scripts
        ? ''
        : `package.json has no script ${second === 'run' ? third : second}.`;
    case 'node':
      return [dirname(block.file), '.'].some((folder) => existsSync(join(root, folder, second)))
        ? ''
        : `there is no file ${second}.`;
    case 'npm': {
      const packages = words.slice(2).filter((word) => !word.startsWith('-'));
      const missing = packages.filter((name) => !packageNames(root).includes(name));
      return second === 'install' && missing.length === 0 ? '' : `${words.join(' ')}: ${unknownCommand}`;
    }
    default: {
      const ours = ourCommands().find((command) => argumentsOf(command, words));
      return ours ? checkFlags(ours, words) : `${first}: ${unknownCommand}`;
    }
  }
};

const unknownCommand = 'unknown command; write "no-run: reason" after the language of the block if it cannot be run.';

const packageNames = (root: string): string[] => {
  const manifests = globSync('packages/*/package.json', { cwd: root });
  return manifests.map((file) => JSON.parse(readFileSync(join(root, file), 'utf8')).name);
};

/**
 * Returns the arguments with which a line calls our command, directly or through npx; undefined if it does not call it.
 */
const argumentsOf = ({ name, packageName }: OurCommand, words: readonly string[]): string[] | undefined => {
  const line = words.filter((word) => word !== '-y');
  for (const call of [[name], ['npx', packageName], ['npx', '-p', packageName, name]]) {
    if (call.every((word, index) => line[index] === word)) return line.slice(call.length);
  }
  return undefined;
};

const checkFlags = (command: OurCommand, words: readonly string[]): string => {
  const wrong = words.filter((word) => /^--?[a-z]/.test(word) && !['-y', '-p'].includes(word));
  const missing = wrong.filter((flag) => !command.flags.includes(flag));
  return missing.length === 0 ? '' : `${command.name} --help does not name ${missing.join(', ')}.`;
};

/** Replaces the port with a free one, because the documented port can be in use on this machine. */
const onFreePort = (args: readonly string[]): string[] => {
  const free = args.map((word, index) => (args[index - 1] === '--port' && /^\d+$/.test(word) ? '0' : word));
  return free.includes('--port') ? free : [...free, '--port', '0'];
};

const runOurs = async (lines: readonly Line[]): Promise<string[]> => {
  const state = mkdtempSync(join(tmpdir(), 'order-license-'));
  const mock = await listen({ limit: 'off' });
  const env = {
    PATH: process.env.PATH,
    XDG_STATE_HOME: state,
    ORDER_LICENSE_BASE_URL: mock.baseUrl,
    ORDER_LICENSE_API_KEY: mock.keys.business,
  };
  // `http` requires a token, unless `--open` allows every program on this machine to use it.
  const token = { ORDER_LICENSE_ACCESS_TOKEN: 'a-token-of-the-documents' };
  try {
    const findings: string[] = [];
    for (const line of lines) {
      for (const command of ourCommands()) {
        const args = argumentsOf(command, line.words);
        if (!args) continue;
        const serves = command.serves(args);
        const problem = await runCommand(
          process.execPath,
          [command.script, ...(serves ? onFreePort(args) : args)],
          args.includes('--open') ? env : { ...env, ...token },
          { serves },
        );
        findings.push(...say(line, problem && `${line.words.join(' ')} does not run: ${problem}`));
      }
    }
    return findings;
  } finally {
    await mock.close();
    rmSync(state, { recursive: true });
  }
};
