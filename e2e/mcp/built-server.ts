import { fileURLToPath } from 'node:url';
import { type HttpProcess, startHttp } from '../../packages/testing/src/http-process.ts';

export type { HttpProcess } from '../../packages/testing/src/http-process.ts';

/** The built server, as users run it. */
export const cli = fileURLToPath(new URL('../../packages/mcp-server/dist/cli.js', import.meta.url));

/**
 * Starts `order-license-mcp http` with only this environment. Without an access token, the server is open to this
 * machine.
 */
export const startBuiltServer = (env: Record<string, string>): Promise<HttpProcess> =>
  startHttp([cli, 'http', '--port', '0', ...(env.ORDER_LICENSE_ACCESS_TOKEN ? [] : ['--open'])], env);
