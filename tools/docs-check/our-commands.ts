import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A command that one of our packages installs. */
export interface OurCommand {
  name: string;
  packageName: string;
  /** The package's folder, from the root. */
  folder: string;
  /** The file that Node runs. */
  script: string;
  help: string;
  /** The flags that the command's help names. */
  flags: string[];
  /** Whether the command runs until it is stopped. */
  serves(args: readonly string[]): boolean;
}

const file = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const describe = (command: Omit<OurCommand, 'help' | 'flags'>): OurCommand => {
  const help = execFileSync(process.execPath, [command.script, '--help'], { encoding: 'utf8' });
  return { ...command, help, flags: [...help.matchAll(/(?<![\w-])--?[a-z][\w-]*/g)].map(([flag]) => flag) };
};

let known: OurCommand[] | undefined;

/** Returns all our commands: the MCP server's from its build, the mock's from its sources. */
export const ourCommands = (): OurCommand[] => {
  known ??= [
    describe({
      name: 'order-license-mock',
      packageName: '@order-license/mock-api',
      folder: 'packages/mock-api',
      script: file('packages/mock-api/src/cli/cli.ts'),
      serves: (args) => args[0] !== 'probe' && !args.some((word) => ['--help', '-h', '--version'].includes(word)),
    }),
    describe({
      name: 'order-license-mcp',
      packageName: '@order-license/mcp-server',
      folder: 'packages/mcp-server',
      script: file('packages/mcp-server/dist/cli.js'),
      serves: ([command]) => command === 'http',
    }),
  ];
  return known;
};
