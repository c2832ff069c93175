// Words for the findings of a look at Omni, and the advice.

import { type DriftDocument, goneIn, type WrittenField } from '../../model/plan/drift-document.ts';
import { trackedByWords } from '../../model/plan/neighbours.ts';
import { foundNoneWords } from '../../model/plan/observation.ts';
import type { FieldDiff } from '../../model/plan/plan.ts';
import { probesWords } from '../../model/service/remote.ts';
import { command } from '../../model/values/command.ts';
import { pointerSegments } from '../../model/values/pointer.ts';
import { codeList, countOf, inBackticks, nameSome } from '../../model/values/words.ts';
import { filtersIn } from '../../plan/drift.ts';
import type { FindingsReport } from '../../report/diagnostics/findings-doc.ts';
import type { Doc } from '../../report/doc.ts';
import { isGone, noStateWords, unappliedDoc, untrackedCountWords } from '../../report/plan/drift-report.ts';

export interface BesideDrift {
  /** The number of schedules that are counted instead of listed. */
  readonly untrackedCount?: number;
  readonly alsoReadBy?: readonly string[];
  /** True if the details of every schedule were looked at. */
  readonly isDeep?: boolean;
  /** Resources that Omni did not show; the findings say which, and why. */
  readonly unseenCount?: number;
  /** False if Omni did not show something of what was looked at. */
  readonly isAllRead?: boolean;
  /** True if so much is gone that an apply which looks is refused without --force. */
  readonly needsForce?: boolean;
}

export function findingsOfDrift({ untracked }: DriftDocument, { isDeep = false }: BesideDrift): FindingsReport {
  return {
    listedBy: command('drift', isDeep && '--deep', untracked !== undefined && '--untracked', '-v'),
    elsewhere: 'what has not drifted',
  };
}

export function foundWords(document: DriftDocument, { unseenCount = 0 }: BesideDrift): string {
  const { drift, noState, foundNone, unapplied, untracked = [] } = document;
  const nothing = noState === undefined && !foundNone ? 'none' : 'nothing was compared';
  const drifted = drift.length === 0 ? nothing : countOf(drift.length, 'resource');
  const errors = errorsIn(document) === 0 ? [] : [countOf(errorsIn(document), 'error')];
  const unseen = unseenCount === 0 ? [] : [`${countOf(unseenCount, 'resource')} not seen`];
  const gone = goneIn(document).flatMap(({ items }) => items).length;
  const isGone = gone === 0 ? [] : [`${countOf(gone, 'dashboard or tile', 'dashboards or tiles')} gone`];
  const others = untracked.length === 0 ? [] : [countOf(untracked.length, 'untracked schedule')];
  const merged = unapplied?.merged ?? [];
  const waiting = merged.length === 0 ? [] : [`${countOf(merged.length, 'change')} never applied`];
  return [drifted, ...isGone, ...errors, ...unseen, ...waiting, ...others].join(', ');
}

/** All of these are about people: with any other error there is no report. */
export function errorsIn({ diagnostics }: Pick<DriftDocument, 'diagnostics'>): number {
  return diagnostics.filter(({ severity }) => severity === 'error').length;
}

function peopleWords(document: DriftDocument): string {
  const count = errorsIn(document);
  return count === 0 ? '' : `${countOf(count, 'error')} about who receives something in Omni.`;
}

/** An apply sees the findings of a deep look only with a deep look of its own. */
function applyAsDeep({ isDeep, needsForce = false }: BesideDrift): string {
  return command('apply', isDeep ? '--refresh=deep' : '--refresh', needsForce && '--force');
}

/** Advice about drift; commands are in backticks. */
export function waysOut(drift: DriftDocument, context: BesideDrift): string {
  if (drift.written !== undefined) return writtenWords(drift.written, context);
  const write = command('drift', context.isDeep === true && '--deep', '--write');
  const undo = `\`${applyAsDeep(context)}\``;
  const keep = `\`${write}\` writes it into the source files.`;
  const diffs = drift.drift.map(({ diff }) => diff);
  const diffsInOmni = diffs.filter((diff) => !isGone(diff));
  const recreateWords = `${undo} creates again what is gone from Omni and still declared. To give it up, remove its declaration: \`${write}\` removes no declaration.${forceWords(context)}`;
  if (diffsInOmni.length === 0) return recreateWords;
  const gone = diffs.some((diff) => filtersIn(diff, 'gone').length > 0) ? ` ${goneWords}` : '';
  // If undone, such a report shows the rows that somebody removed.
  const ways = diffs.some((diff) => filtersIn(diff, 'given').length > 0)
    ? `To keep a change: ${keep} To undo it: ${undo}; a report to which somebody gave a filter loses the filter, and shows different rows.`
    : `To undo a change: ${undo}. To keep it: ${keep}`;
  const isFilter = ({ path }: FieldDiff) => pointerSegments(path)[0] === 'filterConfig';
  const spelling = diffs.some((diff) => diff.some(isFilter) && filtersIn(diff, 'gone').length === 0)
    ? ` If nobody changed the filter, Omni only writes it differently; \`${write}\` adopts that form.`
    : '';
  const lost = diffsInOmni.length === diffs.length ? '' : ` ${recreateWords}`;
  return `${ways} \`${command('apply', '--refresh-only')}\` does not keep a change: it updates only the state, and the next apply undoes the change.${spelling}${gone}${lost}`;
}

const goneWords =
  'A filter that is gone from its dashboard is neither undone nor kept: put the filter back there in Omni, or declare the filter that has taken its place.';

