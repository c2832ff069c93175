// The warning that a job of a CI system may lose the state. On stderr at the start, so that it is there whatever the
// report says.

import { invalidWorkspace } from '../../engine/load/load.ts';
import { placeFindings } from '../../engine/load/place-findings.ts';
import { stateNotKept } from '../../engine/state/state-not-kept.ts';
import { hasErrors } from '../../model/workspace/diagnostic.ts';
import { judgeFindings } from '../../validate/checks/judge-findings.ts';
import { diagnosticsText } from '../base/print-diagnostics.ts';
import type { Run, Session } from '../base/run.ts';
import type { ApplyOptions } from './command.ts';

/** Throws Failure invalid-workspace where `checks` makes it an error. */
export async function warnIfNotKept(run: Run, options: ApplyOptions, session: Session): Promise<void> {
  const file = await run.stateFile(session);
  const finding = file && stateNotKept(file, session.workspace, run.environment);
  if (finding === undefined) return;
  const { loaded } = session;
  const findings = judgeFindings([finding], loaded);
  if (hasErrors(findings))
    throw invalidWorkspace('The state would not be kept, so nothing was applied.', findings, loaded);
  const diagnostics = await placeFindings(findings, loaded.fileNamed);
  if (options.quiet || diagnostics.length === 0) return;
  run.stderr.write(`${diagnosticsText(diagnostics, loaded, run.page(run.stderr))}\n`);
}
