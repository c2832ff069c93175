// `almanac offboard EMAIL`: what leaves with a person. With --write it removes them from the source files, if nothing
// changes but recipients and owners; with --apply it transfers their property.

import { transferTo } from '../../apply/send-call.ts';
import { didYouMean } from '../../declare/findings/suggest.ts';
import { checkEmail } from '../../declare/formats/check-email.ts';
import { parsedOnce } from '../../declare/load/load-again.ts';
import { aboutDelivery, type DeliveryRow, deliveryRows } from '../../deliveries/deliveries.ts';
import { nobodyOffline, nobodyOnline, peopleNamed } from '../../deliveries/who-words.ts';
import type { EnvironmentState } from '../../edit/in-environment.ts';
import { writeFiles } from '../../edit/write-files.ts';
import { deliveryOf } from '../../model/fields/delivery.ts';
import { emailShape } from '../../model/fields/patterns.ts';
import type { Neighbours } from '../../model/plan/neighbours.ts';
import type { State } from '../../model/plan/state.ts';
import { kindAt } from '../../model/values/address.ts';
import { command } from '../../model/values/command.ts';
import { otherSpellings } from '../../model/values/domains.ts';
import { countOf } from '../../model/values/words.ts';
import { Failure, statusOf } from '../../model/workspace/failure.ts';
import { isSameId } from '../../observe/owners/owners.ts';
import { finishWhatIsSent } from '../../observe/sending.ts';
import { guardedService, type Service } from '../../observe/service.ts';
import { type AppliedResource, appliedTo } from '../../plan/applied.ts';
import { renderJson } from '../../report/text/render-json.ts';
import { readState } from '../../state/current-state.ts';
import { withLock } from '../../state/with-lock.ts';
import { noTerminal, requireConfirmed } from '../base/confirm.ts';
import { everyEnvironment, type UnreadState, unreadWords } from '../base/every-environment.ts';
import { environmentNamed, readNeighbours } from '../base/neighbours.ts';
import { progressReporter } from '../base/progress.ts';
import type { Run, Session } from '../base/run.ts';
import { askOmni, checkMayAsk, type LeavingRequest, type OffboardInput, type OmniAnswer, ownedIn } from './ask-omni.ts';
import { findLeaving } from './find-leaving.ts';
import type { OffboardOptions } from './offboard-command.ts';
import type { AppliedTo, OwnedSchedule, Received, Transferred } from './offboard-document.ts';
import { isFree, type OffboardReport, renderOffboard, renderToTransfer, renderTransferred } from './offboard-report.ts';
import type { OwnedHere } from './owned-schedules.ts';
import { isThem, type Person } from './person-texts.ts';

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

// Reports what leaves with a person, and with --write removes them from the files.

interface Leave extends LeavingRequest {
  /** Left out if Omni is not asked. */
  readonly ask?: Pick<OffboardInput, 'config' | 'service' | 'reporter' | 'progress'>;
}

/**
 * The report about a leaver, and with --write the edits: in every environment, because their files are the same.
 * `printLeaving` prints the remaining steps.
 */