function forceWords({ needsForce = false }: BesideDrift): string {
  return needsForce
    ? ' Without `--force`, an apply that looks is refused because so much is gone at once: check first that it is the right organization, and that the token may see everything.'
    : '';
}

function writtenWords(written: readonly WrittenField[], context: BesideDrift): string {
  if (written.length === 0) return `No file was changed.${forceWords(context)}`;
  const { alsoReadBy = [] } = context;
  const count = countOf(new Set(written.map(({ address }) => address)).size, 'resource');
  const files = countOf(new Set(written.map(({ file }) => file)).size, 'file');
  const alsoReadWords =
    alsoReadBy.length === 0
      ? ''
      : ` Other environments read the same files (${alsoReadBy.join(', ')}): plan them before you merge.`;
  return `The changes of ${count} are in ${files} now. Look at \`git diff\` and commit it: \`${applyAsDeep(context)}\` then updates the state and sends nothing for them.${forceWords(context)}${alsoReadWords}`;
}

/** Everything that was not looked at, or is not drift. */
export function notSeen(document: DriftDocument, context: BesideDrift): Doc {
  return [
    ...(document.unapplied === undefined ? [] : unappliedDoc(document.unapplied)),
    peopleWords(document),
    unseenWords(context),
    notJudgedWords(document),
    asDeclaredWords(document, context),
    notComparedWords(document),
    secretsNotComparedWords(document),
    spellingWords(document),
    leftUnreadWords(document),
    neverShownWords(document),
    untrackedCountWords(context.untrackedCount ?? 0),
  ];
}

function leftUnreadWords({ leftUnread: count = 0 }: DriftDocument): string {
  if (count === 0) return '';
  return `Of ${countOf(count, 'resource')}, an import left filters unread: they are compared once an update has sent them.`;
}

function neverShownWords({ neverShown = [] }: DriftDocument): string {
  return neverShown.length === 0 ? '' : `Never shown by Omni, so not compared: ${codeList(neverShown)}.`;
}

function spellingWords({ filterSpellings = [] }: DriftDocument): string {
  if (filterSpellings.length === 0) return '';
  const named = filterSpellings.map(({ id, identifier }) => `${inBackticks(id)} of the dashboard ${identifier}`);
  return `Omni writes ${nameSome(named)} differently in the answers for schedules than on the dashboard, and the same in all schedules of the dashboard: such a spelling does not count as drift.`;
}

function unseenWords({ unseenCount: count = 0 }: BesideDrift): string {
  if (count === 0) return '';
  const its = count === 1 ? 'its' : 'their';
  return `Omni did not show ${countOf(count, 'resource')}, so ${its} drift is unknown: the warnings say why.`;
}

function notJudgedWords({ untrackedNotJudged: count = 0 }: DriftDocument): string {
  if (count === 0) return '';
  return `Omni does not tell who receives ${countOf(count, 'untracked schedule')}, or which rows, so it is not known whether they may.`;
}

/** Words about details that the list does not show; empty if the details of all schedules were compared. */
function notComparedWords({ detailsNotCompared: count, written }: DriftDocument): string {
  if (count === 0) return '';
  const them = count === 1 ? 'it' : 'them';
  const compares = command('drift', '--deep', written !== undefined && '--write');
  return `The details of ${countOf(count, 'schedule')} were not compared; \`${compares}\` compares ${them}.`;
}

/** Empty if every secret that Omni shows was compared. */
function secretsNotComparedWords({ secretsNotCompared: count = 0 }: DriftDocument): string {
  if (count === 0) return '';
  const [holds, its] = count === 1 ? ['holds', 'its'] : ['hold', 'their'];
  return `${countOf(count, 'schedule')} ${holds} a secret that was not compared with what Omni has: ${its} fingerprint in the state is missing or was made with another key.`;
}

function asDeclaredWords({ asDeclared = [] }: DriftDocument, context: BesideDrift): string {
  const { length: count } = asDeclared;
  if (count === 0) return '';
  const them = count === 1 ? 'it' : 'them';
  return `Only the state is behind on ${countOf(count, 'resource')}: Omni has ${them} as declared already. The next \`${applyAsDeep(context)}\` records ${them}.`;
}

export function leftOutWords({ ignored = 0, probes = 0, trackedBy = [] }: DriftDocument): readonly string[] {
  const are = ignored === 1 ? 'is' : 'are';
  return [
    ignored === 0
      ? ''
      : `${countOf(ignored, 'schedule')} in Omni ${are} untracked and may stay so (\`ignore\` in almanac.yaml).`,
    trackedBy.length === 0 ? '' : `Of the other schedules in Omni, ${trackedByWords(trackedBy).join(', ')}.`,
    probesWords(probes),
  ];
}

/** Without a state there is no drift to find: a look from the wrong folder must not pass for good news. */
export function noDriftWords(document: DriftDocument, { isAllRead = true }: BesideDrift): string {
  const { noState, asDeclared, foundNone } = document;
  if (foundNone) return foundNoneWords;
  if (!isAllRead) return 'No drift was found, but not everything could be looked at.';
  if (goneIn(document).length > 0)
    return 'Nothing differs from what was applied, but what reports show is gone from Omni.';
  return noState !== undefined
    ? `Nothing was compared: ${noStateWords(noState)}`
    : (asDeclared ?? []).length > 0
      ? 'No drift: everything that was compared is as it was applied, or as it is declared.'
      : 'No drift: everything that was compared is as it was applied.';
}
