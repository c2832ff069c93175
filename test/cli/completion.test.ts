// What may come next on a command line, for every shell alike.

import { expect, it } from 'vitest';
import { declared, openBare } from '../support/cli/open-stage.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';

/** The words that a line can go on with, without what they mean. */
async function openLine(files?: Readonly<Record<string, unknown>>) {
  const world = await openBare(files);
  const complete = async (line: string): Promise<readonly string[]> => {
    const { code, stdout, stderr } = await world.beside({}).run('complete-line', '--', ...line.split(' '));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const words = stdout.split('\n').flatMap((text) => text.split('\t')[0] || []);
    return words.sort();
  };
  return { ...world, complete };
}

const addresses = ['dashboards.sales', 'schedules.hook', 'schedules.weekly'];

it.each([
  ['st', ['state', 'status']],
  ['-C . state l', ['list']],
  ['help st', ['state', 'status']],
  ['plan --ta', ['--target']],
  ['plan --chd', ['--chdir']],
  ['plan --hel', ['--help']],
  ['state unlock --aut', ['--auto-approve']],
  ['validate --auto', []],
  ['next --format j', ['json']],
  ['plan --format=j', ['--format=json']],
  ['init --ci g', ['github', 'gitlab']],
  ['plan --allow ', ['empty']],
  ['apply --allow b', ['behind']],
  [
    'apply --allow=empty,behind,',
    ['duplicates', 'http', 'orphans', 'unread-neighbours='].map((name) => `--allow=empty,behind,${name}`),
  ],
  ['init --destination email sf', ['sftp']],
  ['completion ', ['bash', 'fish', 'zsh']],
  ['schema res', ['resources']],
  ['plan --target ', addresses],
  ['plan --target schedules.hook schedules.w', ['schedules.weekly']],
  ['state mv ', addresses],
  ['next schedules.w', ['schedules.weekly']],
  ['next w', ['weekly']],
  ['plan --target ho', ['hook']],
  ['test s', ['schedules.hook', 'schedules.weekly']],
  ['test h', ['hook']],
  ['state mv w', []],
  ['test ', ['schedules.hook', 'schedules.weekly']],
  ['ai status ', ['aiJobs.summary']],
  ['ai status sch', []],
  ['ai status su', ['summary']],
  ['apply ', [':file']],
  ['import --out ', [':folder']],
])('the line %j can go on with %j', async (line, words) => {
  const jobs = line.startsWith('ai') ? { aiJobs: { summary: {} } } : {};
  const { complete } = await openLine({ 'schedules/all.yaml': { ...declared, ...jobs } });
  expect(await complete(line)).toEqual(words);
});

it('addresses are those that are declared and those that are tracked, in the workspace that the line chooses', async () => {
  const { complete, run, write } = await openLine();
  await run('apply --auto-approve');
  write({
    'schedules/all.yaml': 'schedules: { other: { forEach: { emea: {} } } }\n',
    'else/schedules/a.yaml': 'aiJobs: { far: {} }\n',
    'else/almanac.yaml': '',
  });
  const all = [...addresses, 'schedules.other', 'schedules.other.emea'];
  expect(await complete('state show ')).toEqual(all.sort());
  expect(await complete('-C else plan --target ')).toEqual(['aiJobs.far']);
});

it('a key is offered with the address that it stands for, and not where it may be several things', async () => {
  const { run, write } = await openLine();
  await run('apply --auto-approve');
  write({
    'schedules/all.yaml':
      'schedules: { hourly: { forEach: { one: {} } }, twice: {} }\naiJobs: { twice: {}, weekly: {} }\n',
  });
  const offered = async (typed: string) => (await run('complete-line', '--', 'trigger', typed)).stdout;
  expect(await offered('ho')).toBe(
    'hook\tschedules.hook\nhourly\tschedules.hourly\nhourly.one\tschedules.hourly.one\n',
  );
  expect(await offered('tw')).toBe('');
  expect(await offered('we')).toBe('');
});

