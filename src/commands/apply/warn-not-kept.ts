// The warning that a job of a CI system may lose the state. On stderr at the start, so that it is there whatever the
// report says.

import { invalidWorkspace } from '../../engine/load/load.ts';
import { placeFindings } from '../../engine/load/place-findings.ts';
import { stateNotKept } from '../../engine/state/state-not-kept.ts';
import { hasErrors } from '../../model/workspace/diagnostic.ts';
import { judgeFindings } from '../../validate/checks/judge-findings.ts';
import { pageOf } from '../base/page.ts';
import { diagnosticsText } from '../base/print-diagnostics.ts';
import { type Session, stateFileOf } from '../base/session.ts';
import type { World } from '../base/world.ts';
import type { ApplyOptions } from './command.ts';

/** Throws Failure invalid-workspace where `checks` makes it an error. */
export async function warnIfNotKept(world: World, options: ApplyOptions, session: Session): Promise<void> {
  const file = stateFileOf(world, options, session);
  const finding = file && stateNotKept(file, session.workspace, world.environment);
  if (finding === undefined) return;
  const { loaded } = session;
  const findings = judgeFindings([finding], loaded);
  if (hasErrors(findings))
    throw invalidWorkspace('The state would not be kept, so nothing was applied.', findings, loaded);
  const diagnostics = await placeFindings(findings, loaded.fileNamed);
  if (options.quiet || diagnostics.length === 0) return;
  world.stderr.write(`${diagnosticsText(diagnostics, loaded, pageOf(world.stderr, world, options))}\n`);
}
