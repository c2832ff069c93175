// One line of the journal. Its newline is what tells a whole line from a torn one.

import type { JournalLine } from '../../model/plan/journal.ts';

export function renderJournalLine(line: JournalLine): string {
  return `${JSON.stringify(line)}\n`;
}
