// Words for givers of values, for gaps in Omni's answers, and unknown people. An example is `audience partners`;
// reports show the place beside it.

import { didYouMean } from '../declare/findings/suggest.ts';
import { deliveryOf } from '../model/fields/delivery.ts';
import { type ListedSchedule, probesWords, type RemoteUser } from '../model/service/remote.ts';
import type { Refusal } from '../model/values/refusal.ts';
import { countOf } from '../model/values/words.ts';
import { declaredAttributes } from '../model/workspace/resource.ts';
import { isAddress } from '../observe/owners/owners.ts';
import type { AppliedState } from '../plan/applied.ts';
import { type Doc, firstFew } from '../report/doc.ts';
import { refusalsDoc } from '../report/refusals-doc.ts';
import type { Page } from '../report/text/theme.ts';
import type { DeliveryVia } from './via-document.ts';

/** Words for recipients whom only the state names: no declaration does. */
const stillWords: Readonly<Partial<Record<DeliveryVia['kind'], string>>> = {
  applied: 'still receives: the change is not applied',
  unresolved: 'may receive: the outcome of a change is unknown',
};

/** Returns an empty text if the declaration itself says it. */
export function viaWords({ kind, name }: DeliveryVia): string {
  if (kind === 'resource') return '';
  const still = stillWords[kind];
  if (still !== undefined) return still;
  const words = kind === 'text-file' ? 'text' : kind === 'sink' ? 'sink of' : kind;
  return name === undefined ? words : `${words} ${name}`;
}

/** Words for addresses with something else behind a `+`. */
export function sameMailboxWords(address: string): string {
  return `In most mail systems this is the same mailbox as ${address}.`;
}

/** The facts that `who --online` and `offboard` could not find out, in sentences. */
export interface Unread {
  readonly notRead: number;
  readonly refused: readonly Refusal<Pick<ListedSchedule, 'id' | 'name'>>[];
  readonly knowsMembers: boolean;
  /** The number of schedules of a probe that were left out. */
  readonly probes: number;
}

export function unreadDoc({ notRead, refused, knowsMembers, probes }: Unread, page: Page): Doc {
  const names = (rows: Unread['refused'][number]['about']) =>
    firstFew(
      rows,
      ({ id, name }) => `Not read: ${name} (id ${id})`,
      page,
      (more) => `Not read: ${more}`,
    );
  return [
    ...refusalsDoc(refused, names, page),
    !knowsMembers && 'Whether an address belongs to a member is not known: only an organization key may ask for that.',
    notRead > 0 && `${countOf(notRead, 'schedule')} left by --limit: continue with --resume.`,
    probesWords(probes),
  ];
}

// People unknown to files, state and organization, and who was probably meant.

/** Everybody whom declarations and a state name by address, as a receiver or an owner. */
export function peopleNamed({ resources, running }: AppliedState): readonly string[] {
  const declared = resources.map((each) => deliveryOf(each.kind, declaredAttributes(each)));
  const applied = running.map(({ kind, attributes }) => deliveryOf(kind, attributes));
  return [...declared, ...applied].flatMap(({ to, asWhom }) => [
    ...to.flatMap((each) => (each.kind === 'email' ? each.shown : [])),
    ...(asWhom !== undefined && isAddress(asWhom.name) ? [asWhom.name] : []),
  ]);
}

/**
 * Refuses an address that Omni was asked for and no member has. `known`: what was probably meant, of the names that are
 * known. `members` lists all of them on many pages, so it is called only where none of these names is near.
 */
export async function nobodyOnline(
  email: string,
  known: string | undefined,
  members: () => Promise<readonly RemoteUser[]>,
): Promise<Refusal<string>> {
  const near =
    known ??
    didYouMean(
      email,
      (await members()).map((each) => each.email),
    );
  return unknownAddress(
    email,
    'no file and no state names the address, and no member of the organization has it',
    near,
  );
}

export function nobodyOffline(email: string, known: string | undefined): Refusal<string> {
  return unknownAddress(email, 'no file and no state names the address, and Omni was not asked', known);
}

function unknownAddress(email: string, why: string, near: string | undefined): Refusal<string> {
  return {
    about: [email],
    message: `${email} is not known: ${why}.`,
    hint:
      near ??
      'Check the spelling of the address. An address that was removed before, and that no member has, is not known either.',
  };
}
