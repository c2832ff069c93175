// Where almanac.yaml keeps the state, and what is wrong with such a place.

import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/declare/load/load-config.ts';
import { placeName } from '../../src/model/workspace/state-place.ts';
import { makeMemoryWorkspace } from '../support/memory-workspace.ts';

function configOf(text: string, { env, pin }: { env?: string; pin?: string } = {}) {
  const workspace = makeMemoryWorkspace({ 'almanac.yaml': text });
  return loadConfig(workspace, (name) => (name === 'ALMANAC_STATE_PLACE' ? pin : undefined), env);
}

const stateOf = async (text: string, env?: string) => {
  const { config, findings } = await configOf(text, env === undefined ? {} : { env });
  expect(findings).toEqual([]);
  return config?.state;
};

describe('the place of the state', () => {
  it.each([
    ['state: { backend: git }', { backend: 'git', remote: 'origin', branch: 'almanac-state', lease: 120 }],
    [
      'state: { backend: s3, bucket: acme-state }',
      { backend: 's3', bucket: 'acme-state', prefix: 'almanac', lease: 120 },
    ],
    [
      'state: { backend: s3, bucket: acme-state, prefix: /a/b/, region: eu-central-1, endpoint: "https://s3.example.com" }',
      {
        backend: 's3',
        bucket: 'acme-state',
        prefix: 'a/b',
        region: 'eu-central-1',
        endpoint: 'https://s3.example.com',
        lease: 120,
      },
    ],
    ['state: { backend: postgres }', { backend: 'postgres', table: 'almanac_log', name: 'almanac', lease: 120 }],
    [
      'state: { backend: postgres, schema: ops, table: t, name: n, lease: 300 }',
      { backend: 'postgres', schema: 'ops', table: 't', name: 'n', lease: 300 },
    ],
    [
      'api: { timeout: 60 }\nstate: { backend: git }',
      { backend: 'git', remote: 'origin', branch: 'almanac-state', lease: 150 },
    ],
  ])('%s has its defaults', async (text, state) => {
    expect(await stateOf(text)).toEqual(state);
  });

  it('an environment has a branch, a prefix and a name of its own by default', async () => {
    const inEnvironment = async (state: string) =>
      await stateOf(`state: { ${state} }\nenvironments: { staging: {} }`, 'staging');
    expect(await inEnvironment('backend: git')).toMatchObject({ branch: 'almanac-state-staging' });
    expect(await inEnvironment('backend: s3, bucket: acme')).toMatchObject({ prefix: 'almanac-staging' });
    expect(await inEnvironment('backend: postgres')).toMatchObject({ name: 'almanac-staging' });
  });

  it('an environment is merged with the shared part, and replaces it where it names a backend', async () => {
    const text = (over: string) =>
      `state: { backend: git, branch: b, lease: 300 }\nenvironments: { staging: { state: { ${over} } } }`;
    expect(await stateOf(text('remote: upstream'), 'staging')).toEqual({
      backend: 'git',
      remote: 'upstream',
      branch: 'b',
      lease: 300,
    });
    expect(await stateOf(text('backend: git'), 'staging')).toEqual({
      backend: 'git',
      remote: 'origin',
      branch: 'almanac-state-staging',
      lease: 120,
    });
    expect(await stateOf(text('path: s.json, backend: local'), 'staging')).toEqual({
      backend: 'local',
      path: 's.json',
    });
  });
});

