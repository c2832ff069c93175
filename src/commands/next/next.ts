// `almanac next [ADDRESS...]`: the coming runs of every schedule.

import { busyMinutes } from '../../cron/busy-minutes.ts';
import { comingRuns } from '../../cron/coming-runs.ts';
import { loadCronWords } from '../../cron/describe-cron.ts';
import { parseCron } from '../../cron/parse-cron.ts';
import { invalidWorkspace } from '../../engine/load/invalid-workspace.ts';
import type { NextDocument, NextSchedule } from '../../model/plan/next.ts';
import { byCodeUnit } from '../../model/values/json.ts';
import { memoize } from '../../model/values/memoize.ts';
import { hasErrors } from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Resource } from '../../model/workspace/resource.ts';
import { type CalendarWords, renderCalendar } from '../../render/next/next-calendar.ts';
import { renderBusyMinutes, renderNext } from '../../render/next/next-text.ts';
import { renderJson } from '../../render/text/render-json.ts';
import { didYouMean } from '../../validate/findings/suggest.ts';
import { pageOf } from '../base/page.ts';
import { openSession } from '../base/session.ts';
import type { World } from '../base/world.ts';
import type { NextOptions } from './command.ts';

const dayMs = 86_400_000;
const defaultCount = 5;

export async function next(world: World, options: NextOptions, addresses: readonly string[]): Promise<number> {
  const { loaded } = await openSession(world, options);
  if (hasErrors(loaded.findings)) throw invalidWorkspace('The declarations have errors.', loaded.findings, loaded);
  const schedules = chosen(loaded.desired.resources, addresses);
  const words = memoize(await loadCronWords());
  const from = options.from ?? world.clock.now();
  const runs = memoize((expression) => memoize((zone) => runsOf(expression, zone, from, options)));
  const document: NextDocument = {
    formatVersion: 1,
    from: new Date(from).toISOString(),
    schedules: schedules.map(({ address, attributes }) => {
      const [schedule, timezone] = [String(attributes['schedule']), String(attributes['timezone'])];
      return { address, schedule, timezone, description: words(schedule), runs: runs(schedule)(timezone) };
    }),
  };
  const busy = busyMinutes(document.schedules, options.maxPerMinute);
  const { days, format } = options;
  const paused = addresses.length > 0 ? 0 : loaded.desired.resources.filter(isPaused).length;
  if (format === 'text')
    world.stdout.write(renderNext(document, pageOf(world.stdout, world, options), { days, busy, paused }));
  else if (format === 'json') world.stdout.data(renderJson(document));
  else world.stdout.data(renderCalendar(document, calendarWords(schedules, world.clock.now())));
  if (format === 'ics' && document.schedules.every(({ runs }) => runs.length === 0))
    world.stderr.write(
      'There are no runs, so the calendar is empty; some programs refuse to open an empty calendar.\n',
    );
  if (format !== 'text' && busy.length > 0)
    world.stderr.write(`${renderBusyMinutes(busy, pageOf(world.stderr, world, options))}\n`);
  return 0;
}

function calendarWords(schedules: readonly Resource[], now: number): CalendarWords {
  const names = new Map(schedules.map(({ address, attributes }) => [address, attributes['name']]));
  return {
    nameOf: (address) => {
      const name = names.get(address);
      return typeof name === 'string' ? name : undefined;
    },
    stamp: new Date(now).toISOString(),
  };
}

/** Recurring schedules by address. Throws Failure usage for an address that is not one. */
function chosen(resources: readonly Resource[], addresses: readonly string[]): readonly Resource[] {
  for (const address of addresses) refuseWithoutRuns(resources, address);
  return resources
    .filter((resource) => whyWithoutRuns(resource) === undefined)
    .filter(({ address }) => addresses.length === 0 || addresses.includes(address))
    .sort((a, b) => byCodeUnit(a.address, b.address));
}

function refuseWithoutRuns(resources: readonly Resource[], address: string): void {
  const found = resources.find((resource) => resource.address === address);
  const why = found === undefined ? 'is not declared' : whyWithoutRuns(found);
  if (why === undefined) return;
  const names = resources.map((resource) => resource.address);
  const near = found === undefined ? didYouMean(address, names) : undefined;
  throw new Failure('usage', `${address} ${why}.`, {
    hint: near ?? 'Without an address, almanac next shows the runs of every schedule.',
  });
}

function isPaused({ kind, attributes }: Resource): boolean {
  return kind === 'schedule' && attributes['paused'] === true;
}

function whyWithoutRuns(resource: Resource): string | undefined {
  const { kind, attributes } = resource;
  if (kind !== 'schedule') return 'is not a schedule';
  if (isPaused(resource)) return 'is paused, so it has no coming runs';
  if (attributes['testNow'] === true) return 'runs once, as testNow says, so it has no coming runs';
  return undefined;
}

/** Up to `count` runs after `from`; with `days`, the runs of these days, the first instant included and the last not. */
function runsOf(expression: string, zone: string, from: number, options: NextOptions): NextSchedule['runs'] {
  const limit = options.count ?? (options.days === undefined ? defaultCount : Number.POSITIVE_INFINITY);
  const until = options.days === undefined ? Number.POSITIVE_INFINITY : from + options.days * dayMs;
  const runs: NextSchedule['runs'][number][] = [];
  const { cron } = parseCron(expression);
  if (cron !== undefined) {
    for (const { at, local } of comingRuns(cron, zone, options.days === undefined ? from : from - 1)) {
      if (runs.length >= limit || at >= until) break;
      runs.push({ at: new Date(at).toISOString(), local });
    }
  }
  return runs;
}
