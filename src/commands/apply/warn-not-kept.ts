// The warning that a job of a CI system may lose the state. On stderr at the start, so that it is there whatever the
// report says.

import { placeFindings } from '../../engine/load/place-findings.ts';
import { stateNotKept } from '../../engine/state/state-not-kept.ts';
import { pageOf } from '../base/page.ts';
import { diagnosticsText } from '../base/print-diagnostics.ts';
import { type Session, stateFileOf } from '../base/session.ts';
import type { World } from '../base/world.ts';
import type { ApplyOptions } from './command.ts';

export function warnIfNotKept(world: World, options: ApplyOptions, session: Session): void {
  const file = stateFileOf(world, options, session);
  const finding = file && stateNotKept(file, session.workspace, world.environment);
  if (finding === undefined || options.quiet) return;
  const diagnostics = placeFindings([finding], session.loaded.fileNamed);
  world.stderr.write(`${diagnosticsText(diagnostics, session.loaded, pageOf(world.stderr, world, options))}\n`);
}
