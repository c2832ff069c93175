// Progress on stderr: a line for each change as it ends. On a terminal, a live bar stands below.

import type { Reporter } from '../../model/outside.ts';
import { type Action, actions } from '../../model/plan/action.ts';
import type { ApplyEvent, ApplyResult, ResultStatus } from '../../model/plan/apply-outcome.ts';
import type { Change } from '../../model/plan/plan.ts';
import { countOf } from '../../model/values/words.ts';
import { type Block, type Doc, dim, indented, type Words } from '../../report/doc.ts';
import { costWords } from '../../report/plan/plan-counts.ts';
import { linesOf } from '../../report/print-text.ts';
import { displayWidth, safeText, truncate } from '../../report/text/terminal-text.ts';
import type { Page, Role, Theme } from '../../report/text/theme.ts';
import { duration } from '../../report/text/words.ts';
import { redraws } from './publishing.ts';
import type { Run } from './run.ts';
import type { MaskTexts } from './shown-texts.ts';
import type { Output } from './world.ts';

/** `shown` masks texts from Omni. A log is neither wrapped nor cut: its readers search for whole sentences. */
export function progressReporter(run: Run, shown: MaskTexts): Reporter & { end(): void } {
  const given = run.page(run.stderr);
  const page = { ...given, width: given.room ?? given.width };
  const isQuiet = run.options.quiet === true;
  const showsBar = redraws(run.stderr, run);
  const live = openLiveLine(run.stderr, given, showsBar && !isQuiet);
  const running = new Set<string>();
  let [done, total] = [0, 0];
  const count = (event: ApplyEvent) => {
    if (event.type === 'started') total = event.changes.length;
    if (event.type === 'following') total = 0;
    if (event.type === 'read') ({ done, total } = event);
    if (event.type === 'change-started') running.add(event.change.address);
    if (event.type === 'change-ended') {
      running.delete(event.change.address);
      // Skipped changes were not done, so the bar of an interrupted run stays where the run stopped.
      if (event.result.status !== 'skipped') done += 1;
    }
  };
  return {
    emit: (event) => {
      count(event);
      live.say(
        event.type === 'change-ended'
          ? [resultBlock(event.change, shown(event.result), isQuiet, page)]
          : [blockOf(shown(event), page, { isQuiet, showsBar })],
        page,
      );
      live.draw({ done, total, running: event.type === 'read' ? [shown(event.name)] : [...running] });
      if (event.type === 'read' && done === total) live.end();
    },
    end: live.end,
  };
}

/** The words for an event other than the end of a change; --quiet keeps warnings and failures. */
function blockOf(
  event: ApplyEvent,
  { width }: Page,
  { isQuiet: quiet, showsBar }: { readonly isQuiet: boolean; readonly showsBar: boolean },
): Block {
  switch (event.type) {
    case 'started':
    case 'change-started':
    case 'change-ended':
      return false;
    case 'expected':
      return !quiet && dim(`${event.isLeast ? 'At least ' : ''}${costWords(event)}.`);
    case 'to-read': {
      const { of, requests, seconds } = event;
      const time = seconds > 0 && `; the rate limit makes them take about ${duration(seconds)}`;
      return !quiet && [`Reading ${of} in ${countOf(requests, 'request')}`, time, '.'];
    }
    case 'read':
      return !quiet && !showsBar && isTenth(event) && `Read ${event.done} of ${event.total} ${event.what}.`;
    case 'following':
      return !quiet && dim(`Following ${event.jobs === 1 ? 'the AI job' : `${event.jobs} AI jobs`} …`);
    case 'job-progress': {
      const words = [`${event.address} ${event.state}`, ...(event.message === undefined ? [] : [event.message])];
      return !quiet && indented(4, dim(truncate(safeText(words.join(': ')), width - 4)));
    }
    case 'job-ended': {
      const { state } = event.end;
      const isComplete = state === 'COMPLETE';
      const mark: Words = [isComplete ? symbolWords('run') : { role: 'error', of: '  !' }, ' '];
      const of = `${event.address} ${state === null ? 'did not end while it was followed' : state}`;
      return !(quiet && isComplete) && { mark, of };
    }
    case 'waiting':
      return !quiet && dim(`Waiting ${duration(Math.ceil(event.seconds))}: ${event.why}`);
    case 'note':
      return [
        { role: 'warning', of: `warning${event.code === undefined ? '' : `[${event.code}]`}` },
        ': ',
        event.message,
      ];
  }
}

