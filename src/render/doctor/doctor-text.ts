// The checks of `almanac doctor` for people: a line each, what to do below it, and how it ended.

import type { Check, CheckStatus, DoctorDocument } from '../../model/workspace/doctor-document.ts';
import { countOf } from '../text/count-words.ts';
import type { Page } from '../text/field-lines.ts';
import { pad, safeText, wrap } from '../text/terminal-text.ts';
import type { Role } from '../text/theme.ts';

const marks: Readonly<Record<CheckStatus, { readonly mark: string; readonly role: Role }>> = {
  ok: { mark: '✓', role: 'added' },
  warning: { mark: '!', role: 'warning' },
  failed: { mark: '✗', role: 'error' },
  skipped: { mark: '-', role: 'dim' },
};

/** Ends with a newline. */
export function renderDoctor({ checks }: DoctorDocument, page: Page): string {
  const nameWidth = Math.max(...checks.map(({ name }) => name.length));
  const lines = checks.flatMap((check) => checkLines(check, nameWidth, page));
  return `${[...lines, '', ...wrap(ending(checks), page.width)].join('\n')}\n`;
}

function checkLines({ name, status, message, hint }: Check, nameWidth: number, { theme, width }: Page): string[] {
  const { mark, role } = marks[status];
  const column = 2 + nameWidth + 2;
  const below = ' '.repeat(column);
  const [first = '', ...rest] = wrap(safeText(message), width, below);
  const hints = hint === undefined ? [] : wrap(`hint: ${safeText(hint)}`, width, below);
  const tint = status === 'skipped' ? theme.dim : (text: string) => text;
  return [
    `${theme[role](mark)} ${tint(pad(name, nameWidth))}  ${tint(first.slice(column))}`,
    ...rest.map(tint),
    ...hints.map((line, index) => (index === 0 ? line.replace('hint:', theme.note('hint:')) : line)),
  ];
}

function ending(checks: readonly Check[]): string {
  const count = (status: CheckStatus) => checks.filter((check) => check.status === status).length;
  const [failures, warnings] = [count('failed'), count('warning')];
  const told = warnings === 0 ? '' : `, ${countOf(warnings, 'warning')}`;
  if (failures > 0) return `${countOf(failures, 'check')} failed${told}.`;
  return warnings === 0 ? 'Everything is in place for an apply.' : `No check failed${told}.`;
}
