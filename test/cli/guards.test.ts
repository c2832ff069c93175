// What makes an apply refuse before its first request: each refusal says why, and names the flag or the way out.

import { symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hook } from '../support/cli/open-stage.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';
import { openWorld } from '../support/world.ts';

const declare = (schedules: object) => ({ 'schedules/all.yaml': { schedules } });

it.each<[string, Record<string, unknown>, string, string, readonly string[]]>([
  [
    'a saved plan whose declarations have changed',
    declare({ other: { ...hook, name: 'Another' } }),
    'apply reviewed.plan --auto-approve',
    'plan-stale',
    ['almanac plan --out'],
  ],
  [
    'another digest than the reviewed one',
    {},
    `apply --auto-approve --expect ${'0'.repeat(64)}`,
    'plan-stale',
    ['almanac plan'],
  ],
  [
    'a list of reviewed changes that holds something else',
    { 'reviewed.txt': `${'0'.repeat(64)}\nschedules.a\n` },
    'apply --auto-approve --expect-changes reviewed.txt',
    'usage',
    ['reviewed.txt:2:1', 'one digest a line'],
  ],
  [
    'a list of reviewed changes that is not there',
    {},
    'apply --auto-approve --expect-changes reviewed.txt',
    'usage',
    ['reviewed.txt cannot be read'],
  ],
  [
    'a secret that is not set',
    declare({ a: { ...hook, url: 'https://hooks.example.com/${env.HOOK}' } }),
    'apply --auto-approve',
    'missing-secret',
    ['HOOK', 'Set it where this runs'],
  ],
])('an apply is refused with the ways out for %s', async (_, spoiled, argv, code, ways) => {
  const { run, write, sent } = await openWorld(declare({ a: hook }));
  expect((await run('plan', '--out', 'reviewed.plan')).code).toBe(0);
  write(spoiled);
  const ran = await run(argv);
  const said = ran.stderr.replace(/\s+/g, ' ');
  expect(ran.code, said).toBe(1);
  expect(said).toContain(`error[${code}]`);
  for (const way of ways) expect(said).toContain(way);
  expect(sent()).toEqual([]);
});

it('a base URL with credentials is refused, and the credentials are never printed', async () => {
  const baseUrl = 'https://user:hunter2@omni.example.com/api';
  const inFile = makeFolder({ 'almanac.yaml': { api: { baseUrl } }, ...declare({ a: hook }) });
  const inEnvironment = makeFolder(declare({ a: hook }));
  for (const [folder, environment] of [
    [inFile, {}],
    [inEnvironment, { OMNI_BASE_URL: baseUrl }],
  ] as const) {
    const workspace = workspaceIn(folder, { OMNI_API_TOKEN: 'omni_osk_x', ...environment });
    for (const argv of [['validate'], ['plan'], ['apply', '--auto-approve']]) {
      const { code, stdout, stderr } = await workspace.run(...argv);
      expect(code).toBe(1);
      expect(stdout + stderr).toContain('contains a user name or a password');
      expect(stdout + stderr).not.toContain('hunter2');
    }
  }
});

it('a reference that leaves the workspace, by .. or by a link, is refused and not read', async () => {
  const outside = makeFolder({ 'secret.txt': 'the text of another file' });
  const folder = makeFolder({
    'almanac.yaml': { api: { baseUrl: 'https://omni.example.com/api' } },
    ...declare({
      a: { ...hook, name: '${file.link.txt}' },
      b: { ...hook, name: '${file.../folder/secret.txt}' },
      c: { ...hook, name: '${file.../../secret.txt}' },
      d: { ...hook, name: `\${file.${join(tmpdir(), 'x')}}` },
    }),
  });
  symlinkSync(join(outside.path, 'secret.txt'), join(folder.path, 'schedules/link.txt'));
  symlinkSync(outside.path, join(folder.path, 'folder'));
  const workspace = workspaceIn(folder, { OMNI_API_TOKEN: 'omni_osk_x' });
  const { code, stderr } = await workspace.run('apply', '--auto-approve');
  expect(code).toBe(1);
  expect(stderr.match(/error\[reference-outside\]/g)).toHaveLength(4);
  expect(stderr).not.toContain('the text of another file');
});
