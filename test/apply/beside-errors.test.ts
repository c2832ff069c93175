// What only takes away goes beside a broken file of others. Tables: by the kind of taking away, the file that is broken, how it
// is broken, and who asks.

import { expect, it } from 'vitest';
import type { PlanDocument } from '../../src/model/plan/plan.ts';
import { pairsOf } from '../support/runs/runs.ts';
import { inOneLine, mail, sales } from '../support/vocabulary.ts';
import { openWorld, type World } from '../support/world.ts';

const address = 'schedules.a.north';
const groups = ['a1f0c6d2-7b34-4e59-8c1d-52e6f90b7a31', 'b27d5e80-1c49-4f6a-9d3b-84a0c1e2f567'];

interface Files {
  readonly [path: string]: object | string | Buffer;
}

/** The row of the target, which is an instance of a loop over a table. */
const before = {
  mail: 'eve@northpine.example',
  second: 'joe@northpine.example',
  groups: 'Board;Sales team',
  paused: '',
};
type Row = Partial<typeof before>;

const tableOf = (row: Row | undefined) => {
  const north = row && { ...before, ...row };
  const lines = north === undefined ? [] : [`north,${Object.values(north).join(',')}`];
  return ['code,mail,second,groups,paused', ...lines, 'south,cy@example.com,,,', ''].join('\n');
};

const other = (name: string) => mail({ name });

/** The target takes values of its own file, of a table, of an audience in another file, and of a text file. */
const filesWith = (row: Row | undefined, more: object = {}): Files => ({
  'schedules/own.yaml': {
    schedules: {
      a: {
        forEachRow: { file: 'customers.csv', key: 'code', empty: { paused: 'false' } },
        ...mail({
          name: 'A ${each.key}',
          recipients: ['${audience.finance}', '${each.mail}', '${each.second}'],
          userGroups: '${each.groups}',
          textBody: '${file.body.txt}',
        }),
        paused: '${each.paused}',
        ...more,
      },
      own: other('Own'),
    },
  },
  'schedules/customers.csv': tableOf(row),
  'schedules/people.yaml': {
    audiences: { finance: { emails: ['ana@example.com'] } },
    schedules: { people: other('People') },
  },
  'schedules/body.txt': 'Good morning.\n',
  'schedules/other.yaml': {
    schedules: { other: other('Other'), loop: { forEach: { x: 'X' }, ...other('${each.value}') } },
  },
});

/** What the files take away, with the request. */
const takings: Readonly<Record<string, { readonly row: Row | undefined; readonly sent: string }>> = {
  receiver: { row: { second: '' }, sent: 'PUT' },
  group: { row: { groups: 'Board' }, sent: 'remove-recipients' },
  pause: { row: { paused: 'true' }, sent: 'pause' },
  deletion: { row: undefined, sent: 'DELETE' },
};

const broken = ['almanac.yaml', 'own.yaml', 'customers.csv', 'people.yaml', 'body.txt', 'other.yaml'] as const;
const ways = ['syntax', 'schema', 'rule', 'unreadable'] as const;
type Way = (typeof ways)[number];

const notText = Buffer.from([0xff, 0xfe, 0xfa, 0xc3, 0x28]);

/** The content with a mistake that is about another declaration, row or setting than those of the target. */
function withMistake(path: string, content: string, way: Way): string | Buffer {
  if (way === 'unreadable' || path.endsWith('.txt')) return notText;
  if (path.endsWith('.csv'))
    return { syntax: `${content}"open`, schema: content.replace('second', 'mail'), rule: `${content}south,,,,\n` }[way];
  if (way === 'syntax') return `${content}\n  [`;
  const value = JSON.parse(content) as { schedules?: Record<string, object> };
  const name = Object.keys(value.schedules ?? {}).find((key) => key !== 'a' && key !== 'loop') ?? '';
  const mistake = way === 'schema' ? { nonsense: 1 } : { schedule: '0 9 31 FEB ? *x' };
  const ofConfig = way === 'schema' ? { nonsense: 1 } : { checks: { nonsense: 'off' } };
  const more =
    name === '' ? ofConfig : { schedules: { ...value.schedules, [name]: { ...value.schedules?.[name], ...mistake } } };
  return JSON.stringify({ ...value, ...more });
}

async function openApplied(): Promise<World> {
  const world = await openWorld(filesWith({}), { config: { safety: { maxDeletePercent: 100 } } });
  world.emulator.edit(({ documents }) => {
    const found = documents.find(({ identifier }) => identifier === sales);
    Object.assign(found ?? {}, { sharedWithGroups: groups });
  });
  await world.apply();
  world.sent();
  return world;
}

function breakFile(world: World, file: string, way: Way): void {
  const path = file === 'almanac.yaml' ? file : `schedules/${file}`;
  world.write({ [path]: withMistake(path, world.read(path), way) });
}

