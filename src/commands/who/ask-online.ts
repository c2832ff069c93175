// `almanac who --online`: asks Omni for what the declarations do not know, and says on the error stream what it takes and
// what stays unknown.

import { invalidWorkspace } from '../../engine/load/load.ts';
import type { WhoReceives, WhoRequest } from '../../engine/people/who.ts';
import { whoOnline } from '../../engine/people/who-online.ts';
import { withService } from '../../engine/service/service.ts';
import { hasErrors } from '../../model/workspace/diagnostic.ts';
import { type Unread, unreadLines } from '../../render/people/unread-text.ts';
import { pageOf } from '../base/page.ts';
import { readStoreOf } from '../base/read-state.ts';
import { serviceOptions } from '../base/service-options.ts';
import { openProgress, openState, type Session } from '../base/session.ts';
import { whenInterrupted } from '../base/when-interrupted.ts';
import type { World } from '../base/world.ts';
import { importReporter } from '../import/import-progress.ts';
import type { WhoOptions } from './command.ts';

type Asked = Pick<WhoRequest, 'loaded' | 'patterns' | 'external'>;

/** What was read is kept until it is printed. */
export async function askOnline(
  world: World,
  options: WhoOptions,
  session: Session,
  asked: Asked,
  print: (found: WhoReceives, notRead: number) => Promise<void>,
): Promise<void> {
  const { config, findings } = asked.loaded;
  if (config === undefined || hasErrors(findings))
    throw invalidWorkspace('The declarations have errors. Nothing was sent.', findings, asked.loaded);
  const state = await readStoreOf(world, await openState(world, options, session), config);
  const progress = await openProgress(world, options, session, 'recipients');
  const reporter = importReporter(world, options, session.shown);
  const { limit, resume = false, force = false } = options;
  try {
    const found = await whenInterrupted('changed', () =>
      withService(serviceOptions(world, session.loaded, reporter), (service) =>
        whoOnline({ ...asked, state, service, progress, limit, resume, force, reporter, signal: world.signal }),
      ),
    );
    reporter.end();
    const { recipients, unmatched, left, refused, knowsMembers } = found;
    const shown = session.shown({ recipients, unmatched, left, refused, knowsMembers });
    await print(shown, left + refused.length);
    sayUnread(world, options, shown);
    await found.finish();
  } finally {
    reporter.end();
    await progress.close();
  }
}

function sayUnread(world: World, options: WhoOptions, found: Unread): void {
  for (const line of unreadLines(found, pageOf(world.stderr, world, options))) world.stderr.write(`${line}\n`);
}
