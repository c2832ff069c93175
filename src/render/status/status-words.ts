// What a status says of a schedule, in every report the same: how its last run ended, and when. All times of a report are
// in one zone, which it names.

import { isZoneKnown, zoneClock } from '../../cron/zones/zone-clock.ts';
import type { Health, ScheduleStatus, StatusDocument } from '../../model/deliveries/status-document.ts';
import { groupBy } from '../../model/values/group-by.ts';
import { byCodeUnit } from '../../model/values/json.ts';
import { countList } from '../text/count-words.ts';
import { nameSome } from '../text/more-words.ts';

/** The reasons that the service gives for a stop. */
const stops: Readonly<Record<string, string>> = {
  noAccess: 'its owner lost access to the dashboard',
  missingQuery: 'a query that it needs is gone',
  orphanedFilterConfigKeys: 'a filter that it sets is gone from the dashboard',
};

/** How a run ended that some received. */
const deliveredWords = 'ERROR_DELIVERED (some received it)';

export interface StatusTimes {
  readonly zone: string;
  /** When the words are read, for a terminal. A report that is read later has none, and names every day. */
  readonly at?: string;
}

/** The zone of most schedules; of two that are equally frequent the first by name. */
export function zoneOf({ schedules }: StatusDocument): string {
  const zones = groupBy(
    schedules.flatMap(({ timezone = '' }) => (isZoneKnown(timezone) ? timezone : [])),
    (zone) => zone,
  );
  const [most] = [...zones].sort(([a, { length }], [b, other]) => other.length - length || byCodeUnit(a, b));
  return most?.[0] ?? 'UTC';
}

/** Empty where no time is said of them. */
export function zoneWords(shown: readonly ScheduleStatus[], zone: string): string {
  const hasTime = ({ health }: ScheduleStatus) => health === 'failed' || health === 'missed' || health === 'fine';
  return shown.some(hasTime) ? `Times are in ${zone}.` : '';
}

/** Texts of the service are in it, so it must be made safe. */
export function statusWords(status: ScheduleStatus, times: StatusTimes): string {
  const { health, reason = '', lastStatus = '', lastCompletedAt, due } = status;
  const when = (instant: string) => timeWords(instant, times);
  switch (health) {
    case 'failed':
      return `${reason === 'ERROR_DELIVERED' ? deliveredWords : reason}, ${lastCompletedAt === undefined ? 'nobody knows when' : when(lastCompletedAt)}`;
    case 'missed': {
      const last = lastCompletedAt === undefined ? 'never completed' : `last completed ${when(lastCompletedAt)}`;
      return `due ${due === undefined ? '' : when(due)}, ${last}${lastStatus === 'COMPLETE' || lastStatus === '' ? '' : ` (${lastStatus})`}`;
    }
    case 'stopped':
      return Object.hasOwn(stops, reason) ? `${stops[reason]} (${reason})` : reason;
    case 'fine':
      return `completed ${lastCompletedAt === undefined ? 'at an unknown time' : when(lastCompletedAt)}`;
    default:
      return healthWords[health];
  }
}

const healthWords: Readonly<Record<Health, string>> = {
  failed: 'failed',
  missed: 'missed',
  stopped: 'stopped',
  fine: 'fine',
  paused: 'paused',
  'condition-unmet': 'condition not met',
  'never-ran': 'not run yet',
};

/** To whom it belongs in Omni, and who answers for it. Not safe for a terminal yet. */
export function peopleWords({ owner, metaOwner }: ScheduleStatus): readonly string[] {
  return [...(owner === undefined ? [] : [`owner ${owner}`]), ...(metaOwner === undefined ? [] : [`ask ${metaOwner}`])];
}

/** `today 09:01`, `2026-11-20 07:00`: as a clock in the zone shows it. What is no time is given as it is. */
function timeWords(instant: string, { at, zone }: StatusTimes): string {
  const time = Date.parse(instant);
  if (Number.isNaN(time)) return instant;
  const { wallAt } = zoneClock(zone);
  const [day = '', clock = ''] = wallText(wallAt(time)).split('T');
  const today = at === undefined ? undefined : wallText(wallAt(Date.parse(at))).slice(0, 10);
  return `${day === today ? 'today' : day} ${clock}`;
}

function wallText(wall: number): string {
  return new Date(wall).toISOString().slice(0, 16);
}

/** How many there are of each health, without those that need attention: these are listed above. Empty for none. */
export function summaryWords({ summary, schedules, gone }: StatusDocument): string {
  const { notManaged, ...counts } = summary;
  const ofHealth = (health: Health) => [counts[health], healthWords[health]] as const;
  const isListed = schedules.some(({ managed }) => !managed);
  const others =
    isListed || notManaged.failing === 0
      ? []
      : [[notManaged.failing, 'untracked and failing (--all shows them)'] as const];
  const words = countList([
    ofHealth('fine'),
    ofHealth('paused'),
    ofHealth('condition-unmet'),
    ofHealth('never-ran'),
    ...others,
  ]);
  return words === '' && schedules.length === 0 && gone.length === 0 ? 'No schedule is tracked here.' : words;
}

/** What the state tracks and the service does not list. Empty for nothing. */
export function goneWords({ gone }: StatusDocument): string {
  if (gone.length === 0) return '';
  const named = nameSome(gone.map(({ address }) => address));
  return `Not listed by Omni, though it was applied: ${named}. \`almanac plan --refresh\` shows what became of it.`;
}

/** Its address, or its name in quotes. Not safe for a terminal yet. */
export function titleOf({ address, name, id }: ScheduleStatus): string {
  return address ?? `${JSON.stringify(name)} ${id}`;
}
