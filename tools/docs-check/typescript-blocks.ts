import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listen } from '@order-license/mock-api';
import ts from 'typescript';
import { type Block, blocksIn } from './markdown.ts';
import { runCommand } from './run-command.ts';
import { setupOf } from './setup.ts';

/**
 * The folder to which the blocks are written for the compiler and for Node, because the workspace's packages can be
 * resolved from there. Each run uses its own subfolder.
 */
const folders = fileURLToPath(new URL('.blocks/', import.meta.url));
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const baseConfig = fileURLToPath(new URL('../../tsconfig.base.json', import.meta.url));

/**
 * Checks that every `ts` block in the documents compiles against the workspace. Unless its fence says `no-run: reason`,
 * it must also run to its end against the mock, whose address replaces the API's. A block can use what its document's
 * first block declares, such as a client. A block that imports vitest is run by vitest.
 */
export const checkTypeScriptBlocks = async (root: string): Promise<string[]> => {
  const blocks = withSetup(blocksIn(root, ['ts']));
  mkdirSync(folders, { recursive: true });
  const folder = mkdtempSync(join(folders, 'run-'));
  try {
    return [
      ...compile(blocks, folder),
      ...(await run(
        blocks.filter(({ noRun }) => noRun === undefined),
        folder,
      )),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** A block, and the setup lines that run before it. */
type SetUpBlock = Block & { setup: string };

const withSetup = (blocks: readonly Block[]): SetUpBlock[] =>
  blocks.map((block) => {
    const first = blocks.find(({ file }) => file === block.file);
    return { ...block, setup: first && first !== block ? setupOf(block.text, first.text) : '' };
  });

const fileIn = (folder: string, { file, line }: Block): string =>
  join(folder, `${file.replaceAll('/', '.')}.${line}.test.ts`);

const moduleOf = ({ setup, text }: SetUpBlock): string => `${setup}${text}\nexport {};\n`;

const compile = (blocks: readonly SetUpBlock[], folder: string): string[] => {
  const fileOf = (block: Block): string => fileIn(folder, block);
  for (const block of blocks) writeFileSync(fileOf(block), moduleOf(block));
  const { config } = ts.readConfigFile(baseConfig, ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, folder);
  const program = ts.createProgram(blocks.map(fileOf), { ...options, noUnusedLocals: false });
  return blocks.flatMap((block) => {
    const source = program.getSourceFile(fileOf(block));
    return ts.getPreEmitDiagnostics(program, source).map(({ start = 0, messageText }) => {
      const above = block.setup.split('\n').length - 1;
      const line = block.line + (source?.getLineAndCharacterOfPosition(start).line ?? 0) - above;
      return `${block.file}:${line} does not compile: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
    });
  });
};

const run = async (blocks: readonly SetUpBlock[], folder: string): Promise<string[]> => {
  const mock = await listen({ limit: 'off' });
  const env = {
    PATH: process.env.PATH,
    NO_COLOR: '1',
    XDG_STATE_HOME: join(folder, 'state'),
    ORDER_LICENSE_BASE_URL: mock.baseUrl,
    ORDER_LICENSE_API_KEY: mock.keys.business,
  };
  try {
    const findings: string[] = [];
    for (const block of blocks) {
      const text = moduleOf(block).replaceAll('https://shop.example/api/v1', mock.baseUrl);
      const file = fileIn(folder, block);
      writeFileSync(file, text);
      const runner = text.includes(`from 'vitest'`) ? [vitest, 'run', '--root', folder] : [];
      const problem = await runCommand(process.execPath, [...runner, file], env, { cwd: folder });
      if (problem) findings.push(`${block.file}:${block.line} does not run: ${problem}`);
    }
    return findings;
  } finally {
    await mock.close();
  }
};
