import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod';
import packageJson from '../package.json' with { type: 'json' };
import { serverJson } from './server-json.ts';

const write = (bundle?: Uint8Array): unknown => JSON.parse(JSON.stringify(serverJson(bundle)));

/** The registry accepts only HTTPS addresses. */
const address = z.string().startsWith('https://').max(255);
const stdio = z.strictObject({ type: z.literal('stdio') });
const version = z.string().regex(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
const environmentVariables = z.array(
  z.strictObject({
    name: z.string().regex(/^ORDER_LICENSE_[A-Z_]+$/),
    description: z.string(),
    isRequired: z.boolean(),
    isSecret: z.boolean(),
    default: z.string().optional(),
    choices: z.array(z.string()).optional(),
  }),
);

const npm = z.strictObject({
  registryType: z.literal('npm'),
  identifier: z.literal(packageJson.name),
  version,
  transport: stdio,
  environmentVariables,
});

/** The container image. Its tag is the version, because the registry rejects a version that it already has. */
const oci = z.strictObject({
  registryType: z.literal('oci'),
  identifier: z.string().regex(/^ghcr\.io\/[a-z0-9-]+\/[a-z0-9-]+:\d+\.\d+\.\d+(-[\w.]+)?$/),
  runtimeHint: z.literal('docker'),
  runtimeArguments: z.array(z.strictObject({ type: z.literal('named'), name: z.string(), value: z.string() })),
  transport: stdio,
  environmentVariables,
});

/** The MCP bundle. Its address must contain "mcp", and clients check its hash. */
const mcpb = z.strictObject({
  registryType: z.literal('mcpb'),
  identifier: address.regex(/^https:\/\/github\.com\/[^?]+\/releases\/download\/[^/?]+\/[^/?]*mcp[^/?]*$/),
  fileSha256: z.string().regex(/^[a-f0-9]{64}$/),
  transport: stdio,
});

/**
 * The rules of schema 2025-12-11 and of the registry's own checks for this entry. `mcp-publisher validate` contains the
 * schema.
 */
const entry = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: z.literal(packageJson.mcpName).and(z.string().regex(/^io\.github\.[a-zA-Z0-9-]+\/[a-zA-Z0-9._-]+$/)),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  websiteUrl: address,
  icons: z.array(
    z.strictObject({ src: address, mimeType: z.literal('image/png'), sizes: z.array(z.string().regex(/^\d+x\d+$/)) }),
  ),
  repository: z.strictObject({ url: address, source: z.literal('github'), subfolder: z.string() }),
  version: z.literal(packageJson.version),
  packages: z.union([z.tuple([npm, oci]), z.tuple([npm, oci, mcpb])]),
});

test("the registry entry meets the registry's rules, with and without a bundle", () => {
  expect(entry.safeParse(write()).error).toBeUndefined();
  expect(entry.safeParse(write(Buffer.from('a bundle'))).error).toBeUndefined();
});

test("the registry entry of a release has the address and the hash of that release's bundle", () => {
  const { packages } = entry.parse(write(Buffer.from('a bundle')));
  expect(packages[2]).toMatchObject({
    identifier: expect.stringContaining(
      `/releases/download/%40order-license%2Fmcp-server%40${packageJson.version}/order-license.mcpb`,
    ),
    fileSha256: 'cd98c950d629c66548537b4ecd68dab3e8cf59974ba6e40df5a1a7354b39db5f',
  });
});

test('the icon is a PNG of the size that the registry entry states', () => {
  const bytes = readFileSync(new URL('../icon.png', import.meta.url));
  expect(bytes.toString('latin1', 1, 4)).toBe('PNG');
  const { icons } = entry.parse(write());
  expect(icons[0]?.sizes).toEqual([`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`]);
});
