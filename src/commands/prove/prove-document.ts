// The document of `almanac prove --format json` (schemas/prove.schema.json): verdicts and counts, without values of
// rows.

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
  'empty',
  'limited',
  'shared',
] as const;

export type Verdict = (typeof verdicts)[number];

export const reasons = [
  // About the filters that Omni keeps.
  'other-filters',
  // About the tiles that were shown.
  'tiles',
  'failed',
  'busy',
  'too-large',
  'cannot-tell',
  // About reports that were not rendered.
  'not-rendered',
  'stopped',
  'every-row',
  'no-filter',
  'kind',
  'png',
  'link',
  // About the limits of a rendering.
  'pdf',
  'pdf-pages',
  'fan-out',
  'rights',
  'not-applied',
] as const;

export type Reason = (typeof reasons)[number];

/** Verdicts that exit with 2, and those that exit with 1. */
export const leaking: readonly Verdict[] = ['shows-others', 'not-limited'];
export const untold: readonly Verdict[] = ['failed', 'busy', 'too-large', 'cannot-tell', 'empty'];

const tileSchema = record({
  tile: described(text, 'Its key, as `queryIdentifierMapKey` and `safety.rows.shared` name it.'),
  name: described(text, 'As Omni calls it.'),
  verdict: described(
    oneOf(...verdicts),
    'The worst of all renderings. `empty`: also with the values that a delivery sends.',
  ),
  'others?': described(
    count,
    'How many values of the dividing field are not those that the receivers may see. Left out where no column could be compared.',
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
  proven: flag,
  'reason?': described(oneOf(...reasons), 'Why it is not proven.'),
  'message?': described(text, 'Why it has no file, or what is wrong with the filters that Omni keeps.'),
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
    proven: described(count, 'How many reports are proven.'),
    reports: described(count, 'How many reports `safety.rows` judges, of those that were selected.'),
    provenDashboards: described(count, 'How many dashboards have a report that is proven.'),
    dashboards: count,
  }),
  dashboards: listOf(dashboardSchema),
  withoutDashboard: described(listOf(reportSchema), 'Routines and AI jobs.'),
});
export type ProveDocument = TypeOf<typeof proveSchema>;
