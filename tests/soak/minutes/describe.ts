import { growth } from './memory.ts';
import { type MinutesReport, programNames, shares } from './minutes.ts';

/** Returns one line of progress. */
export const describeProgress = ({ service, programs, n8n, callers }: MinutesReport, secondsLeft: number): string => {
  const { stdio, http } = callers;
  const { export: exporting, synchronization } = programs;
  return [
    `${Math.ceil(secondsLeft)} s left: ${service.requests} requests, ${service.rejected} rejected`,
    `${stdio.answered + http.answered} MCP calls answered, ${stdio.heldBack + http.heldBack} told to retry later`,
    `${exporting.walks} walks and ${synchronization.reads} orders read by programs`,
    `${n8n.exports} exports and ${n8n.reads} orders read by n8n`,
  ].join('; ');
};

/** Returns lines about each program's share of the limit, and about memory. */
export const describeShares = ({ service, callers, memory }: MinutesReport, minutes: number): string[] => {
  const { requests, byProgram } = service;
  const program = (name: string) => byProgram[name] ?? { requests: 0, longestGapMs: Number.POSITIVE_INFINITY };
  const rows = {
    'MCP stdio': { ...callers.stdio, requests: callers.stdio.answered },
    'MCP HTTP': { ...callers.http, requests: callers.http.answered },
    export: program(programNames.export),
    synchronization: program(programNames.synchronization),
    n8n: program(programNames.n8n),
  };
  // A permit is available again one second after its window ends.
  const windows = Math.ceil((minutes * 60) / 61);
  const ratio = (sent: number, limit: number): string => (sent / (limit * windows)).toFixed(3);
  const inN8n = rows.n8n.requests;
  return [
    `${requests} requests; of what the limit allows: store ${ratio(requests - inN8n, shares.store)}, n8n ${ratio(inN8n, shares.n8n)}`,
    ...Object.entries(rows).map(
      ([name, { requests, longestGapMs }]) =>
        `${name}: ${(requests / minutes).toFixed(1)} requests a minute, the longest time without one ${(longestGapMs / 1_000).toFixed(0)} s`,
    ),
    ...memory.map((one) => {
      const { name, samples } = one;
      const sizes = `${Math.min(...samples).toFixed(0)} to ${Math.max(...samples).toFixed(0)} MiB`;
      return `${name}: ${samples.length} samples, ${sizes}, growth after warm-up ${growth(one).toFixed(1)} MiB`;
    }),
  ];
};
