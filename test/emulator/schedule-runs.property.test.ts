// When a schedule was due last. What becomes of a run is in conversations/runs.txt.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { previousRun } from '../../src/cron/coming-runs.ts';
import { lastDue } from '../../src/emulator/runs.ts';
import { expressions } from '../support/cron/expressions.ts';
import { read } from '../support/cron/read.ts';
import { runs } from '../support/runs/runs.ts';

test('a schedule was due when our own engine says so, in every zone and through every change of a clock', () => {
  const zone = fc.constantFrom('UTC', 'Europe/London', 'America/New_York', 'Australia/Lord_Howe', 'America/Havana');
  const instant = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 11, 31) });
  fc.assert(
    fc.property(expressions({ unusual: true, years: [2026, 2030] }), zone, instant, (text, name, until) => {
      const from = until - 40 * 86_400_000;
      const ours = previousRun(read(text), name, until)?.at ?? 0;
      expect(lastDue(text, name, from, until)).toBe(ours > from ? ours : undefined);
    }),
    { numRuns: runs(300) },
  );
});
