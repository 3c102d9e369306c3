const codes = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Ends the process on SIGINT and SIGTERM: as PID 1 of a container, it would ignore a signal without a listener.
 * @param finish replaces an earlier one; called instead, with what ends the process at once
 */
export const onSignal = (finish: (end: () => never) => void = (end) => end()): void => {
  for (const [signal, code] of Object.entries(codes)) {
    process.removeAllListeners(signal);
    process.on(signal, () => finish(() => process.exit(code)));
  }
};
