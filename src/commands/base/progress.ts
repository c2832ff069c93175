// Progress on stderr: lines about the changes as they end, and a live bar below them if stderr is a terminal.

import type { Shown } from '../../apply/propose/fingerprint-secrets.ts';
import type { Reporter } from '../../model/outside.ts';
import type { ApplyEvent } from '../../model/plan/apply-outcome.ts';
import type { Change } from '../../model/plan/plan.ts';
import { costWords } from '../../report/plan/plan-text.ts';
import { safeText, wrap } from '../../report/text/terminal-text.ts';
import { type Page, type Progress, renderProgressBar, type Theme } from '../../report/text/theme.ts';
import { duration } from '../../report/text/words.ts';
import { jobEndedLine, jobProgressLine } from './ai-job-text.ts';
import { redraws } from './publish-plan.ts';
import { openResultLines } from './result-lines.ts';
import type { Run } from './run.ts';
import type { Output } from './world.ts';

/** `shown` masks what Omni wrote. */
export function progressReporter(run: Run, shown: Shown): Reporter & { end(): void } {
  const page = run.page(run.stderr);
  const isQuiet = run.options.quiet === true;
  const showsBar = redraws(run.stderr, run);
  const live = openLiveLine(run.stderr, page, showsBar && !isQuiet);
  const resultsOf = (changes: readonly Change[]) =>
    openResultLines({ ...page, width: page.room ?? page.width }, changes, { isLog: !showsBar, isQuiet });
  let results = resultsOf([]);
  const running = new Set<string>();
  let [done, total] = [0, 0];
  const count = (event: ApplyEvent) => {
    if (event.type === 'started') total = event.changes.length;
    if (event.type === 'following') total = 0;
    if (event.type === 'change-started') running.add(event.change.address);
    if (event.type === 'change-ended') {
      running.delete(event.change.address);
      // What is skipped was not done: the bar of an interrupted run stays where the run stopped.
      if (event.result.status !== 'skipped') done += 1;
    }
  };
  return {
    emit: (event) => {
      count(event);
      if (event.type === 'started') results = resultsOf(event.changes);
      const line =
        event.type === 'change-ended'
          ? results.ended(event.change, shown(event.result))
          : lineOf(shown(event), page, isQuiet);
      if (line !== undefined) live.say(line);
      live.draw({ done, total, running: [...running] });
    },
    end: () => {
      live.end();
      for (const line of results.rest()) live.say(line);
    },
  };
}

/**
 * The permanent line of an event other than the end of a change; --quiet keeps warnings and failures. A log is neither
 * wrapped nor cut: its readers search for whole sentences.
 */
function lineOf(event: ApplyEvent, { theme, width, room = width }: Page, quiet: boolean): string | undefined {
  switch (event.type) {
    case 'started':
    case 'change-started':
    case 'change-ended':
      return undefined;
    case 'expected':
      return quiet ? undefined : theme.dim(`${event.isLeast ? 'At least ' : ''}${costWords(event)}.`);
    case 'following':
      return quiet ? undefined : theme.dim(`Following ${event.jobs === 1 ? 'the AI job' : `${event.jobs} AI jobs`} …`);
    case 'job-progress':
      return quiet ? undefined : jobProgressLine(theme, room, event);
    case 'job-ended':
      return quiet && event.end.state === 'COMPLETE' ? undefined : jobEndedLine(theme, event.address, event.end);
    case 'waiting':
      if (quiet) return undefined;
      return waitingLines(event, theme, room).join('\n');
    case 'note': {
      const label = event.code === undefined ? 'warning' : `warning[${event.code}]`;
      const [first = '', ...rest] = wrap(`${label}: ${safeText(event.message)}`, room);
      return [theme.warning(label) + first.slice(label.length), ...rest].join('\n');
    }
  }
}

export function waitingLines(
  { seconds, why }: Extract<ApplyEvent, { type: 'waiting' }>,
  theme: Theme,
  width: number,
): readonly string[] {
  return wrap(`Waiting ${duration(Math.ceil(seconds))}: ${safeText(why)}`, width).map(theme.dim);
}

const eraseLine = '\r\u001b[2K';

interface LiveLine {
  /** A permanent line, above the bar. */
  say(line: string): void;
  draw(progress: Progress): void;
  /** Removes the bar. */
  end(): void;
}

/** A progress bar below the permanent lines, drawn over again: only for a terminal that can do that. */
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
