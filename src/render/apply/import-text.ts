// An import in words: the expected requests, what could not be declared, and what was written.

import type { ImportDocument, ImportEvent, SkippedSchedule } from '../../model/plan/import.ts';
import { countList, countOf } from '../text/count-words.ts';
import { hangingLines, type Page } from '../text/field-lines.ts';
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

/** A schedule that no declaration can hold. */
export function renderSkipped({ id, name, identifier, reason }: SkippedSchedule, page: Page): readonly string[] {
  return [
    ...wrap(
      `warning: not declared: ${safeText(name)} (id ${safeText(id)}, dashboard ${safeText(identifier)})`,
      page.width,
    ).map((line, index) => (index === 0 ? line.replace('warning', page.theme.warning('warning')) : line)),
    ...wrap(safeText(reason), page.width, '  '),
  ];
}

/** Ends with a newline. */
export function renderImport(document: ImportDocument, page: Page & { readonly writesState: boolean }): string {
  const { files, imported, skipped, tracked } = document;
  const written = files.map(({ path, resources }) => `  ${safeText(path)}: ${countOf(resources, 'resource')}`);
  const counts = [
    `Imported ${countOf(imported.length, 'schedule')} into ${countOf(files.length, 'file')}`,
    countList([
      [skipped.length, 'could not be declared'],
      [tracked, tracked === 1 ? 'is already tracked' : 'are already tracked'],
    ]),
  ].filter((text) => text !== '');
  const lines = [
    ...(written.length > 0 ? ['Wrote', ...written, ''] : []),
    ...wrap(`${counts.join('; ')}.`, page.width).map(page.theme.strong),
    ...(files.length > 0 ? hangingLines(page, '', nextStep(page.writesState), { role: 'dim', column: 0 }) : []),
  ];
  return `${lines.join('\n')}\n`;
}

function nextStep(writesState: boolean): string {
  return writesState
    ? 'They are now tracked, so the next plan will have nothing to do for them.'
    : '`almanac plan` shows what will be adopted; `almanac apply` records it in the state and changes nothing in Omni.';
}
