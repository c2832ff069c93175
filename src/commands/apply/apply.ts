// `almanac apply`: the plan's changes, after a confirmation.

import { checkCanFollow, followJobs, hasSucceeded } from '../../engine/ai-jobs/follow-jobs.ts';
import { type Applied, apply as applyPlan } from '../../engine/apply/apply.ts';
import { secretsOf } from '../../engine/propose/fingerprint-secrets.ts';
import { readSavedPlan } from '../../engine/propose/saved-plan.ts';
import { keepConnection } from '../../engine/service/keep-connection.ts';
import type { PlanDocument, SavedPlan } from '../../model/plan/plan.ts';
import type { JsonObject } from '../../model/values/json.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { ConnectApi } from '../../ports/api.ts';
import type { Reporter } from '../../ports/reporter.ts';
import type { StateStore } from '../../ports/state-store.ts';
import { renderApplySummary } from '../../render/apply/apply-text.ts';
import { renderJson } from '../../render/text/render-json.ts';
import { cronWords } from '../base/cron-words.ts';
import { type GlobalOptions, type PlanShape, refreshOf, type TextOrJson } from '../base/options.ts';
import { pageOf } from '../base/page.ts';
import { progressReporter } from '../base/progress.ts';
import { openSession, openState, type Session } from '../base/session.ts';
import type { World } from '../base/world.ts';
import { printPlan } from '../plan/print-plan.ts';

export interface ApplyOptions extends GlobalOptions, PlanShape {
  readonly format: TextOrJson;
  readonly autoApprove?: boolean;
  readonly expect?: string;
  readonly allowOrphans?: boolean;
  readonly allowDuplicates?: boolean;
  readonly allowHttp?: boolean;
  readonly force?: boolean;
  readonly failFast?: boolean;
  readonly maxDuration?: number;
  readonly maxAttempts: number;
  readonly maxWait: number;
  readonly lockTimeout: number;
  readonly wait?: boolean;
  /** Seconds. */
  readonly waitTimeout: number;
}

export async function apply(world: World, options: ApplyOptions, planFile: string | undefined): Promise<number> {
  const session = await openSession(world, options);
  const store = await openState(world, options, session);
  if (planFile !== undefined) refuseShape(options);
  const saved =
    planFile === undefined ? undefined : readSavedPlan(await session.workspace.readOutside(planFile), planFile);
  if (!options.autoApprove && world.ask === undefined) throw needsApproval();
  if (options.wait) checkCanFollow(session.loaded.config);
  const reporter = progressReporter(world, options);
  // One connection for all of it, so that the rate limit counts the looks at jobs as well.
  const connection = keepConnection(world.connect);
  const means: Means = { session, store, reporter, saved, connect: connection.connect };
  let applied: Applied;
  try {
    applied = await carryOut(world, options, means);
    if (options.wait) applied = await follow(world, options, means, applied);
  } finally {
    reporter.end();
    await connection.close();
  }
  return report(world, options, session, applied);
}

interface Means {
  readonly session: Session;
  readonly store: StateStore;
  readonly reporter: Reporter;
  readonly saved: SavedPlan | undefined;
  readonly connect: ConnectApi;
}

function carryOut(world: World, options: ApplyOptions, means: Means): Promise<Applied> {
  const { session, store, reporter, saved } = means;
  const { clock, randomness, version, signal } = world;
  const tellInterruption = () => reporter.emit({ type: 'note', message: interruptedWords });
  signal.addEventListener('abort', tellInterruption);
  const applied = applyPlan({
    ...patience(world, options, means),
    loaded: session.loaded,
    store,
    clock,
    randomness,
    toolVersion: version,
    command: 'apply',
    confirm: async (document, expected) => {
      await showPlan(world, options, session, document);
      if (expected !== undefined) reporter.emit({ type: 'expected', ...expected });
      return confirm(world, options, document);
    },
    saved,
    expect: options.expect,
    targets: options.target,
    replace: options.replace ?? [],
    allowEmpty: options.allowEmpty === true,
    refresh: refreshOf(options),
    allowDuplicates: options.allowDuplicates === true,
    allowOrphans: options.allowOrphans === true,
    force: options.force === true,
    failFast: options.failFast === true,
    maxDuration: options.maxDuration,
    lockTimeout: options.lockTimeout,
    signal,
  });
  return applied.finally(() => signal.removeEventListener('abort', tellInterruption));
}

