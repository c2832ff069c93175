// `almanac offboard EMAIL`: what leaves with a person. With --write it takes them out of the source files, if nothing
// changes but recipients and owners; with --apply it transfers what they own.

import { checkEmail } from '../../declare/formats/check-email.ts';
import { invalidWorkspace } from '../../declare/load/load.ts';
import { parseOnce } from '../../declare/load/load-again.ts';
import { refuseWithoutEnvironment } from '../../declare/load/missing-environment.ts';
import { emailShape } from '../../model/fields/patterns.ts';
import { countOf } from '../../model/values/words.ts';
import { hasErrors } from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { renderJson } from '../../report/text/render-json.ts';
import { guardedService } from '../../service/service.ts';
import { currentState, withLock } from '../../state/current-state.ts';
import type { ParseFile } from '../../yaml/raw-document.ts';
import { noTerminal, requireConfirmed } from '../base/asking.ts';
import type { LoadedSide } from '../base/edit/prove-everywhere.ts';
import { importReporter } from '../base/import-text.ts';
import type { Run, Session } from '../base/run.ts';
import { everyEnvironment, unreadWords, writeFiles } from '../base/write-files.ts';
import { type Asking, askOmni, checkMayAsk, ownedIn, type Told } from './ask-omni.ts';
import type { OffboardOptions } from './command.ts';
import type { Transferred } from './document.ts';
import { offboard } from './offboard-files.ts';
import { type OffboardReport, renderOffboard, renderToTransfer, renderTransferred } from './offboard-report.ts';
import { type OwnedHere, transferOwned } from './owned-schedules.ts';

export async function offboardPerson(run: Run, options: OffboardOptions, name: string): Promise<number> {
  const email = name.toLowerCase();
  checkOptions(run, options, email);
  const parse = parseOnce();
  const session = await run.load({ parse });
  const { loaded } = session;
  refuseWithoutEnvironment(loaded.missingEnvironment);
  const { config, findings } = loaded;
  if (config === undefined || hasErrors(findings))
    throw invalidWorkspace('The declarations have errors; nothing was changed.', findings, loaded);
  const about = { run, options, session, email };
  if (options.offline) {
    const { report } = await run.unlessInterrupted('changed', () => leave({ ...about, parse }));
    printLeaving(about, report);
    return exitCode(report);
  }
  const reporter = importReporter(run, session.shown);
  const progress = await run.progress(session, 'recipients');
  try {
    return await run.asking({ loaded, reporter }, async (service) => {
      checkMayAsk(config, service);
      const ask = { config, service, reporter, progress };
      const { report, asked } = await run.unlessInterrupted('changed', () => leave({ ...about, parse, ask }));
      const applies = options.apply === true && asked !== undefined;
      // What a program reads is one document, so it waits for the transfers.
      if (!applies || options.format === 'text') printLeaving(about, report);
      await asked?.told.finish();
      if (!applies) return exitCode(report);
      const transfers = await run.unlessInterrupted('transferred', () => transferNow(asked.asking, asked.told));
      if (options.format === 'text') printTransfers(run, options, session.shown(transfers));
      else printLeaving(about, { ...report, document: { ...report.document, transfers } });
      return exitCode(report, transfers);
    });
  } finally {
    await progress.close();
  }
}

function exitCode({ document }: OffboardReport, transfers: readonly Transferred[] = []): number {
  return document.blocked.length > 0 || transfers.some(({ status }) => status !== 'transferred') ? 1 : 0;
}

