// Every danger of a plan, in the order in which reports list them. Judged against all declarations and the state: the
// plan alone does not know what stays as it is.

import { type Danger, dangerGravity } from '../../model/plan/danger.ts';
import type { Change, Plan } from '../../model/plan/plan.ts';
import type { State } from '../../model/plan/state.ts';
import { inBackticks } from '../../model/values/in-backticks.ts';
import { once } from '../../model/values/once.ts';
import type { Desired, SealedResource } from '../../model/workspace/resource.ts';
import { endedDangers } from './ended.ts';
import { counted } from './folded.ts';
import { movedSecrets } from './moved-secrets.ts';
import { knownPlaces, newPlaces } from './new-places.ts';
import { outsideRecipients } from './new-schedules.ts';
import { newOwners } from './owners.ts';
import { addedRecipients, removedRecipients } from './recipients.ts';
import { removedPasswords } from './removed-passwords.ts';
import { trackedOf } from './tracked.ts';
import { unreadFields } from './unread-fields.ts';

export interface DangerContext {
  readonly desired: Desired<SealedResource>;
  readonly state: State | undefined;
  /** In lower case; where there are none, every domain counts as outside. */
  readonly internalDomains: readonly string[];
}

const order = Object.keys(dangerGravity);

/** Only those that occur. */
export function findDangers(plan: Plan, { desired, state, internalDomains }: DangerContext): readonly Danger[] {
  const { changes } = plan;
  // Most plans change nothing that is compared with it.
  const tracked = once(() => trackedOf(state, desired));
  const known = once(() => knownPlaces(tracked()));
  const dangers = [
    ...endedDangers(plan),
    ...newPlaces(changes, known, internalDomains),
    ...newOwners(changes, tracked, internalDomains),
    movedSecrets(changes, tracked),
    removedPasswords(changes, state),
    addedRecipients(changes),
    // Whom a sink replaces, the plan counts by itself.
    removedRecipients(changes.filter(({ reason }) => reason !== 'sink')),
    switched(changes, true),
    switched(changes, false),
    unreadFields(changes, state),
  ];
  const found = [
    ...dangers.filter(({ items }) => items.length > 0),
    ...outsideRecipients(changes, known, internalDomains),
  ];
  return found.sort((a, b) => order.indexOf(a.code) - order.indexOf(b.code));
}

/** Schedules that a plan pauses, or resumes. */
function switched(changes: readonly Change[], paused: boolean): Danger {
  const code = paused ? 'paused' : 'resumed';
  const items = changes.flatMap(({ address, kind, before, after }) => {
    if (kind !== 'schedule' || before === null || after === null) return [];
    const [was, is] = [before['paused'] === true, after['paused'] === true];
    const name = after['name'];
    return was === is || is !== paused
      ? []
      : [{ subject: address, ...(typeof name === 'string' ? { detail: `schedule ${inBackticks(name)}` } : {}) }];
  });
  const title = `${counted(items.length, 'schedule is', 'schedules are')} ${code}`;
  return { code, gravity: dangerGravity[code], title, items };
}
