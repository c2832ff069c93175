// Progress on stderr: one line a change, and below them a live bar where stderr is a terminal.

import type { ApplyEvent } from '../model/apply-outcome.ts';
import type { Reporter } from '../ports/reporter.ts';
import { renderChangeLine } from '../render/apply-text.ts';
import { countOf } from '../render/count-words.ts';
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
  const line = (text: string) => {
    erase();
    stderr.write(`${text}\n`);
  };
  const draw = () => {
    if (!isLive || total === 0) return;
    erase();
    stderr.write(renderProgressBar({ done, total, running: [...running] }, page.width - 1, page.theme));
    drawn = true;
  };
  const tell = (event: ApplyEvent): void => {
    switch (event.type) {
      case 'expected':
        if (!options.quiet) line(page.theme.dim(expectation(event)));
        return;
      case 'started':
        total = event.changes;
        return;
      case 'change-started':
        running.add(event.change.address);
        return;
      case 'change-ended':
        running.delete(event.change.address);
        done += 1;
        if (!options.quiet || event.result.status !== 'applied')
          line(renderChangeLine(event.result, event.change, page.theme, page.width));
        return;
      case 'waiting':
        if (!options.quiet)
          line(page.theme.dim(`Waiting ${duration(Math.ceil(event.seconds))}: ${safeText(event.why)}`));
        return;
      case 'note':
        line(
          `${page.theme.warning(event.code === undefined ? 'warning' : `warning[${event.code}]`)}: ${safeText(event.message)}`,
        );
        return;
    }
  };
  return {
    emit: (event) => {
      tell(event);
      draw();
    },
    end: erase,
  };
}

function expectation({ requests, seconds }: Extract<ApplyEvent, { type: 'expected' }>): string {
  const words = countOf(requests, 'request');
  return seconds === 0 ? `${words}, at once.` : `${words}; the rate limit makes them take about ${duration(seconds)}.`;
}

function duration(seconds: number): string {
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
