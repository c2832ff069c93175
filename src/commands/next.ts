// `almanac next [ADDRESS...]`: the coming runs of every schedule.

import { comingRuns } from '../cron/coming-runs.ts';
import { loadCronWords } from '../cron/describe-cron.ts';
import { parseCron } from '../cron/parse-cron.ts';
import { invalidWorkspace } from '../engine/invalid-workspace.ts';
import { hasErrors } from '../model/diagnostic.ts';
import { Failure } from '../model/failure.ts';
import { byCodeUnit } from '../model/json.ts';
import type { NextDocument, NextSchedule } from '../model/next.ts';
import type { Resource } from '../model/resource.ts';
import { renderNext } from '../render/next-text.ts';
import { renderJson } from '../render/plan-json.ts';
import type { GlobalOptions, TextOrJson } from './options.ts';
import { pageOf } from './page.ts';
import { openSession } from './session.ts';
import type { World } from './world.ts';

export interface NextOptions extends GlobalOptions {
  readonly format: TextOrJson;
  readonly count?: number;
  readonly days?: number;
  /** Epoch milliseconds. */
  readonly from?: number;
}

const dayMs = 86_400_000;
const defaultCount = 5;

export async function next(world: World, options: NextOptions, addresses: readonly string[]): Promise<number> {
  const { loaded } = await openSession(world, options);
  if (hasErrors(loaded.findings)) throw invalidWorkspace('The declarations have errors.', loaded.findings, loaded);
  const schedules = chosen(loaded.desired.resources, addresses);
  const words = await loadCronWords();
  const from = options.from ?? world.clock.now();
  const document: NextDocument = {
    formatVersion: 1,
    from: new Date(from).toISOString(),
    schedules: schedules.map((schedule) => runsOf(schedule, from, options, words)),
  };
  world.stdout.write(
    options.format === 'json' ? renderJson(document) : renderNext(document, pageOf(world.stdout, world, options)),
  );
  return 0;
}

/** Recurring schedules, by address; Failure usage for an address that is none. */
function chosen(resources: readonly Resource[], addresses: readonly string[]): readonly Resource[] {
  const schedules = resources
    .filter(
      ({ kind, attributes }) => kind === 'schedule' && attributes['testNow'] !== true && attributes['paused'] !== true,
    )
    .sort((a, b) => byCodeUnit(a.address, b.address));
  for (const address of addresses) {
    if (!schedules.some((schedule) => schedule.address === address)) {
      throw new Failure('usage', `${address} is not a recurring schedule that is declared.`, {
        hint: 'An address is a section and a key, such as schedules.weekly-sales.',
      });
    }
  }
  return addresses.length === 0 ? schedules : schedules.filter(({ address }) => addresses.includes(address));
}

/** Up to `count` runs; with `days` alone, all of these days. */
function runsOf(
  { address, attributes }: Resource,
  from: number,
  options: NextOptions,
  words: (expression: string) => string,
): NextSchedule {
  const [schedule, timezone] = [String(attributes['schedule']), String(attributes['timezone'])];
  const limit = options.count ?? (options.days === undefined ? defaultCount : Number.POSITIVE_INFINITY);
  const until = options.days === undefined ? Number.POSITIVE_INFINITY : from + options.days * dayMs;
  const runs: NextSchedule['runs'][number][] = [];
  const { cron } = parseCron(schedule);
  if (cron !== undefined) {
    for (const { at, local } of comingRuns(cron, timezone, from)) {
      if (runs.length >= limit || at > until) break;
      runs.push({ at: new Date(at).toISOString(), local });
    }
  }
  return { address, schedule, timezone, description: words(schedule), runs };
}
