// What `plan` and `drift` ask of the engine, from the options of the command line.

import type { Refresh } from '../../model/plan/plan.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { type PlanRequest, type Proposal, proposeNow } from '../../plan/proposal.ts';
import type { OnlineFlags, PlanShape } from './command.ts';
import { withOnlineFindings } from './online-findings.ts';
import { progressReporter } from './progress.ts';
import type { Run, Session } from './run.ts';

/** A pull request of a fork has no secrets, and may be planned all the same. */
function withoutAccess(error: unknown): unknown {
  const ofState = ['state-unreadable', 'state-backend-missing'];
  if (!(error instanceof Failure) || !ofState.includes(error.code)) return error;
  const copy =
    'A machine without access can plan a copy: `almanac state pull > FILE` where the state can be read, then `almanac plan --state FILE` here.';
  return error.with({ hint: error.hint === undefined ? copy : `${error.hint} ${copy}` });
}

export async function requestProposal(
  run: Run,
  options: OnlineFlags & PlanShape & Pick<PlanRequest, 'untracked' | 'written'>,
  { loaded, shown }: Session,
  refresh: Refresh | undefined,
): Promise<Proposal> {
  const store = await run.store({ loaded }).catch((error: unknown) => {
    throw withoutAccess(error);
  });
  const reporter = progressReporter(run, shown);
  try {
    return await run.asking({ loaded, reporter, nothing: 'changed' }, async (service) => {
      const checked = await withOnlineFindings(run, options, loaded, service);
      return proposeNow(checked, { ...options, targets: options.target, refresh }, { ...run, store, service });
    });
  } catch (error) {
    throw store.shared === undefined ? error : withoutAccess(error);
  }
}
