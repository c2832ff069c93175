// Runs on a shared state that are killed, or fall asleep until another run has taken over, at any of their effects and at
// any time, in a network that is slow or loses things.

import { expect, test } from 'vitest';
import { type Outcome, survive } from '../support/cli/chaos.ts';
import { chaosPlaces } from '../support/cli/chaos-places.ts';
import { type Operations, type Trial, trialOf } from '../support/cli/chaos-trials.ts';
import { runs } from '../support/runs/runs.ts';

const seeds = runs(4);
const firstSeed = Number(process.env['ALMANAC_FIRST_SEED'] ?? 0);
/** Most of the time a trial waits. */
const workers = Number(process.env['ALMANAC_WORKERS'] ?? 4);

test.each(Object.entries(chaosPlaces))(
  'with a state in %s nothing is lost or sent twice, wherever a run dies or sleeps',
  {
    timeout: 60_000 + seeds * 60_000,
  },
  async (_, open) => {
    const courseOf = async (operations: Operations) => {
      const quiet: Trial = {
        seed: -1,
        operations,
        how: 'kill',
        at: { point: 0 },
        isEarly: false,
        harmed: 0,
        delayMs: 0,
      };
      const { stderr, ms } = await survive(open, quiet);
      return { points: Number(/points: (\d+)/.exec(stderr)?.[1]), ms };
    };
    const courses = { full: await courseOf('full'), core: await courseOf('core') };
    expect(Math.min(courses.full.points, courses.core.points)).toBeGreaterThan(40);

    const all = Array.from({ length: seeds }, (_, index) => trialOf(firstSeed + index, courses));
    const [left, outcomes, failures] = [all.values(), [] as Outcome[], [] as string[]];
    const worker = async () => {
      for (const trial of left) {
        try {
          const outcome = await survive(open, trial);
          outcomes.push(outcome);
          if (outcome.late.length + outcome.lost.length + outcome.duplicates.length === 0) continue;
          failures.push(JSON.stringify({ ...trial, ...outcome }));
        } catch (error) {
          failures.push(`${JSON.stringify(trial)}: ${error instanceof Error ? (error.stack ?? error.message) : error}`);
        }
        console.error(`A trial failed: ${failures.at(-1)}`);
      }
    };
    await Promise.all(Array.from({ length: workers }, worker));

    const struck = outcomes.filter(({ struck }) => struck).length;
    expect(failures).toEqual([]);
    // A run may be over sooner than the one that was measured, and have fewer effects: writes that come together share
    // an entry.
    expect(struck).toBeGreaterThanOrEqual(seeds / 4);
  },
);
