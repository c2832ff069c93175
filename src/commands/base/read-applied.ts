// The state, for reports and keys, and schedules that still run as before. The reports are right without a state.

import { runsOtherwise } from '../../cron/canonical-cron.ts';
import { deliveryOf, idleOf } from '../../model/fields/delivery.ts';
import type { State } from '../../model/plan/state.ts';
import type { Address } from '../../model/values/address.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { type AppliedState, appliedTo } from '../../plan/applied.ts';
import { isKey } from '../../plan/select.ts';
import type { Run, Session } from './run.ts';

/** Prints a warning if the state cannot be read. */
export async function readApplied(run: Run, session: Session): Promise<AppliedState> {
  const state = await readableState(run, session, (failure) => {
    if (failure.code === 'usage') throw failure;
    const words = 'The state cannot be read, so nothing is shown of what was applied.';
    run.say(`warning: ${words} ${failure.message}`, run.stderr);
  });
  return appliedTo(session.loaded, state, run);
}

/** For keys in place of addresses; undefined where no word is one. What is tracked may have the same key. Throws what reading it throws. */
export async function stateForKeys(run: Run, session: Session, words: readonly string[]): Promise<State | undefined> {
  const key = words.find(isKey);
  if (key === undefined) return undefined;
  return readableState(run, session, (failure) => {
    throw failure.with({
      message: `Only the state says whether \`${key}\` is unique; a whole address needs no state. ${failure.message}`,
    });
  });
}

/** Undefined without the environment that says where the state is, and where `onFailure` does not throw. */
async function readableState(run: Run, session: Session, onFailure: (failure: Failure) => void) {
  if (session.loaded.missingEnvironment !== undefined) return undefined;
  try {
    return await run.readState(await run.store(session));
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'interrupted') throw error;
    onFailure(error);
    return undefined;
  }
}

// Resources still timed or paused otherwise than declared, because the change was not applied.

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
