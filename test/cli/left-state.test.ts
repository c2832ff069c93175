// A state that a workspace leaves behind: its place is another one now, and is empty. Whoever plans or applies then is told how to
// go on with it, and creates nothing a second time.

import { describe, expect, it } from 'vitest';
import type { Outside } from '../../src/commands/base/world.ts';
import { Failure } from '../../src/model/workspace/failure.ts';
import { placeName } from '../../src/model/workspace/state-place.ts';
import { type FakePlace, makeFakePlace } from '../support/apply/shared-place.ts';
import { pairsOf } from '../support/runs/runs.ts';
import { inOneLine, mail } from '../support/vocabulary.ts';
import { openWorld } from '../support/world.ts';

type Settings = Record<string, unknown>;

/** By backend: a state without a name, the names of two of its places, and the setting that names another one. */
const backends = {
  git: { state: { backend: 'git' }, setting: 'branch', usual: 'almanac-state' },
  s3: { state: { backend: 's3', bucket: 'reports' }, setting: 'prefix', usual: 'almanac' },
  postgres: { state: { backend: 'postgres' }, setting: 'name', usual: 'almanac' },
  local: { state: { backend: 'local' }, setting: 'path', usual: 'almanac.state.json' },
} as const;
type Backend = keyof typeof backends;

/** The place of an environment, as the setting of its backend. */
const ofEnvironment = (backend: Backend, name: string): string =>
  backend === 'local' ? `almanac.state.${name}.json` : `${backends[backend].usual}-${name}`;

interface Team {
  readonly operations?: 'core' | 'full';
  /** almanac.yaml at the first apply, and the options of that. */
  readonly before: Settings;
  readonly with?: readonly string[];
}

/** What was applied with one almanac.yaml, which git knows; then there is another. Places are kept by their names. */
async function openTeam({ operations = 'core', before, with: options = [] }: Team) {
  const opened = new Map<string, FakePlace>();
  const commits: string[] = [];
  const beside = new Map<string, string>();
  const placeAt = (name: string) => {
    const place = opened.get(name) ?? makeFakePlace();
    opened.set(name, place);
    return place;
  };
  const openSharedState: Outside['openSharedState'] = (asked) =>
    placeAt(placeName(asked.place)).outside.openSharedState(asked);
  const committed = async (asked: object) =>
    'formerly' in asked ? new Map(commits.map((text) => [`almanac.yaml ${text}`, text])) : beside;
  const openCheckout = async () =>
    ({
      head: async () => undefined,
      standing: async () => undefined,
      committed,
      moved: async () => [],
    }) as unknown as Awaited<ReturnType<Outside['openCheckout']>>;
  const world = await openWorld(
    { schedules: { a: mail(), b: mail({ name: 'B' }) } },
    { operations, outside: { openSharedState, openCheckout } },
  );
  const api = { operations, rateLimit: 0 };
  const configure = (settings: Settings) => world.write({ 'almanac.yaml': JSON.stringify({ api, ...settings }) });
  world.environment['OMNI_BASE_URL'] = world.baseUrl;
  configure(before);
  commits.unshift(world.read('almanac.yaml'));
  await world.apply(...options);
  world.sent();
  const refused = async (...argv: readonly string[]) => {
    const { code, stdout, stderr } = await world.run(...argv);
    const said = inOneLine(stdout + stderr);
    return { code, said, sent: world.sent(), isTold: said.includes('state-left-behind') };
  };
  const reads = () => [...opened].map(([name, { counts }]) => [name, counts.read] as const);
  return { ...world, configure, refused, placeAt, reads, commits, beside };
}

type Changed = readonly [before: Settings, after: Settings, env: string | undefined, keep: Settings];

/** How a state is left behind: almanac.yaml before and after, the environment that runs, and almanac.yaml as the hint has it. */
const ways = {
  'gets its first environments': (backend) => {
    const { state, setting, usual } = backends[backend];
    const keep = { state, environments: { live: { state: { [setting]: usual } } } };
    return [{ state }, { state, environments: { live: {} } }, 'live', keep];
  },
  'renames its environment': (backend) => {
    const { state, setting } = backends[backend];
    const kept = { live: { state: { [setting]: ofEnvironment(backend, 'production') } } };
    const before = { state, environments: { production: {} } };
    return [before, { state, environments: { live: {} } }, 'live', { state, environments: kept }];
  },
  'gives up its environments': (backend) => {
    const { state, setting } = backends[backend];
    const kept = { ...state, [setting]: ofEnvironment(backend, 'production') };
    return [{ state, environments: { production: {} } }, { state }, undefined, { state: kept }];
  },
  'names another place': (backend) => {
    const { state, setting } = backends[backend];
    const [first, second] = backend === 'local' ? ['first.json', 'second.json'] : ['first', 'second'];
    const at = (name: string) => ({ state: { ...state, [setting]: name } });
    return [at(first), at(second), undefined, at(first)];
  },
  'names another place for its environment': (backend) => {
    const { state, setting } = backends[backend];
    const [first, second] = backend === 'local' ? ['first.json', 'second.json'] : ['first', 'second'];
    const at = (name: string) => ({ state, environments: { live: { state: { [setting]: name } } } });
    return [at(first), at(second), 'live', at(first)];
  },
} satisfies Readonly<Record<string, (backend: Backend) => Changed>>;

