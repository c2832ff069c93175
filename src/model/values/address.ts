// The kinds of resource, their addresses, and where entries of `moved` lead. `schedules.weekly-sales` is the YAML path
// of a resource, and its name everywhere else. An instance of a loop has a third part, the key of its item:
// `schedules.weekly-sales.emea`.

import { countOf } from './words.ts';

export type Address = string;

/**
 * The life of a resource in Omni. `recurring`: it gets an id of its own, runs by its cron expression, and stays until
 * it is deleted. `once`: each request runs it, and nothing stays. `settings`: values on something that others made.
 */
export type Life = 'recurring' | 'once' | 'settings';

interface KindTraits {
  /** The key in a file below which its declarations stand, and the first part of its addresses. */
  readonly section: string;
  /** The name of the kind in a sentence. */
  readonly words: string;
  readonly life: Life;
  /** The use that it makes of the dashboard in its `identifier`; undefined if it has none. */
  readonly dashboard: 'filter' | 'deliver' | undefined;
}

/**
 * The traits of each kind, for all rooms, in the order in which they are applied: dashboards, then the schedules on
 * them, and the rest. A trait that only one room asks about is in a table of that room.
 */
export const kinds = {
  dashboard: { section: 'dashboards', words: 'dashboard', life: 'settings', dashboard: 'filter' },
  schedule: { section: 'schedules', words: 'schedule', life: 'recurring', dashboard: 'deliver' },
  routine: { section: 'routines', words: 'routine', life: 'recurring', dashboard: undefined },
  aiJob: { section: 'aiJobs', words: 'AI job', life: 'once', dashboard: undefined },
} as const satisfies Readonly<Record<string, KindTraits>>;

export type Kind = keyof typeof kinds;
export type Section = (typeof kinds)[Kind]['section'];

export const kindsInOrder = Object.keys(kinds) as readonly Kind[];

/** The kinds that run again by themselves, so they can be delivered at once, or made again in place of what exists. */
export const recurringKinds = kindsInOrder.filter((kind) => kinds[kind].life === 'recurring');

/** True if it sets filters of a dashboard, which all that deliver that dashboard may follow. */
export function filtersDashboard(kind: Kind): boolean {
  return kinds[kind].dashboard === 'filter';
}

/** True if it delivers a dashboard: Omni lists it there, and its filters and the dashboard's choose the rows. */
export function deliversDashboard(kind: Kind): boolean {
  return kinds[kind].dashboard === 'deliver';
}

/** The sections in the order of schemas and pages. */
export const sections = ['schedules', 'dashboards', 'routines', 'aiJobs'] as const satisfies readonly Section[];

export const kindOfSection = Object.fromEntries(kindsInOrder.map((kind) => [kinds[kind].section, kind])) as Readonly<
  Record<Section, Kind>
>;

/** The key of a resource. */
export const keyPattern = '[A-Za-z][A-Za-z0-9_-]{0,63}';

/** The key of an item of a loop: unlike that of a resource it may begin with a digit, as the codes of customers do. */
export const itemKeyPattern = '[A-Za-z0-9][A-Za-z0-9_-]{0,63}';

/** The pattern of a whole address, of one section or of any. */
export function addressPattern(...of: readonly Section[]): string {
  const section = of.length === 1 ? of[0] : `(?:${(of.length === 0 ? sections : of).join('|')})`;
  return `^${section}\\.${keyPattern}(?:\\.${itemKeyPattern})?$`;
}

export function addressOf(kind: Kind, key: string, item?: string): Address {
  const address = `${kinds[kind].section}.${key}`;
  return item === undefined ? address : `${address}.${item}`;
}

/** The address of the declaration: that of the loop for an instance, or else the address itself. */
export function groupOf(address: Address): Address {
  const end = itemDot(address);
  return end < 0 ? address : address.slice(0, end);
}

/** The key of the item that an instance of a loop was made from. */
export function itemOf(address: Address): string | undefined {
  const end = itemDot(address);
  return end < 0 ? undefined : address.slice(end + 1);
}

/** The part behind the first dot: without its section, the key; without that, the key of its item. */
export function behindDot(address: string): string {
  return address.slice(address.indexOf('.') + 1);
}

/** The addresses that are named, and all instances of the loops that are named. A name that nothing has stays. */
export function withInstances(named: readonly Address[], known: Iterable<Address>): readonly Address[] {
  const asked = new Set(named);
  const found = [...known].filter((address) => asked.has(address) || asked.has(groupOf(address)));
  const met = new Set(found.flatMap((address) => [address, groupOf(address)]));
  return [...named.filter((address) => !met.has(address)), ...found];
}

function itemDot(address: Address): number {
  return address.indexOf('.', address.indexOf('.') + 1);
}

/** The kind that an address names; undefined if the text is not an address. */
export function kindOf(address: string): Kind | undefined {
  const section = address.slice(0, Math.max(0, address.indexOf('.')));
  return Object.hasOwn(kindOfSection, section) ? kindOfSection[section as Section] : undefined;
}

/** The kind of what is certainly an address: states, journals and plans hold no other text where they hold one. */
export function kindAt(address: Address): Kind {
  const kind = kindOf(address);
  if (kind === undefined) throw new Error(`${JSON.stringify(address)} is not an address.`);
  return kind;
}

/** `2 schedules and 1 routine`, in the order of the kinds; no schedules where there is nothing. */
export function countKinds(of: readonly Kind[]): string {
  const counts = kindsInOrder.flatMap((kind) => {
    const count = of.filter((each) => each === kind).length;
    return count === 0 ? [] : [countOf(count, kinds[kind].words)];
  });
  return counts.length === 0 ? countOf(0, kinds.schedule.words) : counts.join(' and ');
}

/** `schedules`, or `schedules and routines`; in the order of the kinds; schedules where there is nothing. */
export function kindsInWords(of: Iterable<Kind>, joiner: 'and' | 'or', plural: 's' | '' = ''): string {
  const present = new Set(of);
  const there = kindsInOrder.filter((kind) => present.has(kind));
  return (there.length === 0 ? (['schedule'] as const) : there)
    .map((kind) => `${kinds[kind].words}${plural}`)
    .join(` ${joiner} `);
}

// Follows entries of `moved` from address to address. `next` maps the address
// that an entry moves to the one that it moves to. A chain may have thousands of entries, so each is followed once.

type Next = ReadonlyMap<string, string>;

/** Finds the first address that `isEnd`, from an address on. */
export function endFinder(next: Next, isEnd: (address: string) => boolean): (address: string) => string | undefined {
  const ends = new Map<string, string | undefined>();
  return (address) => {
    const way: string[] = [];
    let at: string | undefined = address;
    for (; at !== undefined && !ends.has(at) && !isEnd(at); at = next.get(at)) {
      ends.set(at, undefined);
      way.push(at);
    }
    const end = at !== undefined && ends.has(at) ? ends.get(at) : at;
    for (const each of way) ends.set(each, end);
    return end;
  };
}

/** The addresses from which the entries lead back to the same address. */
export function addressesInCircles(next: Next): ReadonlySet<string> {
  const walked = new Set<string>();
  const found = new Set<string>();
  for (const start of next.keys()) {
    const way: string[] = [];
    let at: string | undefined = start;
    for (; at !== undefined && !walked.has(at); at = next.get(at)) {
      walked.add(at);
      way.push(at);
    }
    const back = at === undefined ? -1 : way.indexOf(at);
    if (back >= 0) for (const each of way.slice(back)) found.add(each);
  }
  return found;
}
