// `almanac offboard EMAIL`: what leaves with a person. With --write it takes them out of the source files, if nothing
// changes but recipients and owners; with --apply it transfers what they own.

import type { LoadedSide } from '../../engine/edit/prove-everywhere.ts';
import { checkMayAsk } from '../../engine/leaving/ask-about-person.ts';
import { invalidWorkspace } from '../../engine/load/invalid-workspace.ts';
import { refuseWithoutEnvironment } from '../../engine/load/require-environment.ts';
import { withService } from '../../engine/service/service.ts';
import { hasErrors } from '../../model/workspace/diagnostic.ts';
import { serviceOptions } from '../base/service-options.ts';
import { openProgress, openSession } from '../base/session.ts';
import type { World } from '../base/world.ts';
import { importReporter } from '../import/import-progress.ts';
import { askOmni } from './ask-omni.ts';
import { checkOptions } from './check-options.ts';
import type { OffboardOptions } from './command.ts';
import { leave } from './leave.ts';
import { transferNow } from './transfer-now.ts';

export async function offboardPerson(world: World, options: OffboardOptions, name: string): Promise<number> {
  const email = name.toLowerCase();
  checkOptions(world, options, email);
  const session = await openSession(world, options);
  const { loaded } = session;
  refuseWithoutEnvironment(loaded.missingEnvironment);
  const { config, findings } = loaded;
  if (config === undefined || hasErrors(findings))
    throw invalidWorkspace('The declarations have errors; nothing was changed.', findings, loaded);
  if (options.offline) return (await leave({ world, options, session, email })).blocked ? 1 : 0;
  const reporter = importReporter(world, options);
  const progress = await openProgress(world, options, session, 'recipients');
  try {
    return await withService(serviceOptions(world, config, reporter), async (service) => {
      checkMayAsk(config, service);
      const ask = async (sides: readonly LoadedSide[]) => {
        const asking = { world, options, session, config, service, reporter, progress, email, sides };
        return { asking, told: await askOmni(asking) };
      };
      const { blocked, asked } = await leave({ world, options, session, email, ask });
      await asked?.told.finish();
      const isDone = !options.apply || asked === undefined || (await transferNow(asked.asking, asked.told));
      return blocked || !isDone ? 1 : 0;
    });
  } finally {
    reporter.end();
    await progress.close();
  }
}
