import { variables } from '../config/variables.ts';
import { version } from '../config/version.ts';

const table = variables
  .map(({ name, about, isRequired, default: standard }) => {
    const note = isRequired ? ' (required)' : standard ? ` (default ${standard})` : '';
    return `  ${name.padEnd(35)}${about}${note}`;
  })
  .join('\n');

/** The text that `--help` prints. */
export const usage = `order-license-mcp ${version}: an MCP server for the Order and License Retrieval API.

  order-license-mcp             serves over stdio
  order-license-mcp http        serves over Streamable HTTP
    --open                      without a token or sign-in, for this machine only
    --host NAME                 address to listen on (default 127.0.0.1)
    --port N                    port, 0 for a free one (default 3000)
    --allow-host NAME           additional name allowed in the Host header; may be repeated
    --allow-origin ORIGIN       origin of web pages that may call; may be repeated
    --max-per-caller N          calls that one caller may have in progress, 1 to 32 (default 8)
  order-license-mcp doctor      checks configuration, address, key, account, clock and store with one request
  order-license-mcp doctor http the same for http, with its flags; also checks sign-in and its API keys
  order-license-mcp --help      prints this
  order-license-mcp --version   prints the version

Configuration comes from environment variables:
${table}

Exit codes: 0 success, 1 a message over stdio is longer than 10 MiB, 2 wrong arguments or configuration. For doctor:
1 the API failed, 3 the API or the issuer could not be reached, 4 an API key was rejected, 5 the account is not a
business account, 6 the rate limit is reached.
`;
