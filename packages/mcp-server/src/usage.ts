import { version } from './version.ts';

/** What `--help` prints. */
export const usage = `order-license-mcp ${version}: an MCP server for the Order and License Retrieval API.

  order-license-mcp             serves over stdio
  order-license-mcp http        serves over Streamable HTTP
    --host NAME                 address to listen on (default 127.0.0.1)
    --port N                    port, 0 for a free one (default 3000)
    --allow-host NAME           further name that the Host header may have; may be repeated
    --allow-origin ORIGIN       origin of web pages that may call; may be repeated
  order-license-mcp --help      prints this
  order-license-mcp --version   prints the version

Configuration comes from environment variables:
  ORDER_LICENSE_BASE_URL             address of the service, ending in /api/v1 (required)
  ORDER_LICENSE_API_KEY              API key from the customer account (required, but not by http)
  ORDER_LICENSE_KEYS                 full (default) or masked: whether license keys are shown
  ORDER_LICENSE_REQUESTS_PER_MINUTE  1 to 60 (default 60)
  ORDER_LICENSE_LEDGER               memory (default): where requests are counted
  ORDER_LICENSE_ACCESS_TOKEN         what callers of http have to send as bearer token (required beyond loopback)
`;
