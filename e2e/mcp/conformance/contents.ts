import { type CallToolResult, fromJsonSchema, type McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';

/** A one-pixel picture. */
export const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==';
/** A WAV file without samples. */
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=';

/** The description of each tool; the suite requires one. */
export const description = 'For the conformance suite.';

const text = (words: string) => ({ type: 'text' as const, text: words });
const embedded = (mimeType: string, words: string) => ({
  type: 'resource' as const,
  resource: { uri: 'test://embedded-resource', mimeType, text: words },
});

/** The fixed result of each tool. */
const answers: Record<string, CallToolResult['content']> = {
  test_simple_text: [text('plain words')],
  test_image_content: [{ type: 'image', data: png, mimeType: 'image/png' }],
  test_audio_content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }],
  test_embedded_resource: [embedded('text/plain', 'words of a resource')],
  test_multiple_content_types: [
    text('three kinds'),
    { type: 'image', data: png, mimeType: 'image/png' },
    embedded('application/json', '{"kind":"json"}'),
  ],
  test_streaming_elicitation: [text('nothing was asked')],
};

/** A schema whose keywords must reach tools/list unchanged. */
const schemaOf2020 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object' as const,
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

const mirrored = {
  type: 'object' as const,
  properties: { region: { type: 'string', 'x-mcp-header': 'Region' }, level: { type: 'integer' } },
};

/** Registers tools that return at once: one for each kind of content, for an error, for progress and for logging. */
export const registerContents = (server: McpServer): void => {
  for (const [name, content] of Object.entries(answers)) {
    server.registerTool(name, { description, inputSchema: z.object({}) }, () => ({ content }));
  }
  server.registerTool('test_error_handling', { description, inputSchema: z.object({}) }, () => ({
    content: [text('it failed on purpose')],
    isError: true,
  }));
  server.registerTool('json_schema_2020_12_tool', { description, inputSchema: fromJsonSchema(schemaOf2020) }, () => ({
    content: [text('valid')],
  }));
  server.registerTool('test_x_mcp_header', { description, inputSchema: fromJsonSchema(mirrored) }, () => ({
    content: [text('the header said the same')],
  }));
  server.registerTool(
    'test_tool_with_progress',
    { description, inputSchema: z.object({}) },
    async (_args, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken;
      for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
      }
      return { content: [text('done')] };
    },
  );
  server.registerTool(
    'test_tool_with_logging',
    { description, inputSchema: z.object({}) },
    async (_args, { mcpReq }) => {
      for (const data of ['begun', 'under way', 'ended']) {
        await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } });
      }
      return { content: [text('logged')] };
    },
  );
  server.registerTool('test_logging_tool', { description, inputSchema: z.object({}) }, async (_args, { mcpReq }) => {
    await mcpReq.log('info', 'to be delivered only to those who asked for a log level');
    return { content: [text('logged for those who asked')] };
  });
};
