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
  order-license-mcp doctor      starts what the server would start, sends one request, and prints a line per check
  order-license-mcp doctor http does the same for http, with one request per API key; accepts the same flags
  order-license-mcp --help      prints this help
  order-license-mcp --version   prints the version

Environment variables:
${table}

Exit codes:
  0  success
  1  doctor: a check failed; stdio: the client sent a message longer than 10 MiB
  2  invalid arguments or configuration
`;
