import { readFileSync } from 'node:fs';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { expect, test } from 'vitest';
import { appCapabilities, connectHere } from '../testing/mcp-session.fixture.ts';

const env = { ORDER_LICENSE_BASE_URL: 'https://shop.example/api/v1', ORDER_LICENSE_API_KEY: 'unused' };
const names = ['erp-sync', 'license-distribution', 'accounting-export', 'audit'];

test.each([
  ['full', 'auto'],
  ['full', 'legacy'],
  ['app', 'auto'],
  ['app', 'legacy'],
] as const)(
  'with license keys set to %s, in mode %s, serves each prompt as a verified skill [S-14]',
  async (keys, mode) => {
    const client = await connectHere({ ...env, ORDER_LICENSE_LICENSE_KEYS: keys }, mode, appCapabilities);
    const skills = new SkillsClient(client);
    const { skills: listed } = await skills.list();
    expect(listed.map(({ uri }) => uri)).toEqual(names.map((name) => `skill://${name}/SKILL.md`));
    for (const [index, skill] of listed.entries()) {
      const file = new URL(`../../plugin/skills/${names[index]}/SKILL.md`, import.meta.url);
      expect(await skills.read(skill)).toMatchObject({ verified: true, text: readFileSync(file, 'utf8') });
      expect((await skills.get(skill.uri)).skill).toEqual(skill);
    }
    await expect(skills.get('skill://other/SKILL.md')).rejects.toThrow(/No skill/);
    await expect(client.readResource({ uri: 'skill://other/SKILL.md' })).rejects.toThrow();
    // Skills do not appear in the list of resources.
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(keys === 'app' ? ['ui://order-license/order-card.html'] : []);
  },
);
