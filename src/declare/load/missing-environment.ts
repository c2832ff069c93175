// Decides if a run must name its environment. If it must and does not, reading the state and sending requests is
// refused: without --env it would work on none of the environments.

import type { Config } from '../../model/workspace/config.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Desired } from '../../model/workspace/resource.ts';

type NeedReason = 'required' | 'limited-resources';

export interface MissingEnvironment {
  readonly need: NeedReason;
  readonly names: readonly string[];
}

/** Undefined if an environment is chosen, or none is needed. */
export function missingEnvironment(
  { environment, environments: names, environmentRequired }: Config,
  { resources, loops = [] }: Pick<Desired, 'resources' | 'loops'>,
): MissingEnvironment | undefined {
  if (environment !== undefined) return undefined;
  if (environmentRequired) return { need: 'required', names };
  const isLimited = [...resources, ...loops].some((declared) => declared.in !== undefined);
  return isLimited ? { need: 'limited-resources', names } : undefined;
}

/** Throws Failure usage if an environment is missing. */
export function refuseWithoutEnvironment(found: MissingEnvironment | undefined): void {
  if (found !== undefined) throw environmentFailure(found);
}

export function environmentFailure({ need, names }: MissingEnvironment): Failure {
  return new Failure('usage', `${why[need]} Name the environment with --env.`, {
    hint:
      names.length === 0
        ? 'Declare the environments under `environments` in almanac.yaml first.'
        : `Add --env with one of: ${names.join(', ')}.`,
  });
}

const why: Readonly<Record<NeedReason, string>> = {
  required: 'almanac.yaml says `environmentRequired: true`.',
  'limited-resources': 'A resource exists in some environments only (`in`).',
};
