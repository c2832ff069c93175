// A report moves to another workspace, as docs/moving-reports.md says: git is real, and each run is pinned as in a job.

import { expect, it } from 'vitest';
import { openEmulator } from '../support/emulator/start-emulator.ts';
import { commitAll, gitIn, makeRemote } from '../support/git.ts';
import { mail } from '../support/vocabulary.ts';
import { makeFolder } from '../support/workspace.ts';
import { openWorld } from '../support/world.ts';

const environments = ['production', 'staging'] as const;
type Environment = (typeof environments)[number];
type Folder = 'reports' | 'customers';

const funnel = mail({ name: 'Funnel' });
/** Each test is some twenty runs with a real git. */
const timeout = 240_000;

/** Two workspaces with their states in branches, two organizations, and a report that the first one has in both. */
async function openTeams() {
  const environment = { PATH: `${process.env['PATH']}`, HOME: makeFolder().path };
  const world = await openWorld({}, { config: null, environment });
  const second = await openEmulator({ operations: 'full' });
  const services = { production: world, staging: second };
  const git = gitIn(world.path);
  git('init', '-q');
  git('remote', 'add', 'origin', `file://${makeRemote()}`);
  const branchOf = (folder: Folder, name: Environment) => `almanac-state--${folder}-${name}`;
  for (const folder of ['reports', 'customers'] as const)
    world.write({
      [`${folder}/almanac.yaml`]: {
        api: { operations: 'full', rateLimit: 0 },
        state: { backend: 'git' },
        environmentRequired: true,
        environments: Object.fromEntries(
          environments.map((name) => [
            name,
            { api: { baseUrl: services[name].baseUrl }, state: { branch: branchOf(folder, name) } },
          ]),
        ),
      },
      [`${folder}/schedules/own.yaml`]: { schedules: { own: mail({ name: `Own of ${folder}` }) } },
    });
  world.write({ 'reports/schedules/funnel.yaml': { schedules: { funnel } } });
  const commit = () => commitAll(git);
  const run = (folder: Folder, name: Environment, ...argv: readonly string[]) => {
    const pinned = {
      ...environment,
      OMNI_API_TOKEN: services[name].organizationKey,
      OMNI_BASE_URL: services[name].baseUrl,
      ALMANAC_STATE_PLACE: `git branch ${branchOf(folder, name)} of origin`,
    };
    return world.beside({}, pinned).run(...argv, '-C', folder, '--env', name);
  };
  const apply = async (folder: Folder) => {
    const codes: number[] = [];
    for (const name of environments) codes.push((await run(folder, name, 'apply', '--auto-approve')).code);
    return codes;
  };
  commit();
  expect([await apply('reports'), await apply('customers')]).toEqual([
    [0, 0],
    [0, 0],
  ]);
  const funnels = () =>
    environments.map((name) =>
      services[name].emulator
        .data()
        .schedules.filter(({ fields }) => fields['name'] === 'Funnel')
        .map(({ id }) => id),
    );
  return { write: world.write, git, commit, run, apply, funnels };
}

type Teams = Awaited<ReturnType<typeof openTeams>>;

/** The pull request of the workspace that takes the report over, with what `state show` prints. */
async function declareThere({ run, write, commit }: Teams) {
  const printed = await Promise.all(
    environments.map((name) => run('reports', name, 'state', 'show', 'schedules.funnel', '--format', 'adopt')),
  );
  const entries = printed.map(({ stdout }) => stdout.replace('adopt:\n', '')).join('');
  write({ 'customers/schedules/funnel.yaml': `adopt:\n${entries}schedules:\n  funnel: ${JSON.stringify(funnel)}\n` });
  commit();
}

function releaseHere({ write, git, commit }: Teams) {
  git('rm', '-qf', 'reports/schedules/funnel.yaml');
  write({ 'reports/schedules/removed.yaml': { removed: [{ from: 'schedules.funnel', keep: true }] } });
  commit();
}

async function expectMoved({ run, funnels }: Teams, before: readonly (readonly string[])[]) {
  expect(before.map(({ length }) => length)).toEqual([1, 1]);
  expect(funnels()).toEqual(before);
  for (const name of environments)
    for (const folder of ['reports', 'customers'] as const) {
      const plan = await run(folder, name, 'plan');
      expect(plan).toMatchObject({ code: 0 });
      expect(plan.stdout).toContain('No changes.');
    }
  const { resources } = JSON.parse((await run('customers', 'production', 'state', 'pull')).stdout);
  expect([resources['schedules.funnel'].id]).toEqual(before[0]);
}

it('a report that is released first is taken over by the next apply of the other workspace', { timeout }, async () => {
  const teams = await openTeams();
  const before = teams.funnels();
  await declareThere(teams);
  releaseHere(teams);
  expect(await teams.apply('reports')).toEqual([0, 0]);
  expect(await teams.apply('customers')).toEqual([0, 0]);
  await expectMoved(teams, before);
});

it('a report that is declared before it is released is left, and taken over by the apply after the release', {
  timeout,
}, async () => {
  const teams = await openTeams();
  const before = teams.funnels();
  await declareThere(teams);
  const plan = await teams.run('customers', 'production', 'plan');
  expect(plan.stdout.replaceAll(/\s+/g, ' ')).toContain(
    '../reports (production) tracks it; apply the release there first.',
  );
  expect(await teams.apply('customers')).toEqual([1, 1]);
  expect(teams.funnels()).toEqual(before);
  releaseHere(teams);
  expect(await teams.apply('reports')).toEqual([0, 0]);
  expect(await teams.apply('customers')).toEqual([0, 0]);
  await expectMoved(teams, before);
});

it('a report that is released and taken over at once has one id at the end, and nothing of it is deleted', {
  timeout,
}, async () => {
  const teams = await openTeams();
  const before = teams.funnels();
  await declareThere(teams);
  releaseHere(teams);
  const [released] = await Promise.all([teams.apply('reports'), teams.apply('customers')]);
  expect(released).toEqual([0, 0]);
  expect(await teams.apply('customers')).toEqual([0, 0]);
  await expectMoved(teams, before);
});
