// Progress on one line that is drawn again. The line never takes more than the terminal's width.

import { safeText, truncate } from './terminal-text.ts';
import type { Theme } from './theme.ts';

export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly running: readonly string[];
}

const barWidth = 20;

/** `[=======> ] 12/40: schedules.weekly-sales`, without a line end. */
export function renderProgressBar(progress: Progress, width: number, theme: Theme): string {
  const { done, total, running } = progress;
  const names = running.length === 0 ? '' : `: ${running.map((address) => safeText(address)).join(', ')}`;
  const isNarrow = width < barWidth + 20;
  const bar = isNarrow ? '' : `[${barOf(done, total)}] `;
  const text = truncate(`${bar}${done}/${total}${names}`, width);
  return theme.strong(text.slice(0, bar.length)) + text.slice(bar.length);
}

function barOf(done: number, total: number): string {
  const share = total <= 0 ? 1 : Math.min(1, Math.max(0, done / total));
  const filled = Math.floor(share * barWidth);
  return filled === barWidth ? '='.repeat(barWidth) : `${'='.repeat(filled)}>`.padEnd(barWidth);
}
