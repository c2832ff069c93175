// The document of `almanac prove --format json` (schemas/prove.schema.json): verdicts, counts, and no cell of a file but
// values of the table of permissions.

import {
  count,
  described,
  digest,
  flag,
  formatVersion,
  instant,
  listOf,
  oneOf,
  record,
  type TypeOf,
  text,
} from '../../model/values/schema.ts';

/** The worst is first. */
export const verdicts = [
  'shows-others',
  'not-limited',
  'failed',
  'busy',
  'too-large',
  'cannot-tell',
  'names-others',
  'not-compared',
  'empty',
  'limited',
  'shared',
] as const;

export type Verdict = (typeof verdicts)[number];

const comparisons = ['column', 'values-of-the-table', 'nothing-to-compare', 'not-compared'] as const;

export type Comparison = (typeof comparisons)[number];

/** Reasons of reports that are wrong: the exit code is 2. */
export const wrongReasons = ['sees-nothing', 'other-filters', 'shows-others', 'not-limited'] as const;

/** Reasons of selected reports that are not proven: `--allow unproven=REASON` takes these. */
export const openReasons = [
  'failed',
  'busy',
  'too-large',
  'stopped',
  'cannot-tell',
  'names-others',
  'spelled-otherwise',
  'values-not-compared',
  'empty',
  'shared',
  'no-filter',
  'fan-out',
  'pdf',
  'rights',
] as const;

/** Reasons of reports of which a proof does not speak. */
const otherReasons = ['not-rendered', 'not-applied', 'paused', 'every-row', 'kind', 'png', 'link'] as const;

export type Reason = (typeof wrongReasons | typeof openReasons | typeof otherReasons)[number];

/** The worst is first. */
export const reasons: readonly Reason[] = [...wrongReasons, ...openReasons, ...otherReasons];

/** Verdicts that exit with 2. */
export const leaking: readonly Verdict[] = ['shows-others', 'not-limited'];

const aReason = oneOf(...wrongReasons, ...openReasons, ...otherReasons);

const tileSchema = record({
  tile: described(text, 'Its key, as `queryIdentifierMapKey` and `safety.rows.shared` name it.'),
  name: described(text, 'As Omni calls it.'),
  verdict: described(
    oneOf(...verdicts),
    'The worst of all renderings. `empty`: also with the values that a delivery sends. `not-compared`: limited, but no value of it could be compared.',
  ),
  'compared?': described(
    oneOf(...comparisons),
    'With what its values were compared: `column`: those of the dividing field, each of them. `values-of-the-table`: every cell, with each value of the table. `nothing-to-compare`: each column is of another field. Left out where it has no file.',
  ),
  'rows?': described(count, 'How many rows it had with the filters of a delivery, totals among them.'),
  'rowsForNobody?': described(count, 'How many rows it had with a value that nobody has: blanks and zeros.'),
  'others?': described(
    count,
    'How many values are not those that the receivers may see. Left out where nothing was compared.',
  ),
  othersOfTable: described(listOf(text), 'At most three of them that the table has.'),
  named: described(
    listOf(record({ column: text, values: listOf(text) })),
    'Columns of other fields that have values of the table which the receivers may not see, at most three each.',
  ),
  'message?': described(text, 'Why it could not be judged.'),
  blanks: described(count, 'How many rows have nothing in the column of the dividing field.'),
  totals: described(count, 'How many rows are totals.'),
  'firstRows?': described(
    count,
    'How many rows it has, where it has as many as its limit: there may be more, which no report shows.',
  ),
  spelledOtherwise: described(count, 'How many values differ from the table only in case, blanks or form.'),
});
export type TileRow = TypeOf<typeof tileSchema>;

const reportSchema = record({
  address: text,
  'format?': text,
  selected: described(flag, 'Whether the proof speaks of it. The exit code counts no other report.'),
  proven: flag,
  'byValues?': described(flag, 'Of a proven one, whether a value of it was compared.'),
  'reason?': described(aReason, 'Why it is not proven, or not selected: the worst.'),
  'also?': described(listOf(aReason), 'Further reasons.'),
  'message?': described(text, 'Why it has no file, or what is wrong with the filters that Omni keeps.'),
  receivers: described(listOf(text), 'Without secrets.'),
  values: described(listOf(text), 'Of the filters that divide the rows.'),
  'applied?': described(instant, 'When it was applied last.'),
  'waived?': described(flag, 'True if a waiver takes the place of a line of the table that has ended.'),
  'rights?': described(text, 'With whose rights it was rendered. Left out where it was not rendered.'),
});
export type ReportRow = TypeOf<typeof reportSchema>;

const dashboardSchema = record({
  identifier: text,
  'name?': described(text, 'As Omni calls it, where it said so.'),
  'problem?': described(text, 'Why none of its tiles could be judged.'),
  tiles: listOf(tileSchema),
  reports: listOf(reportSchema),
});
export type DashboardRow = TypeOf<typeof dashboardSchema>;

export const proveSchema = record({
  formatVersion,
  at: instant,
  organization: described(text, 'The base URL.'),
  'commit?': text,
  table: record({ file: text, digest: described(digest, 'SHA-256 of its text.') }),
  summary: record({
    proven: described(count, 'How many selected reports are proven.'),
    byValues: described(count, 'How many of them by values: the others have only tiles with nothing to compare.'),
    byFirstPage: described(count, 'How many of those by values are a PDF, judged by the tiles of its first page.'),
    reports: described(count, 'How many reports are selected.'),
    notSelected: described(count, 'How many more `safety.rows` judges.'),
    provenDashboards: described(count, 'How many dashboards have a report that is proven.'),
    dashboards: described(count, 'How many have a report that is selected.'),
  }),
  dashboards: listOf(dashboardSchema),
  withoutDashboard: described(listOf(reportSchema), 'Routines and AI jobs.'),
});
export type ProveDocument = TypeOf<typeof proveSchema>;
