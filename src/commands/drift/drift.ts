// `almanac drift`: what differs in Omni from what was applied, for a job that runs every night. Changes nothing. Schedules
// that nobody declared are named, and are no drift.

import type { Proposal } from '../../engine/propose/propose.ts';
import type { DriftDocument } from '../../model/plan/drift-document.ts';
import { pageOf } from '../base/page.ts';
import { checkFiles } from '../base/report-files.ts';
import { openSession } from '../base/session.ts';
import type { World } from '../base/world.ts';
import { reportDiagnostics } from '../plan/print-plan.ts';
import { requestProposal } from '../plan/request-proposal.ts';
import type { DriftOptions } from './command.ts';
import { driftText, type ReportedDrift, renderDrift } from './drift-reports.ts';

const withDrift = 2;

export async function drift(world: World, options: DriftOptions): Promise<number> {
  const { format, report: reports = [], deep, untracked } = options;
  await checkFiles(
    world,
    options,
    reports.map(({ file }) => file),
  );
  const session = await openSession(world, options);
  const refresh = { depth: deep ? 'deep' : 'list', only: true } as const;
  const proposal = await requestProposal(world, options, session, refresh);
  const document = documentOf(proposal, untracked === true);
  const { workspace, loaded } = session;
  const untrackedCount = untracked ? 0 : (proposal.untracked?.schedules.length ?? 0);
  const reported: ReportedDrift = { document, untrackedCount, source: loaded, now: world.clock.now() };
  for (const { format: form, file } of reports) await workspace.writeOutside(file, await renderDrift(form, reported));
  if (format !== 'json') reportDiagnostics(world, options, document, { source: loaded, of: 'drift' });
  if (format === 'text') world.stdout.write(await driftText(reported, pageOf(world.stdout, world, options)));
  else world.stdout.data(await renderDrift(format, reported));
  return document.drift.length > 0 ? withDrift : 0;
}

function documentOf({ document, untracked, detailsNotCompared }: Proposal, listsUntracked: boolean): DriftDocument {
  const { schedules = [], ignored = 0 } = untracked ?? {};
  return {
    ...document,
    detailsNotCompared,
    ...(listsUntracked ? { untracked: schedules } : {}),
    ...(ignored === 0 ? {} : { ignored }),
  };
}
