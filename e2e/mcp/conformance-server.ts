// Serves features that the conformance suite requires but the product lacks. Uses the product's HTTP hosting.
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { readHttpOptions } from '../../packages/mcp-server/src/http/options.ts';
import { serveHttp } from '../../packages/mcp-server/src/http/serve.ts';
import { description, registerContents } from './conformance/contents.ts';
import { registerDocuments } from './conformance/documents.ts';
import { registerQuestions, state } from './conformance/questions.ts';

const handler = createMcpHandler(() => {
  const server = new McpServer(
    { name: 'conformance', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        logging: {},
        completions: {},
      },
      requestState: { verify: state.verify },
    },
  );
  registerContents(server);
  registerDocuments(server);
  registerQuestions(server);
  const changes = { test_trigger_tool_change: 'toolsChanged', test_trigger_prompt_change: 'promptsChanged' } as const;
  for (const [name, change] of Object.entries(changes)) {
    server.registerTool(name, { description }, () => {
      handler.notify[change]();
      return { content: [{ type: 'text', text: 'told' }] };
    });
  }
  return server;
});

const options = readHttpOptions(['--open', '--port', '0'], {
  ORDER_LICENSE_BASE_URL: 'https://shop.example/api/v1',
  ORDER_LICENSE_API_KEY: 'a-key-that-goes-nowhere',
});
const server = await serveHttp(options, ({ request, message }) => handler.fetch(request, { parsedBody: message }));
process.stdout.write(`${server.url}\n`);
process.once('SIGTERM', () => server.close());
