// What drift found: what others changed, what nobody declared, what was written into the source files, what to do about
// each, and how far it looked.

import type { Danger } from '../../model/plan/danger.ts';
import type {
  DriftDocument,
  NotWrittenField,
  UntrackedSchedule,
  WrittenField,
} from '../../model/plan/drift-document.ts';
import type { FieldDiff } from '../../model/plan/plan.ts';
import type { Address } from '../../model/values/address.ts';
import { groupBy } from '../../model/values/group-by.ts';
import { pointerSegments } from '../../model/values/pointer.ts';
import { countOf, inBackticks, mostEqual, nameSome } from '../../model/values/words.ts';
import { filtersIn } from '../../plan/drift.ts';
import { findingsDoc } from '../../report/diagnostics/findings-doc.ts';
import {
  type Block,
  code,
  type Doc,
  firstFew,
  indented,
  item,
  joined,
  part,
  section,
  strong,
  type Words,
} from '../../report/doc.ts';
import { dangerDoc } from '../../report/plan/danger-report.ts';
import { type DriftPage, driftDoc, driftEntries, untrackedCountWords } from '../../report/plan/drift-report.ts';
import { placeWords } from '../../report/plan/plan-counts.ts';
import { planFindings } from '../../report/plan/plan-findings.ts';
import { commentLimit, printCut } from '../../report/print-markdown.ts';
import { printText } from '../../report/print-text.ts';
import { inEnvironment } from '../../report/text/advised-commands.ts';
import { fileAndLine } from '../../report/text/file-and-line.ts';
import type { Page } from '../../report/text/theme.ts';
import { quoteText } from '../../report/text/visible-values.ts';

export interface BesideDrift {
  /** Of schedules that are counted instead of listed. */
  readonly untrackedCount?: number;
  /** Other environments that read what was written. */
  readonly alsoReadBy?: readonly string[];
  /** Whether the details of every schedule were looked at. */
  readonly isDeep?: boolean;
  /** Resources that Omni did not show; the findings say which, and why. */
  readonly unseenCount?: number;
  /** The environment that was looked at. */
  readonly environment?: string | undefined;
}

/** For a terminal. Ends with a newline. */
export function renderDriftText(document: DriftDocument, page: DriftPage, beside: BesideDrift = {}): string {
  const { drift, written = [], notWritten = [] } = document;
  const found =
    drift.length === 0
      ? [strong(noDriftWords(document, beside))]
      : [
          strong(`Drift: ${countOf(drift.length, 'resource')}.`),
          inEnvironment(waysOut(document, beside), beside.environment),
        ];
  const isAsked = page.showsAll || document.untracked !== undefined;
  return printText(
    [
      ...dangerDoc(graveIn(document), page),
      ...driftDoc(document, { ...page, showsPlaces: true }),
      section(strong('Written into the source files:'), [indented(2, ...writtenItems(written, page))]),
      section(strong('Not written:'), notWrittenBlocks(notWritten, page)),
      ...untrackedDoc(document, beside.environment),
      part(...found, ...notSeen(document, beside), isAsked && ignoredWords(document)),
    ],
    page,
  );
}

export interface DriftMarkdownOptions extends BesideDrift {
  /** The most characters; not less than 8,000. */
  readonly limit?: number;
}

/** For a job summary or an issue, where details are left out before rows. Ends with a newline. */
export function renderDriftMarkdown(
  document: DriftDocument,
  { limit = commentLimit, ...beside }: DriftMarkdownOptions = {},
): string {
  const { environment, isDeep } = beside;
  const { drift, untracked = [], written = [], notWritten = [] } = document;
  const again = ['almanac drift', isDeep && '--deep', document.untracked && '--untracked', '-v'];
  const say = (words: string) => inEnvironment(words, environment);
  const commands = [...byDashboard(untracked).keys()].flatMap((each) => importCommand(each) ?? []).map(say);
  return printCut(
    [
      { heading: `Almanac drift: ${foundWords(document, beside)}` },
      [placeWords(document), '.'],
      ...dangerDoc(graveIn(document), { isFolded: true }),
      drift.length > 0 && say(waysOut(document, beside)),
      section('Not written', notWrittenItems(notWritten)),
      section('Written into the source files', writtenItems(written)),
      ...driftEntries(document, { showsPlaces: true }),
      section('Untracked', [untracked.length > 0 && { head: untrackedHead, rows: untracked.map(untrackedRow) }]),
      ...(commands.length > 0 ? ['To declare them:', { commands }] : []),
      findingsDoc(planFindings(document), 'drift'),
      ...notSeen(document, beside),
    ],
    { limit, all: say(`\`${again.filter(Boolean).join(' ')}\``) },
  );
}

