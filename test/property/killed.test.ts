// Killed anywhere on the way from any declarations to any others: the next run converges, and no schedule exists twice
// or is lost.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { openFileState } from '../../src/adapters/file-state.ts';
import { connectHttpApi } from '../../src/adapters/http-api.ts';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { arbitraryDeclarations, secretVariables } from '../support/arbitrary-declarations.ts';
import { makeInstantClock } from '../support/fake-clock.ts';
import { withFaultPoints } from '../support/fault-points.ts';
import { mustSucceed, resolveByHand, unaccounted } from '../support/resolve-by-hand.ts';
import { openFolder, start, workspaceIn } from '../support/workspace.ts';

const apply = ['apply', '--auto-approve', '--allow-empty'];

/** Ends everything at a point, and lets nothing of that run happen any more. */
function killer(at: number) {
  let count = 0;
  return () => {
    count += 1;
    if (count >= at) throw new Error('killed');
  };
}

it('converges from wherever it was killed', { timeout: 240_000 }, async () => {
  const scenario = fc.tuple(
    arbitraryDeclarations,
    arbitraryDeclarations,
    fc.integer({ min: 1, max: 40 }),
    fc.integer({ min: 1, max: 40 }),
  );
  await fc.assert(
    fc.asyncProperty(scenario, async ([from, to, first, second]) => {
      const emulator = createEmulator({ rateLimit: 0, now: () => start });
      const { baseUrl, organizationKey } = await emulator.listen();
      const folder = openFolder();
      try {
        const secrets = Object.fromEntries(secretVariables.map((name) => [name, `value-of-${name}`]));
        const environment = { ...secrets, OMNI_API_TOKEN: organizationKey };
        const config = {
          api: { baseUrl, rateLimit: 0, concurrency: 2 },
          safety: { allowOrphans: true, maxDeletePercent: 100 },
        };
        folder.write({ 'almanac.yaml': config, 'schedules/all.yaml': stringify(from) });
        const workspace = workspaceIn(folder, environment);
        mustSucceed(await workspace.run(...apply));

        folder.write({ 'schedules/all.yaml': stringify(to) });
        for (const point of [first, second]) {
          const clock = makeInstantClock(start);
          const real = {
            openState: async (options: Parameters<typeof openFileState>[0]) => openFileState(options),
            connect: (settings: Parameters<typeof connectHttpApi>[0]) =>
              connectHttpApi({ ...settings, clock, version: 'test', environment }),
          };
          const dying = workspaceIn(folder, environment, withFaultPoints(real as never, killer(point)));
          await dying.run(...apply);
          const { code, stderr } = await workspace.run(...apply);
          if (code !== 0) expect(stderr).toContain('almanac state resolve');
          await resolveByHand(workspace, emulator);
        }
        mustSucceed(await workspace.run(...apply));
        expect((await workspace.plan('--allow-empty')).changes).toEqual([]);
        expect(unaccounted(workspace, emulator)).toEqual([]);
      } finally {
        folder.remove();
        await emulator.close();
      }
    }),
    { numRuns: 60, seed: 7 },
  );
});
