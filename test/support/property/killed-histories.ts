// What happens to an organization in a random history: what is declared, how each apply is disturbed, and what others do.

import fc from 'fast-check';
import type { JsonObject } from '../../../src/model/values/json.ts';
import { ids } from '../emulator/start-emulator.ts';
import { arbitraryDisturbance, type Disturbance, keys, seldom } from './killed-runs.ts';

/** What is declared, by key; two never have one name on one dashboard. */
export type Declared = Readonly<
  Record<string, { readonly identity: number; readonly version: number; readonly paused: boolean }>
>;

const people = [
  { id: ids.ana, email: 'ana@example.com' },
  { id: ids.bo, email: 'bo@example.com' },
];
/** An address or a membership id; undefined: none is declared. */
const owners = [undefined, 'ana@example.com', 'bo@example.com', ids.bo, undefined];
/** Changes with the content, or with the dashboard alone. */
export const ownerOf = ({ identity, version }: Declared[string], { dashboard, owned }: Episode) =>
  owned ? owners[(identity + version + 2 * dashboard) % owners.length] : undefined;

export const userGroups = ['Board', 'Sales', 'Finance'].map((name, index) => ({
  name,
  id: `00000000-0000-4000-9000-00000000000${index}`,
  memberIds: [],
}));
/** Any of them, changing with the content, the dashboard alone, or not at all; every other one by its id. */
export const groupsOf = ({ identity, version }: Declared[string], { dashboard, grouped }: Episode) =>
  grouped ? userGroups.filter((_, index) => ((identity + version * 3 + dashboard * 5) >> index) % 2 === 1) : [];

/** Every third content has a filter of its own, and all others show the rows of the dashboard's. */
export const filterOf = ({ identity, version }: Declared[string], { filtered }: Episode): JsonObject =>
  filtered && identity % 2 === 0 && (identity + version) % 3 === 0
    ? { filterConfig: { region: { values: ['Europe'] } } }
    : {};

/** What the dashboard of the even ones is called, one after the other. */
export const names = ['12db1a0a', 'sales-overview', 'sales'];

/** One apply, and what happens to it. */
export interface Episode extends Disturbance {
  readonly declared: Declared;
  readonly dashboard: number;
  /** By how many milliseconds the clock of this run's machine is ahead of the service's. */
  readonly clockAhead: number;
  /** Whether owners are declared. */
  readonly owned?: true;
  /** Whether it is e-mail to user groups. */
  readonly grouped?: true;
  /** Whether some have filters of their own, and somebody may have renamed the dashboard. */
  readonly filtered?: Filtered;
  /** What somebody does in Omni before: the numbers of schedules, as they are there, that go to others then. */
  readonly meddled?: readonly Meddled[];
  /** Whether an undisturbed apply follows. */
  readonly mended: boolean;
  /** Keys of schedules whose delivery is asked for after that. */
  readonly triggered: readonly string[];
}

interface Filtered {
  /** Whether nobody confirms the apply. */
  readonly unattended: boolean;
  /** What somebody does to the dashboard in Omni before. */
  readonly edits: readonly ('changes the filter' | 'renames it')[];
  /** Whether the files name the dashboard as it is called now; an undisturbed apply follows only after they do. */
  readonly noticed: boolean;
}

const filtered: fc.Arbitrary<Filtered> = fc.record({
  unattended: fc.boolean(),
  edits: seldom<Filtered['edits']>(
    [],
    fc.subarray<Filtered['edits'][number]>(['changes the filter', 'renames it'], { minLength: 1 }),
  ),
  noticed: fc.boolean(),
});

interface Meddled {
  readonly index: number;
  readonly how: 'adds a group' | 'takes groups away' | 'adds an address' | 'changes addresses';
}

/** Nobody declares it. */
export const stranger = '00000000-0000-4000-9000-000000000009';

const meddled: fc.Arbitrary<readonly Meddled[]> = fc.array(
  fc.record({
    index: fc.integer({ min: 0, max: 3 }),
    how: fc.constantFrom<Meddled['how']>('adds a group', 'takes groups away', 'adds an address', 'changes addresses'),
  }),
  { maxLength: 3 },
);

const dayMs = 24 * 3_600_000;
const arbitraryDeclared: fc.Arbitrary<Declared> = fc
  .tuple(
    fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 4, maxLength: 4 }),
    fc.array(
      fc.record({
        there: fc.integer({ min: 0, max: 3 }),
        version: fc.integer({ min: 0, max: 1 }),
        paused: fc.boolean(),
        keeps: fc.boolean(),
      }),
      { minLength: 4, maxLength: 4 },
    ),
  )
  .map(([identities, fields]) => {
    const taken = new Set(fields.flatMap(({ keeps }, index) => (keeps ? [index] : [])));
    const free = identities.filter((identity) => !taken.has(identity)).concat([6, 7, 8, 9]);
    return Object.fromEntries(
      fields.flatMap(({ there, version, paused, keeps }, index) => {
        const identity = keeps ? index : (free.shift() ?? 0);
        return there === 0 ? [] : [[keys[index] ?? '', { identity, version, paused }]];
      }),
    );
  });

export const arbitraryEpisode: fc.Arbitrary<Episode> = fc.record({
  ...arbitraryDisturbance,
  declared: arbitraryDeclared,
  dashboard: fc.integer({ min: 0, max: 1 }),
  clockAhead: fc.oneof(fc.constant(0), fc.integer({ min: -dayMs, max: dayMs })),
  mended: fc.boolean(),
  triggered: seldom<string[]>([], fc.subarray(keys, { minLength: 1 })),
});

export const arbitraryOwned: fc.Arbitrary<Episode> = arbitraryEpisode.map((each) => ({ ...each, owned: true }));

export const arbitraryGrouped: fc.Arbitrary<Episode> = arbitraryEpisode.map((each) => ({ ...each, grouped: true }));

export const arbitraryMeddled: fc.Arbitrary<Episode> = fc
  .tuple(arbitraryEpisode, meddled)
  .map(([each, meddled]) => ({ ...each, grouped: true, meddled, triggered: [] }));

export const arbitraryFiltered: fc.Arbitrary<Episode> = fc
  .tuple(arbitraryEpisode, filtered)
  .map(([each, filtered]) => ({
    ...{ ...each, grouped: true, meddled: [], triggered: [] },
    filtered: { ...filtered, edits: filtered.edits.filter((edit) => edit !== 'renames it') },
  }));

export const arbitraryRenamed: fc.Arbitrary<Episode> = fc
  .tuple(arbitraryEpisode, meddled, filtered)
  .map(([each, meddled, filtered]) => ({ ...each, grouped: true, meddled, filtered, triggered: [] }));

export function memberNamed(owner: unknown): string | undefined {
  return people.find(({ id, email }) => id === owner || email === owner)?.id;
}
