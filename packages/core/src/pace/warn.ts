/** A process warning: on stderr, unless the program listens to warnings. */
export const warn = (message: string, detail?: unknown): void => {
  const stack = detail instanceof Error ? detail.stack : undefined;
  process.emitWarning(message, { type: 'OrderLicenseWarning', ...(stack && { detail: stack }) });
};
