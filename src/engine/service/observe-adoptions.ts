// Whether the schedules that `adopt` entries take over exist, for a plan with --refresh. An apply with operations full
// observes them again when it adopts them (engine/apply/observe-adopted.ts).

import type { State } from '../../model/plan/state.ts';
import { statusOf } from '../../model/service/service-error.ts';
import type { Finding } from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Adoption } from '../../model/workspace/resource.ts';
import { placeOf } from '../../model/workspace/source-file.ts';
import { finishedAdoptions } from '../../plan/entries.ts';
import type { Api, CallOptions } from '../../ports/api.ts';
import { inParallel } from './in-parallel.ts';

export interface ObserveAdoptionsOptions {
  /** Those that the plan is about. */
  readonly adoptions: readonly Adoption[];
  readonly state: State | undefined;
  readonly api: Api;
  readonly call: CallOptions;
  readonly concurrency: number;
}

/** One request for each that is not finished. Throws what the api throws, except a refusal of one of them. */
export async function observeAdoptions(options: ObserveAdoptionsOptions): Promise<readonly Finding[]> {
  const { adoptions, state, api, call, concurrency } = options;
  const finished = finishedAdoptions({ adoptions }, state);
  const open = adoptions.filter((adoption) => !finished.has(adoption));
  const findings = new Map<Adoption, Finding>();
  await inParallel(open, concurrency, async (adoption) => {
    try {
      await api.getSchedule(adoption.id, call);
    } catch (error) {
      findings.set(adoption, findingOf(adoption, error));
    }
  });
  return open.flatMap((adoption) => findings.get(adoption) ?? []);
}

function findingOf({ to, id, origin }: Adoption, error: unknown): Finding {
  const status = statusOf(error);
  const place = placeOf(origin);
  if (status === 404) {
    return {
      code: 'invalid-adopt',
      message: `Omni has no schedule with the id ${id}, which \`${to}\` is to take over.`,
      hint: 'Copy the id from the address bar of the delivery in Omni, or remove the entry to create the schedule.',
      place,
    };
  }
  if (!(error instanceof Failure) || status !== 403) throw error;
  return {
    code: 'not-observed',
    message: `Almanac cannot tell whether there is a schedule with the id ${id}. ${error.message}`,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    address: to,
    place,
  };
}
