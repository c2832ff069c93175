// The service of a stage: the emulator in this process, with the dashboards that a test names. Each request that changes
// something is a point before its work and one after it, at which a test may end the run or lose the answer.

import type { EmulatedDocument, EmulatorData, StoredSchedule } from '../../../src/emulator/store.ts';
import type { Clock } from '../../../src/model/outside.ts';
import type { Created } from '../../../src/model/service/remote.ts';
import { Secret } from '../../../src/model/values/secret.ts';
import type { DeclaredObject } from '../../../src/model/workspace/resource.ts';
import type { Api, ApiSettings } from '../../../src/omni/api.ts';
import { type EngineService, openService } from '../emulator/service.ts';
import type { Change } from '../emulator/watched-api.ts';
import { sales } from '../vocabulary.ts';

/** `before POST Weekly`, `after DELETE ID`; may throw or wait. */
type Reach = (point: string) => unknown;

export type StagedService = Omit<EngineService, 'connect'> & Staging;

interface Staging {
  /** By id. Those that are there now; `data` holds them, and a test may change each. */
  schedules(): ReadonlyMap<string, StoredSchedule>;
  /** What changes something, in the order in which it was sent: `POST Weekly`, `PUT ID`. */
  readonly sent: string[];
  /** What each of them that has fields sent. */
  readonly bodies: DeclaredObject[];
  /** The identifiers that were listed; undefined for all. */
  readonly listed: (string | undefined)[];
  closed: boolean;
  reach: Reach;
  /** What answers in place of the emulator, from the next connection on. */
  instead: (real: Api) => Partial<Api>;
  /** What a create is answered with, given what was made. */
  answered: (made: Created) => Created;
  /** As a person would make it in the browser. */
  add(id: string, attributes: DeclaredObject, createdAt?: string): void;
  /** As a person would delete it there. */
  remove(id: string): void;
  /** The dashboard of these attributes exists, with the filters that they name. */
  addDashboard(attributes: DeclaredObject): void;
  connect(clock: Clock, settings: ApiSettings): Promise<Api>;
}

export function openStagedService(clock: Pick<Clock, 'now'>): StagedService {
  const engine = openService(clock);
  const { data, connect } = engine;
  const reached = async (when: 'before' | 'after', change: Change) => {
    const what = nameOf(change);
    await service.reach(`${when} ${what}`);
    if (when === 'after') return;
    service.sent.push(what);
    if (change.sent !== undefined) service.bodies.push(change.sent);
  };
  const staging: Staging = {
    schedules: () => new Map(data.schedules.map((each) => [each.id, each])),
    sent: [],
    bodies: [],
    listed: [],
    closed: false,
    reach: () => undefined,
    instead: () => ({}),
    answered: (made) => made,
    add: (id, { paused, ...fields }, createdAt = new Date(clock.now()).toISOString()) => {
      service.addDashboard(fields);
      const made = { id, ownerId: null, createdAt, updatedAt: createdAt, hasPassword: false } as const;
      const schedule: StoredSchedule = { ...made, fields: fields as StoredSchedule['fields'] };
      if (paused === true) schedule.disabledAt = createdAt;
      data.schedules.push(schedule);
    },
    remove: (id) => {
      data.schedules = data.schedules.filter((each) => each.id !== id);
    },
    addDashboard: ({ identifier, filters, filterConfig }) => {
      if (typeof identifier !== 'string' || identifier === '') return;
      const { dashboard } = documentOf(identifier, data);
      for (const filter of Object.keys({ ...(filters as object), ...(filterConfig as object) })) {
        if (dashboard !== null) dashboard.filters[filter] ??= { type: 'string', kind: 'EQUALS', values: [] };
      }
    },
    connect: async (ofRun, settings) => {
      const answered = (made: Created) => service.answered(made);
      const api = await connect(ofRun, { reach: reached, isUnderWay: true, answered })(settings);
      const watched: Api = {
        ...api,
        listSchedules: (only, options) => {
          const { identifier } = only;
          service.listed.push(identifier instanceof Secret ? identifier.reveal() : (identifier as string | undefined));
          return api.listSchedules(only, options);
        },
        close: async () => {
          service.closed = true;
          await api.close();
        },
      };
      return { ...watched, ...service.instead(watched) };
    },
  };
  const service: StagedService = Object.assign(engine, staging);
  return service;
}

const verbs: Partial<Record<Change['kind'], string>> = {
  'PUT schedule': 'PUT',
  'DELETE schedule': 'DELETE',
  'PUT pause': 'PAUSE',
  'PUT resume': 'RESUME',
};

function nameOf({ kind, id, sent = {}, owner }: Change): string {
  if (kind === 'PATCH filters') return `PATCH ${text(sent, 'identifier')}`;
  if (kind === 'POST schedule') return `POST ${text(sent, 'name')}`;
  if (kind === 'POST job') return `RUN ${text(sent, 'prompt')}`;
  if (kind === 'PUT owner') return `TRANSFER ${id} ${owner}`;
  return `${verbs[kind] ?? kind} ${id}`;
}

function text(attributes: DeclaredObject, field: string): string {
  const value = attributes[field];
  return String(value instanceof Secret ? value.reveal() : value);
}

/** One like that of the sales if there is none. */
function documentOf(identifier: string, { documents }: EmulatorData): EmulatedDocument {
  const found = documents.find((each) => each.identifier === identifier);
  if (found !== undefined) return found;
  const like = documents.find((each) => each.identifier === sales) as EmulatedDocument;
  const made = { ...structuredClone(like), identifier, name: identifier };
  documents.push(made);
  return made;
}
