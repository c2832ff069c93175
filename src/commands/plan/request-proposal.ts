// What `plan` and `drift` ask of the engine, from the command line's options.

import { type Proposal, proposeNow } from '../../engine/propose/propose.ts';
import { withService } from '../../engine/service/service.ts';
import type { Refresh } from '../../model/plan/plan.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { GlobalOptions, OnlineFlags, PlanShape } from '../base/command.ts';
import { withOnlineFindings } from '../base/online.ts';
import { progressReporter } from '../base/progress.ts';
import { serviceOptions } from '../base/service-options.ts';
import { openState, type Session } from '../base/session.ts';
import { whenInterrupted } from '../base/when-interrupted.ts';
import type { World } from '../base/world.ts';

/** A pull request of a fork has no secrets, and may be planned all the same. */
function withoutAccess(error: unknown): unknown {
  const ofState = ['state-unreadable', 'state-backend-missing'];
  if (!(error instanceof Failure) || !ofState.includes(error.code)) return error;
  const copy =
    'A machine without access can plan a copy: `almanac state pull > FILE` where the state can be read, then `almanac plan --state FILE` here.';
  const hint = error.hint === undefined ? copy : `${error.hint} ${copy}`;
  return new Failure(error.code, error.message, { hint, cause: error });
}

export async function requestProposal(
  world: World,
  options: GlobalOptions & OnlineFlags & PlanShape & { readonly untracked?: true | undefined },
  session: Session,
  refresh: Refresh | undefined,
): Promise<Proposal> {
  const store = await openState(world, options, session).catch((error: unknown) => {
    throw withoutAccess(error);
  });
  const { clock, randomness, version: toolVersion } = world;
  const { target: targets, select, replace = [], allowEmpty = false, untracked } = options;
  const reporter = progressReporter(world, options, session.shown);
  try {
    return await whenInterrupted('changed', () =>
      withService(serviceOptions(world, session.loaded, reporter), async (service) => {
        const loaded = await withOnlineFindings(world, options, session, service);
        const ports = { store, service, clock, randomness, toolVersion };
        return proposeNow(loaded, { targets, select, replace, allowEmpty, refresh, untracked }, ports);
      }),
    );
  } catch (error) {
    throw store.shared === undefined ? error : withoutAccess(error);
  } finally {
    reporter.end();
  }
}
