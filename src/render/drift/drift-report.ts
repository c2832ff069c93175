// What drift found, for a terminal: what others changed, what nobody declared, what to do about either, and how far it
// looked.

import type { DriftDocument } from '../../model/plan/drift-document.ts';
import { type DriftPage, driftSections, untrackedCountWords } from '../plan/drift-text.ts';
import { countOf } from '../text/count-words.ts';
import type { Page } from '../text/field-lines.ts';
import { inEnvironment } from '../text/hint-text.ts';
import { wrap } from '../text/terminal-text.ts';
import { untrackedLines } from './untracked-text.ts';
import { applyAsDeep, notWrittenLines, writtenLines, writtenWords } from './written-text.ts';

export interface BesideDrift {
  /** Of schedules that are counted instead of listed. */
  readonly untrackedCount?: number;
  /** Other environments that read what was written. */
  readonly alsoReadBy?: readonly string[];
  /** Whether the details of every schedule were looked at. */
  readonly isDeep?: boolean;
  /** The environment that was looked at. */
  readonly environment?: string | undefined;
}

/** Ends with a newline. */
export function renderDriftText(drift: DriftDocument, page: DriftPage, beside: BesideDrift = {}): string {
  const sections = [
    ...driftSections(drift, { ...page, showsPlaces: true }),
    writtenLines(page, drift.written ?? []),
    notWrittenLines(page, drift.notWritten ?? []),
    untrackedLines(page, drift, beside.environment),
    endLines(drift, page, beside),
  ];
  const blocks = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${blocks.join('\n\n')}\n`;
}

/** What to do about drift, for every report; commands are in backticks. */
export function waysOutOfDrift(drift: DriftDocument, beside: BesideDrift): readonly string[] {
  const { alsoReadBy = [], isDeep = false } = beside;
  if (drift.written !== undefined) return writtenWords(drift, alsoReadBy, isDeep);
  const write = isDeep ? 'drift --deep --write' : 'drift --write';
  return [
    `To undo a change: \`${applyAsDeep(isDeep)}\`.`,
    `To keep it: \`almanac ${write}\` writes it into the source files.`,
    '`almanac apply --refresh-only` does not keep it: it updates only the state, and the next apply undoes the change.',
  ];
}

/** What a look at the list could not see; empty where the details of all schedules were compared. */
export function notComparedWords({ detailsNotCompared: count, written }: DriftDocument): string {
  if (count === 0) return '';
  const them = count === 1 ? 'it' : 'them';
  const command = `almanac drift --deep${written === undefined ? '' : ' --write'}`;
  return `The details of ${countOf(count, 'schedule')} were not compared; \`${command}\` compares ${them}.`;
}

/** Empty where every secret that Omni shows was compared. */
export function secretsNotComparedWords({ secretsNotCompared: count = 0 }: DriftDocument): string {
  if (count === 0) return '';
  const [holds, its] = count === 1 ? ['holds', 'its'] : ['hold', 'their'];
  return `${countOf(count, 'schedule')} ${holds} a secret that was not compared with what Omni has: ${its} fingerprint in the state is missing or was made with another key.`;
}

/** Empty for none. */
export function asDeclaredWords({ asDeclared = [] }: DriftDocument, { isDeep = false }: BesideDrift): string {
  const { length: count } = asDeclared;
  if (count === 0) return '';
  const them = count === 1 ? 'it' : 'them';
  return `Only the state is behind on ${countOf(count, 'resource')}: Omni has ${them} as declared already. The next \`${applyAsDeep(isDeep)}\` records ${them}.`;
}

/** Empty for none. */
function ignoredWords({ ignored = 0 }: DriftDocument): string {
  if (ignored === 0) return '';
  const are = ignored === 1 ? 'is' : 'are';
  return `${countOf(ignored, 'schedule')} in Omni ${are} untracked and may stay so (\`ignore\` in almanac.yaml).`;
}

/** Without a state there is no drift to find: a look from the wrong folder must not pass for good news. */
function noDriftWords({ state, asDeclared }: DriftDocument): string {
  return state.lineage === null
    ? 'Nothing was compared: there is no state, so nothing was applied from here yet.'
    : (asDeclared ?? []).length > 0
      ? 'No drift: everything that was compared is as it was applied, or as it is declared.'
      : 'No drift: everything that was compared is as it was applied.';
}

function endLines(
  document: DriftDocument,
  { theme, width, showsAll = false }: Page,
  beside: BesideDrift,
): readonly string[] {
  const { drift } = document;
  const { untrackedCount = 0, environment } = beside;
  const say = (words: string) => inEnvironment(words, environment);
  const found =
    drift.length === 0
      ? wrap(noDriftWords(document), width).map(theme.strong)
      : [
          theme.strong(`Drift: ${countOf(drift.length, 'resource')}.`),
          ...wrap(say(waysOutOfDrift(document, beside).join(' ')), width),
        ];
  const isAsked = showsAll || document.untracked !== undefined;
  const left = [
    asDeclaredWords(document, beside),
    notComparedWords(document),
    secretsNotComparedWords(document),
    untrackedCountWords(untrackedCount),
    isAsked ? ignoredWords(document) : '',
  ].filter((words) => words !== '');
  return [...found, ...left.flatMap((words) => wrap(say(words), width))];
}