/** `email`: in lower case. Throws Failure usage. */
function checkOptions(run: Run, options: OffboardOptions, email: string): void {
  requireAddresses(email, options.to);
  const { apply, offline, resume, force, to, autoApprove } = options;
  if (offline && (resume || force))
    throw new Failure('usage', '--resume and --force are about the answers of Omni, and --offline asks for none.', {
      hint: 'Leave out --offline, or the other.',
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
          ? 'One person leaves at a time; almanac who takes patterns.'
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
    throw new Failure('usage', `--to names nobody who could receive mail. ${message}`, { hint });
  }
  if (to?.toLowerCase() === email) {
    throw new Failure('usage', `--to names the person who leaves, ${to}.`, {
      hint: 'Name another successor. Without --to, the address is removed.',
    });
  }
}

// `offboard --apply`: gives what somebody owns to their successor, after a confirmation, under the lock of the state, so that
// no apply transfers the same schedules at the same time.

/** What became of each; nothing where there is nothing to transfer. */
async function transferNow(asking: Asking, told: Told): Promise<readonly Transferred[]> {
  const { run, options, session, config, service, reporter } = asking;
  const { successor } = told;
  const { to } = options;
  if (to === undefined || successor === undefined) throw new Error('a transfer without a successor');
  const store = await run.store(session, 'changes');
  const note = (message: string) => reporter.emit({ type: 'note', message });
  const { clock, signal } = run;
  const wait = { command: 'offboard', timeout: 0, clock, signal, onWait: note, onNote: note };
  return withLock(store, wait, async (locked) => {
    const state = currentState(await locked.read(), store.name);
    // Reading who receives what may have taken long.
    const listed = await (await service.api()).listSchedules({}, service.call);
    const owned = ownedIn(asking, { ...told, listed }, state).filter(({ instead }) => instead === undefined);
    if (owned.length === 0) return [];
    await confirm(asking, owned, to);
    const guarded = guardedService(service, locked, config.api.timeout);
    return transferOwned(owned, successor.id, guarded, signal);
  });
}

async function confirm({ run, options, config, email }: Asking, owned: readonly OwnedHere[], to: string) {
  const { quiet, autoApprove } = options;
  if (!quiet || !autoApprove) run.stderr.write(`\n${renderToTransfer(owned, email, to, run.page())}`);
  if (autoApprove) return;
  const question = `Transfer ${countOf(owned.length, 'schedule')} to ${to} at ${config.api.baseUrl ?? ''}?`;
  await requireConfirmed(run, `\n${question}`, { what: 'The transfer was', nothing: 'nothing was transferred' });
}

function printTransfers(run: Run, options: OffboardOptions, transfers: readonly Transferred[]): void {
  const words =
    transfers.length === 0
      ? 'There is nothing to transfer.\n'
      : renderTransferred(transfers, options.to ?? '', run.page());
  run.stdout.write(`\n${words}`);
}

type About = Pick<Asking, 'run' | 'options' | 'session' | 'email'>;

interface Leave extends About {
  /** How the session was parsed. */
  readonly parse: ParseFile;
  /** Left out where Omni is not asked. */
  readonly ask?: Pick<Asking, 'config' | 'service' | 'reporter' | 'progress'>;
}

/**
 * The report about somebody who leaves, and with --write the edits: in every environment, because their files are the same.
 * What is left to do is said by `printLeaving`.
 */
async function leave({ run, options, session, email, parse, ask }: Leave) {
  const { to, write, env } = options;
  const { workspace, loaded } = session;
  const { sides, unread } = await everyEnvironment(run, workspace, parse);
  for (const each of unread) run.say(`warning: ${unreadWords(each)}`, run.stderr);
  if (options.apply) refuseUnknown(unread, loaded, env);
  const side: LoadedSide = sides.find((each) => each.side.name === env) ?? { side: { name: env }, loaded };
  const asking = ask && { run, options, session, email, sides, ...ask };
  const asked = asking && { asking, told: await askOmni(asking) };
  const told = asked?.told;
  const work = async () => {
    const found = await offboard({
      ...{ workspace, sides, side, email, to, randomness: run.randomness },
      ...{ memberId: told?.member?.id, whyNoOwner: told?.whyNoOwner },
      load: (edited, { name }) => run.inEnvironment(name).loadFrom(edited, { parse }),
    });
    if (write) await writeFiles(run, workspace, found.files, 'offboard checked the result');
    return found;
  };
  const { still, ...found } = await work().catch((error: unknown) => {
    throw told === undefined ? error : told.explain(error);
  });
  const owned = told?.owned ?? [];
  const report: OffboardReport = {
    document: {
      ...{ formatVersion: 1, email },
      owns: owned.map(({ instead: _, ...each }) => each),
      receives: [...found.receives, ...(told?.receives ?? [])],
      ...{ edits: found.edits, blocked: found.blocked },
    },
    to,
    owned: told && {
      ...{ schedules: owned, memberId: told.member?.id, whyNoOwner: told.whyNoOwner },
      environment: options.env,
      applies: options.apply === true,
    },
    still: still.map(({ file, line, lineAfter }) => ({ file, line: write ? lineAfter : line })),
    writes: write === true,
  };
  return { report, asked };
}

/** What another environment manages is not transferred, so it must be known. Throws Failure refused. */
function refuseUnknown(unread: readonly LoadedSide[], { config }: Session['loaded'], env: string | undefined) {
  const isOfOthers = ({ side, loaded }: LoadedSide) => {
    const { baseUrl = config?.api.baseUrl } = loaded.config?.api ?? {};
    return side.name !== env && baseUrl === config?.api.baseUrl;
  };
  const other = unread.find(isOfOthers);
  if (other === undefined) return;
  const who = other.side.name === undefined ? 'the workspace without --env' : `the environment ${other.side.name}`;
  throw new Failure('refused', `Its state cannot be read, so nobody knows which schedules ${who} manages.`, {
    hint: 'Run it where every state of the organization can be read. Nothing was sent or written.',
  });
}

function printLeaving({ run, options, session }: About, report: OffboardReport): void {
  const shown = session.shown(report);
  if (options.format !== 'json') {
    run.stdout.write(renderOffboard(shown, run.page()));
    return;
  }
  if (shown.owned === undefined)
    run.stderr.write('Omni was not asked, so what they own, and what is untracked, is not known.\n');
  run.stdout.data(renderJson(shown.document));
}
