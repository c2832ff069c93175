// Plans from any declarations to any others, applied until nothing is left to do. The plan is applied request by
// request. With operations full it is applied in place, however the service handles a PUT: every schedule keeps its id,
// and ends with the content that a new one would have.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { Emulator } from '../../src/emulator/emulator.ts';
import { fieldsOf } from '../../src/model/fields/fields.ts';
import type { State } from '../../src/model/plan/state.ts';
import { equalJson, type Json, type JsonObject } from '../../src/model/values/json.ts';
import type { Operations } from '../../src/model/workspace/config.ts';
import {
  arbitraryDeclarations,
  arbitraryFullDeclarations,
  type Declarations,
  secretVariables,
} from '../support/property/arbitrary-declarations.ts';
import { runs } from '../support/runs/runs.ts';
import { openFolder, type Workspace, workspaceIn } from '../support/workspace.ts';
import { openWorld, type World } from '../support/world.ts';

/** One value for all: its fingerprint is what takes time. */
const secrets = Object.fromEntries(secretVariables.map((name) => [name, 'a-secret-value']));
const safety = { allowOrphans: true, maxDeletePercent: 100 };

interface Stage {
  readonly workspace: World;
  readonly emulator: Emulator;
  readonly operations: Operations;
  readonly put: Put;
}

/** What the service makes of the fields that a PUT leaves out. */
type Put = 'replace' | 'merge';

async function openStage(operations: Operations = 'core', put: Put = 'replace'): Promise<Stage> {
  const config = { safety };
  const workspace = await openWorld({}, { operations, put, config, environment: secrets, isKept: true });
  return { workspace, emulator: workspace.emulator, operations, put };
}

/** One file a section, or all in one, or one a resource: it makes no difference. */
type Layout = 'one' | 'sections' | 'resources';
const layout = fc.constantFrom<Layout>('one', 'sections', 'resources');

function filesOf(declarations: Declarations, how: Layout): Record<string, JsonObject> {
  const sections = Object.entries(declarations) as [string, Record<string, JsonObject>][];
  if (how === 'one') return { 'all.yaml': declarations as unknown as JsonObject };
  if (how === 'sections')
    return Object.fromEntries(sections.map(([name, entries]) => [`${name}.yaml`, { [name]: entries }]));
  return Object.fromEntries(
    sections.flatMap(([name, entries]) =>
      Object.entries(entries).map(([key, fields]) => [`${key}-${name}.yaml`, { [name]: { [key]: fields } }]),
    ),
  );
}

function declare(workspace: Workspace, declarations: Declarations, how: Layout = 'one'): void {
  const files = filesOf(declarations, how);
  for (const name of ['all.yaml', 'schedules.yaml', 'dashboards.yaml', 'aiJobs.yaml'])
    if (!(name in files)) files[name] = {};
  workspace.write(
    Object.fromEntries(Object.entries(files).map(([name, value]) => [`schedules/${name}`, stringify(value)])),
  );
}

function renamed(declarations: Declarations): Declarations {
  const sections = Object.entries(declarations) as [string, Record<string, JsonObject>][];
  const keys = sections.map(([name, entries]) => [
    name,
    Object.fromEntries(Object.entries(entries).map(([key, fields]) => [`${key}-renamed`, fields])),
  ]);
  const moved = sections.flatMap(([name, entries]) =>
    Object.keys(entries).map((key) => ({ from: `${name}.${key}`, to: `${name}.${key}-renamed` })),
  );
  return { ...Object.fromEntries(keys), moved };
}

function idsOf({ resources, orphans }: State): string[] {
  const tracked = Object.entries(resources).flatMap(([address, { id }]) =>
    address.startsWith('schedules.') && id !== undefined ? [id] : [],
  );
  return [...tracked, ...orphans.map(({ id }) => id)].sort();
}

/**
 * Applies what is declared and checks what every apply must keep to. False where the plan warns that a field may stay and
 * the service is one that keeps it: then nothing can be said.
 */
async function applyAndCheck({ workspace, emulator, operations, put }: Stage): Promise<boolean> {
  const before = emulator.requests().length;
  const plan = await workspace.plan('--allow', 'empty');
  expect(emulator.requests()).toHaveLength(before);
  if (put === 'merge' && plan.diagnostics.some(({ code }) => code === 'removed-may-stay')) return false;

  const applied = await workspace.apply('--allow', 'empty');
  const sent = emulator.requests().slice(before);
  expect(sent.map(({ status }) => status).filter((status) => status >= 300)).toEqual([]);
  expect(sent.map(({ method, path }) => `${method} ${path}`)).toHaveLength(plan.requests);
  if (operations === 'core') expect(sent).toHaveLength(plan.changes.filter(({ requests }) => requests === 1).length);
  expect(applied.results.map(({ address, status }) => ({ address, status }))).toEqual(
    plan.changes.map(({ address }) => ({ address, status: 'applied' })),
  );
  expect(applied.digest).toBe(plan.digest);

  const again = await workspace.plan('--allow', 'empty');
  expect(again.changes).toEqual([]);
  if (again.state.lineage !== null) {
    const ids = emulator.data().schedules.map(({ id }) => id);
    expect(idsOf(workspace.state())).toEqual(ids.sort());
    if (operations === 'full') expect(workspace.state().orphans).toEqual([]);
  }
  return true;
}

