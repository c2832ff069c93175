// `almanac plan`: the changes that an apply would make. Writes only the files that it is asked for, and sends only the
// requests that --refresh or --online needs.

import type { Permissions } from '../../declare/rows/permissions.ts';
import { readPermissions } from '../../declare/rows/read-permissions.ts';
import { unknownWords } from '../../model/plan/checkout-position.ts';
import { command } from '../../model/values/command.ts';
import { besideErrorsWords } from '../../plan/beside-errors.ts';
import { documentOf, savedPlan } from '../../plan/proposal.ts';
import { renderJson } from '../../report/text/render-json.ts';
import { standingOf } from '../base/checkout-position.ts';
import { refreshOf } from '../base/command.ts';
import { withSharedPlaces } from '../base/neighbours.ts';
import { sayOldZones } from '../base/old-zones.ts';
import { publishPlan, shownPlan } from '../base/publish-plan.ts';
import { refuseWords } from '../base/refuse-words.ts';
import { requestProposal } from '../base/request-proposal.ts';
import type { Run, Session } from '../base/run.ts';
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
  const { out, report = [], refreshOnly, baseTable } = options;
  await run.checkFiles([...(out === undefined ? [] : [out]), ...report.map(({ file }) => file)]);
  const session = await withSharedPlaces(run, await run.load({ ended: 'counts' }));
  const refresh = refreshOf(options);
  const baseRows = baseTable === undefined ? undefined : await permissionsIn(baseTable, session);
  const formats = [options.format, ...report.map(({ format }) => format)];
  const isForPeople = out === undefined && !formats.includes('json');
  const proposal = await requestProposal(run, { ...options, baseRows, isForPeople, takesBesideErrors: true }, session, {
    refresh,
    standing: (state) => standingOf(run, session, state),
  });
  const document = await documentOf(proposal);
  if (proposal.isBesideErrors) run.say(`warning: ${besideErrorsWords}`, run.stderr);
  if (out !== undefined) {
    const saved = renderJson(savedPlan(document, proposal.selection, run.options.env));
    await session.workspace.writeOutside(out, saved, { isPrivate: true });
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

/** An error in that file allows nothing: the branch that is planned may correct it. */
async function permissionsIn(path: string, { workspace, loaded: { days } }: Session): Promise<Permissions> {
  const text = await workspace.readOutside(path);
  return readPermissions({ path, text }, days.today).value;
}