/** Other dangers are those of a plan, which a look is not. */
function graveIn({ dangers }: DriftDocument): readonly Danger[] {
  return dangers.filter(({ code: kind }) => kind === 'filter-gone');
}

function foundWords({ drift, untracked = [] }: DriftDocument, { unseenCount = 0 }: BesideDrift): string {
  const drifted = drift.length === 0 ? 'none' : countOf(drift.length, 'resource');
  const unseen = unseenCount === 0 ? [] : [`${countOf(unseenCount, 'resource')} not seen`];
  const others = untracked.length === 0 ? [] : [countOf(untracked.length, 'untracked schedule')];
  return [drifted, ...unseen, ...others].join(', ');
}

/** What only a deep look has shown, an apply sees only with a deep look of its own. */
function applyAsDeep({ isDeep }: BesideDrift): string {
  return `almanac apply --refresh${isDeep ? '=deep' : ''}`;
}

/** What to do about drift; commands are in backticks. */
function waysOut(drift: DriftDocument, beside: BesideDrift): string {
  if (drift.written !== undefined) return writtenWords(drift.written, beside);
  const write = beside.isDeep ? 'drift --deep --write' : 'drift --write';
  const undo = `\`${applyAsDeep(beside)}\``;
  const keep = `\`almanac ${write}\` writes it into the source files.`;
  const diffs = drift.drift.map(({ diff }) => diff);
  const gone = diffs.some((diff) => filtersIn(diff, 'gone').length > 0) ? ` ${goneWords}` : '';
  // Undone, such a report shows the rows that somebody took out.
  const ways = diffs.some((diff) => filtersIn(diff, 'given').length > 0)
    ? `To keep a change: ${keep} To undo it: ${undo}; a report to which somebody gave a filter loses it, and shows other rows.`
    : `To undo a change: ${undo}. To keep it: ${keep}`;
  const isFilter = ({ path }: FieldDiff) => pointerSegments(path)[0] === 'filterConfig';
  const spelling = diffs.some((diff) => diff.some(isFilter) && filtersIn(diff, 'gone').length === 0)
    ? ` If nobody changed a filter, Omni spells it otherwise, and \`almanac ${write}\` takes its spelling.`
    : '';
  return `${ways} \`almanac apply --refresh-only\` does not keep it: it updates only the state, and the next apply undoes the change.${spelling}${gone}`;
}

const goneWords =
  'A filter that is gone from its dashboard is neither undone nor kept: put it back there in Omni, or remove it from `filterConfig` if the report may show all rows.';

/** What was done, and what comes next. */
function writtenWords(written: readonly WrittenField[], beside: BesideDrift): string {
  if (written.length === 0) return 'No file was changed.';
  const { alsoReadBy = [] } = beside;
  const count = countOf(byAddress(written).length, 'resource');
  const files = countOf(new Set(written.map(({ file }) => file)).size, 'file');
  const others =
    alsoReadBy.length === 0
      ? ''
      : ` Other environments read the same files (${alsoReadBy.join(', ')}): plan them before you merge.`;
  return `The changes of ${count} are in ${files} now. Look at \`git diff\` and commit it: \`${applyAsDeep(beside)}\` then updates the state and sends nothing for them.${others}`;
}