/** Those who ask, with what the plan of sound files has shown them. */
const askers: Readonly<Record<string, (world: World, shown: PlanDocument) => readonly string[]>> = {
  'an apply': () => ['apply', '--auto-approve', '--target', address],
  'a reviewed plan': (_, { digest }) => ['apply', '--auto-approve', '--target', address, '--expect', digest],
  'reviewed changes': (world, { changes }) => {
    world.write({ 'reviewed.txt': changes.map(({ digest }) => `${digest}\n`).join('') });
    return ['apply', '--auto-approve', '--target', address, '--expect-changes', 'reviewed.txt'];
  },
  'a saved plan': () => ['apply', '--auto-approve', 'saved.json'],
};

const cases = broken.flatMap((file) =>
  ways.flatMap((way) => (file === 'body.txt' && way !== 'unreadable' ? [] : [[file, way] as const])),
);
const asking = Object.keys(takings).flatMap((taking) => Object.keys(askers).map((asker) => [taking, asker] as const));

it.each(pairsOf(asking, cases).map(([[taking, asker], [file, way]]) => [taking, asker, file, way] as const))(
  'a %s asked for by %s goes beside %s only if no value comes from there (%s)',
  async (taking, asker, file, way) => {
    const { row, sent } = takings[taking] ?? { row: {}, sent: '' };
    const world = await openApplied();
    world.write(filesWith(row));
    const shown = await world.plan('--target', address, '--out', 'saved.json');
    const argv = askers[asker]?.(world, shown) ?? [];
    breakFile(world, file, way);
    // What is gone from the files gets no value from any: there, no file may hide a declaration.
    const hidesNothing = file.endsWith('.yaml') && file !== 'almanac.yaml' && (way === 'schema' || way === 'rule');
    const goes = taking === 'deletion' ? hidesNothing : file === 'other.yaml';
    const planned = await world.run('plan', '--target', address);
    expect(planned.code, planned.stdout + planned.stderr).toBe(goes ? 0 : 1);
    world.sent();
    const ran = await world.run(...argv);
    expect(ran.code, ran.stdout + ran.stderr).toBe(goes ? 0 : 1);
    const lines = world.sent().map((line) => line.replace(/^(?:PUT|DELETE) \S+\/[0-9a-f-]{36}\//, ''));
    expect(lines.map((line) => line.split(' ')[0])).toEqual(goes ? [sent] : []);
    if (goes) expect(inOneLine(ran.stderr)).toContain('Other files have errors. Only what is taken away');
    else expect(ran.stderr + planned.stderr).toContain('error');
  },
);

const refusedBeside: Readonly<Record<string, (world: World) => readonly string[]>> = {
  'another field of the target changes as well': (world) => {
    world.write(filesWith({ second: '' }, { subject: 'Two' }));
    return [address];
  },
  'a receiver comes in place of one': (world) => {
    world.write(filesWith({ second: 'new@northpine.example' }));
    return [address];
  },
  'nothing changes': () => [address],
  'another target is in the broken file': (world) => {
    world.write(filesWith({ second: '' }));
    return [address, 'schedules.other'];
  },
  'a label chooses the target': (world) => {
    world.write(filesWith({ second: '' }));
    return ['to:joe@northpine.example'];
  },
  'a pattern chooses the target': (world) => {
    world.write(filesWith({ second: '' }));
    return ['schedules.a.*'];
  },
  'no target is chosen': (world) => {
    world.write(filesWith({ second: '' }));
    return [];
  },
};

it.each(Object.keys(refusedBeside))('beside a broken file, nothing is sent where %s', async (why) => {
  const world = await openApplied();
  const targets = refusedBeside[why]?.(world) ?? [];
  breakFile(world, 'other.yaml', 'rule');
  const { code, stderr } = await world.run(
    ...['apply', '--auto-approve', ...(targets.length === 0 ? [] : ['--target', ...targets])],
  );
  expect(code).toBe(1);
  expect(stderr).toContain('error[invalid-workspace]: The declarations have errors; nothing was planned.');
  expect(stderr).toContain('schedules/other.yaml:');
  expect(world.sent()).toEqual([]);
});

it('what may be renamed in a file with an error is not deleted beside it', async () => {
  const world = await openApplied();
  world.write(filesWith(undefined));
  world.write({ 'schedules/new.yaml': { schedules: { renamed: { ...other('A north'), nonsense: 1 } } } });
  const { code, stderr } = await world.run('apply', '--auto-approve', '--target', address);
  expect(code).toBe(1);
  expect(stderr).toContain('error[invalid-workspace]');
  expect(world.sent()).toEqual([]);
});

it('the errors of other files are warnings of a plan that only takes away, and the rest waits for them', async () => {
  const world = await openApplied();
  world.write(filesWith({ second: '' }));
  breakFile(world, 'other.yaml', 'schema');
  const { changes, diagnostics } = await world.plan('--target', address);
  expect(changes.map((change) => change.address)).toEqual([address]);
  expect(diagnostics).toMatchObject([{ code: 'unknown-field', severity: 'warning', file: 'schedules/other.yaml' }]);
  expect(await world.run('drift', '--target', address)).toMatchObject({ code: 1 });
  expect(await world.run('apply', '--auto-approve', '--target', address)).toMatchObject({ code: 0 });
  expect(await world.run('apply', '--auto-approve')).toMatchObject({ code: 1 });
});
