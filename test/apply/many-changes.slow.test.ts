// More changes than a call takes arguments: an apply that sends nothing writes all of them with one write of the journal.

import { expect, it } from 'vitest';
import { Effects } from '../../src/apply/effects.ts';
import type { JournalHeader } from '../../src/model/plan/journal.ts';
import { schedule } from '../support/apply/declared.ts';
import { baseUrl } from '../support/apply/in-memory.ts';
import { makeMemoryPlace } from '../support/apply/memory-place.ts';
import { makeInstantClock } from '../support/fake-clock.ts';

it('70,000 adoptions are written into the journal of a shared place at once, and recorded', {
  timeout: 60_000,
}, async () => {
  const header: JournalHeader = {
    ...{ type: 'header', version: 2, lineage: 'a-lineage', serial: 0, baseUrl, salt: 'c2FsdA==', toolVersion: '0.1.0' },
  };
  const locked = await makeMemoryPlace('git branch almanac-state of origin').open().lock('apply');
  const ports = {
    clock: makeInstantClock(),
    signal: undefined,
    reporter: { emit: () => undefined },
    store: { name: 's' },
    service: { concurrency: 1 },
  };
  const effects = await Effects.begin(header, locked, ports, 'changes');
  const attributes = schedule('S');
  const lines = Array.from({ length: 70_000 }, (_, index) => {
    const intent = effects.intent({ kind: 'adopt', address: `schedules.s${index}`, action: 'adopt', attributes });
    return [intent, effects.outcome(intent, { status: 'applied', id: `id-${index}` })];
  });
  expect(await effects.append(lines.flat())).toBe(true);
  expect(Object.keys(effects.folded(undefined)?.resources ?? {})).toHaveLength(70_000);
  await locked.release();
});