/** What was not looked at, or is no drift. */
function notSeen(document: DriftDocument, beside: BesideDrift): Doc {
  return [
    unseenWords(beside),
    asDeclaredWords(document, beside),
    notComparedWords(document),
    secretsNotComparedWords(document),
    filtersNotComparedWords(document),
    spellingWords(document),
    beside.isDeep && document.state.lineage !== null && neverComparedWords,
    untrackedCountWords(beside.untrackedCount ?? 0),
  ].map((words) => words && inEnvironment(words, beside.environment));
}

const neverComparedWords = 'Not comparable in Omni: subjects, texts, paths, passwords, options of formats.';

/** Empty for none. */
function filtersNotComparedWords({ filtersNotCompared: count = 0 }: DriftDocument): string {
  if (count === 0) return '';
  return `The filters of ${countOf(count, 'schedule')} were not all compared: Omni did not return them, or did not show those of the dashboard.`;
}

/** Empty for none. */
function spellingWords({ filterSpellings = [] }: DriftDocument): string {
  if (filterSpellings.length === 0) return '';
  const named = filterSpellings.map(({ id, identifier }) => `${inBackticks(id)} of the dashboard ${identifier}`);
  const reads = named.length === 1 ? 'reads' : 'read';
  return `In the answers for schedules, ${nameSome(named)} ${reads} otherwise than on the dashboard, and alike in all of its schedules: that counts as a spelling of Omni, not as drift.`;
}

/** Empty for none. */
function unseenWords({ unseenCount: count = 0 }: BesideDrift): string {
  if (count === 0) return '';
  const its = count === 1 ? 'its' : 'their';
  return `Omni did not show ${countOf(count, 'resource')}, so ${its} drift is unknown: the warnings say why.`;
}

/** What a look at the list could not see; empty where the details of all schedules were compared. */
function notComparedWords({ detailsNotCompared: count, written }: DriftDocument): string {
  if (count === 0) return '';
  const them = count === 1 ? 'it' : 'them';
  const command = `almanac drift --deep${written === undefined ? '' : ' --write'}`;
  return `The details of ${countOf(count, 'schedule')} were not compared; \`${command}\` compares ${them}.`;
}

/** Empty where every secret that Omni shows was compared. */
function secretsNotComparedWords({ secretsNotCompared: count = 0 }: DriftDocument): string {
  if (count === 0) return '';
  const [holds, its] = count === 1 ? ['holds', 'its'] : ['hold', 'their'];
  return `${countOf(count, 'schedule')} ${holds} a secret that was not compared with what Omni has: ${its} fingerprint in the state is missing or was made with another key.`;
}

/** Empty for none. */
function asDeclaredWords({ asDeclared = [] }: DriftDocument, beside: BesideDrift): string {
  const { length: count } = asDeclared;
  if (count === 0) return '';
  const them = count === 1 ? 'it' : 'them';
  return `Only the state is behind on ${countOf(count, 'resource')}: Omni has ${them} as declared already. The next \`${applyAsDeep(beside)}\` records ${them}.`;
}

/** Empty for none. */
function ignoredWords({ ignored = 0 }: DriftDocument): string {
  if (ignored === 0) return '';
  const are = ignored === 1 ? 'is' : 'are';
  return `${countOf(ignored, 'schedule')} in Omni ${are} untracked and may stay so (\`ignore\` in almanac.yaml).`;
}

/** Without a state there is no drift to find: a look from the wrong folder must not pass for good news. */
function noDriftWords({ state, asDeclared }: DriftDocument, { unseenCount = 0 }: BesideDrift): string {
  if (unseenCount > 0) return 'No drift was found, but not everything could be looked at.';
  return state.lineage === null
    ? 'Nothing was compared: there is no state, so nothing was applied from here yet.'
    : (asDeclared ?? []).length > 0
      ? 'No drift: everything that was compared is as it was applied, or as it is declared.'
      : 'No drift: everything that was compared is as it was applied.';
}

/** One entry a resource; many are folded. */
function writtenItems(written: readonly WrittenField[], page?: Page): Doc {
  const rowOf = ([address, fields]: readonly [Address, readonly WrittenField[]]): Block => {
    const places = fields.map((field) => `${fieldName(field)} (${fileAndLine(field)})`);
    return item(code(`${address}: ${places.join(', ')}`));
  };
  return firstFew(byAddress(written), rowOf, { ...page }, item);
}

