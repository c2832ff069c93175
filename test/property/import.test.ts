// Any schedules made through the API are imported as valid declarations. After the adoption, which sends nothing, the
// next plan is empty, and sending the declarations again changes nothing but that filters of the dashboard become own ones.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import type { ImportDocument } from '../../src/commands/import/import-document.ts';
import type { createEmulator } from '../../src/emulator/emulator.ts';
import { fieldsOf } from '../../src/model/fields/fields.ts';
import { equalJson, type Json } from '../../src/model/values/json.ts';
import { conditionsOf } from '../support/emulator/conditions-of.ts';
import {
  arbitraryFullDeclarations,
  type Declarations,
  secretVariables,
} from '../support/property/arbitrary-declarations.ts';
import { mustSucceed } from '../support/resolve-by-hand.ts';
import { runs } from '../support/runs/runs.ts';
import { openFolder, type WorkspaceFolder, workspaceIn } from '../support/workspace.ts';
import { openWorld } from '../support/world.ts';

const values = Object.fromEntries(secretVariables.map((name) => [name, 'a-secret-value']));

/** What recurs, without AI jobs and deliveries that are sent once. */
function recurring({ schedules, dashboards }: Declarations) {
  return {
    schedules: Object.fromEntries(Object.entries(schedules).filter(([, fields]) => fields['testNow'] !== true)),
    dashboards,
  };
}

const scenario = fc.record({
  declarations: arbitraryFullDeclarations.map(recurring),
  paused: fc.subarray(['a', 'b', 'c', 'd', 'Weekly-sales_2']),
  dashboards: fc.boolean(),
  writeState: fc.boolean(),
});

const variables = (text: string) => [...text.matchAll(/(?<!\$)\$\{env\.([A-Z0-9_]+)\}/g)].map(([, name = '']) => name);

function filesOf(folder: WorkspaceFolder, { files }: ImportDocument): readonly string[] {
  return files.map(({ path }) => folder.read(path));
}

it('an import of anything that exists leads to an empty plan', { timeout: 240_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async ({ declarations, paused, dashboards, writeState }) => {
      const maker = await openWorld({}, { environment: values, isKept: true });
      const { emulator } = maker;
      const folder = openFolder();
      try {
        const made = structuredClone(declarations) as { schedules: Record<string, object> };
        for (const key of paused) Object.assign(made.schedules[key] ?? {}, { paused: true });
        maker.write({ 'schedules/all.yaml': stringify(made) });
        mustSucceed(await maker.run('apply', '--auto-approve'));
        const before = emulator.data();

        folder.write({ 'almanac.yaml': maker.read('almanac.yaml') });
        const workspace = workspaceIn(folder, { OMNI_API_TOKEN: maker.organizationKey });
        const flags = [...(dashboards ? ['--dashboards'] : []), ...(writeState ? ['--write-state'] : [])];
        const imported = mustSucceed(await workspace.run('import', '--format', 'json', ...flags));
        const document = JSON.parse(imported.stdout) as ImportDocument;
        expect(document.skipped).toEqual([]);
        expect(document.imported).toHaveLength(before.schedules.length);
        mustSucceed(await workspace.run('validate'));
        const { changes } = await workspace.plan('--allow', 'empty');
        const adoptions = changes.filter(({ action }) => action === 'adopt');
        expect(adoptions).toHaveLength(writeState ? 0 : before.schedules.length);
        expect(changes.filter(({ kind, action }) => kind !== 'dashboard' && action !== 'adopt')).toEqual([]);

        for (const text of filesOf(folder, document))
          for (const name of variables(text)) workspace.environment[name] = 'a-secret-value';
        if (!writeState) {
          await workspace.apply('--allow', 'empty');
          expect((await workspace.plan('--allow', 'empty')).changes).toEqual([]);
        } else expect((await workspace.plan('--allow', 'empty')).changes.filter(isNoSecret)).toEqual([]);
        if (!writeState) mustSucceed(await workspace.run('drift', '--deep'));
        expect(emulator.data().schedules).toEqual(before.schedules);
        expect(emulator.data().documents.map(({ dashboard }) => dashboard)).toEqual(
          before.documents.map(({ dashboard }) => dashboard),
        );

        for (const { path } of document.files) {
          const declared = parse(folder.read(path)) as { schedules?: Record<string, { killJobsOnFailure?: boolean }> };
          // A change of the secret alone is left: no apply has sent anything of it.
          for (const fields of Object.values(declared.schedules ?? {}))
            Object.assign(fields, { killJobsOnFailure: fields.killJobsOnFailure !== true });
          folder.write({ [path]: stringify(declared) });
        }
        await workspace.apply('--allow', 'empty');
        expect(emulator.data().schedules.map(sentAgain)).toEqual(before.schedules.map(sentAgain));
        expect(conditionsOf(emulator.data())).toEqual(conditionsOf(before));
      } finally {
        folder.remove();
        await maker.close();
      }
    }),
    { numRuns: runs(40), seed: 11 },
  );
});

/** A password of which the state knows nothing is sent once. */
function isNoSecret({ diff }: { readonly diff: readonly { readonly sensitive: boolean }[] }): boolean {
  return !diff.every(({ sensitive }) => sensitive);
}

/** Without what the second sending changes on purpose, filters, and without defaults and what is as good as left out. */
function sentAgain({
  fields,
  disabledAt,
  ownerId,
}: ReturnType<ReturnType<typeof createEmulator>['data']>['schedules'][number]) {
  const { killJobsOnFailure: _, filterConfig: _filters, ...rest } = fields;
  const isNothing = (value: unknown) => value === '' || value === null || JSON.stringify(value) === '{}';
  const kept = Object.entries(rest).filter(
    ([name, value]) => !isNothing(value) && !equalJson(fieldsOf.schedule[name]?.default, value as Json),
  );
  // One id as a text, several with commas between, and a list are the same.
  const recipients = [rest['recipients'] ?? []].flat().flatMap((text) => String(text).split(/[\s,]+/));
  return { fields: { ...Object.fromEntries(kept), recipients }, isPaused: disabledAt !== undefined, ownerId };
}
