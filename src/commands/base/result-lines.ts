// What an apply says of its changes as they end. Few of a kind have a line each. Of many, a line says how many are done
// once all have ended, and in a log now and then before that. Failures have lines of their own, up to ten of a kind.

import { type Action, actions } from '../../model/plan/action.ts';
import type { ApplyResult, ResultStatus } from '../../model/plan/apply-outcome.ts';
import type { Change } from '../../model/plan/plan.ts';
import type { Address, Kind } from '../../model/values/address.ts';
import { mostSingle } from '../../model/values/words.ts';
import { symbolOf } from '../../report/plan/change-report.ts';
import { displayWidth, safeText, truncate } from '../../report/text/terminal-text.ts';
import type { Page, Role, Theme } from '../../report/text/theme.ts';
import { countResources } from '../../report/text/words.ts';

/** A log says at each tenth how many are done, but not more often than this. */
const leastStep = 50;
const symbolWidth = 3;

export const statusRoles = { failed: 'error', skipped: 'warning', unknown: 'error' } as const satisfies Partial<
  Record<ResultStatus, Role>
>;

export const statusWords: Readonly<Record<Exclude<ResultStatus, 'applied'>, string>> = {
  failed: 'failed',
  skipped: 'skipped',
  unknown: 'has an unknown outcome',
};

export interface ResultLines {
  /** The line for a change that has ended; undefined where it is only counted. */
  ended(change: Change, result: ApplyResult): string | undefined;
  /** For the end: what was done of those that have not all ended. */
  rest(): readonly string[];
}

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

export interface ResultOptions {
  /** No bar shows how far the run is. */
  readonly isLog: boolean;
  /** Only what went wrong is said. */
  readonly isQuiet: boolean;
}

/** With -v each change has its line. */
export function openResultLines(
  page: Page,
  changes: readonly Change[],
  { isLog, isQuiet }: ResultOptions,
): ResultLines {
  const groups = groupsOf(page, changes);
  const troubles = new Map<string, number>();
  const say = (group: Group) => {
    if (isQuiet || group.applied === group.said) return undefined;
    group.said = group.applied;
    return countLine(page.theme, group);
  };
  return {
    ended: (change, result) => {
      const group = groups.get(keyOf(change));
      if (group !== undefined) {
        group.ended += 1;
        if (result.status === 'applied') group.applied += 1;
      }
      if (result.status === 'applied' && group === undefined)
        return isQuiet ? undefined : renderChangeLine(result, change, page.theme, page.width);
      const trouble = troubleLine(page, troubles, change, result);
      const counted = group !== undefined && isDue(group, isLog) ? say(group) : undefined;
      const lines = [trouble, counted].filter((line) => line !== undefined);
      return lines.length === 0 ? undefined : lines.join('\n');
    },
    rest: () => [...groups.values()].flatMap((group) => say(group) ?? []),
  };
}

function groupsOf({ showsAll }: Page, changes: readonly Change[]): ReadonlyMap<string, Group> {
  const groups = new Map<string, Group>();
  for (const change of showsAll ? [] : changes) {
    const { action, kind, address } = change;
    const key = keyOf(change);
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
  return new Map([...groups].filter(([, { addresses }]) => addresses.length > mostSingle));
}

function keyOf(change: Change): string {
  return `${change.action} ${change.kind} ${doneWords(change)}`;
}

function doneWords({ action, requests }: Pick<Change, 'action' | 'requests'>): string {
  return action === 'update' && requests === 0 ? 'updated in the state' : actions[action].done;
}

function isDue({ ended, addresses }: Group, isLog: boolean): boolean {
  const total = addresses.length;
  if (ended === total) return true;
  return isLog && ended % Math.max(leastStep, Math.ceil(total / 10)) === 0;
}

/** `  ~ 90 schedules updated`, `  ~ 40 of 90 schedules updated`. */
function countLine(theme: Theme, { action, done, kind, applied, addresses }: Group): string {
  const many = countResources(kind, addresses);
  return `${theme[action](symbolOf(action))} ${applied === addresses.length ? many : `${applied} of ${many}`} ${done}`;
}

/** Skipped changes are listed at the end, each reason once; so are failures beyond ten alike. */
function troubleLine(
  { theme, width, showsAll }: Page,
  troubles: Map<string, number>,
  change: Change,
  result: ApplyResult,
): string | undefined {
  if (result.status === 'applied' || result.status === 'skipped') return undefined;
  const key = troubleKey(result);
  const count = (troubles.get(key) ?? 0) + 1;
  troubles.set(key, count);
  if (showsAll || count <= mostSingle) return renderChangeLine(result, change, theme, width);
  if (count > mostSingle + 1) return undefined;
  const role = statusRoles[result.status];
  return `${theme[role]('!'.padStart(symbolWidth))} more failures like these are counted at the end`;
}

/** Equal for failures that differ only in ids. */
export function troubleKey({ status, error }: ApplyResult): string {
  return JSON.stringify([status, withoutIds(error?.message ?? ''), error?.hint]);
}

export function withoutIds(message: string): string {
  return message.replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, 'ID');
}

/** One line without its end: what was done to which resource, its id; for a failure as much of the message as fits. */
export function renderChangeLine(result: ApplyResult, change: Change, theme: Theme, width: number): string {
  const { action, status } = result;
  const address = safeText(result.address);
  if (status === 'applied') {
    const from = change.previousAddress === undefined ? '' : ` from ${safeText(change.previousAddress)}`;
    const id = result.id === undefined ? '' : ` ${theme.dim(`(id ${safeText(result.id)})`)}`;
    return `${theme[action](symbolOf(action))} ${address} ${doneWords({ action, requests: change.requests })}${from}${id}`;
  }
  const head = `${address} (${action}) ${statusWords[status]}`;
  const words = result.error === undefined ? '' : safeText(result.error.message);
  const room = width - symbolWidth - 1 - displayWidth(`${head}: `);
  const tail = words === '' || room < 8 ? '' : `: ${truncate(words, room)}`;
  const mark = status === 'unknown' ? '?' : '!';
  return `${theme[statusRoles[status]](mark.padStart(symbolWidth))} ${head}${tail}`;
}
