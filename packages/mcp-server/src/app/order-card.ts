import { ProtocolError, ProtocolErrorCode, type ReadResourceResult, type Resource } from '@modelcontextprotocol/server';
import { appMimeType, cardUri } from './mcp-apps.ts';

const noDomains = { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] };

/** The card's entry in lists. */
export const listedCard: Resource = {
  uri: cardUri,
  name: 'order_card',
  title: 'Order card',
  description: 'The page in which a client shows an order to a person. It contains no data.',
  mimeType: appMimeType,
  // It only needs permission to copy.
  _meta: { ui: { csp: noDomains, permissions: { clipboardWrite: {} }, prefersBorder: true } },
};

/** @throws ProtocolError when the files of this server were replaced while it ran */
export const readCard = async (): Promise<ReadResourceResult> => {
  const text = await readPage();
  const { uri, mimeType, _meta } = listedCard;
  return { contents: [{ uri, mimeType, text, _meta }] };
};

/** Next to this file, in source and build. Loaded on first use, with node:fs, because few servers need it. */
const readPage = async (): Promise<string> => {
  try {
    const { readFileSync } = await import('node:fs');
    return readFileSync(new URL('order-card.html', import.meta.url), 'utf8');
  } catch {
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'The order card could not be loaded. Restart the server.');
  }
};
