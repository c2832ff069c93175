// `almanac doctor --probe DASHBOARD`: tests the behaviour of Omni that Almanac relies on. It makes a few schedules that
// never run, changes and deletes them. However it ends, its schedules are deleted, or named for `--clean`.

import { join } from 'node:path';
import { refuseWithoutEnvironment } from '../../../declare/load/missing-environment.ts';
import { invalidWorkspace } from '../../../declare/load/refuse-errors.ts';
import { isOrganizationKey } from '../../../model/service/remote.ts';
import { command } from '../../../model/values/command.ts';
import { countList, countOf, nameSome } from '../../../model/values/words.ts';
import { Failure } from '../../../model/workspace/failure.ts';
import { groupMeantBy } from '../../../observe/group-names.ts';
import { unlessOpen } from '../../../observe/sending.ts';
import {
  atHalfOfTheRate,
  guardedService,
  noBaseUrl,
  requireFullOperations,
  type Service,
  secondsUntilSent,
} from '../../../observe/service.ts';
import { type Block, type Doc, dim, indented, part } from '../../../report/doc.ts';
import { printText } from '../../../report/print-text.ts';
import type { Page, Role } from '../../../report/text/theme.ts';
import { duration } from '../../../report/text/words.ts';
import { checkSameOrganization, readState } from '../../../state/current-state.ts';
import { lockWait, withLock } from '../../../state/with-lock.ts';
import { noTerminal, requireConfirmed } from '../../base/confirm.ts';
import { progressReporter } from '../../base/progress.ts';
import { exitCodeOf } from '../../base/publishing.ts';
import type { Run } from '../../base/run.ts';
import type { DoctorOptions } from '../doctor-command.ts';
import { deleteLeftovers, type Leftovers, leftoversFile, openLeftovers } from './leftovers.ts';
import type { ProbeDocument, ProbedStatement, ProbeResult } from './probe-document.ts';
import { type ProbeTarget, runScript, scriptCost } from './script.ts';
import { statements } from './statements.ts';
import { tileToTry } from './try-downloads.ts';

type Note = (message: string) => void;

interface UnderLock {
  readonly run: Run;
  readonly baseUrl: string;
  /** Each request needs the lock of the state. */
  readonly service: Service;
  readonly leftovers: Leftovers;
  readonly note: Note;
}

/** Exits with 2 where something differs, and with 1 where something may be left. */
export async function probe(run: Run, options: DoctorOptions, identifier: string): Promise<number> {
  if (!options.autoApprove && run.asker() === undefined)
    throw noTerminal('nothing was sent', 'Use --auto-approve if it may make schedules, and delete them.');
  return underLock(run, async (about) => {
    const { leftovers, service } = about;
    if (leftovers.all().length > 0)
      throw new Failure('refused', `An earlier probe has left ${countLeft(leftovers)}.`, {
        hint: `Delete them first: \`${command('doctor', '--clean')}\`.`,
      });
    const target = await targetOf(options, identifier, about);
    await confirm(options, target, about);
    const ports = { ...run, api: await service.api(), call: service.call, leftovers };
    const { value: verdicts, isLeft } = await cleaningUp(() => runScript(target, ports), about);
    const given = { to: target.to !== undefined, group: target.group !== undefined };
    const document: ProbeDocument = { formatVersion: 1, statements: verdicts.all(given) };
    run.print(options.format, document, (page) => renderProbe(document, page));
    return exitCodeOf({ isWrong: document.statements.some(({ result }) => result === 'differs'), isOpen: isLeft });
  });
}

/** `almanac doctor --clean`: deletes the schedules in the file of an interrupted probe, and nothing else. */
export function clean(run: Run): Promise<number> {
  return underLock(run, async ({ leftovers, service }) => {
    if (leftovers.all().length === 0) {
      await leftovers.forget();
      run.say('No probe has left anything.');
      return 0;
    }
    const count = await deleteLeftovers(leftovers, await service.api());
    if (count > 0) run.say(`Deleted ${countOf(count, 'schedule')}.`);
    const notDeleted = leftovers.all();
    if (notDeleted.length === 0) return 0;
    const names = nameSome(notDeleted.map(({ name }) => `\`${name}\``));
    // This token sees every schedule of the organization.
    if (isOrganizationKey(service.token())) {
      await leftovers.forget();
      run.say(`Omni has nothing called ${names}.`);
      return 0;
    }
    throw new Failure('refused', `This token sees nothing called ${names}: another member’s token may have made it.`, {
      hint: `Use an organization key. If you know that these schedules are gone, remove ${leftoversFile}.`,
    });
  });
}

