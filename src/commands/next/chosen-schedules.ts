// Which schedules `almanac next` is about, and which of them have runs.

import { chooseSchedules } from '../../engine/choose/choose-schedules.ts';
import { resolve } from '../../engine/choose/select.ts';
import type { Loaded } from '../../engine/load/load.ts';
import { byCodeUnit } from '../../model/values/json.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Resource } from '../../model/workspace/resource.ts';
import type { NextOptions } from './command.ts';

/** By address. Throws Failure usage for an address without runs. */
export function chosenSchedules(
  loaded: Loaded,
  { select, recipient, dashboard, destination }: NextOptions,
  addresses: readonly string[],
): readonly Resource[] {
  const { resources } = loaded.desired;
  const schedules = resources.filter(({ kind }) => kind === 'schedule');
  const selected = select && resolve(select, schedules, loaded);
  const filter = {
    addresses,
    selected,
    recipients: recipient ?? [],
    dashboards: dashboard ?? [],
    destinations: destination ?? [],
  };
  const chosen = chooseSchedules(resources, filter);
  for (const resource of chosen) {
    const isNamed = addresses.length > 0 && !selected?.has(resource.address);
    const why = isNamed ? whyWithoutRuns(resource) : undefined;
    if (why !== undefined)
      throw new Failure('usage', `${resource.address} ${why}.`, {
        hint: 'Without an address, almanac next shows the runs of every schedule.',
      });
  }
  return chosen.toSorted((a, b) => byCodeUnit(a.address, b.address));
}

export function isPaused({ attributes }: Resource): boolean {
  return attributes['paused'] === true;
}

export function whyWithoutRuns(resource: Resource): string | undefined {
  if (isPaused(resource)) return 'is paused, so it has no coming runs';
  if (resource.attributes['testNow'] === true) return 'runs once, as testNow says, so it has no coming runs';
  return undefined;
}
