import { createHash } from 'node:crypto';
import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { appMimeType, cardUri, showsApps } from './mcp-apps.ts';
import { reveal } from './reveal.ts';
import type { ToolSettings } from './tool-settings.ts';

const noDomains = { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] };

/** The card's entry in the list of resources. */
const listedCard: Resource = {
  uri: cardUri,
  name: 'order_card',
  title: 'Order card',
  description: 'HTML template of the card that shows an order. It contains no order data.',
  mimeType: appMimeType,
  // The card's only permission is to write to the clipboard.
  _meta: { ui: { csp: noDomains, permissions: { clipboardWrite: {} }, prefersBorder: true } },
};

/**
 * Serves the order card to clients that support MCP Apps, and license codes to ticket holders. The resources that
 * contain codes are not listed, not even as a template, because models don't need them. Without the card, the lists are
 * empty: many clients request them from every server.
 */
export const serveResources = (mcp: McpServer, settings: ToolSettings): void => {
  if (settings.card) {
    const tickets = new ResourceTemplate('order-license:{+ticket}', { list: undefined });
    mcp.registerResource(listedCard.name, cardUri, {}, readCard);
    mcp.registerResource('tickets', tickets, {}, ({ href }, _variables, ctx) => reveal(href, mcp, ctx, settings));
  }
  // The SDK's own lists are the same for every client, so these handlers replace them.
  mcp.server.setRequestHandler('resources/list', (_request, ctx) => ({
    resources: settings.card && showsApps(mcp, ctx) ? [listedCard] : [],
  }));
  mcp.server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
};

/**
 * Returns the order card.
 * @throws ProtocolError if the files of this server were replaced while it ran
 */
export const readCard = async (): Promise<ReadResourceResult> => {
  const { uri, mimeType, _meta } = listedCard;
  const text = page(await readFile('order-card.css'), await readFile('order-card.js'));
  return { contents: [{ uri, mimeType, text, _meta }] };
};

/** Reads a file from the folder of this module. Loads node:fs on first use, because few servers show the card. */
const readFile = async (name: string): Promise<string> => {
  try {
    const { readFileSync } = await import('node:fs');
    return readFileSync(new URL(name, import.meta.url), 'utf8');
  } catch {
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'The order card could not be loaded. Restart the server.');
  }
};

/** Returns the HTML page of the card. The page's security policy allows only this style and this script, by hash. */
const page = (style: string, script: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(style)}; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Order card</title>
<style>${style}</style>
</head>
<body>
<main>Waiting for the order…</main>
<p role="status" class="quiet"></p>
<script type="module">${script}</script>
</body>
</html>
`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
