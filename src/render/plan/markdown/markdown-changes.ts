// The changes of a plan in Markdown: a row for each, or for many equal ones, and what lies behind a fold.

import { bodyOf, nameOf, reportName } from '../../../model/plan/change-body.ts';
import { type Change, leavesOrphan, type PlanDocument, reasons } from '../../../model/plan/plan.ts';
import { itemOf } from '../../../model/values/address.ts';
import { countResources } from '../../fields/count-resources.ts';
import { changedLeaves } from '../../fields/field-paths.ts';
import { countOf } from '../../text/count-words.ts';
import type { CronWords } from '../../text/cron-text.ts';
import { markdownCode as code } from '../../text/escape-markdown.ts';
import { fileAndLine } from '../../text/file-and-line.ts';
import { nameSome } from '../../text/more-words.ts';
import { isGrave } from '../change-gravity.ts';
import { changeOwners } from '../change-owners.ts';
import { commonLines } from '../folds/change-blocks.ts';
import { foldedWords, itemWords } from '../folds/difference-words.ts';
import { type FoldedChanges, isAsDeclared, isStateOnly } from '../folds/fold-changes.ts';
import { changeLines } from '../plan-change-text.ts';
import type { Section } from './comment-parts.ts';
import { detailsBegin, detailsEnd, detailsPage, fenced, spans, titleCode, titleSpans } from './markdown-parts.ts';

/** The owners have a column where any are named. */
export function tableHead(hasOwners: boolean): readonly string[] {
  return hasOwners
    ? ['| | resource | what | owner | declared in |', '|---|---|---|---|---|']
    : ['| | resource | what | declared in |', '|---|---|---|---|'];
}

/** Where a plan would be applied. */
type Place = Pick<PlanDocument, 'baseUrl' | 'operations'>;

const mostFields = 6;

export function rowOf(folded: FoldedChanges, place: Place, hasOwners: boolean): string {
  const { first, changes } = folded;
  const action = isGrave(first) ? `**${first.action}**` : first.action;
  // As code: a mention would send everybody in a team a message.
  const owners = hasOwners ? [nameSome(changeOwners(changes).map(code))] : [];
  const cells =
    changes.length === 1
      ? [code(first.address), whatChanges(first, place), ...owners, declaredIn(first)]
      : [countWords(folded), whatAllChange(folded), ...owners, filesOf(changes)];
  return `| ${[action, ...cells].join(' | ')} |`;
}

/** `90 schedules`. */
function countWords({ first, changes }: FoldedChanges): string {
  return countResources(
    first.kind,
    changes.map(({ address }) => address),
  );
}

/** The name of the report, and the fields that change. */
function whatChanges(change: Change, place: Place): string {
  const { kind, diff, previousAddress, blocked, lookedFor } = change;
  const shown =
    bodyOf(change).shows === 'difference'
      ? [...new Set(changedLeaves(kind, diff).map(({ segments }) => segments[0] ?? ''))]
      : [];
  const more = shown.length - mostFields;
  const what = [
    ...(previousAddress === undefined ? [] : [`from ${code(previousAddress)}`]),
    ...reasonOf(change),
    ...shown.slice(0, mostFields).map(code),
    ...(more > 0 ? [`${more} more`] : []),
    ...(blocked === undefined ? [] : [lookedFor ? 'open' : '**blocked**']),
  ].join(', ');
  return [linkedName(change, place), what].filter((part) => part !== '').join(': ');
}

function whatAllChange(folded: FoldedChanges): string {
  const { first, changes, byItem } = folded;
  if (byItem !== undefined)
    return [...reasonOf(first), `${itemKeys(changes)}: ${spans(foldedWords(folded))}`].join(', ');
  if (!isStateOnly(first)) return [...reasonOf(first), spans(foldedWords(folded))].join(', ');
  const names = nameSome(changes.map((change) => code(nameOf(change) ?? change.address)));
  return [...reasonOf(first), names].join(': ');
}

/** `emea`, `amer`, `apac` and 9 more. */
function itemKeys(changes: readonly Change[]): string {
  return nameSome(changes.map(({ address }) => code(itemOf(address) ?? address)));
}

const saidInRows: readonly Change['reason'][] = [
  'as-declared',
  'drifted',
  'changed-and-drifted',
  'missing',
  'replaced',
  'sink',
];

function reasonOf({ reason }: Change): readonly string[] {
  return saidInRows.includes(reason) ? [reasons[reason]] : [];
}

/** With a link to the dashboard in Omni. */
function linkedName(change: Change, { baseUrl }: Place): string {
  const report = reportName(change, baseUrl);
  if (report === undefined) return '';
  return report.url === undefined ? code(report.name) : `[${code(report.name)}](${report.url})`;
}

function declaredIn(change: Change): string {
  return change.file === undefined ? '' : code(fileAndLine(change));
}

function filesOf(changes: readonly Change[]): string {
  const [first, ...others] = new Set(changes.flatMap(({ file }) => file ?? []));
  if (first === undefined) return '';
  return others.length === 0 ? code(first) : `${code(first)} and ${countOf(others.length, 'more file')}`;
}

/** What lies behind a fold. */
export function changeDetails(folded: FoldedChanges, place: Place, cron: CronWords): Section {
  const { first, changes } = folded;
  const page = { ...detailsPage, cron, operations: place.operations };
  if (changes.length === 1) {
    const title = [first.address, nameOf(first)].flatMap((text) => (text === undefined ? [] : [titleCode(text)]));
    return detailsSection(title.join(' '), fences(changeLines(page, first)));
  }
  const what = isStateOnly(first)
    ? ` to ${first.action}${isAsDeclared(first) ? ' in the state' : ''}`
    : `: ${titleSpans(foldedWords(folded))}`;
  const names = changes.map((change) => `- ${nameLine(folded, change, place)}`);
  const common = isStateOnly(first) ? [] : [...fences(commonLines(page, folded)), ''];
  return detailsSection(countWords(folded) + what, [...common, ...names]);
}

function detailsSection(title: string, lines: readonly string[]): Section {
  return { before: detailsBegin(title), lines, after: detailsEnd };
}

/** A comment may end between two of them. */
const mostFenced = 200;

function fences(lines: readonly string[]): readonly string[] {
  const count = Math.ceil(lines.length / mostFenced);
  return Array.from({ length: count }, (_, index) => fenced(lines.slice(index * mostFenced, (index + 1) * mostFenced)));
}

function nameLine(folded: FoldedChanges, change: Change, place: Place): string {
  const { address, previousAddress, id = '' } = change;
  const own = spans(itemWords(folded, change));
  const parts = [
    code(address),
    linkedName(change, place),
    previousAddress === undefined ? '' : `from ${code(previousAddress)}`,
    leavesOrphan(change, place.operations) ? `the old one is ${code(id)}` : '',
    // Who added an item is what `git blame` says of its line.
    itemOf(address) === undefined ? '' : declaredIn(change),
  ];
  const name = parts.filter((part) => part !== '').join(', ');
  return own === '' ? name : `${name}: ${own}`;
}