const rows = pairsOf(Object.keys(ways) as (keyof typeof ways)[], Object.keys(backends) as Backend[]);

describe('a state that is left behind', () => {
  it.each(rows)('a workspace that %s with its state in %s creates nothing a second time', async (way, backend) => {
    const [before, after, env, keep]: Changed = ways[way](backend);
    const [former] = Object.keys((before['environments'] as object | undefined) ?? {});
    const team = await openTeam({ operations: 'full', before, with: former === undefined ? [] : ['--env', former] });
    const options = env === undefined ? [] : ['--env', env];
    const core = { api: { operations: 'core', rateLimit: 0 } };
    const asked = [
      [core, 'plan'],
      [core, 'apply --auto-approve'],
      [{}, 'apply --auto-approve'],
      [{}, 'drift'],
      [{}, 'import --write-state'],
    ] as const;
    for (const [api, command] of asked) {
      team.configure({ ...after, ...api });
      const { said, ...rest } = await team.refused(...command.split(' '), ...options);
      expect(rest, `${command}: ${said}`).toEqual({ code: 1, sent: [], isTold: true });
      expect(said).toContain('2 resources');
    }
    // As people write it.
    team.configure(keep);
    await team.expectQuiet(...options);
    expect(team.sent()).toEqual([]);
  });

  it.each(Object.keys(backends) as Backend[])('says what to write for a state in %s', async (backend) => {
    const { state, setting, usual } = backends[backend];
    const team = await openTeam({ before: { state } });
    team.configure({ state, environments: { live: {} } });
    const { said } = await team.refused('plan', '--env', 'live');
    expect(said).toContain(`write \`state: { ${setting}: ${usual} }\` in \`environments.live\``);
    expect(said).toMatch(/^almanac.yaml:\d+:\d+/);
  });

  it('operations full are refused for it too, before the service is asked', async () => {
    const team = await openTeam({ operations: 'full', before: { state: backends.git.state } });
    team.configure({ state: backends.git.state, environments: { live: {} } });
    team.asked();
    expect(await team.refused('apply', '--auto-approve', '--env', 'live')).toMatchObject({ code: 1, isTold: true });
    expect(team.asked()).toEqual([]);
  });

  it('at another server is not asked, and refused where it was that of this environment', async () => {
    const team = await openTeam({ before: { state: backends.git.state } });
    const before = team.reads();
    const others = [
      [
        backends.s3.state,
        '`almanac state pull > FILE` writes it there; with this one, `almanac state migrate --state FILE`',
      ],
      [backends.local.state, '`almanac state pull > almanac.state.json` writes it there.'],
      [{ backend: 'git', remote: 'theirs' }, 'write `state: { remote: origin }` in almanac.yaml'],
    ] as const;
    for (const [state, way] of others) {
      team.configure({ state });
      const { code, isTold, said } = await team.refused('apply', '--auto-approve');
      expect([code, isTold], said).toEqual([1, true]);
      expect(said).toContain(way);
    }
    expect(team.reads().filter(([name]) => name === 'git branch almanac-state of origin')).toEqual(before);
    // Its new first environment is the same one.
    team.configure({ state: backends.s3.state, environments: { live: {} } });
    expect(await team.refused('plan', '--env', 'live')).toMatchObject({ code: 1, isTold: true });
  });

  it('does not hold up a new environment beside one that has the reports', async () => {
    const { state } = backends.git;
    const team = await openTeam({ before: { state, environments: { live: {} } }, with: ['--env', 'live'] });
    team.configure({ state, environments: { live: {}, other: {} } });
    team.commits.unshift(team.read('almanac.yaml'));
    expect(await team.refused('plan', '--env', 'other')).toMatchObject({ code: 0, isTold: false });
    // It is another workspace's now.
    team.beside.set('../other/almanac.yaml', JSON.stringify({ state: { ...state, branch: 'almanac-state-live' } }));
    team.configure({ state });
    expect(await team.refused('plan')).toMatchObject({ code: 0, isTold: false });
    team.beside.clear();
    expect(await team.refused('plan')).toMatchObject({ code: 1, isTold: true });
    // It was moved to another branch.
    team.placeAt('git branch moved of origin').store.stored = team.placeAt(
      'git branch almanac-state-live of origin',
    ).store.stored;
    team.configure({ state, environments: { live: { state: { branch: 'moved' } }, other: {} } });
    expect(await team.refused('plan', '--env', 'other')).toMatchObject({ code: 0, isTold: false });
  });

  it('does not hold up a new environment where a copy of it is in use', async () => {
    const { state } = backends.local;
    const team = await openTeam({ before: { state } });
    team.configure({ state, environments: { live: {}, other: {} } });
    team.write({ 'almanac.state.live.json': team.read('almanac.state.json') });
    expect(await team.refused('plan', '--env', 'other')).toMatchObject({ code: 0, isTold: false });
  });

  it('does not hold up a state that tracks nothing any longer, where an older copy of it lies', async () => {
    const team = await openTeam({ before: { state: backends.local.state } });
    const text = team.read('almanac.state.json');
    team.configure({ state: { path: 'mine.json' } });
    team.write({ 'mine.json': JSON.stringify({ ...JSON.parse(text), resources: {} }) });
    expect(await team.refused('plan')).toMatchObject({ code: 0, isTold: false });
    team.write({ 'mine.json': JSON.stringify({ ...JSON.parse(text), lineage: crypto.randomUUID(), resources: {} }) });
    expect(await team.refused('plan')).toMatchObject({ code: 1, isTold: true });
  });

  it.each<[string, (team: Awaited<ReturnType<typeof openTeam>>) => void]>([
    [
      'the environment delivers to sinks',
      ({ configure }) =>
        configure({ state: { backend: 'git' }, environments: { live: { deliver: { email: ['qa@example.com'] } } } }),
    ],
    [
      'another environment keeps that state',
      ({ configure }) =>
        configure({
          state: { backend: 'git' },
          environments: { live: {}, old: { state: { branch: 'almanac-state' } } },
        }),
    ],
    [
      'it is that of another organization',
      ({ configure, environment, baseUrl }) => {
        configure({ state: { backend: 'git' }, environments: { live: {} } });
        environment['OMNI_BASE_URL'] = baseUrl.replace('127.0.0.1', 'localhost');
      },
    ],
    [
      '`ignore` leaves its reports to others',
      ({ configure }) =>
        configure({
          state: { backend: 'git' },
          environments: { live: {} },
          ignore: [{ state: { branch: 'almanac-state' } }],
        }),
    ],
    [
      'its place cannot be read',
      ({ configure, placeAt }) => {
        configure({ state: { backend: 'git' }, environments: { live: {} } });
        placeAt('git branch almanac-state of origin').failure = new Failure('state-unreadable', 'You may not read it.');
      },
    ],
  ])('is not mentioned where %s', async (_, change) => {
    const team = await openTeam({ before: { state: backends.git.state } });
    change(team);
    expect(await team.refused('plan', '--env', 'live')).toMatchObject({ code: 0, isTold: false });
  });

  it('is told as well where the place is pinned from outside, as in a job', async () => {
    const team = await openTeam({ before: { state: backends.git.state } });
    team.configure({ state: backends.git.state, environments: { live: {} } });
    team.environment['ALMANAC_STATE_PLACE'] = 'git branch almanac-state-live of origin';
    expect(await team.refused('plan', '--env', 'live')).toMatchObject({ code: 1, isTold: true });
  });

  it('is looked for once, and not at all where the state of the run has something', async () => {
    const team = await openTeam({ before: { state: backends.git.state } });
    const [[name, count]] = team.reads() as [readonly [string, number]];
    team.configure({ state: backends.git.state, environments: { live: {} } });
    await team.refused('plan', '--env', 'live');
    expect(team.reads()).toEqual([
      [name, count + 1],
      ['git branch almanac-state-live of origin', 1],
    ]);
    team.configure({
      state: backends.git.state,
      environments: { live: { state: { branch: 'almanac-state' } }, other: {} },
    });
    await team.refused('plan', '--env', 'live');
    expect(team.reads()).toEqual([
      [name, count + 2],
      ['git branch almanac-state-live of origin', 1],
    ]);
  });

  it('is refused where two environments have one file, with the line to write', async () => {
    const team = await openTeam({ before: { state: { backend: 'local', path: 'ours.json' } } });
    team.configure({ state: { backend: 'local', path: 'ours.json' }, environments: { live: {}, staging: {} } });
    for (const command of ['validate', 'plan --env live', 'apply --auto-approve --env live']) {
      const { code, said } = await team.refused(...command.split(' '));
      expect([code, said]).toEqual([
        1,
        expect.stringContaining('hint: Write `path: ours.staging.json` in `state` of `environments.staging`.'),
      ]);
    }
  });
});
