// `almanac who [PATTERN...]`: who receives what, from the declarations and the state. Sends nothing to Omni without
// --online.

import { loadCronWords } from '../../cron/describe-cron.ts';
import { refuseWithoutEnvironment } from '../../declare/load/load-config.ts';
import type { WhoDocument } from '../../model/people.ts';
import type { State } from '../../model/plan/state.ts';
import { memoize } from '../../model/values/memoize.ts';
import { hasErrors } from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { renderJsonParts } from '../../report/text/render-json.ts';
import { safeText } from '../../report/text/terminal-text.ts';
import { type WhoReceives, whoReceives } from '../base/people/who.ts';
import type { Run, Session } from '../base/run.ts';
import type { WhoOptions } from './command.ts';
import { renderWhoCsv, renderWhoTable } from './who-text.ts';

export async function who(run: Run, options: WhoOptions, patterns: readonly string[]): Promise<number> {
  const { online = false, limit, resume, force, select } = options;
  if (!online && (limit !== undefined || resume || force))
    throw new Failure('usage', '--limit, --resume and --force belong to --online.', { hint: 'Add --online.' });
  if (online && select !== undefined)
    throw new Failure('usage', '--select chooses among what is declared; --online adds what is not.', {
      hint: 'Leave out one of them. Nothing was sent.',
    });
  // As from `almanac who "$EMAIL"` where the variable is not set.
  if (patterns.includes(''))
    throw new Failure('usage', 'A pattern is empty.', { hint: 'Leave it out to list everybody.' });
  const session = await run.load();
  const { loaded } = session;
  refuseWithoutEnvironment(loaded.missingEnvironment);
  const asked = { loaded, patterns, select, external: options.external === true };
  if (online) {
    const { askOnline } = await import('./ask-online.ts');
    await askOnline(run, options, session, asked, (found, notRead) => print(run, options, found, notRead));
    return 0;
  }
  await print(run, options, whoReceives({ ...asked, state: await stateOf(run, session) }), 0);
  return 0;
}

async function print(
  run: Run,
  options: WhoOptions,
  { recipients, unmatched }: WhoReceives,
  notRead: number,
): Promise<void> {
  const { stdout } = run;
  switch (options.format) {
    case 'json': {
      const document: WhoDocument = {
        formatVersion: 1,
        recipients,
        ...(notRead === 0 ? {} : { notRead }),
      };
      for (const part of renderJsonParts(document)) stdout.data(part);
      break;
    }
    case 'csv':
      for (const part of renderWhoCsv(recipients)) stdout.data(part);
      break;
    case 'table': {
      const words = memoize(await loadCronWords());
      stdout.write(renderWhoTable(recipients, { words }, run.page()));
    }
  }
  for (const { pattern, hint } of unmatched)
    run.stderr.write(`Nobody is ${safeText(pattern)}.${hint === undefined ? '' : ` ${safeText(hint)}`}\n`);
}

/** Only the ids are taken from it: where it cannot be read, the answer is the same without them. */
async function stateOf(run: Run, session: Session): Promise<State | undefined> {
  // What is wrong with the declarations is reported first.
  if (hasErrors(session.loaded.findings)) return undefined;
  try {
    return await run.recorded(await run.store(session));
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'interrupted' || error.code === 'usage') throw error;
    run.stderr.write(`warning: The state cannot be read, so no ids are shown. ${safeText(error.message)}\n`);
    return undefined;
  }
}
