// `almanac offboard EMAIL`: what leaves with a person. With --write it takes them out of the source files, if nothing
// changes but recipients and owners; with --apply it transfers what they own.

import type { LoadedSide } from '../../engine/edit/prove-everywhere.ts';
import { checkMayAsk } from '../../engine/leaving/ask-about-person.ts';
import { invalidWorkspace } from '../../engine/load/invalid-workspace.ts';
import { parseOnce } from '../../engine/load/parse-once.ts';
import { refuseWithoutEnvironment } from '../../engine/load/require-environment.ts';
import { offboard } from '../../engine/people/offboard.ts';
import { withService } from '../../engine/service/service.ts';
import { offboardFormatVersion } from '../../model/people/offboard-document.ts';
import { hasErrors } from '../../model/workspace/diagnostic.ts';
import type { OffboardReport } from '../../render/people/offboard-report.ts';
import { renderOffboard } from '../../render/people/offboard-text.ts';
import { renderJson } from '../../render/text/render-json.ts';
import { safeText } from '../../render/text/terminal-text.ts';
import { pageOf } from '../base/page.ts';
import { serviceOptions } from '../base/service-options.ts';
import { loadWorkspace, openProgress, openSession, type Session } from '../base/session.ts';
import type { World } from '../base/world.ts';
import { everyEnvironment, inEnvironment } from '../files/every-environment.ts';
import { writeFiles } from '../files/write-files.ts';
import { importReporter } from '../import/import-progress.ts';
import { type Asking, askOmni, type Told } from './ask-omni.ts';
import { checkOptions } from './check-options.ts';
import type { OffboardOptions } from './command.ts';
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

interface Asked {
  readonly asking: Asking;
  readonly told: Told;
}

interface Leave {
  readonly world: World;
  readonly options: OffboardOptions;
  readonly session: Session;
  readonly email: string;
  /** Left out where Omni is not asked. */
  readonly ask?: (sides: readonly LoadedSide[]) => Promise<Asked>;
}

/** The report, and the edits with --write. */
async function leave({ world, options, session, email, ask }: Leave) {
  const { to, write, env } = options;
  const { workspace, loaded } = session;
  const parse = parseOnce();
  const { sides, unread } = await everyEnvironment(world, options, workspace, parse);
  for (const words of unread) world.stderr.write(`warning: ${safeText(words)}\n`);
  const side: LoadedSide = sides.find((each) => each.side.name === env) ?? { side: { name: env }, loaded };
  const asked = await ask?.(sides);
  const told = asked?.told;
  const { files, still, lastOnes, ...found } = await offboard({
    ...{ workspace, sides, side, email, to, randomness: world.randomness },
    ...{ memberId: told?.member?.id, whyNoOwner: told?.whyNoOwner },
    load: async (edited, { name: environment }) => {
      const here = inEnvironment(world, options, environment);
      return loadWorkspace(here.world, here.options, edited, undefined, parse);
    },
  });
  if (write) await writeFiles(world, workspace, files, { meanwhile: 'offboard checked the result', isOneChange: true });
  const owned = told?.owned ?? [];
  const report: OffboardReport = {
    document: {
      ...{ formatVersion: offboardFormatVersion, email },
      owns: owned.map(({ instead: _, ...each }) => each),
      receives: [...found.receives, ...(told?.receives ?? [])],
      ...{ edits: found.edits, blocked: found.blocked },
    },
    to,
    owned: told && {
      ...{ schedules: owned, isMember: told.member !== undefined, whyNoOwner: told.whyNoOwner },
      applies: options.apply === true,
    },
    lastOnes,
    still: still.map(({ lineAfter, ...place }) => (write ? { ...place, line: lineAfter } : place)),
    writes: write === true,
  };
  print(world, options, report);
  return { blocked: found.blocked.length > 0, asked };
}

function print(world: World, options: OffboardOptions, report: OffboardReport): void {
  if (options.format !== 'json') {
    world.stdout.write(renderOffboard(report, pageOf(world.stdout, world, options)));
    return;
  }
  if (report.owned === undefined)
    world.stderr.write('Omni was not asked, so what they own, and what nobody declared, is not known.\n');
  world.stdout.data(renderJson(report.document));
}