it('a state that many share is not asked for, because TAB starts no program and uses no network', async () => {
  const folder = makeFolder({ 'almanac.yaml': { state: { backend: 'git' } }, 'schedules/all.yaml': declared });
  const opened: unknown[] = [];
  const openSharedState = async (place: unknown) => {
    opened.push(place);
    throw new Error('not here');
  };
  const { run } = workspaceIn(folder, {}, { openSharedState });
  const { stdout } = await run('complete-line', '--', 'state', 'show', '');
  expect(stdout.match(/^\S+/gm)).toEqual(addresses);
  expect(opened).toEqual([]);
});

it('selectors are tags and owners, also those of defaults, and addresses; other labels once they are typed', async () => {
  const tags = ['month-end', '$(touch pwned)', '${each.key}'];
  const { complete } = await openLine({
    'almanac.yaml': { defaults: { schedules: { meta: { owner: '@acme/data' } } } },
    'schedules/all.yaml': {
      defaults: { dashboards: { meta: { tags: ['board'] } } },
      dashboards: { sales: {} },
      schedules: {
        daily: {},
        weekly: {
          ...{ destinationType: 'email', recipients: ['ana@example.com', '$(x)@example.com'] },
          meta: { owner: '@acme/finance', tags },
        },
      },
    },
  });
  const labels = ['owner:@acme/data', 'owner:@acme/finance', 'tag:board', 'tag:month-end'];
  const all = ['dashboards.sales', ...labels, 'schedules.daily', 'schedules.weekly'].sort();
  for (const line of ['plan --target ', 'apply --replace ', 'trigger ', 'status ', 'state list ', 'next ', 'who '])
    expect(await complete(line), line).toEqual(all);
  expect(await complete('drift --write tag:board owner:@')).toEqual(['owner:@acme/data', 'owner:@acme/finance']);
  expect(await complete('trigger to:')).toEqual(['to:ana@example.com']);
  expect(await complete('plan --target kind:')).toEqual(['kind:dashboard', 'kind:schedule']);
});

it('what exists in another environment, or has errors, is offered as well, and a loop with the number of its instances', async () => {
  const { complete, run } = await openLine({
    'almanac.yaml': { environmentRequired: true, environments: { prod: {}, staging: {} } },
    'schedules/all.yaml': {
      schedules: {
        broken: { in: ['prod'] },
        regional: { in: ['prod'], forEach: { emea: {}, apac: { in: ['staging'] } } },
      },
    },
  });
  const all = ['schedules.broken', 'schedules.regional', 'schedules.regional.apac', 'schedules.regional.emea'];
  expect(await complete('plan --target ')).toEqual(all);
  expect(await complete('plan --env staging --target ')).toEqual(all);
  const { stdout } = await run('complete-line', '--', 'plan', '--target', 'schedules.regional');
  expect(stdout).toContain('schedules.regional\t2 instances\n');
});

it('no word of a file is offered that a shell could expand', async () => {
  const { complete } = await openLine({
    'almanac.yaml': { environments: { staging: {}, '$(touch pwned)': {}, 'a b': {} } },
    'schedules/all.yaml': {
      schedules: { good: {}, '$(touch pwned)': {}, '`touch pwned`': {}, "a'b": {}, 'a\nschedules.b': {}, 'a;b': {} },
    },
  });
  expect(await complete('plan --target ')).toEqual(['schedules.good']);
  expect(await complete('--env ')).toEqual(['staging']);
  expect(await complete('plan --env s')).toEqual(['staging']);
});

it('a word is described by the name of its resource, in one line of 60 characters', async () => {
  const { run } = await openBare({
    schedules: { long: { name: `one\ntwo \u001b[31m${'x'.repeat(80)}` } },
    dashboards: { sales: { identifier: '12db1a0a' } },
  });
  const { stdout } = await run('complete-line', '--', 'state', 'show', '');
  expect(stdout).toBe(`dashboards.sales\tdashboard 12db1a0a\nschedules.long\tone two \\u001b[31m${'x'.repeat(41)}…\n`);
});

it('nothing is offered, and nothing is printed, where no file can be read', async () => {
  const { complete } = await openLine({
    'almanac.yaml': 'nonsense: [',
    'almanac.state.json': 'not JSON',
    'schedules/all.yaml': 'schedules: [',
  });
  expect(await complete('plan --target ')).toEqual([]);
});
