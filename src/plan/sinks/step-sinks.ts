// What the sink of an environment makes of a step.

import { declaredAttributes } from '../../model/workspace/resource.ts';
import { withPaused } from '../calls.ts';
import { diffAttributes } from '../diff-attributes.ts';
import type { Drifted } from '../drift.ts';
import type { Match } from '../match.ts';

/**
 * In an environment with sinks an adoption is an update: what the schedule delivers to so far counts as what is declared,
 * and the sink is sent in its place. It counts as running, so one that is to be paused is paused first.
 */
export function adoptedThroughSink(drifted: Drifted): Drifted {
  const { adopt, desired } = drifted.effective;
  if (adopt === undefined || desired?.sink === undefined) return drifted;
  const longAgo = new Date(0).toISOString();
  const attributes = withPaused(declaredAttributes(desired), false);
  const prior = { id: adopt, attributes, createdAt: longAgo, updatedAt: longAgo };
  return { ...drifted, effective: { ...drifted.effective, prior }, recorded: { ...drifted.recorded, prior } };
}

/** Whether the sink is sent, and whether it was. */
export function sinksOf({ desired, prior }: Match): { readonly sinks?: true; readonly throughSink?: true } {
  return {
    ...(desired?.kind !== 'schedule' || desired.sink === undefined ? {} : { sinks: true }),
    ...(prior?.throughSink === undefined ? {} : { throughSink: true }),
  };
}

/** Whether the declaration is as it was applied, and only the sink of the environment is new. */
export function isChangedBySink({ desired, prior }: Match): boolean {
  if (desired?.sink === undefined || prior === undefined) return false;
  return diffAttributes(desired.kind, prior.attributes, declaredAttributes(desired)).length === 0;
}
