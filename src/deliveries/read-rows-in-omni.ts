// The schedules that Omni lists, as they are there: who receives each, and which rows it shows. Two requests a schedule, or one
// of an e-mail, and one a dashboard. Changes nothing, and keeps nothing.

import { type JudgedDelivery, judgeRows, shownRows, withUnread } from '../declare/rows/judge-rows.ts';
import { untrackedWords } from '../declare/rows/rows-in-omni.ts';
import { type JudgedRows, wordsOfFaults } from '../declare/rows/rows-of-others.ts';
import { deliveredOf, isSameCondition } from '../model/fields/conditions.ts';
import { deliveryOf } from '../model/fields/delivery.ts';
import type { Reporter } from '../model/outside.ts';
import type { ListedSchedule } from '../model/service/remote.ts';
import type { Address } from '../model/values/address.ts';
import { isJsonObject, type Json } from '../model/values/json.ts';
import { pointerTo } from '../model/values/pointer.ts';
import type { Refusal } from '../model/values/refusal.ts';
import type { FindingWords } from '../model/workspace/diagnostic.ts';
import { unkeptAnswers } from '../observe/details/answers.ts';
import { knownFields, type ReadSchedule } from '../observe/details/join-answers.ts';
import { readDetails } from '../observe/details/read-details.ts';
import type { Service } from '../observe/service.ts';

export interface ScheduleInOmni {
  readonly row: ListedSchedule;
  readonly delivery: JudgedDelivery;
  /** The ids of filters that the dashboard may give it. */
  readonly maybeOfDashboard: ReadonlySet<string>;
}

export interface RowsInOmni {
  readonly schedules: readonly ScheduleInOmni[];
  /** The schedules whose receivers or rows Omni does not tell, with the reason as a sentence. */
  readonly refused: readonly Refusal<ListedSchedule>[];
}

export interface RowsInOmniPorts {
  readonly service: Service;
  /** Told of the requests and their time before the first one, and of each schedule and dashboard that is read. */
  readonly reporter: Reporter;
  readonly signal: AbortSignal | undefined;
}

/** Throws Failure interrupted after the signal, and what the api throws. */
export async function readRowsInOmni(rows: readonly ListedSchedule[], ports: RowsInOmniPorts): Promise<RowsInOmni> {
  const answers = unkeptAnswers();
  const dashboards = [...new Set(rows.map(({ identifier }) => identifier).filter((identifier) => identifier !== ''))];
  if (rows.length > 0)
    await readDetails({ schedules: rows, answers: ['schedule', 'recipients'], dashboards }, { ...ports, answers });
  const schedules: ScheduleInOmni[] = [];
  const refused: Refusal<ListedSchedule>[] = [];
  for (const row of rows) {
    const [schedule, recipients] = [answers.get('schedule', row.id), answers.get('recipients', row.id)];
    const read = schedule &&
      recipients && { listed: row, schedule, recipients, filters: answers.get('filters', row.identifier) };
    const found = read && inOmni(read);
    if (found !== undefined && found.delivery.to.length > 0) schedules.push(found);
    else
      refused.push({ about: [row], message: answers.get('refusal', row.id) ?? 'Omni does not say who receives it.' });
  }
  return { schedules, refused };
}

/** The service returns the filters in effect: one that equals the dashboard's may be the dashboard's. */
function inOmni(read: ReadSchedule): ScheduleInOmni {
  const { filterConfig, ...fields } = knownFields(read);
  const effective = Object.entries(isJsonObject(filterConfig) ? filterConfig : {});
  const delivered = Object.fromEntries(effective.map(([id, filter]): [string, Json] => [id, deliveredOf(filter)]));
  const maybeOfDashboard = effective.flatMap(([id, filter]) => {
    const given = read.filters?.filters[id];
    return read.filters === undefined || (given !== undefined && isSameCondition(filter, given)) ? id : [];
  });
  return {
    row: read.listed,
    delivery: deliveryOf('schedule', { ...fields, filterConfig: delivered }),
    maybeOfDashboard: new Set(maybeOfDashboard),
  };
}

/** Findings about a schedule that nobody declared: what it shows now, then what its dashboard may make of it. */
export function judgeUntracked(
  { row, delivery, maybeOfDashboard }: ScheduleInOmni,
  rows: JudgedRows,
  tracker?: string,
): readonly FindingWords[] {
  const now = untrackedWords(delivery, row, rows, tracker);
  if (now.length > 0) return now;
  const unread = [...maybeOfDashboard].map((id) => pointerTo('filterConfig', id));
  return untrackedWords(withUnread(delivery, unread), row, rows, tracker);
}

/** The findings about a tracked schedule as it is in Omni. A line that has ended is an error there as well. */
export function judgeTracked(
  { delivery }: ScheduleInOmni,
  address: Address,
  { rules }: JudgedRows,
): readonly FindingWords[] {
  const faults = judgeRows('schedule', delivery, rules);
  const rows = shownRows('schedule', delivery, rules);
  const found = wordsOfFaults(faults, `\`${address}\` as it is in Omni`, rows, rules);
  return found.map(({ lapsed: _, ...words }) => words);
}

/** The receivers, with only the host of a URL: its path may be a secret. */
export function receiversInOmni({ delivery }: ScheduleInOmni): readonly string[] {
  return [...new Set(delivery.to.map(({ shown }) => shown))];
}