/** By name and dashboard: what is stored, except defaults and fields that are empty, and whether it is paused. */
function stored({ emulator }: Stage): readonly JsonObject[] {
  const rows = emulator.data().schedules.map(({ fields, disabledAt, hasPassword }) => {
    const kept = Object.entries(fields).filter(
      ([name, value]) => !equalJson(fieldsOf.schedule[name]?.default, value as Json) && !isEmpty(value as Json),
    );
    return { ...Object.fromEntries(kept), isPaused: disabledAt !== undefined, hasPassword } as JsonObject;
  });
  const key = (row: JsonObject) => JSON.stringify([row['name'], row['identifier'], row['destinationType']]);
  return rows.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** A PUT sends these for a field that was removed, and both mean that there is none. */
function isEmpty(value: Json): boolean {
  return value === '' || value === null || equalJson(value, {});
}

async function fresh(declarations: Declarations): Promise<readonly JsonObject[]> {
  const stage = await openStage('full');
  try {
    declare(stage.workspace, declarations);
    await applyAndCheck(stage);
    return stored(stage);
  } finally {
    await stage.workspace.close();
  }
}

/** What is declared for a dashboard is what the service holds, entry by entry. */
function expectDashboards({ dashboards }: Declarations, { emulator }: Stage): void {
  for (const { identifier, filters = {}, controls = {}, filterOrder } of Object.values(dashboards)) {
    const dashboard = emulator.data().documents.find((document) => document.identifier === identifier)?.dashboard;
    for (const [id, entry] of Object.entries(filters as JsonObject))
      expect(dashboard?.filters[id]).toMatchObject(entry as Record<string, Json>);
    for (const [id, entry] of Object.entries(controls as JsonObject))
      expect(dashboard?.controls.find((control) => control.id === id)).toMatchObject(entry as Record<string, Json>);
    if (filterOrder !== undefined) expect(dashboard?.filterOrder).toEqual(filterOrder);
  }
}

/** About test deliveries, filters that say too little or `null`, and days of the week by number, which are declared on purpose. */
const expected = ['one-off-schedule', 'filter-empty', 'filter-incomplete', 'not-a-value', 'day-by-number'];

it('any declarations are valid with no remark except those that are expected, and validating them sends nothing', async () => {
  const stage = await openStage();
  await fc.assert(
    fc.asyncProperty(arbitraryDeclarations, async (declarations) => {
      declare(stage.workspace, declarations);
      const { stdout } = await stage.workspace.run('validate', '--format', 'json');
      const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string }[] };
      expect(diagnostics.filter(({ code }) => !expected.includes(code))).toEqual([]);
    }),
    { numRuns: runs(40), seed: 1 },
  );
  expect(stage.emulator.requests()).toEqual([]);
  await stage.workspace.close();
});

it.each<[string, Operations, Put, fc.Arbitrary<Declarations>]>([
  ['in one request per change with operations core', 'core', 'replace', arbitraryDeclarations],
  ['in place where PUT does replace', 'full', 'replace', arbitraryFullDeclarations],
  ['in place where PUT does merge', 'full', 'merge', arbitraryFullDeclarations],
])('any declarations are reached from any others %s', { timeout: 120_000 }, async (_, operations, put, arbitrary) => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(arbitrary, layout), { minLength: 2, maxLength: 3 }), async (stations) => {
      const stage = await openStage(operations, put);
      const idOf = (key: string) => stage.workspace.state().resources[`schedules.${key}`]?.id;
      try {
        let known: string[] = [];
        let before: Readonly<Record<string, string | undefined>> = {};
        for (const [declarations, how] of stations) {
          for (const file of known) stage.workspace.write({ [file]: '' });
          declare(stage.workspace, declarations, how);
          known = Object.keys(filesOf(declarations, how)).map((name) => `schedules/${name}`);
          if (!(await applyAndCheck(stage))) return;
          expectDashboards(declarations, stage);
          if (operations === 'core') continue;
          expect(stored(stage)).toEqual(await fresh(declarations));
          const keys = Object.keys(declarations.schedules).filter((key) => key !== 'once');
          for (const key of keys) expect(before[key] ?? idOf(key), key).toBe(idOf(key));
          before = Object.fromEntries(keys.map((key) => [key, idOf(key)]));
        }
      } finally {
        await stage.workspace.close();
      }
    }),
    { numRuns: runs(operations === 'core' ? 15 : 18), seed: 2 },
  );
});

it('any declarations keep every id without a request if their keys change and moved entries say so', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryDeclarations, async (declarations) => {
      const stage = await openStage();
      try {
        declare(stage.workspace, declarations);
        await applyAndCheck(stage);
        const before = stage.emulator.requests().length;
        const ids = (suffix: string) =>
          Object.entries(stage.workspace.state().resources).map(([address, { id }]) => [`${address}${suffix}`, id]);
        fc.pre(before > 0);
        const expected = ids('-renamed');
        declare(stage.workspace, renamed(declarations));
        await applyAndCheck(stage);
        expect(stage.emulator.requests()).toHaveLength(before);
        expect(ids('')).toEqual(expected);
      } finally {
        await stage.workspace.close();
      }
    }),
    { numRuns: runs(10), seed: 4 },
  );
});

it('any declarations have the same digest however they are spread over files', async () => {
  const stage = await openStage();
  await fc.assert(
    fc.asyncProperty(arbitraryDeclarations, async (declarations) => {
      const digests = new Set<string>();
      for (const how of ['one', 'sections', 'resources'] as const) {
        const folder = openFolder();
        folder.write({
          'almanac.yaml': { api: { baseUrl: stage.workspace.baseUrl, operations: 'core', rateLimit: 0 }, safety },
        });
        const workspace = workspaceIn(folder, secrets);
        declare(workspace, declarations, how);
        digests.add((await workspace.plan()).digest);
        folder.remove();
      }
      expect(digests.size).toBe(1);
    }),
    { numRuns: runs(10), seed: 3 },
  );
  await stage.workspace.close();
});
