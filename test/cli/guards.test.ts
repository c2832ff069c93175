// What makes an apply refuse before its first request: each refusal says why, and names the flag or the way out.

import { rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { State } from '../../src/model/plan/state.ts';
import { hook } from '../support/cli/open-stage.ts';
import { makeFolder, type Workspace, workspaceIn } from '../support/workspace.ts';
import { openWorld } from '../support/world.ts';

const protectedHook = { ...hook, lifecycle: { preventDestroy: true } };
const many = Object.fromEntries(
  Array.from({ length: 12 }, (_, index) => [`s${index}`, { ...hook, name: `Report ${index}` }]),
);
const declare = (schedules: object) => ({ 'schedules/all.yaml': { schedules } });
const edit = (workspace: Workspace, change: (state: State) => Partial<State>) => {
  const state = workspace.state();
  workspace.write({ 'almanac.state.json': { ...state, ...change(state) } });
};

interface Guard {
  /** What was applied before. */
  readonly before?: object;
  readonly operations?: 'core' | 'full';
  /** What is wrong now. */
  readonly spoil: (workspace: Workspace) => void;
  readonly argv?: string;
  readonly code: string;
  /** The flag or the way out. */
  readonly ways: readonly string[];
}

const savedPlan = ['apply', 'reviewed.plan', '--auto-approve'].join(' ');

const guards: Readonly<Record<string, Guard>> = {
  'a saved plan whose declarations have changed': {
    spoil: ({ write }) => write(declare({ other: { ...hook, name: 'Another' } })),
    argv: savedPlan,
    code: 'plan-stale',
    ways: ['almanac plan --out'],
  },
  'a saved plan of an older serial': {
    before: { a: hook },
    spoil: (workspace) => edit(workspace, ({ serial }) => ({ serial: serial + 1 })),
    argv: savedPlan,
    code: 'plan-stale',
    ways: ['serial 1 and has 2 now', 'almanac plan --out'],
  },
  'a saved plan of another lineage': {
    before: { a: hook },
    spoil: (workspace) => edit(workspace, () => ({ lineage: '8ae34ee6-5d05-4b3b-9f4c-0c6a1b7b6f5d' })),
    argv: savedPlan,
    code: 'plan-stale',
    ways: ['another state', 'almanac plan --out'],
  },
  'a saved plan for another base URL': {
    spoil: ({ write }) => write({ 'almanac.yaml': { api: { baseUrl: 'https://other.omniapp.co/api' } } }),
    argv: savedPlan,
    code: 'plan-stale',
    ways: ['https://other.omniapp.co/api', 'almanac plan --out'],
  },
  'another digest than the reviewed one': {
    spoil: () => undefined,
    argv: `apply --auto-approve --expect ${'0'.repeat(64)}`,
    code: 'plan-stale',
    ways: ['almanac plan'],
  },
  'a change that nobody reviewed': {
    spoil: ({ write }) => write({ 'reviewed.txt': `${'0'.repeat(64)}\n` }),
    argv: 'apply --auto-approve --expect-changes reviewed.txt',
    code: 'not-reviewed',
    ways: ['schedules.', 'not among the reviewed changes', 'almanac plan'],
  },
  'a list of reviewed changes that holds something else': {
    spoil: ({ write }) => write({ 'reviewed.txt': `${'0'.repeat(64)}\nschedules.a\n` }),
    argv: 'apply --auto-approve --expect-changes reviewed.txt',
    code: 'usage',
    ways: ['reviewed.txt:2:1', 'one digest a line'],
  },
  'a list of reviewed changes that is not there': {
    spoil: () => undefined,
    argv: 'apply --auto-approve --expect-changes reviewed.txt',
    code: 'usage',
    ways: ['reviewed.txt cannot be read'],
  },
  'a state of another base URL': {
    before: { a: hook },
    spoil: (workspace) => edit(workspace, () => ({ baseUrl: 'https://other.omniapp.co/api' })),
    code: 'state-conflict',
    ways: ['--env', 'state: { path'],
  },
  'a secret that is not set': {
    spoil: ({ write }) => write(declare({ a: { ...hook, url: 'https://hooks.example.com/${env.HOOK}' } })),
    code: 'missing-secret',
    ways: ['HOOK', 'Set it where this runs'],
  },
  orphans: {
    before: { a: hook },
    operations: 'core',
    spoil: ({ write }) => write(declare({ b: { ...hook, name: 'Another' } })),
    code: 'blocked',
    ways: ['--allow-orphans', 'almanac state orphans --clear'],
  },
  'deleting what is protected': {
    before: { a: protectedHook },
    spoil: ({ write }) => write(declare({ b: { ...hook, name: 'Another', url: 'https://hooks.example.com/b' } })),
    code: 'blocked',
    ways: ['lifecycle.preventDestroy', 'without preventDestroy'],
  },
  'replacing what is protected': {
    before: { a: protectedHook },
    spoil: () => undefined,
    argv: 'apply --auto-approve --replace schedules.a',
    code: 'blocked',
    ways: ['lifecycle.preventDestroy', 'without preventDestroy'],
  },
  'deleting more than a share': {
    before: many,
    spoil: ({ write }) => write(declare({ s0: many['s0'] })),
    code: 'blocked',
    ways: ['11 of 12 tracked resources', '--force', 'safety.maxDeletePercent'],
  },
  'nothing declared': {
    before: { a: hook },
    spoil: ({ write }) => write(declare({})),
    code: 'invalid-workspace',
    ways: ['--allow-empty'],
  },
  'a schedule that exists already': {
    before: { a: hook },
    spoil: ({ path }) => rmSync(join(path, 'almanac.state.json')),
    code: 'blocked',
    ways: ['adopt:', 'to: schedules.a', '--allow-duplicates'],
  },
};

it.each(Object.entries(guards))(
  'an apply is refused with the ways out for %s',
  async (_, { before, operations = 'full', spoil, argv = 'apply --auto-approve', code, ways }) => {
    const world = await openWorld(declare(before ?? { a: hook }), { operations, api: { rateLimit: 10 } });
    const { emulator } = world;
    const workspace = world;
    if (before !== undefined) await workspace.apply();
    expect((await workspace.run('plan', '--out', 'reviewed.plan')).code).toBe(0);
    spoil(workspace);
    const changing = () => emulator.requests().filter(({ method }) => method !== 'GET').length;
    const sent = changing();
    const ran = await workspace.run(...argv.split(' '));
    const said = ran.stderr.replace(/\s+/g, ' ');
    expect(ran.code, said).toBe(1);
    expect(said).toContain(`error[${code}]`);
    for (const way of ways) expect(said).toContain(way);
    expect(changing()).toBe(sent);
  },
);

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
