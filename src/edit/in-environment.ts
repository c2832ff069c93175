// A workspace in one environment: what an edit of its files is proven against.

import type { Loaded } from '../declare/load/load.ts';
import type { Workspace } from '../declare/workspace.ts';
import type { Observation } from '../model/plan/observation.ts';
import type { State } from '../model/plan/state.ts';
import { once } from '../model/values/collections.ts';
import { makeInputs, type OfRun, type PlanInputs } from '../plan/inputs.ts';

export interface EnvironmentState {
  /** The name is undefined without --env. */
  readonly name: string | undefined;
  readonly loaded: Loaded;
  /** The state; undefined if nothing was applied; absent if it could not be read, or is not needed. */
  readonly state?: State | undefined;
}

/** The workspace in one environment. */
export interface InEnvironment extends EnvironmentState {
  /** Throws Failure invalid-workspace where the declarations have errors. */
  readonly inputs: () => Promise<PlanInputs>;
  /** Present if Omni was looked at. */
  readonly observation?: Observation;
  /** The same workspace with other texts, in this environment. */
  readonly load: (edited: Workspace) => Promise<Loaded>;
}

export function makeSide(
  environmentState: EnvironmentState,
  load: InEnvironment['load'],
  ofRun: Pick<OfRun, 'randomness' | 'toolVersion'>,
): InEnvironment {
  return {
    ...environmentState,
    load,
    inputs: once(() => makeInputs(environmentState.loaded, environmentState.state, ofRun)),
  };
}

export function environmentWords(name: string | undefined): string {
  return name === undefined ? 'the workspace' : `the environment ${name}`;
}
