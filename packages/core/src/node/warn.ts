/** A warning of the process: on stderr, unless the program listens to them. */
export const warn = (message: string, detail?: unknown): void => {
  const stack = detail instanceof Error ? detail.stack : undefined;
  process.emitWarning(message, { type: 'OrderLicenseWarning', ...(stack && { detail: stack }) });
};
