// More changes than a call takes arguments: an apply that sends nothing writes all of them with one write of the journal.

import { expect, it } from 'vitest';
import { apply } from '../../src/apply/apply.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { schedule } from '../support/apply/declared.ts';
import { loadedOf, randomness, requestOf, serve } from '../support/apply/in-memory.ts';
import { makeMemoryPlace } from '../support/apply/memory-place.ts';
import { makeInstantClock } from '../support/fake-clock.ts';
import { makeMemoryService } from '../support/memory-service.ts';
import { makeFolder } from '../support/workspace.ts';

it('70,000 schedules are adopted in a shared place with one apply', { timeout: 120_000 }, async () => {
  const keys = Array.from({ length: 70_000 }, (_, index) => `s${index}`);
  const declared = Object.fromEntries(keys.map((key): [string, JsonObject] => [`schedules.${key}`, schedule(key)]));
  const loaded = loadedOf(declared, 'core');
  const origin = { file: 'schedules/all.yaml', document: 0, pointer: '' };
  const adoptions = keys.map((key) => ({ to: `schedules.${key}`, id: key, origin }));
  const clock = makeInstantClock();
  const { api } = makeMemoryService(clock);
  const store = makeMemoryPlace('git branch almanac-state of origin', makeFolder().path).open();
  const ports = { environment: () => undefined, reporter: { emit: () => undefined }, confirm: async () => true };
  const { document, state } = await serve({ config: loaded.config, clock, connect: async () => api }, (service) =>
    apply(requestOf({ ...loaded, desired: { ...loaded.desired, adoptions } }), {
      ...{ ...ports, store, service, clock, randomness, signal: undefined, toolVersion: '0.1.0' },
    }),
  );
  expect(document?.summary).toMatchObject({ applied: 70_000, failed: 0 });
  expect(Object.keys(state?.resources ?? {})).toHaveLength(70_000);
});
