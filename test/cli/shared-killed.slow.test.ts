// Runs on a shared state that are killed, or fall asleep until another run has taken over, at any of their effects. What
// a network loses on the way, state/stopped-holder.test.ts and the cases of every log show.

import { expect, test } from 'vitest';
import { chaosPlaces, type Operations, type Outcome, survive, trialOf } from '../support/cli/chaos.ts';
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
    const pointsOf = async (operations: Operations) =>
      (await survive(open, { operations, how: 'kill', point: 0 })).points;
    const points = { full: await pointsOf('full'), core: await pointsOf('core') };
    expect(Math.min(points.full, points.core)).toBeGreaterThan(40);

    const [left, outcomes, failures] = [Array(seeds).keys(), [] as Outcome[], [] as string[]];
    const worker = async () => {
      for (const seed of left) {
        const trial = trialOf(firstSeed + seed, points);
        try {
          const outcome = await survive(open, trial);
          outcomes.push(outcome);
          if (outcome.late.length + outcome.lost.length + outcome.duplicates.length === 0) continue;
          failures.push(JSON.stringify({ seed, ...trial, ...outcome }));
        } catch (error) {
          failures.push(`${JSON.stringify(trial)}: ${error instanceof Error ? (error.stack ?? error.message) : error}`);
        }
        console.error(`A trial failed: ${failures.at(-1)}`);
      }
    };
    await Promise.all(Array.from({ length: workers }, worker));

    expect(failures).toEqual([]);
    // A run may have fewer effects than the one that was counted: writes that come together share an entry.
    expect(outcomes.filter(({ struck }) => struck).length).toBeGreaterThanOrEqual(seeds / 4);
  },
);
