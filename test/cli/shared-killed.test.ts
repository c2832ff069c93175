// Runs on a shared state that are killed, or fall asleep until another run has taken over, at any of their effects.

import { afterAll, expect, test } from 'vitest';
import { removeProgram, survive, type Trial } from '../support/cli/chaos.ts';
import { chaosPlaces } from '../support/cli/chaos-places.ts';

afterAll(removeProgram);

/** `npm run test:races` tries more of them. */
const seeds = Number(process.env['ALMANAC_SEEDS'] ?? 8);

test.each(Object.entries(chaosPlaces))(
  'with a state in %s nothing is lost or sent twice, wherever a run dies or sleeps',
  {
    timeout: 7_200_000,
  },
  async (_, open) => {
    const surviveAt = async (trial: Trial) => {
      const place = await open();
      try {
        return await survive(place, trial);
      } catch (error) {
        throw new Error(`Trial ${JSON.stringify(trial)}: ${error instanceof Error ? error.message : error}`, {
          cause: error,
        });
      } finally {
        await place.end();
      }
    };
    const pointsOf = async (operations: Trial['operations']) => {
      const { stderr } = await surviveAt({ operations, how: 'kill', isEarly: false, point: 0 });
      return Number(/points: (\d+)/.exec(stderr)?.[1]);
    };
    const points = { full: await pointsOf('full'), core: await pointsOf('core') };
    expect(Math.min(points.full, points.core)).toBeGreaterThan(20);

    const left = Array.from({ length: seeds }, (_, seed) => trialOf(seed, points)).values();
    let struck = 0;
    const worker = async () => {
      for (const trial of left) struck += (await surviveAt(trial)).struck ? 1 : 0;
    };
    await Promise.all([worker(), worker()]);
    // A run may have fewer effects than the one that was counted: writes that come together share an entry.
    expect(struck).toBeGreaterThanOrEqual(seeds / 2);
  },
);

/** The points are spread over those of a whole run. */
function trialOf(seed: number, points: Readonly<Record<Trial['operations'], number>>): Trial {
  const operations = seed % 2 === 0 ? 'full' : 'core';
  return {
    operations,
    how: seed % 4 < 2 ? 'kill' : 'stop',
    isEarly: seed % 8 >= 4,
    point: 1 + ((seed * 37) % points[operations]),
  };
}
