// Resources still timed or paused otherwise than declared, because the change was not applied.

import { runsOtherwise } from '../../cron/canonical-cron.ts';
import { deliveryOf, idleOf } from '../../model/fields/delivery.ts';
import type { Address } from '../../model/values/address.ts';
import type { AppliedState } from '../../plan/applied.ts';

export interface StillTimed {
  readonly address: Address;
  readonly schedule: string;
  readonly timezone: string;
  /** True if it does not run, although it is declared to. */
  readonly paused: boolean;
}

/** A difference that ignoreChanges keeps does not count, because an apply would not change it. */
export function stillTimed({ resources, running }: AppliedState): readonly StillTimed[] {
  const declared = new Map(resources.map((resource) => [resource.address, resource]));
  return running.flatMap(({ address, kind, attributes, isOpen }): readonly StillTimed[] => {
    const applied = deliveryOf(kind, attributes);
    const { schedule, timezone } = applied.when ?? {};
    if (isOpen || schedule === undefined || timezone === undefined) return [];
    const resource = declared.get(address);
    const was = idleOf(applied);
    const now = resource && deliveryOf(kind, resource.attributes);
    const is = now === undefined ? 'paused' : idleOf(now);
    const isOther = now !== undefined && runsOtherwise(applied.when, now.when);
    if (was === undefined ? is === undefined && !isOther : is !== undefined) return [];
    return [{ address, schedule, timezone, paused: was !== undefined }];
  });
}

/** `still runs at 08:00 on Tuesday, UTC: the change is not applied`. */
export function stillTimedWords({ timezone, paused }: StillTimed, when: string): string {
  const what = paused ? 'is still paused' : `still runs ${when}, ${timezone}`;
  return `${what}: the change is not applied`;
}