/** Works under the lock of the state, at half of the rate limit. */
async function underLock(run: Run, work: (about: UnderLock) => Promise<number>): Promise<number> {
  const session = await run.load();
  const { loaded, shown, workspace } = session;
  refuseWithoutEnvironment(loaded.missingEnvironment);
  const { config, findings } = loaded;
  if (config === undefined) throw invalidWorkspace('The configuration has errors.', findings, loaded);
  requireFullOperations(config, 'what it answers');
  const { baseUrl, timeout } = config.api;
  if (baseUrl === undefined) throw noBaseUrl();
  const store = await run.store(session, 'changes');
  const reporter = progressReporter(run, shown);
  const note: Note = (message) => reporter.emit({ type: 'note', message });
  return run.asking({ loaded: { ...loaded, config: atHalfOfTheRate(config) }, reporter }, (service) =>
    withLock(store, lockWait('doctor', 0, { ...run, reporter }), async (locked) => {
      checkSameOrganization((await readState(store, locked)).state, baseUrl, store.name);
      const { root } = workspace;
      const file = await run.openProgress({ path: join(root, leftoversFile), name: leftoversFile, within: root });
      const leftovers = await openLeftovers(file, baseUrl);
      const guarded = guardedService(service, locked, timeout);
      try {
        return await work({ run, baseUrl, service: guarded, leftovers, note });
      } finally {
        await leftovers.close();
      }
    }),
  );
}

/** Reads what must hold before anything is made. Throws Failure refused and usage. */
async function targetOf(
  { to, group }: DoctorOptions,
  identifier: string,
  { service }: UnderLock,
): Promise<ProbeTarget> {
  if (to === undefined && isOrganizationKey(service.token()))
    throw new Failure('usage', 'An organization key has no member of its own, so --to is needed.', {
      hint: 'Name an active member: --to ADDRESS. Nothing was sent.',
    });
  const api = await service.api();
  const { filters } = await api.getFilters(identifier, service.call);
  const queries = await unlessOpen(api.listQueries(identifier, service.call));
  const tile = tileToTry(filters, queries);
  const about = { identifier, filters, to, tile, hasTile: (queries ?? []).length > 0 };
  if (to !== undefined) await requireMember(to, service);
  if (group === undefined) return { ...about, group };
  const meantGroup = groupMeantBy(group, await api.groupsWithAccess(identifier, service.call));
  if (meantGroup === undefined)
    throw new Failure('refused', `No user group, or more than one, is called \`${group}\` and may see the dashboard.`, {
      hint: `\`${command('list groups', '--dashboard', identifier)}\` names those that may. Nothing was made.`,
    });
  return { ...about, group: { id: meantGroup.id, name: group } };
}

/** Anybody else would become a user of whom Omni knows only the address, and would stay. */
async function requireMember(to: string, { api, call }: Service): Promise<void> {
  const found = await (await api()).listUsers({ email: to }, call).catch((error: unknown) => {
    if (!(error instanceof Failure) || error.code !== 'api-unauthorized') throw error;
    throw new Failure('usage', 'Omni does not list its members to this token, so --to cannot be checked.', {
      hint: 'Use an organization key, or leave out --to: the statements about e-mail are not tried then. Nothing was made.',
    });
  });
  if (found.some(({ email, active }) => active && email.toLowerCase() === to.toLowerCase())) return;
  throw new Failure('refused', `${to} is not an active member of the organization.`, {
    hint: 'Name an active member with --to. Nothing was made.',
  });
}

async function confirm(options: DoctorOptions, target: ProbeTarget, { run, baseUrl, service }: UnderLock) {
  const { identifier, to, group } = target;
  const { made, downloads, requests } = scriptCost(target);
  const { rateLimit } = service;
  const pace = { made, downloads, requests, rateLimit, seconds: secondsUntilSent(requests, service) };
  if (!options.quiet || !options.autoApprove)
    run.stderr.write(renderBefore(run.page(run.stderr), { identifier, baseUrl, to, group: group?.name, ...pace }));
  if (options.autoApprove) return;
  await requireConfirmed(run, '\nProbe it now?', { what: 'The probe was', nothing: 'nothing was made' });
}

/**
 * Deletes the work's schedules whether it ends, fails or is interrupted, and reports any that may be left. Throws as
 * the work does.
 */
async function cleaningUp<T>(work: () => Promise<T>, about: UnderLock): Promise<{ value: T; isLeft: boolean }> {
  const { run, note } = about;
  const announceCleanup = () =>
    note('Interrupted: what the probe has made is deleted first. Interrupt again to leave at once.');
  run.signal.addEventListener('abort', announceCleanup, { once: true });
  const ended = await work().then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  const notDeletedWords = await deleteAll(about);
  run.signal.removeEventListener('abort', announceCleanup);
  if (notDeletedWords !== undefined) note(notDeletedWords);
  if ('value' in ended) return { value: ended.value, isLeft: notDeletedWords !== undefined };
  const { error } = ended;
  if (!(error instanceof Failure)) throw error;
  throw error.with({ hint: hintAfter(error, notDeletedWords !== undefined) });
}

