/** If Redis takes longer than this, ms, it counts as unavailable, so that callers do not wait for it. */
const patienceMs = 1_000;

/** Rejects after a second. The timer also keeps the process alive, which the connection does not. */
export const withTimeout = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error(), { code: 'ETIMEDOUT' })), patienceMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
};
