// Omni goes away in the middle of an apply: every connection is closed from some request on, until it is back.

import { describe, expect, it } from 'vitest';
import { schedule } from '../support/apply/declared.ts';
import { apiWith, outcomesOf, type Stage, stage } from '../support/apply/stage.ts';

const names = Array.from({ length: 30 }, (_, at) => `s${String(at).padStart(2, '0')}`);
const declared = { schedules: Object.fromEntries(names.map((name) => [name, schedule(name)])) };

/** Closes the connections of all requests that change something from the nth on, until the answer is called. */
function closeFrom({ service: { emulator } }: Stage, nth: number): () => void {
  const { server } = emulator;
  const { emit } = server;
  let changes = 0;
  server.emit = ((event: string, ...given: [{ readonly method?: string }, { destroy(): void }]) => {
    if (event === 'request' && given[0].method !== 'GET') changes += 1;
    if (event !== 'request' || changes < nth) return Reflect.apply(emit, server, [event, ...given]);
    given[1].destroy();
    return true;
  }) as typeof emit;
  return () => {
    server.emit = emit;
  };
}

const numbersOf = (outcomes: Record<string, string>) => {
  const count: Record<string, number> = {};
  for (const each of Object.values(outcomes)) count[each] = (count[each] ?? 0) + 1;
  return count;
};

describe('Omni goes away in the middle of an apply', () => {
  it.each([1, 4])(
    'an apply with a concurrency of %s starts no more creates once one more than that in a row got no answer, and the next apply finishes',
    async (concurrency) => {
      const made = stage(declared, { almanac: apiWith({ concurrency }) });
      const back = closeFrom(made, 11);
      const outcomes = numbersOf(outcomesOf(await made.apply()));
      const unknown = outcomes['unknown api-answer-lost'] ?? 0;
      expect(outcomes).toEqual({
        applied: 10,
        'unknown api-answer-lost': unknown,
        'skipped api-unreachable': 20 - unknown,
      });
      expect(unknown).toBeGreaterThan(concurrency);
      expect(unknown).toBeLessThanOrEqual(2 * concurrency);
      back();
      expect(new Set(Object.values(outcomesOf(await made.apply())))).toEqual(new Set(['applied']));
      expect([...made.service.schedules().values()].map(({ fields }) => fields['name']).sort()).toEqual(names);
      expect((await made.plan()).changes).toEqual([]);
    },
  );

  it('an apply makes all its attempts for each update that it has started, and starts no more', async () => {
    const made = stage(declared);
    await made.apply();
    made.files['schedules/all.yaml'] = {
      schedules: Object.fromEntries(names.map((name) => [name, schedule(name, { timezone: 'Europe/Rome' })])),
    };
    const back = closeFrom(made, 3);
    const outcomes = numbersOf(outcomesOf(await made.apply({ autoApprove: true })));
    expect(outcomes).toMatchObject({ applied: 2, 'unknown api-answer-lost': expect.any(Number) });
    expect(outcomes['skipped api-unreachable']).toBeGreaterThanOrEqual(20);
    back();
    await made.apply();
    expect((await made.plan()).changes).toEqual([]);
  });

  it('an apply goes on where the requests that are under way at one moment get no answer', async () => {
    const made = stage(declared);
    let closed = 0;
    const back = closeFrom(made, 5);
    made.service.reach = (point) => {
      if (point.startsWith('before POST')) closed += 1;
      if (closed > 8) back();
    };
    const outcomes = numbersOf(outcomesOf(await made.apply()));
    expect(outcomes).toEqual({ applied: 26, 'unknown api-answer-lost': 4 });
  });
});
