// Words that several reports share.

import type { Change } from '../../model/plan/plan.ts';
import { type Address, groupOf, itemOf, type Kind, keyPattern, kindWords } from '../../model/values/address.ts';
import { countList, countOf } from '../../model/values/words.ts';
import type { Diagnostic } from '../../model/workspace/diagnostic.ts';
import type { FoldedFindings } from '../diagnostics/fold-findings.ts';

/** A number in at most three characters, for the cells of a table. */
export function shortCount(count: number): string {
  return count < 1000 ? String(count) : count < 99_500 ? `${Math.round(count / 1000)}k` : '…';
}

// Days and lengths of time in words.

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** Of `2026-11-23`: `Mon`. */
export function weekday(day: string): string {
  return weekdays[new Date(`${day}T00:00:00Z`).getUTCDay()] ?? '';
}

/** `90 s`, `3 min`. */
export function duration(seconds: number): string {
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}

// How a report counts the findings that it does not list, each count with the command that helps.

/** What lists everything that was found. */
export const listsAll = {
  plan: 'almanac plan -v',
  drift: 'almanac drift -v',
  validate: 'almanac validate -v',
} as const;

export type FindingsReport = keyof typeof listsAll;

interface CountedFindings {
  readonly words: string;
  readonly command: string;
}

/** `of`: the report that does not list them. Those of a code that is listed in part are not among them. */
export function countedFindings(
  { besideErrors, stopped, elsewhere, finished }: FoldedFindings,
  of: FindingsReport,
): readonly CountedFindings[] {
  const beside = countList([
    [besideErrors.warnings, besideErrors.warnings === 1 ? 'warning' : 'warnings'],
    [besideErrors.notes, besideErrors.notes === 1 ? 'note' : 'notes'],
  ]);
  const about = of === 'drift' ? 'what has not drifted' : 'resources that this plan does not change';
  const counts = [
    { count: beside.length, words: `${beside} not listed`, command: listsAll[of] },
    {
      count: stopped,
      words: countOf(stopped, 'schedule is stopped by Omni', 'schedules are stopped by Omni'),
      command: 'almanac status',
    },
    { count: elsewhere, words: `${countOf(elsewhere, 'finding')} about ${about}`, command: listsAll[of] },
    {
      count: finished,
      words: countOf(finished, 'entry has taken effect', 'entries have taken effect'),
      command: 'almanac fmt --prune',
    },
  ];
  return counts.filter(({ count }) => count > 0);
}

// Where something is declared, as editors and terminals recognise a place in a file.

/** `sales.yaml:11`; empty without a file. */
export function fileAndLine({ file, line }: { readonly file?: string; readonly line?: number }): string {
  if (file === undefined) return '';
  return line === undefined ? file : `${file}:${line}`;
}

// The commands that hints and reports advise.

const command =
  /\balmanac (?:plan|apply|drift|validate|status|doctor|import|test|trigger|next|show|who|documents|(?:state|ai) [a-z]+)\b(?![^`\n]* --env )/g;

/**
 * A command that is advised is about the environment of the run that says so: without --env it would be about another
 * state, and perhaps another organization. `environment`: undefined without --env.
 */
export function inEnvironment(text: string, environment: string | undefined): string {
  return environment === undefined ? text : text.replace(command, (found) => `${found} --env ${environment}`);
}

// A diagnostic's message with what to do, for reports that have one place for both.

/** With the other places that it is about, for reports that have no room of their own for them. */
export function messageWithPlaces(diagnostic: Diagnostic): string {
  return messageWithHint({ ...diagnostic, message: [diagnostic.message, ...relatedWords(diagnostic)].join('\n') });
}

/** `schedules/sales.yaml:9: \`schedule\` of \`schedules.sales\` uses this value.` */
export function relatedWords({ related = [] }: Diagnostic): readonly string[] {
  return related.map((each) => `${fileAndLine(each)}: ${each.message}`);
}

export function messageWithHint({ message, hint }: Diagnostic): string {
  return hint === undefined ? message : `${message}\n\nHint: ${hint}`;
}

// How many resources, in words: "90 schedules", and of a loop "12 instances of regional-sales".

const resourceKeyPattern = new RegExp(`^${keyPattern}$`);

/** Says whose instances they are if all are those of one loop. */
export function countResources(kind: Kind, addresses: readonly Address[]): string {
  const count = addresses.length;
  const groups = new Set(addresses.map((address) => (itemOf(address) === undefined ? '' : groupOf(address))));
  const [group = ''] = groups.size === 1 ? groups : [];
  const key = group.slice(group.indexOf('.') + 1);
  // A state that somebody wrote may hold other keys, which reports would have to escape.
  return count < 2 || !resourceKeyPattern.test(key) ? countOf(count, kindWords[kind]) : `${count} instances of ${key}`;
}

/**
 * `from 1 loop` of instances alone, and `12 of them from 1 loop` among others; or nothing where each has its own. What a
 * plan gives up is left out, because its declaration may be gone.
 */
export function loopCounts(changes: readonly Pick<Change, 'address' | 'kind' | 'action'>[]): string {
  const declared = changes.filter(({ action }) => action !== 'delete' && action !== 'forget');
  const instances = declared.filter(({ address }) => itemOf(address) !== undefined);
  const groups = new Set(instances.map(({ address }) => groupOf(address)));
  if (groups.size === instances.length) return '';
  const loops = `from ${countOf(groups.size, 'loop')}`;
  return instances.length === changes.length ? loops : `${instances.length} of them ${loops}`;
}
