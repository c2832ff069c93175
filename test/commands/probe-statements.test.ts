// Each statement of `almanac doctor --probe`: what Omni would have to do for it to differ, and that what came tells nothing of
// an organization.

import { expect, it } from 'vitest';
import type { Observations } from '../../src/commands/doctor/probe/observations.ts';
import { judgeStatements, statements } from '../../src/commands/doctor/probe/statements.ts';

const asExpected: Observations = {
  hasFilter: true,
  hasSecondFilter: true,
  hasTile: true,
  hasRows: true,
  hasRowsOfNobody: false,
  hasRowsOfShort: false,
  isPictureSame: false,
  isValueKnown: true,
  hasRowsOfFirst: true,
  hasRowsOfBoth: true,
  created: 'done',
  pausedAtOnce: 'done',
  isTwinAnother: true,
  isListed: true,
  listedDashboard: 'as-sent',
  listedCron: 'as-sent',
  listedFields: 'as-sent',
  isListedAsPaused: true,
  hasRun: false,
  pausedAgain: 400,
  resumed: 'done',
  resumedAgain: 400,
  createdOff: -3,
  isOwnerAlike: true,
  format: 'as-sent',
  url: 'as-sent',
  rowLimit: 'as-sent',
  ownFilter: 'as-sent',
  followedFilter: 'as-sent',
  replaced: 'done',
  zoneAfterPut: 'as-sent',
  isPausedAfterPut: true,
  rowLimitAfterPut: 'absent',
  ownFilterAfterPut: 'otherwise',
  unknownFilter: 400,
  unknownTile: 400,
  halfCondition: 400,
  fitPage: 400,
  bareHost: 'done',
  urlAddress: 'done',
  server: 'as-sent',
  isPasswordShown: false,
  receiver: 'as-sent',
  isReceiverMember: true,
  recipientCount: 1,
  detailedReceiver: 'as-sent',
  deadGroup: 404,
  addedAgain: 'done',
  groupTimes: 1,
  groupOthers: 2,
  recipientCountWithGroup: 1,
  isGroupHidden: false,
  groupTimesAfterPut: 1,
  lastAddress: 'done',
  read: 404,
  deletedAgain: 404,
  isStillListed: false,
};

const everything = { to: true, group: true };

/** Only people can see it. */
const unseen = ['create-announces-nothing'];

const otherwise: Readonly<Record<string, Observations>> = {
  'nothing-delivered': { hasRun: true },
  'create-is-done': { created: 400 },
  'new-can-be-changed': { pausedAtOnce: 404 },
  'post-makes-another': { isTwinAnother: false },
  'list-has-new': { isListed: false },
  'list-names-dashboard': { listedDashboard: 'otherwise' },
  'list-keeps-cron': { listedCron: 'otherwise' },
  'list-keeps-fields': { listedFields: 'absent' },
  'list-says-paused': { isListedAsPaused: false },
  'pause-again-refused': { pausedAgain: 'done' },
  'resume-is-done': { resumed: 400 },
  'resume-again-refused': { resumedAgain: 409 },
  'created-at-is-now': { createdOff: 3600 },
  'owner-is-alike': { isOwnerAlike: false },
  'format-comes-back': { format: 'absent' },
  'url-comes-back': { url: 'otherwise' },
  'row-limit-comes-back': { rowLimit: 'absent' },
  'filter-comes-back': { ownFilter: 'otherwise' },
  'filter-follows-dashboard': { followedFilter: 'absent' },
  'put-is-done': { replaced: 400 },
  'put-changes': { zoneAfterPut: 'otherwise' },
  'put-keeps-pause': { isPausedAfterPut: false },
  'put-resets-options': { rowLimitAfterPut: 'as-sent' },
  'put-resets-filters': { ownFilterAfterPut: 'as-sent' },
  'short-filter-limits': { hasRowsOfShort: true },
  'png-follows-filters': { isPictureSame: true },
  'filters-on-one-field-join': { hasRowsOfBoth: false },
  'unknown-filter-refused': { unknownFilter: 'done' },
  'unknown-tile-refused': { unknownTile: 'done' },
  'half-condition-refused': { halfCondition: 'done' },
  'fit-page-refused': { fitPage: 422 },
  'sftp-takes-host': { bareHost: 400 },
  'sftp-takes-url': { urlAddress: 400 },
  'sftp-comes-back': { server: 'otherwise' },
  'password-stays-hidden': { isPasswordShown: true },
  'receiver-comes-back': { receiver: 'otherwise' },
  'member-has-account': { isReceiverMember: false },
  'list-counts-addresses': { recipientCount: 0 },
  'details-name-receivers': { detailedReceiver: 'otherwise' },
  'put-keeps-groups': { groupTimesAfterPut: 0 },
  'list-counts-no-members': { recipientCountWithGroup: 3 },
  'details-show-groups': { isGroupHidden: true },
  'group-is-added-once': { groupTimes: 2 },
  'dead-group-refused': { deadGroup: 'done' },
  'last-address-may-go': { lastAddress: 400 },
  'deleted-is-gone': { read: 'done' },
  'delete-again-refused': { deletedAgain: 'done' },
  'list-lacks-deleted': { isStillListed: true },
};

