// `almanac plan`: what would change. Writes only the files that it is asked for, and sends only the requests that --refresh
// or --online asks for.

import { type Proposal, proposeNow, savedPlan } from '../../engine/propose/propose.ts';
import type { Refresh } from '../../model/plan/plan.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { renderJson } from '../../render/text/render-json.ts';
import { withOnlineFindings } from '../base/asking.ts';
import { type OnlineFlags, type PlanShape, refreshOf } from '../base/command.ts';
import { progressReporter } from '../base/progress.ts';
import type { Run, Session } from '../base/run.ts';
import type { PlanOptions } from './command.ts';
import { publishPlan, shownPlan } from './publish-plan.ts';

/** With --detailed-exitcode: there are changes. */
const withChanges = 2;

export async function plan(run: Run, options: PlanOptions): Promise<number> {
  const { out, report = [], refreshOnly } = options;
  await run.checkFiles([...(out === undefined ? [] : [out]), ...report.map(({ file }) => file)]);
  const session = await run.load();
  const refresh = refreshOf(options);
  const proposal = await requestProposal(run, options, session, refresh);
  const { document, untracked } = proposal;
  if (out !== undefined) {
    const saved = renderJson(savedPlan(proposal, refresh));
    await session.workspace.writeOutside(out, saved, { isPrivate: true });
  }
  const untrackedCount = untracked?.schedules.length;
  const shown = shownPlan(document, session.shown);
  await publishPlan(run, options, { document: shown, source: session.loaded, refreshOnly, untrackedCount });
  if (out !== undefined && !options.quiet) {
    // In a log nobody is there to run it.
    const next = run.stderr.isTerminal ? ` To apply exactly this plan: almanac apply ${out}` : '';
    run.stderr.write(`Saved the plan to ${out}.${next}\n`);
  }
  return options.detailedExitcode && document.changes.length > 0 ? withChanges : 0;
}

/** A pull request of a fork has no secrets, and may be planned all the same. */
function withoutAccess(error: unknown): unknown {
  const ofState = ['state-unreadable', 'state-backend-missing'];
  if (!(error instanceof Failure) || !ofState.includes(error.code)) return error;
  const copy =
    'A machine without access can plan a copy: `almanac state pull > FILE` where the state can be read, then `almanac plan --state FILE` here.';
  const hint = error.hint === undefined ? copy : `${error.hint} ${copy}`;
  return new Failure(error.code, error.message, { hint, cause: error });
}

/** What `plan` and `drift` ask of the engine, from the command line's options. */
export async function requestProposal(
  run: Run,
  options: OnlineFlags & PlanShape & { readonly untracked?: true | undefined },
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
      const { target: targets, select, replace, allowEmpty, untracked } = options;
      return proposeNow(
        checked,
        { targets, select, replace, allowEmpty, refresh, untracked },
        { ...run, store, service },
      );
    });
  } catch (error) {
    throw store.shared === undefined ? error : withoutAccess(error);
  }
}
