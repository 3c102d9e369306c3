import { type McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { cardUri, showsApps, ticketUriPrefix } from './mcp-apps.ts';
import { listedCard, readCard } from './order-card.ts';
import { reveal } from './reveal.ts';
import type { ToolSettings } from './tool-settings.ts';

/**
 * Serves the order card to clients that show MCP Apps, and license codes to ticket holders. The codes are not listed,
 * not even as a template: models don't need them.
 */
export const registerCardResources = (mcp: McpServer, settings: ToolSettings): void => {
  const { server } = mcp;
  server.setRequestHandler('resources/list', (_request, ctx) => ({
    resources: showsApps(mcp, ctx) ? [listedCard] : [],
  }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }, ctx) => {
    if (uri === cardUri) return readCard();
    if (!uri.startsWith(ticketUriPrefix)) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The resource does not exist.');
    }
    return reveal(uri, mcp, ctx, settings);
  });
};
