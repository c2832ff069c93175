// `almanac doctor`: whether everything is in place for an apply. Changes nothing.

import { diagnose } from '../../engine/doctor/diagnose.ts';
import { renderDoctor } from '../../render/doctor/doctor-text.ts';
import { supportedNode } from '../../version.ts';
import { progressReporter } from '../base/progress.ts';
import type { Run } from '../base/run.ts';
import type { DoctorOptions } from './command.ts';

export async function doctor(run: Run, options: DoctorOptions): Promise<number> {
  const { environment, version, node } = run;
  // It shows nothing of Omni but failures, which are masked already.
  const reporter = progressReporter(run, (document) => document);
  try {
    const document = await diagnose({
      openWorkspace: run.workspace,
      requireWorkspace: async () => void (await run.requireWorkspace()),
      readConfig: run.settings,
      load: async () => (await run.loadAnywhere()).loaded,
      openState: (_, config) => run.storeOf(config),
      versions: { almanac: version, node, supportedNode },
      environment,
      environmentName: options.env,
      asking: (loaded, limits, work) => run.asking({ loaded, limits, reporter }, work),
    });
    run.print(options.format, document, (page) => renderDoctor(document, page));
    return document.ok ? 0 : 1;
  } finally {
    reporter.end();
  }
}
