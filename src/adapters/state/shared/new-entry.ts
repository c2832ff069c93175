// Makes the next entry of a log.

import { randomUUID } from 'node:crypto';
import { logVersion, type StateLogEntry } from '../../../model/plan/log-entry.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { NewEntry } from '../../../ports/state-log.ts';
import { renderLogEntry } from '../../../render/state/render-log-entry.ts';

type WithoutHead<E> = E extends StateLogEntry ? Omit<E, 'v' | 'id' | 'run' | 'at'> : never;

/** What an entry says. */
export type Content = WithoutHead<StateLogEntry>;

/** `run`: the UUID of the lock. */
export function newEntry(content: Content, title: string, run: string, clock: Clock): NewEntry {
  const id = randomUUID();
  const entry: StateLogEntry = { ...content, v: logVersion, id, run, at: new Date(clock.now()).toISOString() };
  return {
    id,
    kind: entry.kind,
    bytes: new TextEncoder().encode(renderLogEntry(entry)),
    title,
    ...(entry.kind === 'commit' && entry.state !== '' ? { snapshot: entry.state } : {}),
  };
}
