// What apply says on stderr while it runs: the count of requests, and the bar on a terminal.

import { expect, it } from 'vitest';
import { progressReporter } from '../../src/commands/base/progress.ts';
import type { World } from '../../src/commands/base/world.ts';
import type { ApplyEvent, ResultStatus } from '../../src/model/plan/apply-outcome.ts';
import type { Change } from '../../src/model/plan/plan.ts';

function writtenOf(events: readonly ApplyEvent[], isTerminal: boolean): string {
  const written: string[] = [];
  const stderr = { write: (text: string) => void written.push(text), isTerminal, width: 80 };
  const reporter = progressReporter({ stderr, environment: () => undefined } as unknown as World, { color: false });
  for (const event of events) reporter.emit(event);
  return written.join('');
}

function ended(key: string, status: ResultStatus): ApplyEvent {
  const change = { address: `schedules.${key}`, action: 'create' } as unknown as Change;
  const result = { address: change.address, action: 'create', status, requests: 0 } as const;
  return { type: 'change-ended', change, result };
}

it.each([
  [{ requests: 2, sent: 0, seconds: 0 }, '2 requests, at once.\n'],
  [{ requests: 2, sent: 1, seconds: 0 }, '2 requests (1 for the changes, 1 to see what exists), at once.\n'],
  [
    { requests: 131, sent: 1, seconds: 120 },
    '131 requests (130 for the changes, 1 to see what exists); the rate limit makes them take about 2 min.\n',
  ],
])('apply counts the requests for the changes as the plan does: %j', (cost, words) => {
  expect(writtenOf([{ type: 'expected', ...cost }], false)).toBe(words);
});

it('the progress bar of an interrupted apply stays at the changes that were carried out', () => {
  const events = [ended('a', 'applied'), ended('b', 'skipped'), ended('c', 'skipped')];
  const text = writtenOf([{ type: 'started', changes: 3 }, ...events], true);
  expect(text).toContain('1/3');
  expect(text).not.toMatch(/[23]\/3/);
});
