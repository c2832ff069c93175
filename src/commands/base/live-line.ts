// A progress bar below what is written for good: drawn over again on a terminal, and on nothing else.

import type { Page } from '../../render/text/field-lines.ts';
import { type Progress, renderProgressBar } from '../../render/text/progress-bar.ts';
import type { Output } from './world.ts';

const eraseLine = '\r\u001b[2K';

export interface LiveLine {
  /** A line for good, above the bar. */
  say(line: string): void;
  draw(progress: Progress): void;
  /** Takes the bar away. */
  end(): void;
}

export function openLiveLine(output: Output, page: Page, isWanted: boolean): LiveLine {
  let drawn = false;
  const end = () => {
    if (drawn) output.write(eraseLine);
    drawn = false;
  };
  return {
    say: (line) => {
      end();
      output.write(`${line}\n`);
    },
    draw: (progress) => {
      if (!output.isTerminal || !isWanted || progress.total === 0) return;
      end();
      output.write(renderProgressBar(progress, page.width - 1, page.theme));
      drawn = true;
    },
    end,
  };
}
