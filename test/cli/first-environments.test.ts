// The first `environments` of a workspace that has had one organization so far. Whoever writes them is told where the
// earlier state is, and keeps it by writing what the plan says.

import { describe, expect, it } from 'vitest';
import type { Outside } from '../../src/commands/base/world.ts';
import { Failure } from '../../src/model/workspace/failure.ts';
import { placeName } from '../../src/model/workspace/state-place.ts';
import { type FakePlace, makeFakePlace } from '../support/apply/shared-place.ts';
import { mail } from '../support/vocabulary.ts';
import { openWorld } from '../support/world.ts';

const code = 'state-without-environment';
const places = {
  git: [{ backend: 'git' }, 'git branch almanac-state of origin', '{ branch: almanac-state }'],
  s3: [{ backend: 's3', bucket: 'reports' }, 's3://reports/almanac', '{ prefix: almanac }'],
  postgres: [{ backend: 'postgres' }, 'postgres table almanac_log, name almanac', '{ name: almanac }'],
  local: [{ backend: 'local' }, 'almanac.state.json', '{ path: almanac.state.json }'],
} as const;

/** What was applied without an environment; then almanac.yaml gets its first ones. Places are kept by their names. */
async function openTeam(state: object = places.git[0]) {
  const opened = new Map<string, FakePlace>();
  const placeAt = (name: string) => {
    const place = opened.get(name) ?? makeFakePlace();
    opened.set(name, place);
    return place;
  };
  const openSharedState: Outside['openSharedState'] = (options) =>
    placeAt(placeName(options.place)).outside.openSharedState(options);
  const world = await openWorld(
    { schedules: { a: mail(), b: mail({ name: 'B' }) } },
    { config: { state }, outside: { openSharedState } },
  );
  await world.apply();
  const { baseUrl } = world;
  const api = { operations: 'full', rateLimit: 0 };
  const configure = (environments: object, rest: object = {}) =>
    world.write({ 'almanac.yaml': { api, state, environments, ...rest } });
  world.environment['OMNI_BASE_URL'] = baseUrl;
  configure({ production: {} });
  const told = async (...options: readonly string[]) => {
    const { diagnostics, changes } = await world.plan('--env', 'production', ...options);
    return { found: diagnostics.filter((each) => each.code === code), changes: changes.length };
  };
  return {
    ...world,
    configure,
    told,
    placeAt,
    reads: () => [...opened].map(([name, { counts }]) => [name, counts.read]),
  };
}

describe('the first plan of an environment', () => {
  it.each(Object.values(places))(
    'with the state %j names the place and what to write, and the next one is empty',
    async (state, name, kept) => {
      const team = await openTeam(state);
      const first = await team.told();
      expect(first).toMatchObject({ changes: 2, found: [{ severity: 'warning', file: 'almanac.yaml' }] });
      const [{ message, hint } = { message: '', hint: '' }] = first.found;
      expect(message).toContain(
        `and ${name}, the state of runs without \`--env\`, tracks 2 resources of ${team.baseUrl}.`,
      );
      expect(hint).toContain(`write \`state: ${kept}\` in \`environments.production\``);
      // As people write it.
      team.write({
        'almanac.yaml': team.read('almanac.yaml').replace('"production": {}', `"production": { "state": ${kept} }`),
      });
      expect(await team.told()).toEqual({ changes: 0, found: [] });
      await team.expectQuiet('--env', 'production');
    },
  );

  it('is told by an apply as well, which sends nothing', async () => {
    const team = await openTeam();
    team.sent();
    const { code: exit, stderr } = await team.run('apply', '--auto-approve', '--env', 'production');
    expect([exit, team.sent()]).toEqual([1, []]);
    const said = stderr.replaceAll(/\s+/g, ' ');
    expect(said).toContain('2 schedules that would be created have the name of one');
    expect(said).toMatch(
      /hint: git branch almanac-state-production .* write `state: { branch: almanac-state }` in `environments.production`/,
    );
  });

  it('reads one other place, once, and none where the state of the environment has something', async () => {
    const team = await openTeam();
    const before = new Map(team.reads().map(([name, count]) => [name, count]));
    await team.told();
    expect(team.reads()).toEqual([
      [places.git[1], Number(before.get(places.git[1])) + 1],
      ['git branch almanac-state-production of origin', 1],
    ]);
    team.configure({ production: { state: { branch: 'almanac-state' } }, staging: { state: { branch: 'other' } } });
    const count = Number(new Map(team.reads().map(([name, reads]) => [name, reads])).get(places.git[1]));
    await team.told();
    expect(team.reads()[0]).toEqual([places.git[1], count + 1]);
  });

  type Team = Awaited<ReturnType<typeof openTeam>>;
  it.each<[string, (team: Team) => void]>([
    ['it delivers to sinks', ({ configure }) => configure({ production: { deliver: { email: ['qa@example.com'] } } })],
    [
      'another environment keeps that state',
      ({ configure }) => configure({ production: {}, live: { state: { branch: 'almanac-state' } } }),
    ],
    [
      'the other state is that of another organization',
      ({ environment, baseUrl }) => {
        environment['OMNI_BASE_URL'] = baseUrl.replace('127.0.0.1', 'localhost');
      },
    ],
    [
      'the other place cannot be read',
      ({ placeAt }) => {
        placeAt(places.git[1]).failure = new Failure('state-unreadable', 'You may not read it.');
      },
    ],
  ])('mentions nothing where %s', async (_, change) => {
    const team = await openTeam();
    change(team);
    expect((await team.told()).found).toEqual([]);
  });

  it('is told as well where the place is pinned from outside, as in a job', async () => {
    const team = await openTeam();
    team.environment['ALMANAC_STATE_PLACE'] = 'git branch almanac-state-production of origin';
    expect((await team.told()).found).toHaveLength(1);
  });

  it.each<[string, object]>([
    ['another remote', { remote: 'theirs' }],
    ['another backend', { backend: 's3', bucket: 'reports' }],
  ])('asks nothing of the place without an environment where it is at %s, unless `ignore` names it', async (_, own) => {
    const team = await openTeam();
    const before = team.reads()[0];
    team.configure({ production: { state: own } });
    expect(await team.told()).toEqual({ changes: 2, found: [] });
    expect(team.reads()[0]).toEqual(before);
    team.configure({ production: { state: own } }, { ignore: [{ state: { branch: 'almanac-state' } }] });
    expect((await team.told()).found).toHaveLength(1);
  });

  it('knows a state in a file, which an environment has named away from', async () => {
    const team = await openTeam({ backend: 'local' });
    team.configure({ production: { state: { path: 'production.state.json' } } });
    const { found, changes } = await team.told();
    expect(changes).toBe(2);
    expect(found[0]?.message).toContain(
      'and almanac.state.json, the state of runs without `--env`, tracks 2 resources',
    );
    expect(found[0]?.hint).toContain('write `state: { path: almanac.state.json }` in `environments.production`');
  });

  it('is refused where two environments have one file, with the line to write', async () => {
    const team = await openTeam({ backend: 'local', path: 'ours.json' });
    team.configure({ production: {}, staging: {} });
    for (const command of ['validate', 'plan --env production', 'apply --auto-approve --env production']) {
      const { code: exit, stdout, stderr } = await team.run(...command.split(' '));
      expect([exit, (stdout + stderr).replaceAll(/\s+/g, ' ')]).toEqual([
        1,
        expect.stringContaining('hint: Write `path: ours.staging.json` in `state` of `environments.staging`.'),
      ]);
    }
  });
});
