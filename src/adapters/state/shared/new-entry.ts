// Makes the next entry of a log.

import { randomUUID } from 'node:crypto';
import { logVersion, type StateLogEntry } from '../../../model/plan/log-entry.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { NewEntry } from '../../../ports/state-log.ts';
import { renderLogEntry } from '../../../render/state/render-state.ts';

type WithoutHead<E> = E extends StateLogEntry ? Omit<E, 'v' | 'id' | 'n' | 'run' | 'at'> : never;

/** What an entry says. */
export type Content = WithoutHead<StateLogEntry>;

export interface Head {
  readonly n: number;
  /** The UUID of the lock. */
  readonly run: string;
  readonly clock: Clock;
}

export function newEntry(content: Content, title: string, { n, run, clock }: Head): NewEntry {
  const id = randomUUID();
  const entry: StateLogEntry = { ...content, v: logVersion, id, n, run, at: new Date(clock.now()).toISOString() };
  return {
    id,
    kind: entry.kind,
    bytes: new TextEncoder().encode(renderLogEntry(entry)),
    title,
    snapshot: entry.kind === 'commit' && entry.state !== '' ? entry.state : undefined,
  };
}
