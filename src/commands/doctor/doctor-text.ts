// The checks of `almanac doctor` for people: a line each, what to do below it, and how it ended.

import { largest } from '../../model/values/collections.ts';
import { countOf } from '../../model/values/words.ts';
import { type Block, dim, hint, part } from '../../report/doc.ts';
import { printText } from '../../report/print-text.ts';
import type { Page, Role } from '../../report/text/theme.ts';
import type { Check, CheckStatus, DoctorDocument } from './doctor-document.ts';

const marks: Readonly<Record<CheckStatus, { readonly mark: string; readonly role: Role }>> = {
  ok: { mark: '✓', role: 'added' },
  warning: { mark: '!', role: 'warning' },
  failed: { mark: '✗', role: 'error' },
  skipped: { mark: '-', role: 'dim' },
};

/** Ends with a newline. */
export function renderDoctor({ checks }: DoctorDocument, page: Page): string {
  const nameWidth = largest(
    0,
    checks.map(({ name }) => name.length),
  );
  return printText([part(...checks.map((check) => checkBlock(check, nameWidth))), part(ending(checks))], page);
}

function checkBlock({ name, status, message, hint: words }: Check, nameWidth: number): Block {
  const { mark, role } = marks[status];
  const label = `${name.padEnd(nameWidth)}  `;
  const isSkipped = status === 'skipped';
  return {
    mark: [{ role, of: mark }, ' ', isSkipped ? dim(label) : label],
    of: isSkipped ? dim(message) : message,
    below: [hint(words, 0)],
  };
}

function ending(checks: readonly Check[]): string {
  const count = (status: CheckStatus) => checks.filter((check) => check.status === status).length;
  const [failures, warnings] = [count('failed'), count('warning')];
  const warningWords = warnings === 0 ? '' : `, ${countOf(warnings, 'warning')}`;
  if (failures > 0) return `${countOf(failures, 'check')} failed${warningWords}.`;
  return warnings === 0 ? 'Everything is in place for an apply.' : `No check failed${warningWords}.`;
}
