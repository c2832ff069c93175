// The actions of a change: the closed set in plans, journals and reports. Everything that follows from an action alone
// is here, except what a report then shows of the resource.

import { keyOf, oneOf } from '../values/schema.ts';

export interface ActionTraits {
  /** The words of a plan about the resource: `schedules.a will be created`. */
  readonly words: string;
  /** The words of an apply about the resource afterwards: `schedules.a created`. */
  readonly done: string;
  /** The mark of a line about what an apply does: that of Terraform where it has one. */
  readonly symbol: string;
  /** 1 is the gravest: reports list it first. */
  readonly gravity: number;
  /** Sent as a POST, except for dashboards: sending it twice may do it twice. */
  readonly posts?: true;
  /** Makes a schedule that the service lists from then on, so one whose answer was lost can be found. */
  readonly findable?: true;
  /** Ends what it is about: `lifecycle.preventDestroy` forbids it, and safety.maxDeletePercent counts it. */
  readonly givesUp?: true;
}

/** The actions in the order in which reports list them. */
const table = {
  create: {
    words: 'will be created',
    done: 'created',
    symbol: '+',
    gravity: 5,
    posts: true,
    findable: true,
  },
  update: {
    words: 'will be updated in place',
    done: 'updated',
    symbol: '~',
    gravity: 4,
  },
  replace: {
    words: 'must be replaced',
    done: 'replaced',
    symbol: '-/+',
    gravity: 2,
    posts: true,
    findable: true,
    givesUp: true,
  },
  delete: {
    words: 'will be deleted',
    done: 'deleted',
    symbol: '-',
    gravity: 1,
    givesUp: true,
  },
  forget: {
    words: 'will be forgotten',
    done: 'forgotten',
    symbol: '.',
    gravity: 3,
    givesUp: true,
  },
  move: {
    words: 'has moved',
    done: 'moved',
    symbol: '->',
    gravity: 7,
  },
  adopt: {
    words: 'will be adopted',
    done: 'adopted',
    symbol: '=',
    gravity: 6,
  },
  run: {
    words: 'will run once',
    done: 'ran',
    symbol: '>',
    gravity: 5,
    posts: true,
  },
} as const satisfies Readonly<Record<string, ActionTraits>>;

export type Action = keyof typeof table;

export const actions: Readonly<Record<Action, ActionTraits>> = table;

/** An effect that a journal records: the actions of plans, and a delivery that somebody asked for at once. */
export type Effect = Action | 'trigger';

export const actionNames = Object.keys(table) as readonly Action[];

export const actionSchema = keyOf(table);
export const effectSchema = oneOf<Effect>(...actionNames, 'trigger');
