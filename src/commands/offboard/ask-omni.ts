// Asks Omni about a leaver: the member, their property, and untracked schedules to them.

import { readUnmanaged, type UnmanagedRecipients } from '../../deliveries/unmanaged-recipients.ts';
import { unreadDoc } from '../../deliveries/who-words.ts';
import type { EnvironmentState } from '../../edit/in-environment.ts';
import type { ProgressFile, Reporter } from '../../model/outside.ts';
import { type Neighbours, ownerOfRow } from '../../model/plan/neighbours.ts';
import type { State } from '../../model/plan/state.ts';
import {
  isOrganizationKey,
  isProbe,
  type ListedRoutine,
  type ListedSchedule,
  organizationKeyPrefix,
  type RemoteUser,
} from '../../model/service/remote.ts';
import { kindAt } from '../../model/values/address.ts';
import { countOf } from '../../model/values/words.ts';
import type { Config } from '../../model/workspace/config.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { isPeopleRefusal, isSameId, memberAt } from '../../observe/owners/owners.ts';
import { unlessOpen } from '../../observe/sending.ts';
import { requireFullOperations, type Service } from '../../observe/service.ts';
import { listedFacts } from '../../report/listed-facts.ts';
import { printText } from '../../report/print-text.ts';
import type { Run, Session } from '../base/run.ts';
import type { OffboardOptions } from './offboard-command.ts';
import { type OwnedHere, type OwnedRow, type OwnedThere, ownedSchedules } from './owned-schedules.ts';

export interface LeavingRequest {
  readonly run: Run;
  readonly options: OffboardOptions;
  readonly session: Session;
  /** The address of the leaver, in lower case. */
  readonly email: string;
}

export interface OffboardInput extends LeavingRequest {
  readonly config: Config;
  readonly service: Service;
  readonly reporter: Reporter;
  readonly progress: ProgressFile;
  readonly environments: readonly EnvironmentState[];
  readonly neighbours: Neighbours;
}

export interface OmniAnswer extends AboutPerson, Pick<UnmanagedRecipients, 'schedules' | 'explain' | 'finish'> {
  readonly whyNoOwner: string | undefined;
  /** The facts that Omni did not tell, in whole sentences. */
  readonly unread: readonly string[];
  readonly owned: readonly OwnedHere[];
}

/** Throws Failure refused for a successor to whom nothing can be transferred, and as the api throws. */
export async function askOmni(input: OffboardInput): Promise<OmniAnswer> {
  const { run, options, session, config, service, email } = input;
  const { to, apply } = options;
  const state = await run.readState(await run.store(session), config);
  const person = await askAboutPerson({ email, to }, service);
  const why = to === undefined ? undefined : whyNoOwner(to, person.successor);
  if (apply && why !== undefined) {
    throw new Failure('refused', why, { hint: 'Name another successor with --to. Nothing was sent or written.' });
  }
  const owned = ownedIn(input, person, state);
  const { unread, ...unmanaged } = await unmanagedOf(input, person.listed, state);
  const isListed = person.member === undefined || person.routines !== undefined;
  const notListed = isListed ? [] : ['Omni did not show the list of routines.'];
  return { ...person, whyNoOwner: why, owned, ...unmanaged, unread: [...unread, ...notListed] };
}

/** Compares with the given state, and those of the other environments of the same organization. */
export function ownedIn(
  input: OffboardInput,
  { member, listed, routines }: AboutPerson,
  state: State | undefined,
): readonly OwnedHere[] {
  const { options, session, config, email } = input;
  return ownedSchedules({
    listed: [
      ...listed.map((row) => ({ ...row, kind: 'schedule' as const, isOfProbe: isProbe(row) })),
      ...ownRoutines(member, routines, state),
    ],
    email,
    memberId: member?.id,
    ownerOf: ownerOfRow({ ignore: config.ignore, neighbours: input.neighbours }),
    thisEnvironment: environmentOf(options.env, state, session.loaded.desired),
    elsewhere: othersHere(input).map((other) => environmentOf(other.name, other.state, other.loaded.desired)),
  });
}

/** The environments of the same organization whose states are known. */
function othersHere({ options, config, environments }: OffboardInput): readonly EnvironmentState[] {
  return environments.filter(({ name, state }) => name !== options.env && state?.baseUrl === config.api.baseUrl);
}

