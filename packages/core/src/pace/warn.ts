/** Emits a process warning, which Node prints on stderr by default. */
export const warn = (message: string, detail?: unknown): void => {
  const stack = detail instanceof Error ? detail.stack : undefined;
  process.emitWarning(message, { type: 'OrderLicenseWarning', detail: stack });
};
