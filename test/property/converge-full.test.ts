// With operations full: from any declarations to any others in place, however the service handles a PUT. Every schedule
// keeps its id, and ends with the content that a new one would have.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts';
import { fieldsOf } from '../../src/model/fields/fields.ts';
import { equalJson, type Json, type JsonObject } from '../../src/model/values/json.ts';
import {
  arbitraryPausedDeclarations,
  type Declarations,
  secretVariables,
} from '../support/property/arbitrary-declarations.ts';
import { runs } from '../support/runs/runs.ts';
import { openFolder, start, type Workspace, workspaceIn } from '../support/workspace.ts';

const secrets = Object.fromEntries(secretVariables.map((name) => [name, 'a-secret-value']));

interface Stage {
  readonly workspace: Workspace;
  readonly emulator: Emulator;
  readonly put: 'replace' | 'merge';
  declare(declarations: Declarations): void;
  end(): Promise<void>;
}

async function openStage(put: 'replace' | 'merge'): Promise<Stage> {
  const emulator = createEmulator({ rateLimit: 0, now: () => start, operations: 'full', put });
  const { baseUrl, organizationKey } = await emulator.listen();
  const folder = openFolder();
  const api = { baseUrl, operations: 'full', rateLimit: 0 };
  folder.write({ 'almanac.yaml': { api, safety: { maxDeletePercent: 100 } } });
  return {
    workspace: workspaceIn(folder, { ...secrets, OMNI_API_TOKEN: organizationKey }),
    emulator,
    put,
    declare: (declarations) => folder.write({ 'schedules/all.yaml': stringify(declarations) }),
    end: async () => {
      folder.remove();
      await emulator.close();
    },
  };
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
  return value === '' || equalJson(value, {});
}

/** False where the plan warns that a field may stay and the service is one that keeps it: then nothing can be said. */
async function applyAll(stage: Stage, declarations: Declarations): Promise<boolean> {
  stage.declare(declarations);
  const before = stage.emulator.requests().length;
  const plan = await stage.workspace.plan('--allow-empty');
  if (stage.put === 'merge' && plan.diagnostics.some(({ code }) => code === 'removed-may-stay')) return false;
  expect(stage.emulator.requests()).toHaveLength(before);
  await stage.workspace.apply('--allow-empty');
  const sent = stage.emulator.requests().slice(before);
  expect(sent.filter(({ status }) => status >= 300)).toEqual([]);
  expect(sent.filter(({ method }) => method !== 'GET')).toHaveLength(
    plan.changes.reduce((sum, { requests }) => sum + requests, 0),
  );
  expect((await stage.workspace.plan('--allow-empty')).changes).toEqual([]);
  return true;
}

async function fresh(declarations: Declarations): Promise<readonly JsonObject[]> {
  const stage = await openStage('replace');
  try {
    await applyAll(stage, declarations);
    return stored(stage);
  } finally {
    await stage.end();
  }
}

describe.each(['replace', 'merge'] as const)('where a PUT does %s', (put) => {
  it(`any declarations are reached from any others in place where PUT does ${put}`, { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(arbitraryPausedDeclarations, { minLength: 2, maxLength: 3 }), async (stations) => {
        const stage = await openStage(put);
        try {
          for (const station of stations) {
            if (!(await applyAll(stage, station))) return;
            expect(stage.workspace.state().orphans).toEqual([]);
            expect(stored(stage)).toEqual(await fresh(station));
          }
        } finally {
          await stage.end();
        }
      }),
      { numRuns: runs(10), seed: 5 },
    );
  });

  it(`a schedule keeps its id whatever changes where PUT does ${put}`, { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryPausedDeclarations, arbitraryPausedDeclarations, async (from, to) => {
        const stage = await openStage(put);
        try {
          await applyAll(stage, from);
          const ids = (address: string) => stage.workspace.state().resources[address]?.id;
          const kept = Object.keys(from.schedules).filter((key) => key in to.schedules && key !== 'once');
          const known = kept.map((key) => [key, ids(`schedules.${key}`)]);
          if (await applyAll(stage, to)) expect(kept.map((key) => [key, ids(`schedules.${key}`)])).toEqual(known);
        } finally {
          await stage.end();
        }
      }),
      { numRuns: runs(8), seed: 6 },
    );
  });
});
