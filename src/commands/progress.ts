// Progress on stderr: one line a change, and below them a live bar where stderr is a terminal.

import type { ApplyEvent } from '../model/apply-outcome.ts';
import type { Reporter } from '../ports/reporter.ts';
import { jobEndedLine, jobProgressLine } from '../render/ai-job-text.ts';
import { renderChangeLine } from '../render/apply-text.ts';
import type { Page } from '../render/field-lines.ts';
import { renderProgressBar } from '../render/progress-bar.ts';
import { safeText } from '../render/terminal-text.ts';
import type { GlobalOptions } from './options.ts';
import { pageOf } from './page.ts';
import type { World } from './world.ts';

const eraseLine = '\r\u001b[2K';

export function progressReporter(world: World, options: GlobalOptions): Reporter & { end(): void } {
  const { stderr } = world;
  const page = pageOf(stderr, world, options);
  const isLive = stderr.isTerminal && !options.quiet;
  const running = new Set<string>();
  let [done, total, drawn] = [0, 0, false];
  const erase = () => {
    if (drawn) stderr.write(eraseLine);
    drawn = false;
  };
  const draw = () => {
    if (!isLive || total === 0) return;
    erase();
    stderr.write(renderProgressBar({ done, total, running: [...running] }, page.width - 1, page.theme));
    drawn = true;
  };
  const count = (event: ApplyEvent) => {
    if (event.type === 'started') total = event.changes;
    if (event.type === 'following') total = 0;
    if (event.type === 'change-started') running.add(event.change.address);
    if (event.type === 'change-ended') {
      running.delete(event.change.address);
      done += 1;
    }
  };
  return {
    emit: (event) => {
      count(event);
      const line = lineOf(event, page, options.quiet === true);
      if (line !== undefined) {
        erase();
        stderr.write(`${line}\n`);
      }
      draw();
    },
    end: erase,
  };
}

/** What is said of an event for good; warnings and failures also to those who want it quiet. */
function lineOf(event: ApplyEvent, { theme, width }: Page, quiet: boolean): string | undefined {
  switch (event.type) {
    case 'started':
    case 'change-started':
      return undefined;
    case 'expected':
      if (quiet || event.seconds <= 0) return undefined;
      return `${event.requests} requests; the rate limit makes them take about ${duration(event.seconds)}.`;
    case 'change-ended':
      if (quiet && event.result.status === 'applied') return undefined;
      return renderChangeLine(event.result, event.change, theme, width);
    case 'following':
      return quiet ? undefined : theme.dim(`Following ${event.jobs === 1 ? 'the AI job' : `${event.jobs} AI jobs`} …`);
    case 'job-progress':
      return quiet ? undefined : jobProgressLine(theme, width, event);
    case 'job-ended':
      return quiet && event.end.state === 'COMPLETE' ? undefined : jobEndedLine(theme, event.address, event.end);
    case 'waiting':
      if (quiet) return undefined;
      return theme.dim(`Waiting ${duration(Math.ceil(event.seconds))}: ${safeText(event.why)}`);
    case 'note': {
      const label = event.code === undefined ? 'warning' : `warning[${event.code}]`;
      return `${theme.warning(label)}: ${safeText(event.message)}`;
    }
  }
}

function duration(seconds: number): string {
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
