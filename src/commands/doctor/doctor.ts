// `almanac doctor`: whether everything is in place for an apply. Changes nothing.

import { diagnose } from '../../engine/doctor/diagnose.ts';
import { renderDoctor } from '../../render/doctor/doctor-text.ts';
import { renderJson } from '../../render/text/render-json.ts';
import { supportedNode } from '../../version.ts';
import { pageOf } from '../base/page.ts';
import { progressReporter } from '../base/progress.ts';
import { serviceOptions } from '../base/service-options.ts';
import { partsOf } from '../base/session.ts';
import type { World } from '../base/world.ts';
import type { DoctorOptions } from './command.ts';

export async function doctor(world: World, options: DoctorOptions): Promise<number> {
  const { stdout, environment, version, node } = world;
  // It shows nothing of Omni but failures, which are masked already.
  const reporter = progressReporter(world, options, (document) => document);
  try {
    const document = await diagnose({
      ...partsOf(world, options),
      versions: { almanac: version, node, supportedNode },
      environment,
      environmentName: options.env,
      serviceOptions: (loaded, limits) => serviceOptions(world, loaded, reporter, limits),
    });
    if (options.format === 'json') stdout.data(renderJson(document));
    else stdout.write(renderDoctor(document, pageOf(stdout, world, options)));
    return document.ok ? 0 : 1;
  } finally {
    reporter.end();
  }
}
