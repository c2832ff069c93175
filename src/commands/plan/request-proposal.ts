// What `plan` and `drift` ask of the engine, from the command line's options.

import type { Proposal } from '../../engine/propose/propose.ts';
import { proposeNow } from '../../engine/propose/propose-now.ts';
import { withService } from '../../engine/service/service.ts';
import type { Refresh } from '../../model/plan/plan.ts';
import type { GlobalOptions, OnlineFlags, PlanShape } from '../base/command.ts';
import { withOnlineFindings } from '../base/online.ts';
import { progressReporter } from '../base/progress.ts';
import { serviceOptions } from '../base/service-options.ts';
import { openState, type Session } from '../base/session.ts';
import type { World } from '../base/world.ts';

export async function requestProposal(
  world: World,
  options: GlobalOptions & OnlineFlags & PlanShape & { readonly untracked?: true | undefined },
  session: Session,
  refresh: Refresh | undefined,
): Promise<Proposal> {
  const store = await openState(world, options, session);
  const { clock, randomness, version: toolVersion } = world;
  const { target: targets, replace = [], allowEmpty = false, untracked } = options;
  const reporter = progressReporter(world, options);
  try {
    return await withService(serviceOptions(world, session.loaded.config, reporter), async (service) => {
      const loaded = await withOnlineFindings(world, options, session.loaded, service);
      const ports = { store, service, clock, randomness, toolVersion };
      return proposeNow(loaded, { targets, replace, allowEmpty, refresh, untracked }, ports);
    });
  } finally {
    reporter.end();
  }
}
