import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import {
  type OAuthClientProvider as V1OAuthClientProvider,
  UnauthorizedError as V1UnauthorizedError,
} from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as V1HttpTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { logIn } from './identity-provider.ts';

export const redirectUrl = 'http://127.0.0.1:1/callback';

export const clientMetadata = {
  client_name: 'e2e',
  redirect_uris: [redirectUrl],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  application_type: 'native',
  token_endpoint_auth_method: 'none',
};

/** A connected client of either SDK. */
type Connected = Pick<Client, 'close'> & {
  listTools(): Promise<{ tools: unknown[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<object>;
};

interface Options {
  /** The address of the client's metadata document. If omitted, the client registers itself. */
  metadataUrl?: string;
  /** The major version of the SDK; 2 if omitted. */
  sdk?: 1 | 2;
}

export interface OAuthClient {
  /** Returns the client's ID at the issuer; undefined before the client has one. */
  clientId(): string | undefined;
  tokens(): StoredOAuthTokens | undefined;
  /** Returns the number of logins so far. */
  logins(): number;
  /** Connects an MCP client. A user logs in when the server requires it. */
  connect(): Promise<Connected>;
}

/**
 * Creates one of the SDK's MCP clients, and keeps the client's credentials in memory.
 * @param login the user name to log in with
 */
export const createOAuthClient = (url: string, login: string, { metadataUrl, sdk = 2 }: Options = {}): OAuthClient => {
  let information: StoredOAuthClientInformation | undefined;
  let tokens: StoredOAuthTokens | undefined;
  let discovery: OAuthDiscoveryState | undefined;
  let verifier = '';
  let authorizationUrl: URL | undefined;
  let logins = 0;
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata,
    ...(metadataUrl !== undefined && { clientMetadataUrl: metadataUrl }),
    clientInformation: () => information,
    saveClientInformation: (given) => {
      information = given;
    },
    tokens: () => tokens,
    saveTokens: (given) => {
      tokens = given;
    },
    redirectToAuthorization: (given) => {
      authorizationUrl = given;
    },
    saveCodeVerifier: (given) => {
      verifier = given;
    },
    codeVerifier: () => verifier,
    saveDiscoveryState: (given) => {
      discovery = given;
    },
    discoveryState: () => discovery,
    invalidateCredentials: (scope) => {
      if (scope === 'all' || scope === 'tokens') tokens = undefined;
      if (scope === 'all' || scope === 'client') information = undefined;
    },
  };
  const connectOnce = async (): Promise<Connected> => {
    const { connect, finish } = open[sdk](new URL(url), provider);
    try {
      return await connect();
    } catch (error) {
      if (!isUnauthorized(error) || !authorizationUrl) throw error;
      logins += 1;
      const callback = await logIn(authorizationUrl, login, redirectUrl);
      authorizationUrl = undefined;
      await finish(callback.searchParams);
      throw error;
    }
  };
  return {
    clientId: () => information?.client_id,
    tokens: () => tokens,
    logins: () => logins,
    connect: () =>
      connectOnce().catch((error) => {
        if (isUnauthorized(error) && tokens) return connectOnce();
        throw error;
      }),
  };
};

const about = { name: 'e2e', version: '1.0.0' };

const isUnauthorized = (error: unknown): boolean =>
  error instanceof UnauthorizedError || error instanceof V1UnauthorizedError;

/** Functions that create a client that is not yet connected, by SDK version. */
const open = {
  1: (url: URL, authProvider: OAuthClientProvider) => {
    const client = new V1Client(about);
    const transport = new V1HttpTransport(url, { authProvider: authProvider as V1OAuthClientProvider });
    return {
      connect: async () => {
        await client.connect(transport as Parameters<V1Client['connect']>[0]);
        return client as Connected;
      },
      finish: (callback: URLSearchParams) => transport.finishAuth(callback.get('code') ?? ''),
    };
  },
  2: (url: URL, authProvider: OAuthClientProvider) => {
    const client = new Client(about);
    const transport = new StreamableHTTPClientTransport(url, { authProvider });
    return {
      connect: async () => {
        await client.connect(transport);
        return client as Connected;
      },
      finish: (callback: URLSearchParams) => transport.finishAuth(callback),
    };
  },
};
