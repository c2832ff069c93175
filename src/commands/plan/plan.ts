// `almanac plan`: the changes that an apply would make. Writes only the files that it is asked for, and sends only the
// requests that --refresh or --online needs.

import { unknownWords } from '../../model/plan/checkout-position.ts';
import { command } from '../../model/values/command.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { besideErrorsWords } from '../../plan/beside-errors.ts';
import { withGravity } from '../../plan/dangers/find-dangers.ts';
import { documentOf, savedPlan, workspaceOf } from '../../plan/proposal.ts';
import { renderJson } from '../../report/text/render-json.ts';
import { standingOf } from '../base/checkout-position.ts';
import { refreshOf } from '../base/command.ts';
import { sayOldZones } from '../base/cron-words.ts';
import { withSharedPlaces } from '../base/neighbours.ts';
import { refuseWords } from '../base/open-saved-plan.ts';
import { publishPlan, publishRefused, shownPlan } from '../base/publish-plan.ts';
import { requestProposal } from '../base/request-proposal.ts';
import type { Run } from '../base/run.ts';
import type { Base } from './base.ts';
import type { PlanOptions } from './plan-command.ts';

/** The exit code if there are changes, with --detailed-exitcode. */
const withChanges = 2;

export async function plan(run: Run, options: PlanOptions, words: readonly string[]): Promise<number> {
  await refuseWords(run, words, {
    name: 'plan',
    selecting: ['--target'],
    otherwise:
      'It plans what all source files declare; `--target ADDRESS` chooses from that, and `-C DIR` another folder.',
  });
  const { out, report = [] } = options;
  await run.checkFiles([...(out === undefined ? [] : [out]), ...report.map(({ file }) => file)]);
  if (options.base === undefined) return planBeside(run, options);
  const base = await (await import('./base.ts')).compareBase(run, options.base);
  return planBeside(run, options, base).catch(async (error: unknown) => {
    const dangers = withGravity(base.dangers);
    if (!(error instanceof Failure) || dangers.length === 0) throw error;
    // A base URL that is not the pinned one refuses the plan: then most of all, a reviewer must see why.
    const refused = error.with({ dangers });
    await publishRefused(run, options, refused);
    throw refused;
  });
}

async function planBeside(run: Run, options: PlanOptions, base?: Base): Promise<number> {
  const { out, report = [], refreshOnly } = options;
  const session = await withSharedPlaces(run, await run.load({ ended: 'counts' }));
  const refresh = refreshOf(options);
  const formats = [options.format, ...report.map(({ format }) => format)];
  const isForPeople = out === undefined && !formats.includes('json');
  const ofBase = { baseRows: base?.rows, fromBase: base?.dangers };
  const proposal = await requestProposal(
    run,
    { ...options, ...ofBase, isForPeople, takesBesideErrors: true },
    session,
    {
      refresh,
      standing: (state) => standingOf(run, session, state),
    },
  );
  const document = await documentOf(proposal);
  if (proposal.isBesideErrors) run.say(`warning: ${besideErrorsWords}`, run.stderr);
  if (out !== undefined) {
    const saved = { ...savedPlan(document, proposal.selection, run.options.env), workspace: workspaceOf(proposal) };
    await session.workspace.writeOutside(out, renderJson(saved), { isPrivate: true });
  }
  const unknown = unknownWords(proposal.inputs.standing);
  if (unknown !== undefined) run.say(`warning: ${unknown}`, run.stderr);
  const untrackedCount = proposal.untracked?.schedules.length;
  const shown = shownPlan(document, session.shown);
  const zones = session.loaded.desired.resources.map(({ attributes }) => attributes['timezone']);
  sayOldZones(run, zones);
  await publishPlan(run, options, { document: shown, source: session.loaded, refreshOnly, untrackedCount });
  if (out !== undefined && !options.quiet) {
    // Nobody reads a log to run the command.
    const next = run.stderr.isTerminal ? ` To apply exactly this plan: ${command('apply', out)}` : '';
    run.say(`Saved the plan to ${out}.${next}`, run.stderr);
  }
  return options.detailedExitcode && document.changes.length > 0 ? withChanges : 0;
}