function notWrittenBlocks(notWritten: readonly NotWrittenField[], page: Page): Doc {
  return byReason(notWritten).flatMap(([message, names]) => [
    indented(2, ...firstFew(names, (name) => item(name), { ...page, most: mostEqual }, item)),
    indented(4, message),
  ]);
}

function notWrittenItems(notWritten: readonly NotWrittenField[]): Doc {
  return byReason(notWritten).map(([message, names]) => {
    const rest = names.length - mostEqual;
    const named = joined([...names.slice(0, mostEqual).map(code), rest > 0 && `and ${rest} more`], '; ');
    return item([named, '. ', message]);
  });
}

/** For each reason, the resources with their fields. */
function byReason(
  notWritten: readonly NotWrittenField[],
): readonly (readonly [message: string, names: readonly string[]])[] {
  return [...groupBy(notWritten, ({ message }) => message)].map(([message, fields]) => {
    const names = byAddress(fields).map(([address, own]) => {
      const fieldNames = own.map(fieldName).filter((name) => name !== '');
      return `${address}${fieldNames.length === 0 ? '' : `: ${fieldNames.join(', ')}`}`;
    });
    return [message, names];
  });
}

function byAddress<F extends { readonly address: Address }>(
  fields: readonly F[],
): readonly (readonly [Address, readonly F[]])[] {
  return [...groupBy(fields, ({ address }) => address)];
}

function fieldName({ path }: { readonly path: string }): string {
  return pointerSegments(path)[0] ?? '';
}

/** In their order; undefined where the service does not name a dashboard. */
function byDashboard(
  untracked: readonly UntrackedSchedule[],
): ReadonlyMap<string | undefined, readonly UntrackedSchedule[]> {
  return groupBy(untracked, ({ identifier }) => identifier);
}

/** Plain enough to stand in a command line that people paste into a shell. */
const plain = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;

/** The command that declares a dashboard's schedules; undefined where its identifier cannot be pasted as it is. */
function importCommand(identifier: string | undefined): string | undefined {
  return identifier !== undefined && plain.test(identifier) ? `almanac import --identifier ${identifier}` : undefined;
}

function untrackedDoc({ untracked = [] }: DriftDocument, environment: string | undefined): Doc {
  if (untracked.length === 0) return [];
  const head = [
    strong('Untracked:'),
    ` ${countOf(untracked.length, 'schedule')} in Omni that no declaration and no state knows.`,
  ];
  const groups = [...byDashboard(untracked)].map(([identifier, schedules]) => {
    const [name, command] = [schedules[0]?.dashboardName, importCommand(identifier)];
    const title = `Dashboard ${identifier ?? 'unknown'}${name === undefined ? '' : `, ${quoteText(name)}`}:`;
    return part(
      indented(2, title),
      indented(4, ...schedules.map(untrackedItem)),
      command !== undefined && indented(2, { commands: [inEnvironment(command, environment)] }),
    );
  });
  return [part(head), ...groups];
}

function untrackedItem({ id, name, owner, lastRunAt }: UntrackedSchedule): Block {
  const words = joined([
    name === undefined ? 'without a name' : quoteText(name),
    owner !== undefined && `owner ${quoteText(owner)}`,
    lastRunAt === undefined ? 'never ran' : `last run ${lastRunAt}`,
  ]);
  return item(words, [`id ${id}`]);
}

const untrackedHead = ['schedule', 'dashboard', 'owner', 'last run', 'id'].map((title) => ({ title }));

function untrackedRow(schedule: UntrackedSchedule): readonly Words[] {
  const { id, name, identifier, dashboardName, owner, lastRunAt } = schedule;
  const cell = (text: string | undefined): Words => text !== undefined && code(text);
  const dashboard = joined([cell(identifier), cell(dashboardName)], ' ');
  return [cell(name), dashboard, cell(owner), cell(lastRunAt) || 'never', code(id)];
}