async function reportLeaving({ run, options, session, email, ask }: Leave) {
  const { to, write, env } = options;
  const { loaded } = session;
  const workspace = parsedOnce(session.workspace);
  const { environments, unread } = await everyEnvironment(run, workspace);
  for (const each of unread) run.say(`warning: ${unreadWords(each)}`, run.stderr);
  const unknown = unread.filter(isOfOrganization(loaded, env));
  if (options.apply) refuseUnknown(unknown);
  const environment: EnvironmentState = environments.find(({ name }) => name === env) ?? { name: env, loaded };
  const appliedIn = async (each: EnvironmentState) => ({
    name: each.name,
    applied: await appliedTo(each.loaded, each.state, run),
  });
  const current = await appliedIn(environment);
  const states = [current, ...(await Promise.all(otherStates(environment, environments).map(appliedIn)))];
  const neighbours = await readNeighbours(run, session);
  const input = ask && { run, options, session, email, environments, neighbours, ...ask };
  const asked = input && { input, answer: await askOmni(input) };
  const answer = asked?.answer;
  const work = async () => {
    const found = await findLeaving({
      workspace,
      environments,
      email,
      to,
      memberId: answer?.member?.id,
      whyNoOwner: answer?.whyNoOwner,
    });
    if (write) await writeFiles(run, workspace, found.files, 'offboard checked the result');
    return found;
  };
  const { remainingMentions, ...found } = await work().catch((error: unknown) => {
    throw answer === undefined ? error : answer.explain(error);
  });
  const owned = answer?.owned ?? [];
  const memberId = answer?.member?.id;
  const whyUnread = [...whyNotRead(unknown, neighbours), ...(answer?.unread ?? [])];
  const named = states.flatMap(({ applied }) => peopleNamed(applied));
  const also = otherSpellings(email, named);
  const report: OffboardReport = {
    document: {
      formatVersion: 1,
      email,
      owns: owned.map(({ instead: _, ...each }) => each),
      receives: receivedBy(email, deliveryRows(current.applied, loaded.fileNamed, answer?.schedules)),
      applied: [
        ...states.flatMap((each) => recordedFor(each.applied.running, { email, memberId }, { environment: each.name })),
        ...recordedBeside(neighbours, { email, memberId }),
      ],
      unread: whyUnread.length === 0 ? undefined : whyUnread,
      edits: found.edits,
      blocked: found.blocked,
      also: also.length === 0 ? undefined : also,
    },
    to,
    noneLeft: found.noneLeft,
    owned: answer && {
      schedules: owned,
      memberId: answer.member?.id,
      whyNoOwner: answer.whyNoOwner,
      applies: options.apply === true,
    },
    remainingMentions: remainingMentions.map(({ file, line, lineAfter }) => ({ file, line: write ? lineAfter : line })),
    writes: write === true,
    environment: env,
  };
  if (!isFree(report) || answer?.member !== undefined) return { report, asked };
  const known = didYouMean(email, named);
  const { message, hint } =
    ask === undefined
      ? nobodyOffline(email, known)
      : await nobodyOnline(email, known, async () => (await ask.service.api()).listUsers({}, ask.service.call));
  return { report: { ...report, document: { ...report.document, nobody: { message, hint } } }, asked };
}

function recordedBeside({ read }: Neighbours, person: Person): readonly AppliedTo[] {
  return read.flatMap(({ who, isEnvironment, state }) =>
    isEnvironment ? [] : recordedFor(recordedIn(state), person, { neighbour: who }),
  );
}

/** Each state of the organization that was not read, once, in whole sentences. */
function whyNotRead(environments: readonly UnreadState[], { unread, unknown }: Neighbours): readonly string[] {
  const told = new Set(unread.map(({ who }) => who));
  const others = environments.filter(({ name }) => !told.has(environmentNamed(name)));
  return [...others.map(unreadWords), ...[...unread, ...unknown].map(({ why }) => why)];
}

/** Each once: environments may share a state. */
function otherStates(
  { state: own }: EnvironmentState,
  environments: readonly EnvironmentState[],
): readonly EnvironmentState[] {
  const seen = new Set(own === undefined ? [] : [own.lineage]);
  return environments.filter(({ state }) => state !== undefined && seen.size < seen.add(state.lineage).size);
}

/** One row for an address, whatever sources name them, and one more if a user group receives it. */
function receivedBy(email: string, rows: readonly DeliveryRow[]): readonly Received[] {
  const found = rows.flatMap((row) => {
    const receiver = row.receivers().find(({ kind, recipient }) => kind === 'email' && recipient === email);
    if (receiver === undefined) return [];
    const { address, id, name, identifier, managed } = aboutDelivery(row);
    return [{ address, id, name, identifier, managed, ...receiver.place() }];
  });
  return found.filter(
    ({ address, via }, index) => address === undefined || via.kind === 'group' || found[index - 1]?.address !== address,
  );
}

