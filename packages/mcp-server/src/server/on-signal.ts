const codes = { SIGHUP: 129, SIGINT: 130, SIGQUIT: 131, SIGTERM: 143 } as const;

/**
 * Ends the process on SIGHUP, SIGINT, SIGQUIT and SIGTERM. Without a listener, the process would ignore these signals
 * as PID 1 in a container.
 * @param finish called instead of ending the process, with a function that ends the process at once; replaces any
 * earlier `finish`
 */
export const onSignal = (finish: (end: () => never) => void = (end) => end()): void => {
  for (const [signal, code] of Object.entries(codes)) {
    process.removeAllListeners(signal);
    process.on(signal, () => finish(() => process.exit(code)));
  }
};
