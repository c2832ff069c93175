// The findings about a plan that a reviewer must see first. The list is closed. The planner
// finds them once, the plan document keeps them, and every report shows them first. What many resources have in common
// is one line, so a list does not grow with the number of equal ones.

import type { Address } from '../values/address.ts';
import { byCodeUnit } from '../values/json.ts';
import { codeOf, described, listOf, oneOf, record, type TypeOf, text } from '../values/schema.ts';
import { countOf } from '../values/words.ts';

/** The gravity of each, unless its finder says differently; those of one gravity are in the order of reports. */
export const dangerGravity = {
  'base-unread': 'grave',
  'base-url': 'grave',
  'base-state': 'grave',
  'base-settings': 'grave',
  'base-permissions': 'grave',
  'base-neighbour': 'grave',
  behind: 'grave',
  diverged: 'grave',
  'unknown-commit': 'grave',
  submodule: 'grave',
  'unmeant-deletion': 'grave',
  deleted: 'grave',
  'mixed-rows': 'grave',
  'other-rows': 'grave',
  'dashboard-gone': 'grave',
  'tile-gone': 'grave',
  'filter-gone': 'grave',
  'permission-ended': 'grave',
  'filters-joined': 'grave',
  'tile-unfiltered': 'grave',
  'reaches-outside': 'grave',
  'outside-owner': 'grave',
  'secret-elsewhere': 'grave',
  blocked: 'caution',
  unresolved: 'caution',
  replaced: 'caution',
  orphaned: 'caution',
  forgotten: 'caution',
  orphans: 'caution',
  'alert-off': 'caution',
  'kept-text': 'caution',
  'password-removed': 'caution',
  'new-owner': 'caution',
  'another-group': 'caution',
  'new-receiver': 'caution',
  'new-rows': 'caution',
  'pages-left-out': 'caution',
  'last-receiver': 'caution',
  waiver: 'caution',
  'recipient-removed': 'caution',
  paused: 'caution',
  resumed: 'caution',
  unread: 'caution',
} as const satisfies Readonly<Record<string, Gravity>>;

export type Gravity = 'grave' | 'caution';
export type DangerCode = keyof typeof dangerGravity;

const itemSchema = record({
  subject: described(
    text,
    'An address, a recipient, a domain, a host, a variable, a commit, a submodule; or a filter and what happens to it.',
  ),
  'detail?': described(text, 'Why, or which resources it concerns; names are in backticks.'),
});
export type DangerItem = TypeOf<typeof itemSchema>;

export const dangerSchema = record({
  code: codeOf(dangerGravity),
  gravity: described(
    oneOf<Gravity>('grave', 'caution'),
    'Differences of almanac.yaml and the table of permissions from the commit of --base, a checkout that is behind, one that has diverged and takes something away, a commit that the clone does not have, a submodule at another commit, deletes (also those that may not be meant), receivers whose permission has ended, dashboards, tiles and filters that are gone, new outside destinations and new outside owners are grave. Of `mixed-rows`, `other-rows`, `alert-off`, `new-rows`, `filters-joined` and `tile-unfiltered`, a plan may have two entries, one grave and one a caution; of `reaches-outside` and `new-receiver` one for each kind of receiver, which the title names.',
  ),
  // `2 resources are deleted`.
  title: described(text, 'In words, with the number of items.'),
  // One item for each distinct subject: equal ones are folded. Empty if the title says all.
  items: listOf(itemSchema),
});
export type Danger = TypeOf<typeof dangerSchema>;

/** A danger as it is found. If it does not say its gravity, its code does. */
export type FoundDanger = Omit<Danger, 'gravity'> & Partial<Pick<Danger, 'gravity'>>;

/** The resources that a finding concerns, by its subject. */
export type ConcernedBySubject = ReadonlyMap<string, readonly Address[]>;

export function concernedBySubject(pairs: Iterable<readonly [subject: string, address: Address]>): ConcernedBySubject {
  const found = new Map<string, Address[]>();
  for (const [subject, address] of pairs) {
    const addresses = found.get(subject);
    if (addresses === undefined) found.set(subject, [address]);
    else if (addresses.at(-1) !== address) addresses.push(address);
  }
  for (const [subject, addresses] of found) if (addresses.length > 1) found.set(subject, [...new Set(addresses)]);
  return found;
}

/** One item for each subject; it names the first resource and counts the others. */
export function foldedItems(found: ConcernedBySubject): readonly DangerItem[] {
  const sorted = [...found].sort(([a], [b]) => byCodeUnit(a, b));
  return sorted.map(([subject, addresses]) => ({ subject, detail: addressWords(addresses) }));
}

/** `` `schedules.a` and 3 others``. */
export function addressWords([first = '', ...others]: readonly Address[]): string {
  return others.length === 0 ? `\`${first}\`` : `\`${first}\` and ${countOf(others.length, 'other', 'others')}`;
}
