// What drift found, for a terminal: what others changed, what nobody declared, what to do about either, and how far it
// looked.

import type { DriftDocument } from '../../model/plan/drift-document.ts';
import { type DriftPage, driftSections, untrackedCountWords } from '../plan/drift-text.ts';
import { countOf } from '../text/count-words.ts';
import type { Page } from '../text/field-lines.ts';
import { wrap } from '../text/terminal-text.ts';
import { untrackedLines } from './untracked-text.ts';

/** Ends with a newline. `untrackedCount`: of schedules that are counted instead of listed. */
export function renderDriftText(drift: DriftDocument, page: DriftPage, untrackedCount = 0): string {
  const sections = [
    ...driftSections(drift, { ...page, showsPlaces: true }),
    untrackedLines(page, drift),
    endLines(drift, page, untrackedCount),
  ];
  const blocks = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${blocks.join('\n\n')}\n`;
}

/** What to do about drift, for every report; commands are in backticks. */
export const waysOutOfDrift = [
  'To undo a change: `almanac apply --refresh`.',
  'To keep it: change the declaration to match.',
  '`almanac apply --refresh-only` updates only the state: the next apply would undo the change.',
] as const;

/** What a look at the list could not see; empty where the details of all schedules were compared. */
export function notComparedWords({ detailsNotCompared: count }: DriftDocument): string {
  if (count === 0) return '';
  const them = count === 1 ? 'it' : 'them';
  return `The details of ${countOf(count, 'schedule')} were not compared; \`almanac drift --deep\` compares ${them}.`;
}

/** Empty for none. */
function ignoredWords({ ignored = 0 }: DriftDocument): string {
  if (ignored === 0) return '';
  const [are, need] = ignored === 1 ? ['is', 'needs'] : ['are', 'need'];
  return `${countOf(ignored, 'schedule')} in Omni ${are} not declared and ${need} not be (\`ignore\` in almanac.yaml).`;
}

/** Without a state there is no drift to find: a look from the wrong folder must not pass for good news. */
function noDriftWords({ state }: DriftDocument): string {
  return state.lineage === null
    ? 'Nothing was compared: there is no state, so nothing was applied from here yet.'
    : 'No drift: everything that was compared is as it was applied.';
}

function endLines(
  document: DriftDocument,
  { theme, width, showsAll = false }: Page,
  untrackedCount: number,
): readonly string[] {
  const { drift } = document;
  const found =
    drift.length === 0
      ? wrap(noDriftWords(document), width).map(theme.strong)
      : [theme.strong(`Drift: ${countOf(drift.length, 'resource')}.`), ...wrap(waysOutOfDrift.join(' '), width)];
  const isAsked = showsAll || document.untracked !== undefined;
  const left = [
    notComparedWords(document),
    untrackedCountWords(untrackedCount),
    isAsked ? ignoredWords(document) : '',
  ].filter((words) => words !== '');
  return [...found, ...left.flatMap((words) => wrap(words, width))];
}
