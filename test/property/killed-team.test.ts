// Random histories of a team that shares one state: what is declared changes, and applies are killed at any entry of the
// log and any request, before it or after it. The next apply runs on another machine, with an empty folder. After one
// undisturbed apply, every schedule of the service exists once and is tracked, and the next plan is empty.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { apply } from '../../src/apply/apply.ts';
import type { ApplyRequest } from '../../src/apply/apply-request.ts';
import { proposeNow } from '../../src/apply/propose/propose.ts';
import type { Loaded } from '../../src/declare/load/load.ts';
import { realFileSystem } from '../../src/files/file-system.ts';
import type { Config } from '../../src/model/workspace/config.ts';
import { type ServiceOptions, withService } from '../../src/service/service.ts';
import type { StateLog } from '../../src/state/state-log.ts';
import type { StateStore } from '../../src/state/state-store.ts';
import { type InstantClock, makeFakeClock, makeInstantClock } from '../support/fake-clock.ts';
import { type MemoryService, makeMemoryService } from '../support/memory-service.ts';
import { runs } from '../support/runs/runs.ts';
import { type MemoryPlace, makeMemoryPlace } from '../support/state/memory-log.ts';
import { openMachine } from '../support/state/team-machine.ts';

/** One apply. The version of each schedule that is declared; 0 for one that is not. */
interface Episode {
  readonly versions: readonly number[];
  /** The effect at which it is killed, from 1; 0: it lives. */
  readonly killAt: number;
}

interface Team {
  readonly place: MemoryPlace;
  readonly service: MemoryService;
  readonly clock: InstantClock;
  /** How many processes have run: they are on one host, so that a dead one is known as such. */
  processes: number;
}

const randomness = { uuid: () => 'a-lineage', bytes: () => 'c2FsdA==' };
const environment = (name: string) => (name.startsWith('OMNI') ? 'omni_osk_token' : undefined);
const killed = new Error('killed');
const refuse = () => Promise.reject(new Error('this folder is empty and read-only'));
const emptyFolder = {
  ...realFileSystem,
  open: refuse,
  readFile: refuse,
  stat: refuse,
  readlink: refuse,
  mkdir: refuse,
};

function loadedOf({ versions }: Episode): Loaded {
  const config: Config = {
    api: { baseUrl: 'https://acme.omniapp.co/api', operations: 'full', rateLimit: 0, concurrency: 2, timeout: 30 },
    sources: [],
    state: { backend: 'local', path: 'almanac.state.json' },
    defaults: [],
    variables: {},
    environments: [],
    environmentRequired: false,
    safety: { maxDeletePercent: 100, allowOrphans: true, internalDomains: [] },
    checks: {},
    ignore: [],
  };
  const origin = { file: 'schedules/all.yaml', document: 0, pointer: '' };
  const resources = versions.flatMap((version, index) => {
    const attributes = {
      identifier: '12db1a0a',
      name: `Report ${index}`,
      schedule: '0 9 ? * MON *',
      timezone: 'UTC',
      format: 'json',
      destinationType: 'webhook',
      url: `https://hooks.example.com/${version}`,
    };
    const address = `schedules.s${index}`;
    return version === 0 ? [] : [{ kind: 'schedule' as const, address, attributes, origin, line: 1 }];
  });
  const desired = { resources, moves: [], adoptions: [], removals: [] };
  return { config, desired, findings: [], files: [], fileNamed: () => undefined };
}

/** The store of a new process. `reach` is called around each write, and throws once it is dead. */
function storeOf(team: Team, reach: () => void): StateStore {
  team.processes += 1;
  const pid = team.processes;
  const log = team.place.open();
  const mortal: StateLog = {
    ...log,
    append: async (n, entry) => {
      reach();
      const answer = await log.append(n, entry);
      reach();
      return answer;
    },
  };
  const host = { name: 'ci', pid, isAlive: () => false, bootId: async () => 'boot', fs: emptyFolder };
  // Nothing waits for this clock: a renewal would only add entries.
  return openMachine(mortal, { host, clock: makeFakeClock(), root: '/workspace' }).store;
}

function serviceOptions({ clock, service }: Team, { config }: Loaded): ServiceOptions {
  const limits = { allowHttp: false, maxAttempts: 5, maxWait: 120 };
  return {
    config,
    secrets: [],
    environment,
    connect: async () => service.api,
    clock,
    signal: undefined,
    onWait: () => undefined,
    ...limits,
  };
}

async function applyOnce(team: Team, episode: Episode, killAt: number): Promise<void> {
  let effects = 0;
  const reach = () => {
    effects += 1;
    if (killAt > 0 && effects >= killAt) throw killed;
  };
  team.service.reach = reach;
  const loaded = loadedOf(episode);
  const request: ApplyRequest = {
    loaded,
    saved: undefined,
    refresh: undefined,
    expect: undefined,
    expectChanges: undefined,
    targets: undefined,
    replace: [],
    allowEmpty: true,
    allowDuplicates: false,
    allowOrphans: true,
    force: true,
    failFast: false,
    lockTimeout: 0,
  };
  const store = storeOf(team, reach);
  const { clock } = team;
  const process = { environment, clock, randomness, toolVersion: '0.1.0', reporter: { emit: () => undefined } };
  const signal = new AbortController().signal;
  await withService(serviceOptions(team, loaded), (service) =>
    apply(request, { ...process, store, service, confirm: async () => true, signal }),
  );
}

async function expectConverged(team: Team, episode: Episode): Promise<void> {
  await applyOnce(team, episode, 0);
  team.service.reach = () => undefined;
  const loaded = loadedOf(episode);
  const store = storeOf(team, () => undefined);
  const { clock } = team;
  const everything = { targets: undefined, replace: [], allowEmpty: true, refresh: undefined };
  const again = await withService(serviceOptions(team, loaded), (service) =>
    proposeNow(loaded, everything, { store, service, clock, randomness, toolVersion: '0.1.0' }),
  );
  expect(again.document).toMatchObject({ changes: [], unresolved: [] });
  expect(await store.lockHolder()).toBeUndefined();
  const { state, journal } = await store.read();
  expect(journal).toBeUndefined();
  const tracked = Object.values(state?.resources ?? {}).flatMap(({ id }) => id ?? []);
  expect([...team.service.schedules.keys()].sort()).toEqual(tracked.sort());
  const names = [...team.service.schedules.values()].map(({ attributes }) => attributes['name']);
  const declared = loaded.desired.resources.map(({ attributes }) => attributes['name']);
  expect(names.sort()).toEqual(declared.sort());
}

it(`of a team that shares a state, ${runs(500)} histories of killed runs all converge`, {
  timeout: 240_000,
}, async () => {
  const episode = fc.record({
    versions: fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 5, maxLength: 5 }),
    killAt: fc.integer({ min: 0, max: 30 }),
  });
  let deaths = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(episode, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(0, 1000, 10_000),
      async (episodes, paceMs) => {
        const clock = makeInstantClock();
        const team: Team = { place: makeMemoryPlace(), service: makeMemoryService(clock), clock, processes: 0 };
        team.place.paceMs = paceMs;
        for (const each of episodes) {
          await applyOnce(team, each, each.killAt).catch((error: unknown) => {
            if (error !== killed) throw error;
            deaths += 1;
          });
        }
        const last = episodes.at(-1);
        if (last !== undefined) await expectConverged(team, last);
      },
    ),
    { numRuns: runs(500) },
  );
  expect(deaths).toBeGreaterThan(runs(300));
});
