// `almanac offboard EMAIL`: what leaves with a person. With --write it removes them from the source files, if nothing
// changes but recipients and owners; with --apply it transfers their property.

import { checkEmail } from '../../declare/formats/check-email.ts';
import { emailShape } from '../../model/fields/patterns.ts';
import { command } from '../../model/values/command.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { noTerminal } from '../base/confirm.ts';
import { progressReporter } from '../base/progress.ts';
import type { Run } from '../base/run.ts';
import { checkMayAsk } from './ask-omni.ts';
import type { OffboardOptions } from './offboard-command.ts';
import type { Transferred } from './offboard-document.ts';
import type { OffboardReport } from './offboard-report.ts';
import { printLeaving, reportLeaving } from './report-leaving.ts';
import { printTransfers, transferNow } from './transfer-now.ts';

export async function offboard(run: Run, options: OffboardOptions, name: string): Promise<number> {
  const email = name.toLowerCase();
  checkOptions(run, options, email);
  const session = await run.declared('nothing was changed');
  const { loaded } = session;
  const { config } = loaded;
  const request = { run, options, session, email };
  if (options.offline) {
    const { report } = await run.unlessInterrupted('changed', () => reportLeaving(request));
    printLeaving(request, report);
    return exitCode(report);
  }
  const reporter = progressReporter(run, session.shown);
  const progress = await run.progress(session, 'recipients');
  try {
    return await run.asking({ loaded, reporter }, async (service) => {
      checkMayAsk(config, service);
      const ask = { config, service, reporter, progress };
      const { report, asked } = await run.unlessInterrupted('changed', () => reportLeaving({ ...request, ask }));
      const applies = options.apply === true && asked !== undefined;
      // A program reads one document, so it waits for the transfers.
      if (!applies || options.format === 'text') printLeaving(request, report);
      await asked?.answer.finish();
      if (!applies) return exitCode(report);
      const transfers = await run.unlessInterrupted('transferred', () => transferNow(asked.input, asked.answer));
      if (options.format === 'text') printTransfers(request, session.shown(transfers));
      else printLeaving(request, { ...report, document: { ...report.document, transfers } });
      return exitCode(report, transfers);
    });
  } finally {
    await progress.close();
  }
}

function exitCode({ document }: OffboardReport, transfers: readonly Transferred[] = []): number {
  const { blocked, applied, nobody, owns, receives, unread = [] } = document;
  const done = new Set(transfers.map(({ id }) => id));
  const owned = owns.filter(({ id }) => !done.has(id));
  // No file and no state says who is in a group.
  const untracked = receives.filter(({ managed, via }) => !managed && via.kind !== 'group');
  const isLeft = [blocked, applied, owned, untracked, unread].some(({ length }) => length > 0) || nobody !== undefined;
  return isLeft || transfers.some(({ status }) => status !== 'transferred') ? 1 : 0;
}

/** `email` is in lower case. Throws Failure usage. */
function checkOptions(run: Run, options: OffboardOptions, email: string): void {
  requireAddresses(email, options.to);
  const { apply, offline, resume, to, autoApprove } = options;
  if (offline && resume)
    throw new Failure('usage', '--resume is about the answers of Omni, and --offline asks for none.', {
      hint: 'Leave out one of them.',
    });
  if (!apply) return;
  if (to === undefined)
    throw new Failure('usage', '--apply needs to know who takes over.', { hint: 'Name a successor with --to.' });
  if (offline) {
    throw new Failure('usage', '--apply changes Omni, and --offline sends nothing to it.', {
      hint: 'Leave out one of them.',
    });
  }
  if (!autoApprove && run.asker() === undefined)
    throw noTerminal('nothing was sent', 'Use --auto-approve if what the person owns may be transferred.');
}

function requireAddresses(email: string, to: string | undefined): void {
  const isAddress = new RegExp(emailShape);
  const wrong = [email, ...(to === undefined ? [] : [to])].find((each) => !isAddress.test(each) || each.includes('*'));
  if (wrong !== undefined)
    throw new Failure('usage', `${wrong} is not an e-mail address.`, {
      hint:
        wrong === email
          ? email.includes('*')
            ? `Give one address. For patterns, use \`${command('who', email)}\`.`
            : 'Name one person by address: ana@example.com.'
          : 'Name one successor by address: --to bo@example.com.',
    });
  // In a source file it would be a reference, and in a CSV file a formula.
  if (to !== undefined && (/^[=+-]/.test(to) || to.includes('${')))
    throw new Failure('usage', `${to} cannot be written into every kind of file.`, {
      hint: 'Without --to, the address is removed; add the successor yourself.',
    });
  const [problem] = to === undefined ? [] : checkEmail(to);
  if (problem !== undefined) {
    const { message, hint = 'Write an address such as `bo@example.com`.' } = problem;
    throw new Failure('usage', `--to does not name an address that can receive mail. ${message}`, { hint });
  }
  if (to?.toLowerCase() === email) {
    throw new Failure('usage', `--to names the person who leaves, ${to}.`, {
      hint: 'Name another successor. Without --to, the address is removed.',
    });
  }
}
