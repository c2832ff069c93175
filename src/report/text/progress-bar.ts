// Progress on one line that is drawn over again, so it never takes more than the terminal's width.

import { safeText, truncate } from './terminal-text.ts';
import type { Theme } from './theme.ts';

export interface Progress {
  readonly done: number;
  readonly total: number;
  /** Addresses of what is under way. */
  readonly running: readonly string[];
  readonly secondsLeft?: number;
}

const barWidth = 20;

/** `[=======>            ] 12/40, about 2 min left: schedules.weekly-sales`, without a line end. */
export function renderProgressBar(progress: Progress, width: number, theme: Theme): string {
  const { done, total, running, secondsLeft } = progress;
  const left = secondsLeft === undefined ? '' : `, ${timeLeft(secondsLeft)}`;
  const names = running.length === 0 ? '' : `: ${running.map((address) => safeText(address)).join(', ')}`;
  const counted = `${done}/${total}`;
  const isNarrow = width < barWidth + 20;
  const bar = isNarrow ? '' : `[${barOf(done, total)}] `;
  const text = truncate(`${bar}${counted}${left}${names}`, width);
  return theme.strong(text.slice(0, bar.length)) + text.slice(bar.length);
}

function barOf(done: number, total: number): string {
  const share = total <= 0 ? 1 : Math.min(1, Math.max(0, done / total));
  const filled = Math.floor(share * barWidth);
  return filled === barWidth ? '='.repeat(barWidth) : `${'='.repeat(filled)}>`.padEnd(barWidth);
}

function timeLeft(seconds: number): string {
  if (seconds < 90) return `about ${Math.max(1, Math.round(seconds))} s left`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `about ${minutes} min left` : `about ${Math.round(minutes / 60)} h left`;
}
