// The issues that the action keeps, apart from any service: their text, and when one is opened, updated, closed or opened
// again.

import { expect, test } from 'vitest';
import { decideIssue, issueAbout, type KeptIssue } from '../../src/commands/ci/issues/issue.ts';

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

const issueOf = (document: object, more: Partial<KeptIssue> = {}): KeptIssue => ({
  id: 5,
  body: wanted(document).body,
  isOpen: true,
  ...more,
});

test('the issue about drift begins with a marker that no name of a folder can end', () => {
  const { body, title } = wanted({ drift: drifted });
  const [first = '', second] = body.split('\n');
  expect(first).toMatch(
    /^<!-- almanac:drift environment="prod" directory="teams%2Fa%20%2D%2D%3E%20b" onto="" content="[0-9a-f]{64}" found="[\w-]{8}" text="[0-9a-f]{64}" -->$/,
  );
  expect(second).toBe('## Almanac drift');
  expect(body).toContain('[This run](https://github.example/runs/1)');
  expect(body).toContain('Write notes as comments: this text is replaced.');
  expect(title).toBe('Omni differs from what Almanac declares (prod, teams/a --> b)');
});

const outside = [{ severity: 'error', code: 'recipient-not-inside', message: 'Kim is outside.', seen: true }];
const incomplete = [{ severity: 'warning', code: 'not-read', message: 'Omni answered 403.' }];
const noState = { neverApplied: true, existing: [] };
const later = [{ ...untracked[0], lastRunAt: '2026-03-02T09:00:00Z' }];
const open = issueOf({ untracked });
const closed = issueOf({}, { isOpen: false });
const opens = [{ action: 'open', title: 'Omni differs from what Almanac declares (prod, teams/a --> b)' }];
const updates = (document: object, more: object = {}) => [
  { action: 'update', id: 5, body: wanted(document).body, ...more },
];
const others = [{ environment: 'prod-2' }, { environment: '' }, { directory: '.' }, { directory: 'teams/a' }].map(
  (more, id) => ({ id, body: wanted({ untracked }, more).body, isOpen: true }),
);

test.each<[string, object, readonly KeptIssue[], readonly object[]]>([
  ['is opened for drift if there is none', { drift: drifted }, [], opens],
  [
    'is opened for an untracked schedule beside that of a person',
    { untracked },
    [{ id: 1, body: 'x', isOpen: true }],
    opens,
  ],
  ['is left alone while the same things differ, however often the schedules run', { untracked: later }, [open], []],
  ['is updated when something else differs', { drift: drifted }, [open], updates({ drift: drifted })],
  ['is closed when nothing differs', {}, [open], updates({}, { open: false })],
  ['is closed only once', {}, [closed], []],
  ['is not opened when nothing differs', {}, [], []],
  ['is opened for somebody who must not receive what they do', { diagnostics: outside }, [], opens],
  ['is not closed if not everything could be looked at', { diagnostics: incomplete }, [open], []],
  ['is not opened if nothing differs in what could be looked at', { diagnostics: incomplete }, [], []],
  ['is opened for what differs in what could be looked at', { diagnostics: incomplete, untracked }, [], opens],
  ['is not opened for what is untracked where there is no state', { untracked, noState }, [], []],
  ['is not closed where there is no state', { noState }, [open], []],
  ['is opened without a state for somebody who must not receive', { diagnostics: outside, noState }, [], opens],
  ['is opened again instead of a second one', { untracked }, [closed], updates({ untracked }, { open: true })],
  [
    'that a person closed is opened again',
    { untracked },
    [{ ...open, isOpen: false }],
    [{ action: 'update', id: 5, open: true }],
  ],
  [
    'is kept and the other closed where two runs opened one at the same time',
    { untracked },
    [
      { ...open, id: 9 },
      { ...open, id: 4 },
    ],
    [{ action: 'update', id: 9, open: false }],
  ],
  ['of another environment or folder is not closed', {}, others, []],
  ['of another environment or folder does not count', { untracked }, others, opens],
])('an issue %s', (_, document, issues, expected) => {
  const done = decideIssue(wanted(document), issues);
  expect(done).toMatchObject(expected);
  expect(done).toHaveLength(expected.length);
});

