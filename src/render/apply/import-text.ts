// An import in words: the expected requests, what could not be declared, what was written, and what to do next. Long
// lists are folded: the report of a large organization fits a screen.

import type { ImportDocument, ImportEvent, ImportedVariable, SkippedSchedule } from '../../model/plan/import.ts';
import { countList, countOf } from '../text/count-words.ts';
import { hangingLines, type Page } from '../text/field-lines.ts';
import { moreWords, mostEqual, mostSingle } from '../text/more-words.ts';
import { safeText, wrap } from '../text/terminal-text.ts';
import { duration } from '../text/time-words.ts';

/** Before the details are read. */
export function renderExpected(
  { requests, seconds, schedules, dashboards }: Extract<ImportEvent, { type: 'expected' }>,
  { width }: Page,
): readonly string[] {
  const what = [
    ...(schedules > 0 ? [countOf(schedules, 'schedule')] : []),
    ...(dashboards > 0 ? [`the filters of ${countOf(dashboards, 'dashboard')}`] : []),
  ].join(' and ');
  const time = seconds > 0 ? `; the rate limit makes them take about ${duration(seconds)}` : '';
  return wrap(`Reading ${what} in ${countOf(requests, 'request')}${time}.`, width);
}

/** Schedules that no declaration can hold: by reason, and one by one where there are few. */
export function renderSkipped(skipped: readonly SkippedSchedule[], page: Page): readonly string[] {
  const reasons = [...new Set(skipped.map(({ reason }) => reason))];
  const entries = reasons.flatMap((reason) => {
    const alike = skipped.filter((each) => each.reason === reason);
    const isFew = page.showsAll || alike.length <= mostEqual;
    return isFew
      ? alike.map((each) => ({ count: 1, lines: skippedLines(`not declared: ${inWords(each)}`, reason, page) }))
      : [{ count: alike.length, lines: skippedLines(manyWords(alike), reason, page) }];
  });
  const shown = page.showsAll ? entries : entries.slice(0, mostSingle);
  const rest = entries.slice(shown.length).reduce((sum, { count }) => sum + count, 0);
  return [
    ...shown.flatMap(({ lines }) => lines),
    ...(rest === 0 ? [] : warningLines(`${countOf(rest, 'schedule')} more not declared (-v lists all)`, page)),
  ];
}

function inWords({ id, name, identifier }: SkippedSchedule): string {
  return `${safeText(name)} (id ${safeText(id)}, dashboard ${safeText(identifier)})`;
}

function manyWords(alike: readonly SkippedSchedule[]): string {
  const names = alike.slice(0, mostEqual).map(({ name }) => safeText(name));
  return `${countOf(alike.length, 'schedule')} not declared: ${names.join(', ')}, ${moreWords(alike.length - mostEqual)}`;
}

function skippedLines(text: string, reason: string, page: Page): readonly string[] {
  return [...warningLines(text, page), ...wrap(safeText(reason), page.width, '  ')];
}

function warningLines(text: string, { theme, width }: Page): readonly string[] {
  return wrap(`warning: ${text}`, width).map((line, index) =>
    index === 0 ? line.replace('warning', theme.warning('warning')) : line,
  );
}

/** Remarks of one kind. */
export function renderNotes(messages: readonly string[], page: Page): readonly string[] {
  const shown = page.showsAll ? messages : messages.slice(0, mostEqual);
  const rest = messages.length - shown.length;
  return [
    ...shown.map((message) => `${page.theme.warning('warning')}: ${safeText(message)}`),
    ...(rest === 0 ? [] : [`${page.theme.warning('warning')}: ${moreWords(rest)}`]),
  ];
}

export interface ImportPage extends Page {
  readonly writesState: boolean;
  /** Whether almanac.yaml has one environment, so that nothing else needs adopt entries. */
  readonly isOnlyEnvironment: boolean;
}

/** Ends with a newline. */
export function renderImport(document: ImportDocument, page: ImportPage): string {
  const { files, imported, skipped, tracked, schema, variables } = document;
  const written = [
    ...(schema === undefined ? [] : [`${safeText(schema)}: the schema for editors`]),
    ...files.map(({ path, resources }) => `${safeText(path)}: ${countOf(resources, 'resource')}`),
  ];
  const counts = [
    `Imported ${countOf(imported.length, 'schedule')} into ${countOf(files.length, 'file')}`,
    countList([
      [skipped.length, 'could not be declared'],
      [tracked, tracked === 1 ? 'is already tracked' : 'are already tracked'],
    ]),
  ].filter((text) => text !== '');
  const lines = [
    ...(written.length > 0 ? ['Wrote', ...folded(written, mostSingle, page), ''] : []),
    ...wrap(`${counts.join('; ')}.`, page.width).map(page.theme.strong),
    ...(variables.length > 0 ? ['', ...variableLines(variables, page)] : []),
    ...(files.length > 0 ? ['', ...nextLines(page)] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** `lists`: what still lists all when the import is done, because it cannot be repeated with `-v`. */
function folded(texts: readonly string[], most: number, page: Page, lists?: string): readonly string[] {
  const shown = page.showsAll || texts.length <= most ? texts : texts.slice(0, mostEqual);
  const rest = texts.length - shown.length;
  const lines = [
    ...shown,
    ...(rest === 0 ? [] : [lists === undefined ? moreWords(rest) : `and ${rest} more (${lists})`]),
  ];
  return lines.flatMap((text) =>
    wrap(text, page.width - 4).map((line, index) => `${index === 0 ? '  ' : '    '}${line}`),
  );
}

function variableLines(variables: readonly ImportedVariable[], page: Page): readonly string[] {
  const words = variables.map(
    ({ name, holds, schedules }) => `${name}: ${safeText(holds)} (${countOf(schedules.length, 'schedule')})`,
  );
  const kinds = new Set(variables.map(({ kind }) => kind));
  const hints = [
    ...(kinds.has('password') ? ['Omni never returns a password.'] : []),
    ...(kinds.has('url') ? ['Omni shows the URL of a webhook where the schedule is edited.'] : []),
  ];
  return [
    `Set ${variables.length === 1 ? 'this variable' : `these ${variables.length} variables`} where almanac apply runs:`,
    ...folded(words, mostEqual + 1, page, 'almanac doctor lists all that are not set'),
    ...wrap(hints.join(' '), page.width),
  ];
}

function nextLines(page: ImportPage): readonly string[] {
  const steps = page.writesState
    ? [
        'They are tracked from now on, so the next plan will have nothing to do for them. Commit the files and the state.',
      ]
    : [
        '`almanac plan` shows what will be adopted; `almanac apply` records it in the state and changes nothing in Omni.',
        page.isOnlyEnvironment
          ? '`almanac fmt --prune` then removes the adopt entries. With one environment, `almanac import --write-state` does all of this at once.'
          : 'When every environment has been applied, `almanac fmt --prune` removes the adopt entries.',
      ];
  return steps.flatMap((step) => hangingLines(page, '', step, { role: 'dim', column: 0 }));
}
