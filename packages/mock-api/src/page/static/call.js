/**
 * Calls the control API.
 * @param {string} method
 * @param {string} path below `/__mock/`
 * @param {object} [body]
 * @throws Error with the error message of the answer
 */
export const call = async (method, path, body) => {
  const response = await fetch(path, { method, ...(body && { body: JSON.stringify(body) }) });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error ?? `The mock answered ${response.status}.`);
  return answer;
};
