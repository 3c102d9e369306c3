import { variables } from '../config/variables.ts';
import { version } from '../config/version.ts';

const table = variables
  .map(({ name, about, isRequired, default: standard }) => {
    const required = isRequired && !about.includes('required') ? '; required' : '';
    const note = standard && !about.includes('default') ? `; default ${standard}` : required;
    return `  ${name.padEnd(35)}${about}${note}`;
  })
  .join('\n');

/** The text that `--help` prints. */
export const usage = `order-license-mcp ${version}: an MCP server for the Order and License Retrieval API.

  order-license-mcp             serves MCP over stdio
  order-license-mcp http        serves MCP over Streamable HTTP
    --open                      lets any program on this machine use the server without a token or sign-in
    --host NAME                 address to listen on (default 127.0.0.1)
    --port N                    port to listen on; 0 picks a free port (default 3000)
    --allow-host NAME           also accepts this name in the Host header; can be repeated
    --allow-origin ORIGIN       lets web pages from this origin use the server; can be repeated
    --max-per-caller N          maximum number of running calls per caller, 1 to 32 (default 8)
  order-license-mcp doctor      sends one request to check the configuration, API address, API key, account, clock
                                and rate-limit store
  order-license-mcp doctor http sends one request per API key to check the configuration for http, including sign-in;
                                accepts the same flags as http
  order-license-mcp --help      prints this help
  order-license-mcp --version   prints the version

Environment variables:
${table}

Exit codes:
  0  success
  1  stdio: the client sent a message longer than 10 MiB; doctor: the API failed
  2  invalid arguments or configuration
  3  doctor: the API or the sign-in issuer could not be reached
  4  doctor: an API key was rejected
  5  doctor: the account is not a business account
  6  doctor: the rate limit has been reached
`;
