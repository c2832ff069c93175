// One run of a history, and what happens to it: it is killed or interrupted at an effect, and its requests are refused, lose
// their answers, or are answered with the id of something else.

import fc from 'fast-check';
import type { ApplyPorts } from '../../../src/apply/apply-request.ts';
import type { Loaded } from '../../../src/declare/load/load.ts';
import type { Clock } from '../../../src/model/outside.ts';
import type { Created } from '../../../src/model/service/remote.ts';
import { Failure } from '../../../src/model/workspace/failure.ts';
import type { StateStore } from '../../../src/state/state-store.ts';
import { randomness, serve } from '../apply/in-memory.ts';
import { answerLost, type EngineService, refusal } from '../emulator/service.ts';
import type { Reached } from '../emulator/watched-api.ts';
import { type Reach, withFaultPoints } from './fault-points.ts';

/** same-id: it is carried out, and answered with an id that is taken, if there is one. */
type Trouble = 'lost-before' | 'lost-after' | 'refused' | 'same-id';

export interface Disturbance {
  /** Keys of --replace. */
  readonly replace: readonly string[];
  /** The effect at which it is killed, from 1; 0: it lives. */
  readonly killAt: number;
  /** The effect at which it is interrupted, as by Ctrl-C; 0: it is not. */
  readonly interruptAt: number;
  /** What the nth request meets. */
  readonly trouble: Readonly<Record<number, Trouble>>;
  /** Whether who receives a schedule cannot be read meanwhile. */
  readonly isUnread: boolean;
}

export const undisturbed: Disturbance = { replace: [], killAt: 0, interruptAt: 0, trouble: {}, isUnread: false };

export const seldom = <T>(usual: T, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary });

/** The keys of what is declared, of which some are there. */
export const keys = ['a', 'b', 'c', 'd'];

export const arbitraryDisturbance = {
  replace: seldom<string[]>([], fc.subarray(keys, { maxLength: 2 })),
  killAt: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 40 })),
  interruptAt: seldom(0, fc.integer({ min: 1, max: 20 })),
  trouble: fc.oneof(
    fc.constant({}),
    fc.dictionary(
      fc.integer({ min: 1, max: 8 }).map(String),
      fc.constantFrom<Trouble[]>('lost-before', 'lost-after', 'refused', 'same-id'),
      { maxKeys: 3, noNullPrototype: true },
    ),
  ),
  isUnread: seldom(false, fc.constant(true)),
};

interface Run {
  readonly loaded: Loaded;
  readonly service: EngineService;
  readonly clock: Clock;
  /** The store of a new process, which dies where `reach` throws. */
  readonly open: (reach: Reach) => Promise<StateStore>;
  /** An id that Almanac knows: where it has not heard of an id, nothing shows that an answer names the wrong one. */
  readonly taken: () => string | undefined;
  /** Told of each request before it meets anything, and of each answer that comes. */
  readonly look: Reached;
}

export const environment = (name: string) => (name.startsWith('OMNI') ? 'omni_osk_token' : undefined);

export async function runOnce<T>(
  { killAt, trouble, interruptAt, isUnread }: Disturbance,
  { loaded, service, clock, open, taken, look }: Run,
  work: (ports: Omit<ApplyPorts, 'confirm'>) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  let [effects, requests] = [0, 0];
  const reach = () => {
    effects += 1;
    if (effects === interruptAt) stop.abort();
    if (killAt > 0 && effects >= killAt) throw new Error('killed');
  };
  const meet: Reached = (when, change) => {
    const isBefore = when === 'before';
    if (isBefore) requests += 1;
    if (isBefore) look(when, change);
    const met = trouble[requests];
    if (isBefore && met === 'refused') throw refusal(403, 'api-unauthorized');
    if (met === (isBefore ? 'lost-before' : 'lost-after')) throw answerLost();
    if (!isBefore) look(when, change);
  };
  const answered = (made: Created) => (trouble[requests] === 'same-id' ? { ...made, id: taken() ?? made.id } : made);
  const connected = service.connect(clock, { reach: meet, answered, isUnread });
  const { connect } = withFaultPoints({ connect: connected } as never, reach);
  const store = await open(reach);
  const { signal } = stop;
  const others = { reporter: { emit: () => undefined }, toolVersion: '0.1.0' };
  return serve({ config: loaded.config, clock, connect, signal }, (each) =>
    work({ store, service: each, environment, clock, randomness, signal, ...others }),
  );
}

/** Where only its death or Ctrl-C ended it. */
export function expectKilled(error: unknown): undefined {
  const isKilled = error instanceof Error && error.message === 'killed';
  if (!isKilled && !(error instanceof Failure && error.code === 'interrupted')) throw error;
}
