// What the script of `almanac doctor --probe` says of each statement: that it holds, that it differs and what came, or why it was
// not tried. Which answers of Omni lead to which is in test/cli/probe.test.ts.

import { expect, it } from 'vitest';
import { type Statement, type StatementId, statements, Verdicts } from '../../src/commands/doctor/probe/statements.ts';

const everything = { to: true, group: true };
const ids = Object.keys(statements) as readonly StatementId[];
const rows = Object.values<Statement>(statements);

const found = (say: (verdicts: Verdicts) => void, id: StatementId, given = everything) => {
  const verdicts = new Verdicts();
  say(verdicts);
  return verdicts.all(given).find((each) => each.id === id);
};

it('every statement has a source and requests, and at least 25 of them and six about groups are there', () => {
  expect(rows.filter(({ source, requests }) => source === '' || requests.length === 0)).toEqual([]);
  expect(ids.length).toBeGreaterThanOrEqual(25);
  expect(rows.filter(({ needs }) => needs === 'group')).toHaveLength(6);
});

it('a statement of which nothing is said is not tried: for want of an option, or because a request before was refused', () => {
  const all = new Verdicts().all({ to: false, group: false });
  expect(all.map(({ id }) => id)).toEqual(ids);
  expect(all.map(({ id, result, why }) => [id, result, why])).toEqual(
    ids.map((id, index) => [
      id,
      'not-tried',
      rows[index]?.needs === undefined ? 'A request before it was refused.' : expect.stringMatching(/^It needs --to /),
    ]),
  );
});

it.each<[(verdicts: Verdicts) => void, object]>([
  [(said) => said.isDone('put-is-done', 'done'), { result: 'held' }],
  [(said) => said.isDone('put-is-done', 400), { result: 'differs', came: 'It was refused with 400.' }],
  [(said) => said.isRefused('put-is-done', 404, 400, 404), { result: 'held' }],
  [(said) => said.isRefused('put-is-done', 422, 400), { result: 'differs', came: 'It was refused with 422.' }],
  [(said) => said.isRefused('put-is-done', 'done', 400), { result: 'differs', came: 'It was not refused.' }],
  [(said) => said.comesBack('put-is-done', 'as-sent'), { result: 'held' }],
  [(said) => said.comesBack('put-is-done', 'absent'), { result: 'differs', came: 'It does not come back.' }],
  [
    (said) => {
      said.holds('put-is-done', false, 'It came.');
      said.notTried('It failed.', 'put-is-done');
    },
    { result: 'differs', came: 'It came.' },
  ],
])('a statement holds, or differs with what came, and the first word counts: %#', (say, expected) => {
  expect(found(say, 'put-is-done')).toMatchObject(expected);
});