/** Tells whether an environment is another one of the same organization. */
function isOfOrganization({ config }: Session['loaded'], env: string | undefined) {
  return ({ name, loaded }: EnvironmentState): boolean => {
    const { baseUrl = config?.api.baseUrl } = loaded.config?.api ?? {};
    return name !== env && baseUrl === config?.api.baseUrl;
  };
}

/** A resource that another environment manages is not transferred, so that must be known. Throws Failure refused. */
function refuseUnknown([other]: readonly EnvironmentState[]) {
  if (other === undefined) return;
  const message = `The state of ${environmentNamed(other.name)} cannot be read, so its schedules are unknown.`;
  throw new Failure('refused', message, {
    hint: 'Run it where every state of the organization can be read. Nothing was sent or written.',
  });
}

function printLeaving({ run, options, session }: LeavingRequest, report: OffboardReport): void {
  const shown = session.shown(report);
  if (options.format !== 'json') {
    run.stdout.write(renderOffboard(shown, run.page()));
    return;
  }
  if (shown.owned === undefined)
    run.stderr.write('Omni was not asked, so what they own, what is untracked, and their user groups are not known.\n');
  run.stdout.data(renderJson(shown.document));
}

/**
 * The state's entries for a person, each once, in the state's order: whatever the files say, they receive and own these
 * until an apply changes that.
 */
function recordedFor(
  running: readonly Recorded[],
  person: Person,
  where: Pick<AppliedTo, 'environment' | 'neighbour'>,
): readonly AppliedTo[] {
  const found = running.flatMap((of) => [
    ...(receives(of, person) ? [{ address: of.address, ...where, as: 'receiver' as const }] : []),
    ...(owns(of, person) ? [{ address: of.address, ...where, as: 'owner' as const }] : []),
  ]);
  return [...new Map(found.map((each) => [`${each.as} ${each.address}`, each])).values()];
}

type Recorded = Pick<AppliedResource, 'address' | 'kind' | 'attributes' | 'madeBy'>;

/** The resources in a neighbour's state, as they were applied. */
function recordedIn(state: State | undefined): readonly Recorded[] {
  return Object.entries(state?.resources ?? {}).map(([address, { attributes, madeBy }]) => ({
    address,
    kind: kindAt(address),
    attributes,
    madeBy,
  }));
}

function receives({ kind, attributes }: Recorded, { email }: Person): boolean {
  return deliveryOf(kind, attributes).to.some((receiver) => receiver.kind === 'email' && receiver.compared === email);
}

/** A routine runs with the rights of the member for whom it was made. */
function owns({ kind, attributes, madeBy }: Recorded, person: Person): boolean {
  const { asWhom } = deliveryOf(kind, attributes);
  return isThem(madeBy, person) || (asWhom?.isOwner === true && isThem(asWhom.name, person));
}

// `offboard --apply`: gives a leaver's schedules to their successor. It works after a confirmation, under the lock of
// the state, so that no apply transfers the same schedules at the same time.

/** The outcome of each transfer; empty if there is nothing to transfer. */
async function transferNow(input: OffboardInput, answer: OmniAnswer): Promise<readonly Transferred[]> {
  const { run, options, session, config, service, reporter } = input;
  const { successor } = answer;
  const { to } = options;
  if (to === undefined || successor === undefined) throw new Error('a transfer without a successor');
  const store = await run.store(session, 'changes');
  const note = (message: string) => reporter.emit({ type: 'note', message });
  const { clock, signal } = run;
  const wait = { command: 'offboard', timeout: 0, clock, signal, onWait: note, onNote: note };
  return withLock(store, wait, async (locked) => {
    const { state } = await readState(store, locked);
    // Reading who receives what may have taken long.
    const listed = await (await service.api()).listSchedules({}, service.call);
    const owned = ownedIn(input, { ...answer, listed }, state).filter(({ instead }) => instead === undefined);
    if (owned.length === 0) return [];
    await confirm(input, owned, to);
    const guarded = guardedService(service, locked, config.api.timeout);
    return transferOwned(owned, successor.id, guarded, signal);
  });
}