const edited = { ...open, body: `${String(open.body).split('\n')[0]}\nLooked at it, fine.` };
const newsIn = (document: object, issue: KeptIssue) =>
  decideIssue(wanted(document), [issue]).map((step) => (step as { news?: string }).news);

test('an issue that somebody edited gets its text again without a comment, and one that a host stores with other line ends is left alone', () => {
  expect(decideIssue(wanted({ untracked }), [edited])).toMatchObject(updates({ untracked }));
  expect(newsIn({ untracked }, edited)).toEqual([undefined]);
  const stored = { ...open, body: `${String(open.body).replaceAll('\n', '\r\n')}\r\n` };
  expect(decideIssue(wanted({ untracked: later }), [stored])).toEqual([]);
});

test('a comment on an open issue names what is new, and nothing that it says already or that is gone', () => {
  const [news = ''] = newsIn({ untracked, drift: drifted }, open);
  expect(news).toMatch(
    /^<!-- almanac:drift environment="prod" directory="[^"]*" news="[\w-]{8}" -->\nNew:\n\n- <code>schedules&#46;a<\/code> differs\n\n<sub>\[This run\]\(https:\/\/github\.example\/runs\/1\)<\/sub>$/,
  );
  const both = issueOf({ untracked, drift: drifted });
  expect(newsIn({ untracked }, both)).toEqual([undefined]);
  expect(newsIn({ untracked, drift: drifted }, { ...open, isOpen: false })).toEqual([undefined]);
});

test('a comment on what is new names ten findings, and above a thousand of them only says that they have changed', () => {
  const strangers = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ id: `id-${index}`, name: `@team <b> ${index}` }));
  const [news = ''] = newsIn({ untracked: strangers(12) }, issueOf({}));
  expect(news).toContain(
    '- <code>&#64;team &#60;b&#62; 9</code> is untracked\n- … and 2 more, in the text of the issue',
  );
  expect(newsIn({ untracked: strangers(1_001) }, issueOf({ untracked: strangers(12) }))[0]).toContain(
    'The findings have changed: read the text of the issue again.',
  );
  expect(wanted({ untracked: strangers(1_000) }).body.length).toBeLessThan(65_536);
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
  return issueAbout('status', { ...given, document: { schedules: [fine], gone: [], ...document } as never });
}

test('the issue about deliveries changes with what fails, and not with the runs of what is fine', () => {
  const open = [{ id: 5, body: delivered({ schedules: [failed, fine] }).body, isOpen: true }];
  const later = { ...fine, lastCompletedAt: '2026-03-03T09:01:00.000Z' };
  expect(decideIssue(delivered({ schedules: [failed, later] }), open)).toEqual([]);
  const again = delivered({ schedules: [{ ...failed, lastCompletedAt: '2026-03-03T09:01:00.000Z' }, later] });
  // Another failure of the same schedule is in the text, but nobody is told every morning.
  expect(decideIssue(again, open)).toEqual([{ action: 'update', id: 5, body: again.body, news: undefined }]);
  expect(again.title).toBe('Deliveries of Omni failed, were missed or stopped, or a schedule is gone');
  expect(decideIssue(delivered({}), open)).toMatchObject([{ action: 'update', id: 5, open: false }]);
});

test('the issue about deliveries is opened for a schedule that is gone, and closed when it is there again', () => {
  const gone = delivered({ gone: [{ address: 'schedules.a', id: 'x' }] });
  expect(decideIssue(gone, [])).toMatchObject([{ action: 'open' }]);
  expect(decideIssue(delivered({}), [{ id: 5, body: gone.body, isOpen: true }])).toMatchObject([{ open: false }]);
});

test('the issue about deliveries stays as it is while a personal token does not see a schedule', () => {
  const unseen = delivered({ gone: [{ address: 'schedules.a', id: 'x' }], seesLess: true });
  const open = [{ id: 5, body: delivered({ schedules: [failed] }).body, isOpen: true }];
  expect(decideIssue(unseen, open)).toEqual([]);
  expect(decideIssue(unseen, [])).toEqual([]);
});

test('the issues about drift and about deliveries leave each other alone', () => {
  const drift = wanted({ drift: drifted }, { environment: '', directory: '.' });
  expect(decideIssue(delivered({}), [{ id: 5, body: drift.body, isOpen: true }])).toEqual([]);
});
