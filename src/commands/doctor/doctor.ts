// `almanac doctor`: whether everything is in place for an apply. Changes nothing.

import type { AskingRun } from '../../engine/doctor/check-service.ts';
import { diagnose } from '../../engine/doctor/diagnose.ts';
import { renderDoctor } from '../../render/doctor/doctor-text.ts';
import { supportedNode } from '../../version.ts';
import { progressReporter } from '../base/progress.ts';
import type { Run } from '../base/run.ts';
import type { DoctorOptions } from './command.ts';

export async function doctor(run: Run, options: DoctorOptions): Promise<number> {
  // It shows nothing of Omni but failures, which are masked already.
  const reporter = progressReporter(run, (document) => document);
  const asking: AskingRun['asking'] = (asked, work) => run.asking({ ...asked, reporter }, work);
  const document = await diagnose({ ...run, asking }, supportedNode);
  run.print(options.format, document, (page) => renderDoctor(document, page));
  return document.ok ? 0 : 1;
}
