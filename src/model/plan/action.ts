// What a change does: the closed set that plans, journals and reports speak in.

/** The words are what a reader of a plan is told. */
export const actions = {
  create: 'will be created',
  update: 'will be updated in place',
  replace: 'must be replaced',
  delete: 'will be deleted',
  forget: 'will be forgotten',
  move: 'has moved',
  adopt: 'will be adopted',
  run: 'will run once',
} as const;

export type Action = keyof typeof actions;
