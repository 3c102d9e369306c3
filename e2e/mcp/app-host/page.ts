// The page of a small MCP host. It calls a tool and shows the tool's MCP App in a frame; the extension's app-bridge
// connects the frame to the server. serve.ts bundles the page, and the test drives it through `window.host`.
/// <reference lib="dom" />
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  AppBridge,
  buildAllowAttribute,
  getToolUiResourceUri,
  type McpUiHostContext,
  type McpUiResourceMeta,
  PostMessageTransport,
} from '@modelcontextprotocol/ext-apps/app-bridge';

const about = { name: 'e2e-host', version: '1.0.0' };
const mimeTypes = ['text/html;profile=mcp-app'];

/** A tool result, as the test and the page exchange it. */
export interface ToolResult {
  content: unknown;
  structuredContent?: unknown;
  _meta?: unknown;
}

export interface ShowOptions {
  /** The host's context, such as theme and language, which the view receives. */
  context?: McpUiHostContext;
  /** Whether the frame may write to the clipboard when the view asks for this permission. */
  allowsClipboard?: boolean;
}

let client: Client;
/** Messages that the view sent. */
const posted: unknown[] = [];

addEventListener('message', ({ data }) => posted.push(data));

const connect = async (url: string, headers: Record<string, string>): Promise<string> => {
  client = new Client(about, {
    capabilities: { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes } } },
    versionNegotiation: { mode: 'auto' },
  });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client.getNegotiatedProtocolVersion() ?? '';
};

/** The content security policy that the MCP Apps spec requires from a host if the view lists no domains. */
const policy =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; connect-src 'none'";

const show = async (result: ToolResult, options: ShowOptions): Promise<void> => {
  const { tools } = await client.listTools();
  const tool = tools.find(({ name }) => name === 'order_license_get_order');
  if (!tool) throw new Error('There is no order_license_get_order.');
  const { contents } = await client.readResource({ uri: getToolUiResourceUri(tool) ?? '' });
  const [page] = contents;
  if (!page || !('text' in page)) throw new Error('There is no card.');
  const { permissions } = (page._meta?.ui ?? {}) as McpUiResourceMeta;
  document.querySelector('iframe')?.remove();
  const frame = document.createElement('iframe');
  frame.title = 'Order card';
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.allow = options.allowsClipboard ? buildAllowAttribute(permissions) : '';
  document.querySelector('main')?.append(frame);
  const view = frame.contentWindow as Window;
  const capabilities = { serverResources: {} };
  const bridge = new AppBridge(client, about, capabilities, { hostContext: options.context ?? {} });
  bridge.addEventListener('sizechange', ({ height }) => {
    if (height !== undefined) frame.style.height = `${height}px`;
  });
  const ready = new Promise<void>((resolve) => bridge.addEventListener('initialized', () => resolve()));
  await bridge.connect(new PostMessageTransport(view, view));
  frame.srcdoc = page.text.replace('<head>', `<head><meta http-equiv="Content-Security-Policy" content="${policy}">`);
  await ready;
  await bridge.sendToolInput({ arguments: {} });
  await bridge.sendToolResult(result as Parameters<AppBridge['sendToolResult']>[0]);
};

const host = {
  connect,
  show,
  callTool: async (args: Record<string, unknown>): Promise<ToolResult> =>
    client.callTool({ name: 'order_license_get_order', arguments: args }),
  /** Returns everything except results that a host can pass to its model. */
  describe: async () => [
    client.getInstructions(),
    await client.listTools(),
    await client.listResources(),
    await client.listResourceTemplates(),
    await client.listPrompts(),
  ],
  seen: () => ({ posted }),
};

export type AppHost = typeof host;

Object.assign(globalThis, { host });