/** A client's hint about a lost answer refers to what a plan looks for, and no plan looks for a probe. */
function hintAfter({ code, hint }: Failure, isLeft: boolean): string | undefined {
  if (code === 'interrupted') return 'No result is kept. Run the command again.';
  if (code !== 'api-answer-lost') return hint;
  const clean = `run \`${command('doctor', '--clean')}\``;
  return isLeft
    ? `The request may have been carried out: ${clean}, then the probe again.`
    : 'If it was carried out, the probe has deleted what that made: Omni has nothing of it left. Run the probe again.';
}

/** Deletes the leftovers; returns words about those that may be left in Omni, and what to do. */
async function deleteAll({ leftovers, service }: UnderLock): Promise<string | undefined> {
  let why = 'Omni does not show them yet.';
  try {
    await deleteLeftovers(leftovers, await service.api());
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    why = error.message;
  }
  if (leftovers.all().length === 0) return undefined;
  return `Omni may still have ${countLeft(leftovers)}. ${why} ${leftoversFile} names these schedules: \`${command('doctor', '--clean')}\` deletes them.`;
}

function countLeft(leftovers: Leftovers): string {
  const count = leftovers.all().reduce((sum, { ids, unanswered }) => sum + ids.size + unanswered, 0);
  return `${countOf(count, 'schedule')} of a probe`;
}

interface ProbeAnnouncement {
  readonly identifier: string;
  readonly baseUrl: string;
  readonly to: string | undefined;
  readonly group: string | undefined;
  readonly made: number;
  /** Files at most. */
  readonly downloads: number;
  readonly requests: number;
  /** Requests a minute; 0 for no limit. */
  readonly rateLimit: number;
  readonly seconds: number;
}

/** Ends with a newline. */
function renderBefore(page: Page, about: ProbeAnnouncement): string {
  const { identifier, baseUrl, to, group, made, downloads, requests, rateLimit, seconds } = about;
  const receivers = [
    'hosts that end in .invalid',
    ...(to === undefined ? [] : [to]),
    ...(group === undefined ? [] : [`the user group ${group}`]),
  ];
  const pace = rateLimit === 0 ? 'without a limit' : `at most ${rateLimit} a minute`;
  const [nearly, rendered] =
    downloads === 0 ? ['', ''] : ['about ', ', and the time that Omni takes to render the files'];
  const time = seconds === 0 ? 'less than a minute' : `about ${duration(seconds)}`;
  return printText(
    [
      `A probe of the dashboard ${identifier} at ${baseUrl}:`,
      indented(
        2,
        `It makes ${made} schedules called “Almanac probe UUID, may be deleted”, to ${nameSome(receivers)}. Each runs first in the year 2099, is paused at once, and is deleted at the end.`,
        'The probe delivers nothing, and changes nothing but what it has made itself.',
        'Whether Omni tells somebody that a schedule was created, no source says: its owner and those who would receive it may get a notice of each.',
        downloads > 0 &&
          `It downloads one tile of the dashboard, ${downloads} files at most: a few rows as CSV, and two pictures. They stay in memory, and nothing of them is printed.`,
        `It sends ${nearly}${countOf(requests, 'request')}, ${pace}: ${time}${rendered}. No apply can begin meanwhile.`,
      ),
    ],
    page,
  );
}

const marks: Readonly<Record<ProbeResult, { readonly mark: string; readonly role: Role }>> = {
  held: { mark: '✓', role: 'added' },
  differs: { mark: '!', role: 'warning' },
  'not-tried': { mark: '-', role: 'dim' },
};

const wordsById = new Map(Object.entries(statements).map(([id, { words }]) => [id, words]));

/** Ends with a newline. */
function renderProbe({ statements: found }: ProbeDocument, page: Page): string {
  return printText([part(...found.map(blockOf)), part(ending(found), ...offWords(found))], page);
}

/** Only what was shown may turn a warning off. */
function offWords(found: readonly ProbedStatement[]): Doc {
  if (!found.some(({ id, result }) => id === 'png-follows-filters' && result === 'held')) return [];
  return [
    'A PNG follows its filters here, so almanac.yaml may say so:',
    indented(2, 'checks: { png-unfiltered: off }'),
  ];
}

function blockOf({ id, result, came, why }: ProbedStatement): Block {
  const { mark, role } = marks[result];
  const words = `${id}: ${wordsById.get(id) ?? ''}`;
  return {
    mark: [{ role, of: mark }, ' '],
    of: result === 'not-tried' ? dim(words) : words,
    below: [came !== undefined && `Differs: ${came}`, why !== undefined && dim(`Not tried: ${why}`)],
  };
}

function ending(found: readonly ProbedStatement[]): string {
  const count = (result: ProbeResult) => found.filter((each) => each.result === result).length;
  const counted = countList([
    [count('held'), 'held'],
    [count('differs'), count('differs') === 1 ? 'differs' : 'differ'],
    [count('not-tried'), 'not tried'],
  ]);
  return `${counted}.`;
}
