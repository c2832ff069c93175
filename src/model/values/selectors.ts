// The ways to choose resources on a command line: addresses and labels. src/plan/select.ts says what each label looks
// at.

export const labelNames = ['tag', 'owner', 'to', 'dashboard', 'via', 'kind', 'shows'] as const;
export type LabelName = (typeof labelNames)[number];

/** The forms as help and hints name them. */
export const selectorForms = `an address such as schedules.fin-*, or ${labelNames.map((name) => `${name}:`).join(' ')}`;
