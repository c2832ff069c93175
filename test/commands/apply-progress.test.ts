// What apply says on stderr while it runs: the changes that ended, and the bar on a terminal.

import { expect, it } from 'vitest';
import type { GlobalOptions } from '../../src/commands/base/command.ts';
import { progressReporter } from '../../src/commands/base/progress.ts';
import { makeRun } from '../../src/commands/base/run.ts';
import type { World } from '../../src/commands/base/world.ts';
import type { ApplyEvent, ResultStatus } from '../../src/model/plan/apply-outcome.ts';
import type { Change } from '../../src/model/plan/plan.ts';

function writtenOf(
  events: readonly ApplyEvent[],
  isTerminal: boolean,
  options: Partial<GlobalOptions> = {},
  environment: World['environment'] = () => undefined,
): string {
  const written: string[] = [];
  const stderr = { write: (text: string) => void written.push(text), isTerminal, width: 80 };
  const world = { stderr, environment, advisable: () => [] } as unknown as World;
  const reporter = progressReporter(makeRun(world, { color: false, ...options }), (event) => event);
  for (const event of events) reporter.emit(event);
  reporter.end();
  return written.join('');
}

const eraseLine = '\r\u001b[2K';

/** The permanent lines, without the bar. */
function linesOf(events: readonly ApplyEvent[], rest: Partial<GlobalOptions> & { isTerminal?: boolean } = {}) {
  const { isTerminal = false, ...options } = rest;
  const lines = writtenOf(events, isTerminal, options).split('\n');
  return lines.map((line) => line.split(eraseLine).at(-1) ?? '').filter((line) => line !== '');
}

function started(changes: number): ApplyEvent {
  return { type: 'started', changes: Array.from({ length: changes }, (_, index) => changeOf(`s${index}`)) };
}

function changeOf(key: string): Change {
  return { address: `schedules.${key}`, action: 'create', kind: 'schedule' } as unknown as Change;
}

function ended(key: string, status: ResultStatus, message = 'no'): ApplyEvent {
  const change = changeOf(key);
  const error = status === 'applied' ? {} : { error: { code: 'x', message } };
  const result = { address: change.address, action: 'create', status, requests: 0, ...error } as const;
  return { type: 'change-ended', change, result };
}

it.each([
  [{ requests: 2, sent: 0, seconds: 0 }, '2 requests.\n'],
  [{ requests: 2, sent: 1, seconds: 0 }, '1 request for the changes, 1 to see what exists.\n'],
  [{ requests: 4, sent: 4, seconds: 60 }, '4 requests to see what exists.\n'],
  [
    { requests: 131, sent: 1, seconds: 120 },
    '130 requests for the changes, 1 to see what exists; the rate limit makes them take about 2 min.\n',
  ],
])('an apply that shows no plan says what all of it takes: %j', (cost, words) => {
  expect(writtenOf([{ type: 'expected', ...cost }], false)).toBe(words);
});

it('the progress bar of an interrupted apply stays at the changes that were carried out', () => {
  const events = [ended('a', 'applied'), ended('b', 'skipped'), ended('c', 'skipped')];
  const text = writtenOf([started(3), ...events], true);
  expect(text).toContain('1/3');
  expect(text).not.toMatch(/[23]\/3/);
});

it('each of many changes has a line, a failure its own, and what is skipped none', () => {
  const applied = Array.from({ length: 30 }, (_, index) => ended(`s${index}`, 'applied'));
  const failed = Array.from({ length: 20 }, (_, index) => ended(`t${index}`, 'failed', 'PUT: 403'));
  const events = [started(60), ...applied, ...failed, ended('u', 'skipped')];
  for (const isTerminal of [false, true]) {
    const lines = linesOf(events, { isTerminal });
    expect(lines).toHaveLength(50);
    expect(lines[0]).toBe('  + schedules.s0 created');
    expect(lines.at(-1)).toBe('  ! schedules.t19 (create) failed: PUT: 403');
    expect(linesOf(events, { isTerminal, quiet: true })).toHaveLength(20);
  }
});

it('a terminal that calls itself dumb gets the lines of a log, without a bar and without an escape', () => {
  const events = [started(200), ...Array.from({ length: 200 }, (_, index) => ended(`s${index}`, 'applied'))];
  const dumb = writtenOf(events, true, { color: true }, (name) => (name === 'TERM' ? 'dumb' : undefined));
  expect(dumb).toBe(writtenOf(events, false));
  expect(dumb).not.toContain('\u001b');
  expect(dumb.split('\n').length).toBeGreaterThan(4);
});

it('what is said beside the changes wraps on a terminal, and is one line in a log', () => {
  const change = { ...changeOf('s0-with-a-long-name-of-a-customer'), action: 'update', requests: 1 } as const;
  const id = '2abba91d-9bec-41a0-8a8d-6f133b4ff0b7';
  const result = { address: change.address, action: 'update', status: 'applied', requests: 1, id } as const;
  const events: readonly ApplyEvent[] = [
    { type: 'note', message: `The secrets of 19 resources were not compared: ${'HOOK_KEY, '.repeat(20)}.` },
    { type: 'waiting', seconds: 2, why: `attempt 2 of 6, because the service answered ${'words '.repeat(12)}` },
    { type: 'change-ended', change, result },
  ];
  expect(linesOf(events)).toHaveLength(events.length);
  const lines = linesOf(events, { isTerminal: true });
  expect(lines.length).toBeGreaterThan(2 * events.length);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
});

it('the line of a failed change is cut on a terminal, and whole in a log', () => {
  const message = `The service refused PUT /v1/schedules with a long answer: ${'words '.repeat(30)}end.`;
  const events = [started(1), ended('s0', 'failed', message)];
  expect(linesOf(events).join()).toContain(message);
  expect(linesOf(events, { isTerminal: true }).join()).not.toContain(message);
});
