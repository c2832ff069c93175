// Short builders of declarations and states, for tests of an apply.

import type { JournalIntent } from '../../../src/model/plan/journal.ts';
import type { Orphan, State, StateResource, Unresolved } from '../../../src/model/plan/state.ts';
import type { JsonObject } from '../../../src/model/values/json.ts';
import { hook } from '../vocabulary.ts';
import { baseUrl } from './stage.ts';

export const schedule = (name: string, fields: JsonObject = {}) => hook({ name, timezone: 'UTC', ...fields });

export const at = '2026-01-01T00:00:00.000Z';

export function stateOf(resources: Readonly<Record<string, Partial<StateResource>>>, rest: Partial<State> = {}): State {
  const full = Object.entries(resources).map(([address, resource]) => [
    address,
    { attributes: {}, createdAt: at, updatedAt: at, ...resource },
  ]);
  return {
    version: 2,
    lineage: 'a-lineage',
    serial: 7,
    toolVersion: '0.0.9',
    baseUrl,
    salt: 'c2FsdA==',
    resources: Object.fromEntries(full),
    orphans: [],
    unresolved: [],
    ...rest,
  };
}

/** What an intent of that action is about where nothing else is said. */
export function kindOf(action: JournalIntent['action']): JournalIntent['kind'] {
  return action === 'move' || action === 'adopt' || action === 'forget' || action === 'trigger' ? action : 'request';
}

/** A create that was sent a moment before the clock of a stage starts, and never answered. */
export function lostCreate(address: string, attributes: JsonObject, rest: Partial<Unresolved> = {}): Unresolved {
  return {
    address,
    action: 'create',
    identifier: String(attributes['identifier']),
    name: String(attributes['name']),
    since: '2026-02-28T23:59:00.000Z',
    existing: [],
    attributes,
    ...rest,
  };
}

export function orphanOf(id: string, attributes: JsonObject): Orphan {
  const { identifier, name } = attributes;
  return { id, address: 'schedules.old', identifier: String(identifier), name: String(name), since: at };
}
