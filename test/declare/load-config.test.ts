// What golden cases do not show about almanac.yaml: the configuration that it gives.

import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/declare/load/load-config.ts';
import { makeMemoryWorkspace } from '../support/memory-workspace.ts';

function configOf(text: string | undefined, { env, baseUrl }: { env?: string; baseUrl?: string } = {}) {
  const workspace = makeMemoryWorkspace(text === undefined ? {} : { 'almanac.yaml': text });
  return loadConfig(workspace, (name) => (name === 'OMNI_BASE_URL' ? baseUrl : undefined), env);
}

describe('the configuration', () => {
  it.each([undefined, '', '# none\n', '{}\n', 'api:\nstate:\n'])(
    'a configuration of %j consists of defaults',
    async (text) => {
      const { config, findings } = await configOf(text?.replace('api:\nstate:\n', 'api: {}\nstate: {}\n'));
      expect(findings).toEqual([]);
      expect(config).toMatchObject({
        api: { operations: 'core', rateLimit: 60, concurrency: 4, timeout: 30 },
        sources: ['schedules/**/*.{yaml,yml}'],
        state: { backend: 'local', path: 'almanac.state.json' },
        variables: {},
        safety: { maxDeletePercent: 30, allowOrphans: false },
      });
    },
  );

  it.each([
    ['https://acme.omniapp.co/api', undefined],
    ['https://acme.omniapp.co/api//', undefined],
    [undefined, ' https://acme.omniapp.co/api/ '],
    ['https://acme.omniapp.co', 'https://acme.omniapp.co/api'],
  ])('a configuration has one base URL: %s in the file, %s outside', async (inFile, baseUrl) => {
    const text = inFile === undefined ? '{}' : `api: { baseUrl: "${inFile}" }`;
    expect((await configOf(text, baseUrl === undefined ? {} : { baseUrl })).config?.api.baseUrl).toBe(
      'https://acme.omniapp.co/api',
    );
  });

  it.each(['https://acme.omniapp.co/dashboards/12db1a0a?f=1', 'https://acme.omniapp.co/w/12db1a0a'])(
    'the page %s is refused as a base URL, in the file and outside',
    async (page) => {
      const message = expect.stringMatching(/page of Omni; write https:\/\/acme\.omniapp\.co\/api\.$/);
      const findings = [{ code: 'invalid-base-url', message }];
      expect(await configOf(`api: { baseUrl: "${page}" }`)).toMatchObject({ findings });
      expect(await configOf('{}', { baseUrl: page })).toMatchObject({ findings });
    },
  );

  it.each(['email', 'slack', 'webhook'])(
    'an environment that refuses what is delivered by %s has no sink for it',
    async (destination) => {
      const text = `environments: { staging: { deliver: { ${destination}: refuse } } }`;
      const { config, findings } = await configOf(text, { env: 'staging' });
      expect(findings).toEqual([]);
      expect(config?.deliver).toEqual({ environment: 'staging' });
    },
  );

  it('an environment can skip every kind of destination, and a list cannot hold the word', async () => {
    const all = 'email: skip, slack: skip, webhook: skip, s3: skip, sftp: skip';
    const { config, findings } = await configOf(`environments: { staging: { deliver: { ${all} } } }`, {
      env: 'staging',
    });
    expect(findings).toEqual([]);
    expect(config?.deliver).toEqual({
      environment: 'staging',
      skips: ['webhook', 'email', 'sftp', 'slack', 's3'],
    });
    const listed = await configOf('environments: { staging: { deliver: { email: [skip, qa@acme.com] } } }');
    expect(listed.findings).toMatchObject([{ code: 'invalid-email' }]);
  });

  it('each part of the configuration comes from the chosen environment, or else from the rest of the file', async () => {
    const text = [
      'api: { baseUrl: https://acme.omniapp.co, rateLimit: 10 }',
      'variables: { a: 1, b: 1 }',
      'environments: { staging: { api: { rateLimit: 20 }, variables: { b: 2 }, state: { path: s.json } } }',
    ].join('\n');
    expect((await configOf(text, { env: 'staging' })).config).toMatchObject({
      api: { baseUrl: 'https://acme.omniapp.co/api', rateLimit: 20, timeout: 30 },
      variables: { a: 1, b: 2 },
      state: { backend: 'local', path: 's.json' },
    });
  });

  it('an empty section of the configuration counts as omitted', async () => {
    const empty = await configOf('api:\nstate:\nvariables:\nsafety:\ndefaults:\nenvironments:\n  e:\n    api:\n', {
      env: 'e',
    });
    expect(empty).toMatchObject({
      config: (await configOf('environments: { e: {} }', { env: 'e' })).config,
      findings: [],
    });
  });

  it('a configuration with errors is not returned, but its valid parts are', async () => {
    const { config, usable, findings } = await configOf(
      'api: { operations: full, timeout: soon, colour: red }\nsources: x\n',
    );
    expect(config).toBeUndefined();
    expect(findings).toHaveLength(3);
    expect(usable).toMatchObject({
      api: { operations: 'full', timeout: 30 },
      sources: ['schedules/**/*.{yaml,yml}'],
    });
  });
});