it('every statement has a name of its own, a source and requests, and at least 25 of them and six about groups are there', () => {
  expect(new Set(statements.map(({ id }) => id)).size).toBe(statements.length);
  expect(statements.filter(({ source, requests }) => source === '' || requests.length === 0)).toEqual([]);
  expect(statements.length).toBeGreaterThanOrEqual(25);
  expect(statements.filter(({ needs }) => needs === 'group')).toHaveLength(6);
});

it('every statement but that which only people can see is one that this test sees differ', () => {
  const ids = statements.map(({ id }) => id).filter((id) => !unseen.includes(id));
  expect(Object.keys(otherwise)).toEqual(ids);
});

it('a statement holds where Omni does what Almanac relies on', () => {
  const judged = judgeStatements(asExpected, everything).filter(({ result }) => result !== 'held');
  expect(judged.map(({ id, result }) => [id, result])).toEqual(unseen.map((id) => [id, 'not-tried']));
});

it.each(Object.entries(otherwise))('%s differs where Omni does otherwise, and says what came', (id, changed) => {
  const found = judgeStatements({ ...asExpected, ...changed }, everything).find((each) => each.id === id);
  expect(found).toMatchObject({ result: 'differs', came: expect.stringMatching(/^[A-Z][^@/]*\.$/) });
});

it('a statement is not tried, with the reason, where a request before it was refused', () => {
  const judged = judgeStatements({}, everything);
  expect(judged.filter(({ result }) => result !== 'not-tried')).toEqual([]);
  expect(judged.filter(({ why }) => why === undefined)).toEqual([]);
});

it('a statement is not tried where the dashboard, the group or an answer before it has nothing to try it with', () => {
  const { ownFilter: _, ownFilterAfterPut: __, followedFilter: ___, ...bare } = asExpected;
  const judged = judgeStatements({ ...bare, groupOthers: 0, rowLimit: 'absent' }, everything);
  expect(Object.fromEntries(judged.flatMap(({ id, why }) => (why === undefined ? [] : [[id, why]])))).toMatchObject({
    'filter-comes-back': 'The dashboard has no filter of texts.',
    'filter-follows-dashboard': 'The dashboard has no second filter.',
    'put-resets-filters': 'The dashboard has no filter of texts.',
    'put-resets-options': 'The details have no maxRowLimit.',
    'list-counts-no-members': 'The group has no member but that of --to.',
  });
});

const ofTile = ['short-filter-limits', 'png-follows-filters', 'filters-on-one-field-join'] as const;

it.each<[why: string, changed: Observations, ids: readonly string[]]>([
  ['The dashboard has no filter of texts.', { hasFilter: false }, ofTile],
  ['Omni names no tile of the dashboard.', { hasTile: false }, ofTile],
  ['The tile has no rows.', { hasRows: false }, ofTile],
  ['The filter does not limit the tile.', { hasRowsOfNobody: true }, ofTile],
  ['The dashboard has no two filters of texts on one field.', { hasSecondFilter: false }, ofTile.slice(2)],
  ['Omni names no value of that field.', { isValueKnown: false }, ofTile.slice(2)],
  ['The tile has no rows with the first value of that field.', { hasRowsOfFirst: false }, ofTile.slice(2)],
  [
    'A download failed.',
    { isDownloadRefused: true, isPictureSame: undefined, hasRowsOfBoth: undefined },
    ofTile.slice(1),
  ],
  ['The details do not have the addresses.', { detailedReceiver: 'absent' }, ['details-show-groups']],
])('a probe says that it has not tried something, and why: %s', (why, changed, ids) => {
  const judged = judgeStatements({ ...asExpected, ...changed }, everything);
  expect(judged.filter((each) => each.why === why).map(({ id }) => id)).toEqual(ids);
});
