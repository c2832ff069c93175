// What a change does: the closed set that plans, journals and reports speak in, with everything that follows from the
// action alone, but what a report then shows of the resource.

import { keyOf, oneOf } from '../values/schema.ts';

export interface ActionTraits {
  /** What a plan says of the resource: `schedules.a will be created`. */
  readonly words: string;
  /** What an apply says of the resource afterwards: `schedules.a created`. */
  readonly done: string;
  /** Of a line about what an apply does: as in Terraform where it has one. */
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

/** In the order in which reports list them. */
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

/** What a journal speaks of: the actions of plans, and a delivery that somebody asked for at once. */
export type Effect = Action | 'trigger';

/** In the order of the table. */
export const actionNames = Object.keys(table) as readonly Action[];

export const actionSchema = keyOf(table);
export const effectSchema = oneOf<Effect>(...actionNames, 'trigger');