/** Omni lists them for their owner alone. If it does not, the state knows those that were made for them. */
function ownRoutines(
  member: RemoteUser | undefined,
  listed: AboutPerson['routines'],
  state: State | undefined,
): readonly OwnedRow[] {
  const made = Object.entries(state?.resources ?? {}).flatMap(([address, { id, madeBy, attributes }]) => {
    const isTheirs = madeBy !== undefined && member !== undefined && isSameId(madeBy, member.id);
    return isTheirs && id !== undefined ? [{ id, name: listedFacts(kindAt(address), attributes).title ?? '' }] : [];
  });
  return (listed ?? made).map(({ id, name }) => ({ id, name, identifier: '', ownerId: member?.id, kind: 'routine' }));
}

function environmentOf(
  name: string | undefined,
  state: State | undefined,
  { resources, moves }: EnvironmentState['loaded']['desired'],
): OwnedThere {
  return { name, state, resources, moved: new Map(moves.map(({ from, to }) => [from, to])) };
}

/** The answers are kept until the report is printed. */
async function unmanagedOf(
  input: OffboardInput,
  listed: readonly ListedSchedule[],
  state: State | undefined,
): Promise<Pick<OmniAnswer, 'schedules' | 'explain' | 'finish' | 'unread'>> {
  const { run, options, session, service, reporter, progress } = input;
  const api = await service.api();
  const { loaded } = session;
  const { signal } = run;
  const { schedules, refused, probes, explain, finish } = await readUnmanaged({
    loaded,
    state,
    neighbours: input.neighbours,
    reporter,
    progress,
    // A count of 0 may leave out the members of groups, and the list does not always say to what it is delivered.
    mayReceive: ({ destinationType }) => destinationType === 'email' || destinationType === '',
    limit: undefined,
    signal,
    // The list is known already.
    service: { ...service, api: async () => ({ ...api, listSchedules: async () => listed }) },
    resume: options.resume === true,
  });
  const page = run.page(run.stderr);
  run.stderr.write(printText(unreadDoc({ refused, probes, notRead: 0, knowsMembers: true }, page), page));
  const notTold = refused.flatMap(({ about }) => about).length;
  const unread = notTold === 0 ? [] : [`Omni does not tell who receives ${countOf(notTold, 'untracked schedule')}.`];
  return { schedules, explain, finish, unread };
}

/**
 * The leaver and the successor, and the list of schedules, which names the owner of each. Only an organization key may
 * look people up.
 */
interface AboutPerson {
  /** Undefined if nobody in the organization has the address. */
  readonly member: RemoteUser | undefined;
  /** The successor in the same form; undefined without --to as well. */
  readonly successor: RemoteUser | undefined;
  readonly listed: readonly ListedSchedule[];
  /** The leaver's routines; undefined if Omni does not list them. */
  readonly routines: readonly Pick<ListedRoutine, 'id' | 'name'>[] | undefined;
}

const offlineHint = 'With --offline the files alone are searched.';

/** Call it before any work. Throws Failure usage, missing-token and missing-base-url; sends nothing. */
export function checkMayAsk(config: Config, service: Pick<Service, 'token'>): void {
  requireFullOperations(config, 'what somebody owns', offlineHint);
  if (!isOrganizationKey(tokenOf(service))) {
    throw new Failure(
      'usage',
      `Only an organization key, which begins with ${organizationKeyPrefix}, may look up who has an address, and the token in use is of another kind.`,
      { hint: `Use an organization key. ${offlineHint} Nothing was sent.` },
    );
  }
}

function tokenOf(service: Pick<Service, 'token'>): string {
  try {
    return service.token();
  } catch (error) {
    if (!(error instanceof Failure) || error.hint === undefined) throw error;
    throw new Failure(error.code, error.message, { hint: `${error.hint} ${offlineHint}`, cause: error });
  }
}

/** Throws Failure api-unauthorized if the token may not ask for people, and as the api throws. */
export async function askAboutPerson(
  { email, to }: { readonly email: string; readonly to: string | undefined },
  service: Service,
): Promise<AboutPerson> {
  const api = await service.api();
  try {
    const member = await memberAt(email, api, service.call);
    const successor = to === undefined ? undefined : await memberAt(to, api, service.call);
    const listed = await api.listSchedules({}, service.call);
    const routines = member && (await unlessOpen(api.listRoutines({ owner: member.id }, service.call)));
    return { member, successor, listed, routines };
  } catch (error) {
    if (!isPeopleRefusal(error)) throw error;
    throw new Failure(error.code, error.message, { hint: `${error.hint ?? ''} ${offlineHint}`.trim(), cause: error });
  }
}

/** A whole sentence; undefined for a successor who can own schedules. */
function whyNoOwner(to: string, successor: RemoteUser | undefined): string | undefined {
  if (successor === undefined)
    return `No member of the organization has the address ${to}, so it cannot own a schedule.`;
  return successor.active ? undefined : `The account of ${to} is deactivated, so it cannot own a schedule.`;
}
