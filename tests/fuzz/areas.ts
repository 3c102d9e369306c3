import type { Area } from './area.ts';
import { coreAnswers, coreArguments, coreWire } from './core.ts';
import { mcpRequests } from './mcp-requests.ts';
import { mcpAnswers, mcpArguments } from './mcp-tools.ts';
import { n8nAnswers, n8nParameters, n8nTrigger } from './n8n.ts';

/** All areas, in the order in which they run. */
export const areas: readonly Area[] = [
  coreAnswers,
  coreWire,
  coreArguments,
  mcpAnswers,
  mcpArguments,
  mcpRequests,
  n8nAnswers,
  n8nTrigger,
  n8nParameters,
];

/** The number of cases that an area gets out of a total. */
export const casesOf = ({ share }: Area, cases: number): number => {
  const shares = areas.reduce((total, area) => total + area.share, 0);
  return Math.max(1, Math.ceil((cases * share) / shares));
};

/** Seeds that every test run uses. For each failure that a seed found, there is a test next to the fix. */
export const keptSeeds: readonly number[] = [20261121];
