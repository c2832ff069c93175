// The issues that the action keeps, apart from any service: their text, and when one is opened, updated, closed or opened
// again.

import { expect, test } from 'vitest';
import { decideIssue, type Issue, issueAbout } from '../support/action/modules.ts';

const drifted = [{ address: 'schedules.a', diff: [{ path: '/name', op: 'change', before: 'A', after: 'B' }] }];
const untracked = [{ id: 'u1', name: 'Made by hand', identifier: '12db1a0a', lastRunAt: '2026-03-01T09:00:00Z' }];
const calm = { baseUrl: 'https://acme.omniapp.co/api', drift: [], untracked: [], diagnostics: [] };

function wanted(document: object, more: object = {}) {
  return issueAbout('drift', {
    environment: 'prod',
    directory: 'teams/a --> b',
    document: { ...calm, ...document },
    markdown: '## Almanac drift\n',
    link: 'https://github.example/runs/1',
    ...more,
  });
}

const asked = (document: object, issues: readonly Issue[]) => decideIssue(wanted(document), issues);
const issueOf = (document: object, more: Partial<Issue> = {}): Issue => ({
  id: 5,
  body: wanted(document).body,
  isOpen: true,
  ...more,
});

test('the issue about drift begins with a marker that no name of a folder can end', () => {
  const { body, title } = wanted({ drift: drifted });
  const [first = '', second] = body.split('\n');
  expect(first).toMatch(
    /^<!-- almanac:drift environment="prod" directory="teams%2Fa%20%2D%2D%3E%20b" content="[0-9a-f]{64}" -->$/,
  );
  expect(second).toBe('## Almanac drift');
  expect(body).toContain('[This run](https://github.example/runs/1)');
  expect(title).toBe('Omni differs from what Almanac declares (prod, teams/a --> b)');
});

test.each([
  ['drift', { drift: drifted }],
  ['an untracked schedule', { untracked }],
])('an issue is opened for %s if there is none', (_, document) => {
  expect(asked(document, [])).toMatchObject([{ action: 'open', title: expect.stringContaining('(prod') }]);
  expect(asked(document, [{ id: 1, body: 'Written by a person', isOpen: true }])).toMatchObject([{ action: 'open' }]);
});

test('an issue is left alone while the same things differ, however often the schedules run', () => {
  const later = [{ ...untracked[0], lastRunAt: '2026-03-02T09:00:00Z' }];
  expect(asked({ untracked: later }, [issueOf({ untracked })])).toEqual([]);
});

test('an issue is updated when something else differs', () => {
  const body = wanted({ drift: drifted, untracked }).body;
  expect(asked({ drift: drifted, untracked }, [issueOf({ untracked })])).toEqual([{ action: 'update', id: 5, body }]);
});

test('an issue is closed when nothing differs, and only once', () => {
  const { body } = wanted({});
  expect(asked({}, [issueOf({ untracked })])).toEqual([{ action: 'update', id: 5, body, open: false }]);
  expect(asked({}, [issueOf({}, { isOpen: false })])).toEqual([]);
  expect(asked({}, [])).toEqual([]);
});

test('an issue is neither closed nor opened if nothing differs in what could be looked at', () => {
  const diagnostics = [{ severity: 'warning', code: 'not-observed', message: 'Omni answered 403.' }];
  expect(asked({ diagnostics }, [issueOf({ untracked })])).toEqual([]);
  expect(asked({ diagnostics }, [])).toEqual([]);
  expect(asked({ diagnostics, untracked }, [])).toMatchObject([{ action: 'open' }]);
});

test('a closed issue is opened again instead of a second one, by whomever it was closed', () => {
  const { body } = wanted({ untracked });
  expect(asked({ untracked }, [issueOf({}, { isOpen: false })])).toEqual([
    { action: 'update', id: 5, body, open: true },
  ]);
  expect(asked({ untracked }, [issueOf({ untracked }, { isOpen: false })])).toEqual([
    { action: 'update', id: 5, open: true },
  ]);
});

test('of two issues that two runs opened at the same time, the first is kept and the other is closed', () => {
  const both = [issueOf({ untracked }, { id: 9 }), issueOf({ untracked }, { id: 4 })];
  expect(asked({ untracked }, both)).toEqual([{ action: 'update', id: 9, open: false }]);
});

test('issues of other environments and folders are left alone', () => {
  const others = [{ environment: 'prod-2' }, { environment: '' }, { directory: '.' }, { directory: 'teams/a' }].map(
    (more, id) => ({ id, body: wanted({ untracked }, more).body, isOpen: true }),
  );
  expect(asked({}, others)).toEqual([]);
  expect(asked({ untracked }, others)).toMatchObject([{ action: 'open' }]);
});

test('the text of an issue is cut at the limit, with a link to the rest', () => {
  const { body } = wanted({ untracked }, { markdown: `## Almanac drift\n\n${'| a row |\n'.repeat(10_000)}` });
  expect(body.length).toBeLessThan(65_536);
  expect(body).toContain('**Cut here because it is too long.** The rest is in the [report of the run]');
});

const failed = { address: 'schedules.a', health: 'failed', lastCompletedAt: '2026-03-02T09:01:00.000Z' };
const fine = { address: 'schedules.b', health: 'fine', lastCompletedAt: '2026-03-02T09:01:00.000Z' };

function delivered(document: object) {
  const given = { environment: '', directory: '.', markdown: '## Almanac status\n', link: '' };
  return issueAbout('status', { ...given, document: { schedules: [fine], gone: [], ...document } });
}

test('the issue about deliveries changes with what fails, and not with the runs of what is fine', () => {
  const open = [{ id: 5, body: delivered({ schedules: [failed, fine] }).body, isOpen: true }];
  const later = { ...fine, lastCompletedAt: '2026-03-03T09:01:00.000Z' };
  expect(decideIssue(delivered({ schedules: [failed, later] }), open)).toEqual([]);
  const again = delivered({ schedules: [{ ...failed, lastCompletedAt: '2026-03-03T09:01:00.000Z' }, later] });
  expect(decideIssue(again, open)).toEqual([{ action: 'update', id: 5, body: again.body }]);
  expect(again.title).toBe('Deliveries of Omni failed, were missed or stopped');
  expect(decideIssue(delivered({}), open)).toMatchObject([{ action: 'update', id: 5, open: false }]);
});

test('the issue about deliveries stays open while a schedule that was applied is not listed', () => {
  const gone = [{ address: 'schedules.a', id: 'x' }];
  const open = [{ id: 5, body: delivered({ schedules: [failed] }).body, isOpen: true }];
  expect(decideIssue(delivered({ gone }), open)).toEqual([]);
  expect(decideIssue(delivered({ gone }), [])).toEqual([]);
});

test('the issues about drift and about deliveries leave each other alone', () => {
  const drift = wanted({ drift: drifted }, { environment: '', directory: '.' });
  expect(decideIssue(delivered({}), [{ id: 5, body: drift.body, isOpen: true }])).toEqual([]);
});
