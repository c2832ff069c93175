// A run killed anywhere on the way from any declarations to any others: the next run converges, and no schedule exists
// twice or is lost.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { createEmulator } from '../../src/emulator/emulator.ts';
import type { Unresolved } from '../../src/model/plan/state.ts';
import { connectHttpApi } from '../../src/service/http/http-api.ts';
import { openFileState } from '../../src/state/file/file-state.ts';
import { makeInstantClock } from '../support/fake-clock.ts';
import {
  arbitraryDeclarations,
  arbitraryPausedDeclarations,
  secretVariables,
} from '../support/property/arbitrary-declarations.ts';
import { withFaultPoints } from '../support/property/fault-points.ts';
import { mustSucceed, resolveByHand, unaccounted } from '../support/resolve-by-hand.ts';
import { runs } from '../support/runs/runs.ts';
import { openFolder, start, type Workspace, workspaceIn } from '../support/workspace.ts';

const apply = ['apply', '--auto-approve', '--allow-empty'];

/** Ends everything at a point, and lets nothing of that run happen any more. */
function killer(at: number) {
  let count = 0;
  return () => {
    count += 1;
    if (count >= at) throw new Error('killed');
  };
}

const stations = { core: arbitraryDeclarations, full: arbitraryPausedDeclarations };

it.each([
  ['core', runs(30)],
  ['full', runs(25)],
] as const)(
  'with operations %s a killed run converges from wherever it was killed, %i times over',
  { timeout: 240_000 },
  async (operations, numRuns) => {
    const station = stations[operations];
    const scenario = fc.tuple(
      station,
      fc.array(fc.tuple(station, fc.integer({ min: 1, max: 40 })), { minLength: 1, maxLength: 4 }),
    );
    await fc.assert(
      fc.asyncProperty(scenario, async ([from, kills]) => {
        const emulator = createEmulator({ rateLimit: 0, operations, now: () => start });
        const { baseUrl, organizationKey } = await emulator.listen();
        const folder = openFolder();
        try {
          const secrets = Object.fromEntries(secretVariables.map((name) => [name, `value-of-${name}`]));
          const environment = { ...secrets, OMNI_API_TOKEN: organizationKey };
          const config = {
            api: { baseUrl, operations, rateLimit: 0, concurrency: 2 },
            safety: { allowOrphans: true, maxDeletePercent: 100 },
          };
          folder.write({ 'almanac.yaml': config, 'schedules/all.yaml': stringify(from) });
          const workspace = workspaceIn(folder, environment);
          mustSucceed(await workspace.run(...apply));

          for (const [to, point] of kills) {
            folder.write({ 'schedules/all.yaml': stringify(to) });
            const clock = makeInstantClock(start);
            const real = {
              openState: async (options: Parameters<typeof openFileState>[0]) => openFileState(options),
              connect: (settings: Parameters<typeof connectHttpApi>[0]) =>
                connectHttpApi({ ...settings, clock, version: 'test', environment }),
            };
            const dying = workspaceIn(folder, environment, withFaultPoints(real as never, killer(point)));
            await dying.run(...apply);
            // Every second time, the next run dies without a check in between.
            if (point % 2 === 0) continue;
            const { code, stderr } = await workspace.run(...apply);
            if (code !== 0) expect(stderr).toContain('almanac state resolve');
            if (operations === 'full') expect(onlyPeopleKnow(workspace)).toEqual([]);
            await resolveByHand(workspace, emulator);
          }
          if (operations === 'full') await workspace.run(...apply);
          await resolveByHand(workspace, emulator);
          mustSucceed(await workspace.run(...apply));
          expect((await workspace.plan('--allow-empty')).changes).toEqual([]);
          expect(unaccounted(workspace, emulator)).toEqual([]);
          if (operations === 'full') expect(workspace.state().orphans).toEqual([]);
        } finally {
          folder.remove();
          await emulator.close();
        }
      }),
      { numRuns },
    );
  },
);

/** What should have been found out without them. */
function onlyPeopleKnow(workspace: Workspace): readonly Unresolved[] {
  return workspace
    .state()
    .unresolved.filter(
      ({ address, action }) => address.startsWith('schedules.') && action !== 'run' && action !== 'update',
    );
}
