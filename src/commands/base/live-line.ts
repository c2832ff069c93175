// A progress bar below the permanent lines, drawn over again: only for a terminal that can do that.

import type { Page } from '../../render/text/field-lines.ts';
import { type Progress, renderProgressBar } from '../../render/text/progress-bar.ts';
import type { Output } from './world.ts';

const eraseLine = '\r\u001b[2K';

export interface LiveLine {
  /** A permanent line, above the bar. */
  say(line: string): void;
  draw(progress: Progress): void;
  /** Removes the bar. */
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
      if (!isWanted || progress.total === 0) return;
      end();
      output.write(renderProgressBar(progress, page.width - 1, page.theme));
      drawn = true;
    },
    end,
  };
}