async function confirm({ run, options, config, email }: OffboardInput, owned: readonly OwnedHere[], to: string) {
  const { quiet, autoApprove } = options;
  if (!quiet || !autoApprove) run.stderr.write(`\n${renderToTransfer(owned, email, to, run.page())}`);
  if (autoApprove) return;
  const question = `Transfer ${countOf(owned.length, 'schedule')} to ${to} at ${config.api.baseUrl ?? ''}?`;
  await requireConfirmed(run, `\n${question}`, { what: 'The transfer was', nothing: 'nothing was transferred' });
}

/**
 * Transfers one after the other, in the order of the schedules. A transfer may be repeated, so nothing is journalled:
 * after a run that broke off, the list of schedules tells what is left. A lost answer is settled by reading that list
 * once more. `to` is a membership id. Throws only bugs.
 */
async function transferOwned(
  schedules: readonly OwnedSchedule[],
  to: string,
  service: Pick<Service, 'api' | 'call'>,
  signal: AbortSignal,
): Promise<readonly Transferred[]> {
  const results: Transferred[] = [];
  let stop: string | undefined;
  for (const schedule of schedules) {
    if (signal.aborted) stop ??= 'The run was interrupted.';
    if (stop !== undefined) {
      results.push({ ...named(schedule), status: 'skipped', message: stop });
      continue;
    }
    const { ends, ...result } = await transferOne(schedule, to, service);
    results.push({ ...named(schedule), ...result });
    stop = ends;
  }
  return settled(results, to, service);
}

type Result = Omit<Transferred, 'address' | 'id' | 'name'>;

/** `ends` says why nothing more is sent. */
async function transferOne(
  { id, identifier }: OwnedSchedule,
  to: string,
  { api, call }: Pick<Service, 'api' | 'call'>,
): Promise<Result & { readonly ends?: string }> {
  try {
    const connection = await api();
    await finishWhatIsSent({ call }, (options) => transferTo({ id, to, identifier }, connection, options));
    return { status: 'transferred' };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { code, message, hint } = error;
    if (code === 'api-answer-lost') return { status: 'unknown' };
    if (code === 'interrupted' || code === 'state-lock-lost') return { status: 'skipped', message, ends: message };
    const result: Result = { status: 'failed', message, hint };
    const isForAll = statusOf(error) === 401 || code === 'api-unreachable' || code === 'api-rate-limited';
    return isForAll ? { ...result, ends: message } : result;
  }
}

async function settled(
  results: readonly Transferred[],
  to: string,
  { api, call }: Pick<Service, 'api' | 'call'>,
): Promise<readonly Transferred[]> {
  if (results.every(({ status }) => status !== 'unknown')) return results;
  let owners: ReadonlyMap<string, string | undefined>;
  try {
    const listed = await (await api()).listSchedules({}, call);
    owners = new Map(listed.map(({ id, ownerId }) => [id, ownerId]));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return results.map((each) => (each.status === 'unknown' ? { ...each, message: lost, hint: runAgainHint } : each));
  }
  return results.map((each): Transferred => {
    if (each.status !== 'unknown') return each;
    if (isSameId(owners.get(each.id) ?? '', to)) return { ...each, status: 'transferred' };
    return {
      ...each,
      status: 'failed',
      message: `${lost} The list of Omni, which may lag behind, does not show it.`,
      hint: runAgainHint,
    };
  });
}

const lost = 'The answer was lost.';
const runAgainHint = 'Run the command again: it asks Omni first who owns what.';

function named({ address, id, name }: OwnedSchedule): Pick<Transferred, 'address' | 'id' | 'name'> {
  return { address, id, name };
}

function printTransfers({ run, options }: LeavingRequest, transfers: readonly Transferred[]): void {
  const words =
    transfers.length === 0
      ? 'There is nothing to transfer.\n'
      : renderTransferred(transfers, options.to ?? '', run.page());
  run.stdout.write(`\n${words}`);
}
