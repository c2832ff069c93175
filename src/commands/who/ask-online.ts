// `almanac who --online`: asks Omni for what the declarations do not know, and says on the error stream what it takes and
// what stays unknown.

import { invalidWorkspace } from '../../declare/load/load.ts';
import { hasErrors } from '../../model/workspace/diagnostic.ts';
import { printText } from '../../report/print-text.ts';
import { importReporter } from '../base/import-progress.ts';
import { type Unread, unreadDoc } from '../base/people/people-words.ts';
import type { WhoReceives, WhoRequest } from '../base/people/who.ts';
import { whoOnline } from '../base/people/who-online.ts';
import type { Run, Session } from '../base/run.ts';
import type { WhoOptions } from './command.ts';

type Asked = Pick<WhoRequest, 'loaded' | 'patterns' | 'external'>;

/** What was read is kept until it is printed. */
export async function askOnline(
  run: Run,
  options: WhoOptions,
  session: Session,
  asked: Asked,
  print: (found: WhoReceives, notRead: number) => Promise<void>,
): Promise<void> {
  const { config, findings } = asked.loaded;
  if (config === undefined || hasErrors(findings))
    throw invalidWorkspace('The declarations have errors. Nothing was sent.', findings, asked.loaded);
  const state = await run.recorded(await run.store(session), config);
  const progress = await run.progress(session, 'recipients');
  const reporter = importReporter(run, session.shown);
  const { limit, resume = false, force = false } = options;
  try {
    const found = await run.asking({ loaded: session.loaded, reporter, nothing: 'changed' }, (service) =>
      whoOnline({ ...asked, state, service, progress, limit, resume, force, reporter, signal: run.signal }),
    );
    reporter.end();
    const { recipients, unmatched, left, refused, knowsMembers } = found;
    const shown = session.shown({ recipients, unmatched, left, refused, knowsMembers });
    await print(shown, left + refused.length);
    sayUnread(run, shown);
    await found.finish();
  } finally {
    reporter.end();
    await progress.close();
  }
}

function sayUnread(run: Run, found: Unread): void {
  const page = run.page(run.stderr);
  run.stderr.write(printText(unreadDoc(found, page), page));
}
