import { setTimeout } from 'node:timers/promises';
import { type CredentialFields, credentialId } from './home.ts';

export const owner = { email: 'owner@example.com', firstName: 'Olga', lastName: 'Owner', password: 'Only-for-tests-1' };

/** n8n's response to a credential test. */
export interface Tested {
  status: 'OK' | 'Error';
  message: string;
}

/** Calls n8n's own REST API as the owner of the instance. */
export interface Session {
  /** Tests a credential with these fields, which can differ from those of the home's credential. */
  testCredential(fields: CredentialFields): Promise<Tested>;
  /**
   * Starts a saved workflow manually from one of its triggers, waits for its end, and returns its status: `success`,
   * `error`, …
   */
  runFrom(workflow: string, trigger: string): Promise<string>;
  /** Publishes a workflow, so that its triggers start it. */
  activate(workflow: string): Promise<void>;
  get(path: string): Promise<unknown>;
  post(path: string, body: unknown): Promise<unknown>;
  patch(path: string, body: unknown): Promise<unknown>;
}

/** Creates the owner of a new n8n, and logs in. */
export const createOwner = (url: string): Promise<Session> => open(url, '/rest/owner/setup', owner);

export const logIn = (url: string): Promise<Session> =>
  open(url, '/rest/login', { emailOrLdapLoginId: owner.email, password: owner.password });

const open = async (url: string, path: string, body: unknown): Promise<Session> => {
  let cookie = '';
  const send = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', Cookie: cookie, 'browser-id': 'order-license' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    cookie ||= response.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return ((await response.json()) as { data: unknown }).data;
  };
  await send('POST', path, body);
  const statusOf = async (execution: string): Promise<string> =>
    ((await send('GET', `/rest/executions/${execution}`)) as { status: string }).status;
  return {
    runFrom: async (workflow, trigger) => {
      const started = await send('POST', `/rest/workflows/${workflow}/run`, { triggerToStartFrom: { name: trigger } });
      const { executionId } = started as { executionId: string };
      let status = await statusOf(executionId);
      for (; ['new', 'running'].includes(status); status = await statusOf(executionId)) await setTimeout(100);
      return status;
    },
    activate: async (workflow) => {
      const { versionId } = (await send('GET', `/rest/workflows/${workflow}`)) as { versionId: string };
      await send('POST', `/rest/workflows/${workflow}/activate`, { versionId });
    },
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, body),
    patch: (path, body) => send('PATCH', path, body),
    testCredential: async (data) => {
      const credentials = { id: credentialId, name: 'Order License', type: 'orderLicenseApi', data };
      return (await send('POST', '/rest/credentials/test', { credentials })) as Tested;
    },
  };
};
