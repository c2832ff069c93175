// Finds the routines for an import. Omni lists them by member: those of the token, and with --owners those of others,
// which takes one request per member. Answers are kept, so that an import that broke off asks for nobody twice.

import { identities } from '../../model/fields/identity.ts';
import {
  isOrganizationKey,
  type ListedRoutine,
  organizationKeyPrefix,
  type RemoteUser,
} from '../../model/service/remote.ts';
import { kindAt } from '../../model/values/address.ts';
import { countOf } from '../../model/values/words.ts';
import { Failure, statusOf } from '../../model/workspace/failure.ts';
import { withResumeHint } from '../../observe/details/read-details.ts';
import { memberAt } from '../../observe/owners/owners.ts';
import { inParallel } from '../../observe/sending.ts';
import { type Service, secondsUntilSent } from '../../observe/service.ts';
import type { ImportOptions } from './import-command.ts';
import type { ImportRun } from './import-run.ts';

export interface FoundRoutine {
  readonly row: ListedRoutine;
  /** The member for whom Omni listed it; undefined if Omni chose the member. */
  readonly owner: Pick<RemoteUser, 'id' | 'email'> | undefined;
}

export interface FoundRoutines {
  /** Each once. */
  readonly found: readonly FoundRoutine[];
  readonly owners: 'all' | readonly Pick<RemoteUser, 'id' | 'email'>[];
}

/** Throws Failure usage. Call it before anything is sent. */
export function checkOwners({ owners, identifier }: ImportOptions, service: Pick<Service, 'token'>): void {
  if (owners === undefined) return;
  if (identifier !== undefined)
    throw new Failure(
      'usage',
      '--owners adds routines, and --identifier imports nothing but what is on its dashboards.',
      { hint: 'Leave out one of them. Nothing was sent.' },
    );
  if (!isOrganizationKey(service.token()))
    throw new Failure(
      'usage',
      `Only an organization key, which begins with ${organizationKeyPrefix}, may list the routines of others.`,
      {
        hint: 'Use such a key, or leave out --owners: the routines of the member of the token are imported. Nothing was sent.',
      },
    );
}

/** Throws Failure usage for an owner who cannot have routines, and as the api throws. */
export async function findRoutines(search: ImportRun): Promise<FoundRoutines> {
  const { options, service, note } = search;
  if (options.identifier !== undefined) return { found: [], owners: [] };
  const own = await listFor(undefined, service);
  const members = options.owners === undefined ? [] : await membersOf(options.owners, service);
  const ofOthers = await routinesOf(members, search);
  const ids = new Set(ofOthers.map(({ row }) => row.id));
  const found = [...ofOthers, ...own.filter(({ id }) => !ids.has(id)).map((row) => ({ row, owner: undefined }))];
  if (options.owners === undefined && (found.length > 0 || knowsRoutines(search))) note(othersWords);
  return { found, owners: options.owners?.includes('all') ? 'all' : members };
}

const othersWords =
  'The routines of other members were not looked at. With an organization key, --owners all asks for those of every active member.';

/** True if the workspace has routines already, so that others may be expected. */
function knowsRoutines({ loaded, state }: ImportRun): boolean {
  const addresses = [...loaded.desired.resources.map(({ address }) => address), ...Object.keys(state?.resources ?? {})];
  return addresses.some((address) => identities[kindAt(address)].isOwners);
}

/** Throws Failure usage if an address belongs to nobody who could have routines. */
async function membersOf(owners: readonly string[], service: Service): Promise<readonly RemoteUser[]> {
  const api = await service.api();
  if (owners.includes('all')) return (await api.listUsers({}, service.call)).filter(({ active }) => active);
  const members: RemoteUser[] = [];
  for (const email of new Set(owners.map((owner) => owner.toLowerCase()))) {
    const member = await memberAt(email, api, service.call);
    if (member?.active !== true) {
      const why = member === undefined ? 'Nobody in the organization has the address' : 'The account is deactivated of';
      throw new Failure('usage', `${why} ${email}, whom --owners names.`, { hint: 'Nothing was imported.' });
    }
    members.push(member);
  }
  return members;
}

async function routinesOf(members: readonly RemoteUser[], search: ImportRun): Promise<readonly FoundRoutine[]> {
  const { service, answers, reporter, progress } = search;
  const toAsk = members.filter(({ id }) => answers.get('routines', id) === undefined);
  const seconds = secondsUntilSent(toAsk.length, service);
  if (toAsk.length > 0)
    reporter.emit({
      type: 'to-read',
      of: `the routines of ${countOf(toAsk.length, 'member')}`,
      requests: toAsk.length,
      seconds,
    });
  let done = 0;
  try {
    await inParallel(toAsk, service.concurrency, async ({ id, email }) => {
      await answers.keep('routines', id, await listFor(id, service));
      done += 1;
      reporter.emit({ type: 'read', done, total: toAsk.length, what: 'members', name: email });
    });
  } catch (error) {
    throw error instanceof Failure && done > 0 ? withResumeHint(error, done, toAsk.length, progress.name) : error;
  }
  return members.flatMap(({ id, email }) =>
    (answers.get('routines', id) ?? []).map((row) => ({ row, owner: { id, email: email.toLowerCase() } })),
  );
}

/** Members who may not use AI, and organizations without the feature, have no routines. Other refusals are errors. */
async function listFor(owner: string | undefined, service: Service): Promise<readonly ListedRoutine[]> {
  try {
    return await (await service.api()).listRoutines({ owner }, service.call);
  } catch (error) {
    if ([403, 404].includes(statusOf(error) ?? 0)) return [];
    throw error;
  }
}
