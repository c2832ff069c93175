// `almanac apply`: the plan's changes, after a confirmation.

import { checkCanFollow, followJobs } from '../../engine/ai-jobs/follow-jobs.ts';
import { apply as applyPlan } from '../../engine/apply/apply.ts';
import type { Applied, ApplyPorts, ApplyRequest } from '../../engine/apply/apply-request.ts';
import type { Loaded } from '../../engine/load/load.ts';
import { type Service, withService } from '../../engine/service/service.ts';
import type { Reporter } from '../../ports/reporter.ts';
import type { StateStore } from '../../ports/state-store.ts';
import { progressReporter } from '../base/progress.ts';
import { refreshOf } from '../base/refresh-of.ts';
import { serviceOptions } from '../base/service-options.ts';
import { openSession, openState, type Session } from '../base/session.ts';
import type { World } from '../base/world.ts';
import type { ApplyOptions } from './command.ts';
import { confirmPlan, needsApproval, showPlan, showsPlan } from './confirm-plan.ts';
import { openReviewed, type Reviewed } from './open-reviewed.ts';
import { reportApplied } from './report-applied.ts';
import { warnIfNotKept } from './warn-not-kept.ts';

export async function apply(world: World, options: ApplyOptions, planFile: string | undefined): Promise<number> {
  const session = await openSession(world, options);
  const store = await openState(world, options, session, 'changes');
  const reviewed = await openReviewed(session.workspace, planFile, options);
  if (!options.autoApprove && world.asker() === undefined) throw needsApproval(reviewed);
  await warnIfNotKept(world, options, session);
  const { loaded } = session;
  if (options.wait) checkCanFollow(loaded.config);
  const reporter = progressReporter(world, options, session.shown);
  const { allowHttp = false, maxAttempts, maxWait } = options;
  const limits = { allowHttp, maxAttempts, maxWait };
  let applied: Applied;
  try {
    applied = await withService(serviceOptions(world, loaded, reporter, limits), async (service) => {
      const ports = portsOf(world, options, { session, store, reporter, service });
      const done = await applyPlan(requestOf(options, loaded, reviewed), ports);
      return options.wait ? followed(done, options, ports) : done;
    });
  } finally {
    reporter.end();
  }
  return reportApplied(world, options, session, applied);
}

function requestOf(options: ApplyOptions, loaded: Loaded, reviewed: Reviewed): ApplyRequest {
  return {
    loaded,
    ...reviewed,
    targets: options.target,
    select: options.select,
    replace: options.replace ?? [],
    allowEmpty: options.allowEmpty === true,
    refresh: refreshOf(options),
    allowDuplicates: options.allowDuplicates === true,
    allowOrphans: options.allowOrphans === true,
    force: options.force === true,
    failFast: options.failFast === true,
    lockTimeout: options.lockTimeout,
  };
}

interface Opened {
  readonly session: Session;
  readonly store: StateStore;
  readonly reporter: Reporter;
  readonly service: Service;
}

function portsOf(world: World, options: ApplyOptions, { session, ...opened }: Opened) {
  const { environment, clock, randomness, signal, version } = world;
  const confirm: ApplyPorts['confirm'] = async (document, cost) => {
    if (showsPlan(options)) await showPlan(world, options, session, { document, cost });
    else if (cost !== undefined) opened.reporter.emit({ type: 'expected', ...cost });
    return confirmPlan(world, options, document);
  };
  return { ...opened, environment, clock, randomness, signal, toolVersion: version, confirm };
}

/** What was applied, with the end of each AI job that was run. */
async function followed(
  applied: Applied,
  { waitTimeout }: ApplyOptions,
  ports: ReturnType<typeof portsOf>,
): Promise<Applied> {
  if (applied.document === undefined) return applied;
  return { ...applied, document: await followJobs(applied.document, { ...ports, timeout: waitTimeout }) };
}
