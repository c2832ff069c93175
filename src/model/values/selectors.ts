// How people choose resources on a command line: by addresses, and by what has these labels. What a label looks at,
// src/plan/select.ts says.

export const labelNames = ['tag', 'owner', 'to', 'dashboard', 'via', 'kind', 'shows'] as const;
export type LabelName = (typeof labelNames)[number];

/** For help and hints. */
export const selectorForms = `an address such as schedules.fin-*, or ${labelNames.map((name) => `${name}:`).join(' ')}`;