/** Short runs are not counted. */
function isTenth({ done, total }: { readonly done: number; readonly total: number }): boolean {
  return total >= 10 && Math.floor((done * 10) / total) > Math.floor(((done - 1) * 10) / total);
}

const eraseLine = '\r\u001b[2K';

interface LiveLine {
  /** Permanent lines, above the bar. */
  say(doc: Doc, page: Page): void;
  draw(progress: Progress): void;
  /** Removes the bar. */
  end(): void;
}

/** A progress bar below the permanent lines, redrawn in place, so only for a terminal that can do that. */
function openLiveLine(output: Output, { width, theme }: Page, isWanted: boolean): LiveLine {
  let drawn = false;
  const end = () => {
    if (drawn) output.write(eraseLine);
    drawn = false;
  };
  return {
    say: (doc, page) => {
      for (const line of linesOf(doc, page)) {
        end();
        output.write(`${line}\n`);
      }
    },
    draw: (progress) => {
      if (!isWanted || progress.total === 0) return;
      end();
      output.write(renderProgressBar(progress, width - 1, theme));
      drawn = true;
    },
    end,
  };
}

/** Skipped changes are listed at the end, each reason once. */
function resultBlock(change: Change, result: ApplyResult, isQuiet: boolean, { width }: Page): Block {
  if (result.status === 'skipped' || (isQuiet && result.status === 'applied')) return false;
  return changeBlock(result, change, width);
}

// Words for the result of a change, during an apply and at its end.

export const statusRoles = { failed: 'error', skipped: 'warning', unknown: 'error' } as const satisfies Partial<
  Record<ResultStatus, Role>
>;

export const statusWords: Readonly<Record<Exclude<ResultStatus, 'applied'>, string>> = {
  failed: 'failed',
  skipped: 'skipped',
  unknown: 'has an unknown outcome',
};

function doneWords({ action, requests }: Pick<Change, 'action' | 'requests'>): string {
  return action === 'update' && requests === 0 ? 'updated in the state' : actions[action].done;
}

export function withoutIds(message: string): string {
  return message.replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, 'ID');
}

/** The outcome, resource and id of a change; for a failure, as much of its message as fits on the line. */
export function changeBlock(result: ApplyResult, { requests, previousAddress }: Change, width: number): Block {
  const { action, status, address, id, error } = result;
  if (status === 'applied') {
    const from = previousAddress !== undefined && ` from ${previousAddress}`;
    const of = [`${address} ${doneWords({ action, requests })}`, from, id !== undefined && [' ', dim(`(id ${id})`)]];
    return { mark: [symbolWords(action), ' '], of };
  }
  const head = `${address} (${action}) ${statusWords[status]}`;
  const room = width - displayWidth(`  ! ${safeText(head)}: `);
  const tail = error !== undefined && room >= 8 && `: ${truncate(safeText(error.message), room)}`;
  return { mark: [{ role: statusRoles[status], of: status === 'unknown' ? '  ?' : '  !' }, ' '], of: [head, tail] };
}

/** Symbols end in one column, so that what follows them is aligned. */
function symbolWords(action: Action): Words {
  return { role: action, of: actions[action].symbol.padStart(3) };
}

// Progress on one line that is drawn again. The line never takes more than the terminal's width.

interface Progress {
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
