// Progress on stderr: lines about the changes as they end, and a live bar below them if stderr is a terminal. Few changes of a
// kind have a line each. Of many, a line says how many are done once all have ended, and in a log now and then before that.
// Failures have lines of their own, up to ten of a kind.

import type { Reporter } from '../../model/outside.ts';
import type { Action } from '../../model/plan/action.ts';
import type { ApplyEvent, ApplyResult } from '../../model/plan/apply-outcome.ts';
import type { Change } from '../../model/plan/plan.ts';
import type { Address, Kind } from '../../model/values/address.ts';
import { countOf, maxSingle } from '../../model/values/words.ts';
import { type Block, type Doc, dim, indented, type Words } from '../../report/doc.ts';
import { costWords } from '../../report/plan/plan-counts.ts';
import { linesOf } from '../../report/print-text.ts';
import { countResources } from '../../report/text/count-resources.ts';
import { type Progress, renderProgressBar } from '../../report/text/progress-bar.ts';
import { safeText, truncate } from '../../report/text/terminal-text.ts';
import type { Page } from '../../report/text/theme.ts';
import { duration } from '../../report/text/words.ts';
import { redraws } from './publishing.ts';
import { changeBlock, doneWords, statusRoles, symbolWords, troubleKey } from './result-words.ts';
import type { Run } from './run.ts';
import type { MaskTexts } from './shown-texts.ts';
import type { Output } from './world.ts';

/** `shown` masks what Omni wrote. A log is neither wrapped nor cut: its readers search for whole sentences. */
export function progressReporter(run: Run, shown: MaskTexts): Reporter & { end(): void } {
  const given = run.page(run.stderr);
  const page = { ...given, width: given.room ?? given.width };
  const isQuiet = run.options.quiet === true;
  const showsBar = redraws(run.stderr, run);
  const live = openLiveLine(run.stderr, given, showsBar && !isQuiet);
  const resultsOf = (changes: readonly Change[]) => openResultLines(page, changes, { isLog: !showsBar, isQuiet });
  let results = resultsOf([]);
  const running = new Set<string>();
  let [done, total] = [0, 0];
  const count = (event: ApplyEvent) => {
    if (event.type === 'started') total = event.changes.length;
    if (event.type === 'following') total = 0;
    if (event.type === 'read') ({ done, total } = event);
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
      live.say(
        event.type === 'change-ended'
          ? results.ended(event.change, shown(event.result))
          : [blockOf(shown(event), page, { isQuiet, showsBar })],
        page,
      );
      live.draw({ done, total, running: event.type === 'read' ? [shown(event.name)] : [...running] });
      if (event.type === 'read' && done === total) live.end();
    },
    end: () => {
      live.end();
      live.say(results.rest(), page);
    },
  };
}

/** What is said of an event other than the end of a change; --quiet keeps warnings and failures. */
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

/** Few are not counted. */
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

/** A progress bar below the permanent lines, drawn over again: only for a terminal that can do that. */
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

/** A log says at each tenth how many are done, but not more often than this. */
const minStep = 50;

interface Group {
  readonly action: Action;
  readonly done: string;
  readonly kind: Kind;
  readonly addresses: Address[];
  ended: number;
  applied: number;
  /** How many of those were said. */
  said: number;
}

/**
 * `isLog`: no bar shows how far the run is. `isQuiet`: only what went wrong is said. With -v each change has its line. `rest`
 * says at the end what was done of those that have not all ended.
 */
function openResultLines(
  page: Page,
  changes: readonly Change[],
  { isLog, isQuiet }: { readonly isLog: boolean; readonly isQuiet: boolean },
) {
  const groups = groupsOf(page, changes);
  const troubles = new Map<string, number>();
  const say = (group: Group): Block => {
    if (isQuiet || group.applied === group.said) return false;
    group.said = group.applied;
    return countBlock(group);
  };
  return {
    ended: (change: Change, result: ApplyResult): Doc => {
      const group = groups.get(groupKeyOf(change));
      if (group !== undefined) {
        group.ended += 1;
        if (result.status === 'applied') group.applied += 1;
      }
      if (result.status === 'applied' && group === undefined)
        return [!isQuiet && changeBlock(result, change, page.width)];
      return [troubleBlock(page, troubles, change, result), group !== undefined && isDue(group, isLog) && say(group)];
    },
    rest: (): Doc => [...groups.values()].map(say),
  };
}

function groupsOf({ showsAll }: Page, changes: readonly Change[]): ReadonlyMap<string, Group> {
  const groups = new Map<string, Group>();
  for (const change of showsAll ? [] : changes) {
    const { action, kind, address } = change;
    const key = groupKeyOf(change);
    const group = groups.get(key) ?? {
      action,
      done: doneWords(change),
      kind,
      addresses: [],
      ended: 0,
      applied: 0,
      said: 0,
    };
    group.addresses.push(address);
    groups.set(key, group);
  }
  return new Map([...groups].filter(([, { addresses }]) => addresses.length > maxSingle));
}

function groupKeyOf(change: Change): string {
  return `${change.action} ${change.kind} ${doneWords(change)}`;
}

function isDue({ ended, addresses }: Group, isLog: boolean): boolean {
  const total = addresses.length;
  if (ended === total) return true;
  return isLog && ended % Math.max(minStep, Math.ceil(total / 10)) === 0;
}

/** `  ~ 90 schedules updated`, `  ~ 40 of 90 schedules updated`. */
function countBlock({ action, done, kind, applied, addresses }: Group): Block {
  const many = countResources(kind, addresses);
  const of = `${applied === addresses.length ? many : `${applied} of ${many}`} ${done}`;
  return { mark: [symbolWords(action), ' '], of };
}

/** Skipped changes are listed at the end, each reason once; so are failures beyond ten alike. */
function troubleBlock(
  { width, showsAll }: Page,
  troubles: Map<string, number>,
  change: Change,
  result: ApplyResult,
): Block {
  if (result.status === 'applied' || result.status === 'skipped') return false;
  const key = troubleKey(result);
  const count = (troubles.get(key) ?? 0) + 1;
  troubles.set(key, count);
  if (showsAll || count <= maxSingle) return changeBlock(result, change, width);
  const mark = [{ role: statusRoles[result.status], of: '  !' }, ' '];
  return count === maxSingle + 1 && { mark, of: 'more failures like these are counted at the end' };
}