describe('a wrong place', () => {
  const codesOf = async (text: string, env?: string) =>
    (await configOf(text, env === undefined ? {} : { env })).findings.map(({ code, place }) => [
      code,
      place !== undefined && 'pointer' in place ? place.pointer : '',
    ]);

  it.each([
    ['remote', '-u'],
    ['remote', 'ext::sh -c x'],
    ['remote', 'git@git.example.com:a.git'],
    ['remote', '../elsewhere'],
    ['branch', 'a b'],
    ['branch', 'a/.b'],
    ['branch', 'a@{1}'],
    ['branch', '@'],
    ['branch', 'HEAD'],
    ['branch', 'refs/heads/a'],
    ['remote', 'ssh://-oProxyCommand=touch/x'],
    ['branch', '/a'],
    ['branch', '\u202ea'],
    ['branch', '0123456789012345678901234567890123456789'],
    ['branch', 'a'.repeat(300)],
    ['remote', 'file:///srv/a.git'],
    ['remote', 'https://ana:hunter2@git.example.com/a.git'],
  ])('%s %j of git is refused at its place, and not repeated', async (field, value) => {
    const { config, findings } = await configOf(`state: { backend: git, ${field}: ${JSON.stringify(value)} }`);
    expect(config).toBeUndefined();
    expect(findings).toMatchObject([{ code: 'invalid-state-place', place: { pointer: `/state/${field}` } }]);
    expect(JSON.stringify(findings)).not.toContain('hunter2');
  });

  it.each(['origin', 'up-stream', 'team/state.2'])('remote %s is accepted', async (remote) => {
    expect(await stateOf(`state: { backend: git, remote: ${JSON.stringify(remote)} }`)).toMatchObject({ remote });
  });

  it.each([
    'https://ana:hunter2@s3.example.com',
    'https://hunter2@s3.example.com',
    'http://s3.example.com',
    'ftp://s3.example.com',
    's3.example.com',
    'https://s3.example.com/?x=hunter2',
  ])('endpoint %s is refused at its place, and not repeated', async (endpoint) => {
    const { findings } = await configOf(`state: { backend: s3, bucket: acme, endpoint: ${JSON.stringify(endpoint)} }`);
    expect(findings).toMatchObject([{ code: 'invalid-state-place', place: { pointer: '/state/endpoint' } }]);
    expect(JSON.stringify(findings)).not.toContain('hunter2');
  });

  it('plain HTTP is only for this machine', async () => {
    expect(await stateOf('state: { backend: s3, bucket: acme, endpoint: "http://127.0.0.1:9000" }')).toMatchObject({
      endpoint: 'http://127.0.0.1:9000',
    });
  });

  it.each(['/', 'a//b', 'a/../b', './a', 'a b', 'ä'])('prefix %j of s3 is refused', async (prefix) => {
    expect(await codesOf(`state: { backend: s3, bucket: acme, prefix: ${JSON.stringify(prefix)} }`)).toEqual([
      ['wrong-type', '/state/prefix'],
    ]);
  });

  it.each(['grün', 'a b', 'a/b', '-a', 'a..b'])(
    'no environment is called %j, so its name can be part of a place',
    async (name) => {
      expect(
        (await codesOf(`state: { backend: git }\nenvironments: { ${JSON.stringify(name)}: {} }`)).map(([code]) => code),
      ).toContain('invalid-key');
    },
  );

  it('a lease shorter than two requests and 30 s is refused, also for the timeout of an environment', async () => {
    expect(await codesOf('state: { backend: git, lease: 89 }')).toEqual([['short-lease', '/state/lease']]);
    expect(await codesOf('state: { backend: git, lease: 0 }')).toEqual([['wrong-type', '/state/lease']]);
    expect(await codesOf('state: { backend: git, lease: 90 }')).toEqual([]);
    expect(
      await codesOf('state: { backend: git, lease: 90 }\nenvironments: { slow: { api: { timeout: 31 } } }'),
    ).toEqual([['short-lease', '/state/lease']]);
  });

  it('an environment may have the fields of the backend that the shared part names, and no others', async () => {
    expect(await codesOf('state: { backend: git }\nenvironments: { e: { state: { path: a } } }')).toEqual([
      ['field-not-for-backend', '/environments/e/state/path'],
    ]);
    expect(await codesOf('state: { backend: git }\nenvironments: { e: { state: { branch: a } } }')).toEqual([]);
  });

  it('an s3 state needs a bucket, in the shared part or in each environment', async () => {
    const each =
      'state: { backend: s3 }\nenvironments: { a: { state: { bucket: acme-a } }, b: { state: { bucket: acme-b } } }';
    expect(await codesOf('state: { backend: s3 }')).toEqual([['required-field', '/state']]);
    expect(await codesOf(each, 'a')).toEqual([]);
    expect(await codesOf(each)).toEqual([['required-field', '/state']]);
    expect(await codesOf('state: { backend: s3 }\nenvironments: { a: { state: { prefix: x } } }', 'a')).toEqual([
      ['required-field', '/environments/a/state'],
    ]);
  });

  it('two organizations cannot keep their state in one place', async () => {
    const of = async (state: string, staging: string, production = '') =>
      await codesOf(
        `state: { ${state} }\nenvironments: { production: { api: { baseUrl: "https://a.example.com" } ${production} }, staging: { api: { baseUrl: "https://b.example.com" } ${staging} } }`,
      );
    expect(await of('backend: git', '')).toEqual([]);
    expect(await of('backend: git, branch: b', '')).toEqual([['same-state-place', '/environments/staging']]);
    expect(await of('backend: git, branch: b', ', state: { branch: c }')).toEqual([]);
    expect(await of('backend: git', ', state: { branch: b }', ', state: { branch: b }')).toEqual([
      ['same-state-place', '/environments/staging/state'],
    ]);
    expect(await of('backend: postgres, name: n', '')).toEqual([['same-state-place', '/environments/staging']]);
    expect(await of('backend: s3, bucket: acme, prefix: p', '')).toEqual([
      ['same-state-place', '/environments/staging'],
    ]);
    expect(await of('path: s.json', '')).toEqual([['same-state-place', '/environments/staging']]);
    expect(await of('', '')).toEqual([]);
  });

  it('two environments of one organization cannot keep their state in one place, and the second gets the line to write', async () => {
    const hintsOf = async (state: string, staging = '') => {
      const text = `state: { ${state} }\nenvironments: { production: {}, staging: { ${staging} } }`;
      return (await configOf(text)).findings.map(({ code, hint }) => [code, hint]);
    };
    const write = (line: string) => [
      ['same-state-place', `Write \`${line}\` in \`state\` of \`environments.staging\`.`],
    ];
    expect(await hintsOf('backend: git')).toEqual([]);
    expect(await hintsOf('backend: git, branch: b')).toEqual(write('branch: b-staging'));
    expect(await hintsOf('backend: git, branch: b', 'state: { branch: b-staging }')).toEqual([]);
    expect(await hintsOf('backend: s3, bucket: acme, prefix: a/p')).toEqual(write('prefix: a/p-staging'));
    expect(await hintsOf('backend: postgres, name: n')).toEqual(write('name: n-staging'));
    expect(await hintsOf('')).toEqual([]);
    expect(await hintsOf('path: s.json')).toEqual(write('path: s.staging.json'));
    expect(await hintsOf('path: states/of.reports')).toEqual(write('path: states/of.reports.staging'));
    expect(await hintsOf('path: s.json', 'state: { path: ./s.json }')).toEqual(write('path: ./s.staging.json'));
    expect(await hintsOf('', 'state: { path: almanac.state.production.json }')).toEqual(
      write('path: almanac.state.production.staging.json'),
    );
    expect(await hintsOf('path: s.json', 'state: { path: s.staging.json }')).toEqual([]);
    expect(await codesOf('state: { backend: git }\nenvironments: { e: { state: { branch: almanac-state } } }')).toEqual(
      [],
    );
  });

  it('the place is never interpolated', async () => {
    expect(
      (await codesOf('variables: { b: x }\nstate: { backend: git, branch: "${var.b}" }')).map(([code]) => code),
    ).toContain('not-interpolated');
  });
});

describe('ALMANAC_STATE_PLACE', () => {
  const git = 'state: { backend: git }\nenvironments: { staging: {} }';

  it('a pinned place that is the configured one changes nothing', async () => {
    for (const [text, env] of [
      [git, undefined],
      [git, 'staging'],
      ['{}', undefined],
    ] as const) {
      const given = env === undefined ? {} : { env };
      const { config } = await configOf(text, given);
      const pin = ` ${placeName(config?.state ?? { backend: 'local', path: '' })} `;
      expect(await configOf(text, { ...given, pin })).toMatchObject({ config, findings: [] });
    }
  });

  it('a password in the variable is not shown', async () => {
    const { findings } = await configOf(git, { pin: 'git branch a of https://ana:hunter2@git.example.com/a' });
    expect(findings).toHaveLength(1);
    expect(JSON.stringify(findings)).not.toContain('hunter2');
  });
});
