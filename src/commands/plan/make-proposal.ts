// The proposal that `plan` and `drift` print: made without the lock, for the state as it is now.

import { type Proposal, propose } from '../../engine/propose/propose.ts';
import type { Connection } from '../../engine/service/connect.ts';
import { observeForPlan } from '../../engine/service/observe-for-plan.ts';
import { rememberFilters } from '../../engine/service/remember-filters.ts';
import { currentState } from '../../engine/state/current-state.ts';
import type { Refresh } from '../../model/plan/plan.ts';
import { lookConnection } from '../base/look-connection.ts';
import { withOnlineFindings } from '../base/online.ts';
import type { GlobalOptions, OnlineFlags, PlanShape } from '../base/options.ts';
import { progressReporter } from '../base/progress.ts';
import { openState, type Session } from '../base/session.ts';
import type { World } from '../base/world.ts';

export async function makeProposal(
  world: World,
  options: GlobalOptions & OnlineFlags & PlanShape,
  session: Session,
  refresh: Refresh | undefined,
): Promise<Proposal> {
  const store = await openState(world, options, session);
  const state = currentState(await store.read(), store.name);
  const { config } = session.loaded;
  const reporter = progressReporter(world, options);
  let connection: Connection | undefined;
  const connected = () => {
    if (config === undefined) throw new Error('connected without a configuration');
    connection ??= rememberFilters(lookConnection(world, config, reporter));
    return connection;
  };
  const { clock, signal } = world;
  const targets = options.target;
  try {
    const loaded = await withOnlineFindings(world, options, session.loaded, connected);
    const observation = await observeForPlan({ refresh, loaded, state, targets, clock, signal, connected });
    return await propose({
      loaded,
      state,
      stateName: store.name,
      salt: state?.salt ?? world.randomness.bytes(16),
      toolVersion: world.version,
      targets,
      replace: options.replace ?? [],
      allowEmpty: options.allowEmpty === true,
      refresh,
      observation,
    });
  } finally {
    reporter.end();
    await connection?.close();
  }
}
