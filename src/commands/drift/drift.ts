// `almanac drift`: what differs in Omni from what was applied, for a job that runs every night. Changes nothing but, with
// --write, the source files. Untracked schedules are named, and are no drift.

import type { AcceptedDrift } from '../../engine/drift/accept-drift.ts';
import type { Proposal } from '../../engine/propose/propose.ts';
import type { DriftDocument } from '../../model/plan/drift-document.ts';
import { withInstances } from '../../model/values/address.ts';
import { Failure } from '../../model/workspace/failure.ts';
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
  const { format, report: reports = [], deep, untracked, write } = options;
  await checkFiles(
    world,
    options,
    reports.map(({ file }) => file),
  );
  const addresses = writtenAddresses(options);
  const session = await openSession(world, options);
  const refresh = { depth: deep ? 'deep' : 'list', only: true } as const;
  const target = options.target ?? addresses;
  const proposal = await requestProposal(
    world,
    { ...options, ...(target === undefined ? {} : { target }) },
    session,
    refresh,
  );
  const accepted =
    write === undefined
      ? undefined
      : await (await import('./write-drift.ts')).writeDrift(world, options, { session, proposal, addresses });
  // What is declared is not approved by this report, so all of it may be masked.
  const document = session.shown({ ...documentOf(proposal, untracked === true), ...fieldsOf(accepted) });
  const { workspace, loaded } = session;
  const reported: ReportedDrift = {
    document,
    untrackedCount: untracked ? 0 : (proposal.untracked?.schedules.length ?? 0),
    alsoReadBy: accepted?.alsoReadBy ?? [],
    isDeep: deep === true,
    environment: options.env,
    source: loaded,
    now: world.clock.now(),
  };
  for (const { format: form, file } of reports) await workspace.writeOutside(file, await renderDrift(form, reported));
  if (format !== 'json') reportDiagnostics(world, options, document, { source: loaded, of: 'drift' });
  if (format === 'text') world.stdout.write(await driftText(reported, pageOf(world.stdout, world, options)));
  else world.stdout.data(await renderDrift(format, reported));
  return (document.notWritten ?? document.drift).length > 0 ? withDrift : 0;
}

/** Undefined for all. Throws Failure usage for one that --target leaves out. */
function writtenAddresses({ write, target }: DriftOptions): string[] | undefined {
  if (write === undefined || write === true) return undefined;
  const left = write.find(
    (address) => target !== undefined && !target.some((name) => withInstances([name], [address]).includes(address)),
  );
  if (left === undefined) return write;
  throw new Failure('usage', `--write ${left} is not among the addresses of --target.`, {
    hint: `Add --target ${left}, or leave --target out.`,
  });
}

function documentOf(
  { document, untracked, agreed, detailsNotCompared, secretsNotCompared }: Proposal,
  listsUntracked: boolean,
): DriftDocument {
  const { schedules = [], ignored = 0 } = untracked ?? {};
  return {
    ...document,
    detailsNotCompared,
    ...(secretsNotCompared === 0 ? {} : { secretsNotCompared }),
    ...(agreed.length === 0 ? {} : { asDeclared: agreed }),
    ...(listsUntracked ? { untracked: schedules } : {}),
    ...(ignored === 0 ? {} : { ignored }),
  };
}

function fieldsOf(accepted: AcceptedDrift | undefined): Pick<DriftDocument, 'written' | 'notWritten'> {
  return accepted === undefined ? {} : { written: accepted.written, notWritten: accepted.notWritten };
}
