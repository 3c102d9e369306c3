import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { description, png } from './contents.ts';

const say = (words: string) => ({ role: 'user' as const, content: { type: 'text' as const, text: words } });

/**
 * Registers resources, prompts, and handlers for those requests of protocol version 2025-11-25 that a server only needs
 * to accept.
 */
export const registerDocuments = (server: McpServer): void => {
  server.registerResource('static-text', 'test://static-text', { mimeType: 'text/plain' }, ({ href }) => ({
    contents: [{ uri: href, mimeType: 'text/plain', text: 'words of a resource' }],
  }));
  server.registerResource('static-binary', 'test://static-binary', { mimeType: 'image/png' }, ({ href }) => ({
    contents: [{ uri: href, mimeType: 'image/png', blob: png }],
  }));
  server.registerResource('watched-resource', 'test://watched-resource', { mimeType: 'text/plain' }, ({ href }) => ({
    contents: [{ uri: href, mimeType: 'text/plain', text: 'words that never change' }],
  }));
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  server.registerResource('template', template, { mimeType: 'application/json' }, ({ href }, { id }) => ({
    contents: [{ uri: href, mimeType: 'application/json', text: JSON.stringify({ id }) }],
  }));

  server.registerPrompt('test_simple_prompt', { description }, () => ({ messages: [say('words of a prompt')] }));
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description, argsSchema: z.object({ arg1: z.string(), arg2: z.string() }) },
    ({ arg1, arg2 }) => ({ messages: [say(`${arg1} and ${arg2}`)] }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description, argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => {
      const resource = { uri: resourceUri, mimeType: 'text/plain', text: 'words of a resource' };
      return { messages: [{ role: 'user', content: { type: 'resource', resource } }, say('about the resource')] };
    },
  );
  server.registerPrompt('test_prompt_with_image', { description }, () => ({
    messages: [
      { role: 'user', content: { type: 'image', data: png, mimeType: 'image/png' } },
      say('about the picture'),
    ],
  }));

  server.server.setRequestHandler('resources/subscribe', () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', () => ({}));
  server.server.setRequestHandler('logging/setLevel', () => ({}));
  server.server.setRequestHandler('completion/complete', () => ({
    completion: { values: [], total: 0, hasMore: false },
  }));
};
