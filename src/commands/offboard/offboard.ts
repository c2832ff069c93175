// `almanac offboard EMAIL`: what leaves with a person. With --write it takes them out of the source files, if nothing
// changes but recipients and owners; with --apply it transfers what they own.

import type { LoadedSide } from '../../engine/edit/prove-everywhere.ts';
import { checkMayAsk } from '../../engine/leaving/ask-about-person.ts';
import { invalidWorkspace } from '../../engine/load/load.ts';
import { parseOnce } from '../../engine/load/load-again.ts';
import { refuseWithoutEnvironment } from '../../engine/load/require-environment.ts';
import type { Shown } from '../../engine/propose/known-secrets.ts';
import { withService } from '../../engine/service/service.ts';
import type { Transferred } from '../../model/people/offboard-document.ts';
import { hasErrors } from '../../model/workspace/diagnostic.ts';
import type { OffboardReport } from '../../render/people/offboard-report.ts';
import { serviceOptions } from '../base/service-options.ts';
import { openProgress, openSession } from '../base/session.ts';
import { whenInterrupted } from '../base/when-interrupted.ts';
import type { World } from '../base/world.ts';
import { importReporter } from '../import/import-progress.ts';
import { askOmni } from './ask-omni.ts';
import { checkOptions } from './check-options.ts';
import type { OffboardOptions } from './command.ts';
import { leave, printLeaving } from './leave.ts';
import { printTransfers, transferNow } from './transfer-now.ts';

export async function offboardPerson(world: World, options: OffboardOptions, name: string): Promise<number> {
  const email = name.toLowerCase();
  checkOptions(world, options, email);
  const parse = parseOnce();
  const session = await openSession(world, options, { parse });
  const { loaded } = session;
  refuseWithoutEnvironment(loaded.missingEnvironment);
  const { config, findings } = loaded;
  if (config === undefined || hasErrors(findings))
    throw invalidWorkspace('The declarations have errors; nothing was changed.', findings, loaded);
  if (options.offline) {
    const { report } = await whenInterrupted('changed', () => leave({ world, options, session, email, parse }));
    printLeaving(world, options, shownReport(report, session.shown));
    return exitCode(report);
  }
  const reporter = importReporter(world, options, session.shown);
  const progress = await openProgress(world, options, session, 'recipients');
  try {
    return await withService(serviceOptions(world, loaded, reporter), async (service) => {
      checkMayAsk(config, service);
      const ask = async (sides: readonly LoadedSide[]) => {
        const asking = { world, options, session, config, service, reporter, progress, email, sides };
        return { asking, told: await askOmni(asking) };
      };
      const leaving = () => leave({ world, options, session, email, parse, ask });
      const { report, asked } = await whenInterrupted('changed', leaving);
      const applies = options.apply === true && asked !== undefined;
      // What a program reads is one document, so it waits for the transfers.
      if (!applies || options.format === 'text') printLeaving(world, options, shownReport(report, session.shown));
      await asked?.told.finish();
      if (!applies) return exitCode(report);
      const transfers = await whenInterrupted('transferred', () => transferNow(asked.asking, asked.told));
      if (options.format === 'text') printTransfers(world, options, session.shown(transfers));
      else
        printLeaving(
          world,
          options,
          shownReport({ ...report, document: { ...report.document, transfers } }, session.shown),
        );
      return exitCode(report, transfers);
    });
  } finally {
    reporter.end();
    await progress.close();
  }
}

/** The addresses in `lastOnes` are declared. */
function shownReport({ lastOnes, ...report }: OffboardReport, shown: Shown): OffboardReport {
  return { ...shown(report), lastOnes };
}

function exitCode({ document }: OffboardReport, transfers: readonly Transferred[] = []): number {
  return document.blocked.length > 0 || transfers.some(({ status }) => status !== 'transferred') ? 1 : 0;
}