/** How the service is reached, and how long it is waited for. */
function patience({ environment }: World, { allowHttp, maxAttempts, maxWait }: ApplyOptions, means: Means) {
  const { connect, reporter } = means;
  return { connect, environment, reporter, allowHttp: allowHttp === true, maxAttempts, maxWait };
}

/** What was applied, with the end of each AI job that was run. */
async function follow(world: World, options: ApplyOptions, means: Means, applied: Applied): Promise<Applied> {
  const { config, desired } = means.session.loaded;
  if (applied.document === undefined || config === undefined) return applied;
  const { clock, signal } = world;
  const secrets = secretsOf(desired);
  const reached = patience(world, options, means);
  const followed = { ...reached, config, clock, signal, secrets, timeout: options.waitTimeout };
  return { ...applied, document: await followJobs(applied.document, followed) };
}

const interruptedWords =
  'Interrupted: nothing more is begun, and what is under way is finished. A second time leaves at once; the journal keeps what was begun.';

function needsApproval(): Failure {
  return new Failure('usage', 'There is no terminal to ask on, so nothing was applied.', {
    hint: 'Use --auto-approve, and --expect DIGEST or a saved plan to apply only what was reviewed.',
  });
}

/** A saved plan has its shape. */
function refuseShape({ target, replace, allowEmpty, refresh, refreshOnly }: PlanShape): void {
  const given = {
    '--target': target,
    '--replace': replace,
    '--allow-empty': allowEmpty,
    '--refresh': refresh,
    '--refresh-only': refreshOnly,
  };
  const name = Object.entries(given).find(([, value]) => value !== undefined)?.[0];
  if (name === undefined) return;
  throw new Failure('usage', `A saved plan is applied as it is, so ${name} can not change it.`, {
    hint: `Give ${name} to almanac plan, and save that plan.`,
  });
}

/** Nobody agrees to what is not shown: where stdout is for the document, the plan goes to stderr. */
async function showPlan(
  world: World,
  options: ApplyOptions,
  { loaded }: Session,
  document: PlanDocument,
): Promise<void> {
  const isText = options.format === 'text';
  if (!isText && options.autoApprove) return;
  const printed = { document, source: loaded, cron: await cronWords(world.clock.now()) };
  printPlan(world, options, printed, isText ? world.stdout : world.stderr);
}

/** Only `yes` is a yes. */
async function confirm(world: World, options: ApplyOptions, document: PlanDocument): Promise<boolean> {
  if (options.autoApprove) return true;
  const answer = await world.ask?.(`\nApply these changes to ${document.baseUrl}? Only yes is accepted: `);
  return answer?.trim() === 'yes' && !world.signal.aborted;
}

async function report(world: World, options: ApplyOptions, session: Session, applied: Applied): Promise<number> {
  const { document, plan, state } = applied;
  if (document === undefined) {
    throw world.signal.aborted
      ? new Failure('interrupted', 'Interrupted; nothing was applied.')
      : new Failure('refused', 'The plan was not confirmed; nothing was applied.');
  }
  if (options.format === 'json') world.stdout.write(renderJson(document));
  else if (plan.changes.length === 0) {
    const { refreshOnly } = options;
    const cron = await cronWords(world.clock.now());
    printPlan(world, options, { document: plan, source: session.loaded, cron, refreshOnly });
  } else {
    const attributesOf = (address: string): JsonObject | undefined => state?.resources[address]?.attributes;
    world.stdout.write(`\n${renderApplySummary(document, { ...pageOf(world.stdout, world, options), attributesOf })}`);
  }
  const { failed, skipped, unknown } = document.summary;
  const isDone = failed + skipped + unknown === 0 && document.results.every(({ job }) => hasSucceeded(job));
  return isDone ? 0 : 1;
}
