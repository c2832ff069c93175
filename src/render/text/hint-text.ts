// The hint below a finding or a failure, in the same form for both.

import type { Page } from './field-lines.ts';
import { safeText, wrap } from './terminal-text.ts';

/** `  hint: …`, wrapped; nothing without a hint. */
export function hintLines({ theme, width }: Page, hint: string | undefined): readonly string[] {
  if (hint === undefined) return [];
  const lines = wrap(`hint: ${safeText(hint, { keepNewlines: true })}`, width, '  ');
  return lines.map((line, index) => (index === 0 ? line.replace('hint:', theme.note('hint:')) : line));
}
