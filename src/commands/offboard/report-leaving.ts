// Reports what leaves with a person, and with --write removes them from the files.

import { didYouMean } from '../../declare/findings/suggest.ts';
import { parsedOnce } from '../../declare/load/load-again.ts';
import { aboutDelivery, type DeliveryRow, deliveryRows } from '../../deliveries/deliveries.ts';
import { nobodyOffline, nobodyOnline, peopleNamed } from '../../deliveries/nobody.ts';
import type { EnvironmentState } from '../../edit/in-environment.ts';
import { writeFiles } from '../../edit/write-files.ts';
import { deliveryOf } from '../../model/fields/delivery.ts';
import type { Neighbours } from '../../model/plan/neighbours.ts';
import type { State } from '../../model/plan/state.ts';
import { kindAt } from '../../model/values/address.ts';
import { otherSpellings } from '../../model/values/domains.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { type AppliedResource, appliedTo } from '../../plan/applied.ts';
import { renderJson } from '../../report/text/render-json.ts';
import { everyEnvironment, type UnreadState, unreadWords } from '../base/every-environment.ts';
import { environmentNamed, readNeighbours } from '../base/neighbours.ts';
import type { Session } from '../base/run.ts';
import { askOmni, type LeavingRequest, type OffboardInput } from './ask-omni.ts';
import { findLeaving } from './find-leaving.ts';
import type { AppliedTo, Received } from './offboard-document.ts';
import { isFree, type OffboardReport, renderOffboard } from './offboard-report.ts';
import { isThem, type Person } from './person-texts.ts';

interface Leave extends LeavingRequest {
  /** Left out if Omni is not asked. */
  readonly ask?: Pick<OffboardInput, 'config' | 'service' | 'reporter' | 'progress'>;
}

/**
 * The report about a leaver, and with --write the edits: in every environment, because their files are the same.
 * `printLeaving` prints the remaining steps.
 */
export async function reportLeaving({ run, options, session, email, ask }: Leave) {
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

export function printLeaving({ run, options, session }: LeavingRequest, report: OffboardReport): void {
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
