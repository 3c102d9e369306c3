import type { McpServer } from '@modelcontextprotocol/server';
import type * as z from 'zod';
import type { Masking } from '../answers/masked-answer.ts';

export interface PromptDefinition<Args extends z.ZodObject> {
  name: string;
  title: string;
  description: string;
  args: Args;
  /** @returns what the user says to the model */
  write(args: z.output<Args>, masking: Masking): string;
}

export interface Prompt {
  name: string;
  register(server: McpServer, masking: Masking): void;
}

/** A worked flow for one of the uses that the API was made for (§1). */
export const definePrompt = <Args extends z.ZodObject>(definition: PromptDefinition<Args>): Prompt => {
  const { name, title, description, args, write } = definition;
  return {
    name,
    register(server, masking) {
      server.registerPrompt<z.ZodObject>(name, { title, description, argsSchema: args }, (values) => ({
        messages: [{ role: 'user', content: { type: 'text', text: write(values as z.output<Args>, masking) } }],
      }));
    },
  };
};
