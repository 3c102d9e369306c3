const codes = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Ends the process on SIGINT and SIGTERM. As PID 1 in a container, the process would ignore a signal without a
 * listener.
 * @param finish called instead, with a function that ends the process at once; replaces any earlier `finish`
 */
export const onSignal = (finish: (end: () => never) => void = (end) => end()): void => {
  for (const [signal, code] of Object.entries(codes)) {
    process.removeAllListeners(signal);
    process.on(signal, () => finish(() => process.exit(code)));
  }
};
