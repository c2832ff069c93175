// The kinds of resource and their addresses: `schedules.weekly-sales` is the YAML path of a resource, and its name
// everywhere else.

export type Kind = 'schedule' | 'dashboard' | 'aiJob';
export type Section = 'schedules' | 'dashboards' | 'aiJobs';
export type Address = string;

/** The kinds in the order in which they are applied: dashboards, then the schedules on them, then AI jobs. */
export const kindsInOrder = ['dashboard', 'schedule', 'aiJob'] as const satisfies readonly Kind[];

export const sectionOf: Readonly<Record<Kind, Section>> = {
  dashboard: 'dashboards',
  schedule: 'schedules',
  aiJob: 'aiJobs',
};

export const kindOfSection: Readonly<Record<Section, Kind>> = {
  dashboards: 'dashboard',
  schedules: 'schedule',
  aiJobs: 'aiJob',
};

export const sections = ['schedules', 'dashboards', 'aiJobs'] as const satisfies readonly Section[];

export function addressOf(kind: Kind, key: string): Address {
  return `${sectionOf[kind]}.${key}`;
}

/** The kind that an address names; undefined if the text is not an address. */
export function kindOf(address: string): Kind | undefined {
  const section = address.slice(0, Math.max(0, address.indexOf('.')));
  return Object.hasOwn(kindOfSection, section) ? kindOfSection[section as Section] : undefined;
}

/** How a kind is called in a sentence. */
export const kindWords: Readonly<Record<Kind, string>> = {
  dashboard: 'dashboard',
  schedule: 'schedule',
  aiJob: 'AI job',
};
