// `almanac drift --write`: what others changed in Omni is written into the source files, at the place where the value comes
// from, and nothing else changes. What is not written is named with the reason.

import { describe, expect, it } from 'vitest';
import {
  all,
  at,
  mail,
  mails,
  paused,
  renamed,
  resumed,
  set,
  testWritings,
  to,
  zoned,
} from '../support/cli/drift-stage.ts';
import { type Fields, openApplied, openWorld } from '../support/world.ts';

const wednesday = at('0 6 ? * WED *');
const paris = zoned('Europe/Paris');
const lists = 'audiences:\n  team: # of sales\n    emails: [ana@example.com, bo@example.com] # all of us\n';
const team = 'recipients: ${audience.team}';
const around = {
  [all]: mails([
    mail('a', 'recipients: [cy@example.com, "${audience.team}", di@example.com]'),
    mail('b', 'recipients: ["${audience.team}", ana@example.com, cy@example.com]'),
  ]),
  'schedules/lists.yaml': lists,
};
const anchored = mails([
  mail(
    'a',
    'schedule: &when 0 7 ? * TUE * # early',
    'recipients: &team',
    '  - ana@example.com # boss',
    '  - cy@example.com',
  ),
  mail('b', 'schedule: *when', 'recipients: *team'),
]);
const merged = mails([
  '  a: &a\n    name: A\n    subject: Hello\n    schedule: 0 7 ? * TUE *\n  b:\n    <<: *a\n    name: B',
]);
const environments = `variables: { zone: Europe/London }
environments:
  prod: { state: { path: prod.state.json } } # ours
  staging: { state: { path: staging.state.json } }
`;
const byVariable = (...keys: readonly string[]) =>
  mails(keys.map((key) => mail(key))).replace('timezone: Europe/London', 'timezone: ${var.zone}');

describe('the place of a value', () => {
  testWritings({
    'a field of the resource is changed there, and comments and style stay': {
      files: mails([mail('a', "schedule: '0 7 ? * TUE *' # early"), mail('b')]),
      changes: { A: wednesday },
      edits: [["'0 7 ? * TUE *'", "'0 6 ? * WED *'"]],
      written: ['schedules.a/schedule schedules/all.yaml:13'],
    },
    'a default is changed if everything that uses it changed alike': {
      files: mails([mail('a'), mail('b'), mail('c', 'timezone: UTC')]),
      changes: { A: paris, B: paris },
      edits: [['Europe/London', 'Europe/Paris']],
      written: ['schedules.a/timezone schedules/all.yaml:5', 'schedules.b/timezone schedules/all.yaml:5'],
    },
    'only the recipients that came and went are edited, and references and comments beside them stay': {
      files: mails([
        mail('a', 'recipients:', '  - ana@example.com # the boss', '  - ${var.bo}', '  - cy@example.com # left'),
      ]),
      config: 'variables: { bo: bo@example.com }\n',
      changes: { A: to('ana@example.com', 'bo@example.com', 'di@example.com') },
      edits: [['- cy@example.com # left', '- di@example.com']],
    },
    'an audience is changed if every schedule that uses it changed alike': {
      files: { [all]: mails([mail('a', team), mail('b', team)]), 'schedules/lists.yaml': lists },
      changes: { A: to('ana@example.com', 'cy@example.com'), B: to('ana@example.com', 'cy@example.com') },
      edits: { 'schedules/lists.yaml': [['bo@example.com', 'cy@example.com']] },
    },
    'of a list that takes in another one, only the items that are written there are edited': {
      files: around,
      changes: { A: to('ana@example.com', 'bo@example.com', 'di@example.com', 'eve@example.com') },
      edits: [
        [
          '[cy@example.com, "${audience.team}", di@example.com]',
          '["${audience.team}", di@example.com, eve@example.com]',
        ],
      ],
    },
    'of a list that takes in another one, what the other one gives is not removed': {
      files: around,
      changes: { B: to('bo@example.com', 'cy@example.com') },
      refused: ['schedules.b/recipients partly-reference'],
    },
    'a variable is changed if it is the whole value of all fields that use it, and they changed alike': {
      files: mails([mail('a', 'timezone: ${var.zone}'), mail('b', 'timezone: ${var.zone}')]),
      config: 'variables:\n  zone: Europe/Rome # the office\n  other: 1\n',
      changes: { A: paris, B: paris },
      edits: { 'almanac.yaml': [['Europe/Rome', 'Europe/Paris']] },
    },
    'an anchor inside of a resource is changed if those that refer to it changed alike': {
      files: anchored,
      changes: { A: wednesday, B: [wednesday, to('ana@example.com', 'di@example.com')] },
      edits: [
        ['&when 0 7 ? * TUE *', '&when 0 6 ? * WED *'],
        ['recipients: *team', 'recipients: [ana@example.com, di@example.com]'],
      ],
    },
    'an anchor inside of a resource stays if one of those that refer to it did not change': {
      files: anchored,
      changes: { A: to('ana@example.com') },
      refused: ['schedules.a/recipients used-elsewhere'],
    },
    'an anchor that another resource merges is not changed under its feet': {
      files: merged,
      changes: { A: [wednesday, paused] },
      refused: ['schedules.a/paused used-elsewhere', 'schedules.a/schedule used-elsewhere'],
    },
    'an anchor that another resource merges is changed if that changed alike': {
      files: merged,
      changes: { A: [wednesday, paused], B: [wednesday, paused] },
      edits: [['schedule: 0 7 ? * TUE *', 'paused: true\n    schedule: 0 6 ? * WED *']],
    },
    'a moved resource is written at its new address': {
      files: mails([mail('a')]),
      changes: { A: paused },
      since: {
        [all]: `${mails(['  z:\n    name: A\n    subject: Hello'])}moved:\n  - { from: schedules.a, to: schedules.z }\n`,
      },
      edits: [['moved:', '    paused: true\nmoved:']],
      written: ['schedules.z/paused schedules/all.yaml:13'],
    },
  });
});

describe('a value that is not set any more', () => {
  const quiet = (...schedules: readonly string[]) => mails(schedules, '    paused: true');

  testWritings({
    'a schedule that was resumed loses its field, unless a default would pause it': {
      files: {
        [all]: mails([mail('a', 'paused: true # for now'), mail('b')]),
        'schedules/quiet.yaml': quiet(mail('c'), mail('d', 'paused: true'), mail('e')),
      },
      changes: { A: resumed, B: paused, C: resumed, D: resumed },
      edits: {
        [all]: [
          ['    paused: true # for now\n', ''],
          [mail('b'), mail('b', 'paused: true')],
        ],
        'schedules/quiet.yaml': [
          [
            `${mail('c')}\n${mail('d', 'paused: true')}`,
            `${mail('c', 'paused: false')}\n${mail('d', 'paused: false')}`,
          ],
        ],
      },
    },
    'a default that hides another one gets the value that means none': {
      files: quiet(mail('a'), mail('b')),
      config: 'defaults: { schedules: { paused: true } }\n',
      changes: { A: resumed, B: resumed },
      edits: [['paused: true', 'paused: false']],
    },
    'a condition that was removed in Omni goes with its query': {
      files: mails([mail('a', 'conditionType: RESULTS_PRESENT', "conditionQueryMapKey: '1'"), mail('b')]),
      changes: {
        A: [set('conditionType', undefined), set('conditionQueryMapKey', undefined)],
        B: [set('conditionType', 'RESULTS_CHANGED'), set('conditionQueryMapKey', '2')],
      },
      edits: [
        ["    conditionType: RESULTS_PRESENT\n    conditionQueryMapKey: '1'\n", ''],
        [mail('b'), mail('b', 'conditionType: RESULTS_CHANGED', 'conditionQueryMapKey: "2"')],
      ],
    },
  });
});

describe('what is not written', () => {
  testWritings({
    'a value that is partly a reference and a schedule that is gone are named, and the others are written': {
      files: mails(["  a: { name: 'A ${var.region}', subject: Hello }", mail('b'), mail('gone')]),
      config: 'variables: { region: EU }\nsafety: { maxDeletePercent: 100 }\n',
      changes: { 'A EU': renamed('A of Europe'), B: paused, GONE: undefined },
      edits: [[mail('b'), mail('b', 'paused: true')]],
      refused: ['schedules.a/name partly-reference', 'schedules.gone gone'],
    },
    'a field whose declaration was changed too keeps it': {
      files: mails([mail('a', 'schedule: 0 7 ? * TUE *')]),
      since: { [all]: mails([mail('a', 'schedule: 0 8 ? * TUE *')]) },
      changes: { A: [wednesday, paused] },
      edits: [['    schedule: 0 8', '    paused: true\n    schedule: 0 8']],
      refused: ['schedules.a/schedule declaration-changed'],
    },
    'a value that only Omni accepts spoils nothing else, however many there are': {
      files: mails(['a', 'b', 'c', 'd', 'e'].map((key) => mail(key, `timezone: UTC # ${key}`))),
      changes: {
        ...Object.fromEntries(['A', 'C'].map((name) => [name, [zoned('Nowhere/Else'), paused]])),
        ...{ B: paused, D: paused, E: zoned('Nowhere/Else') },
      },
      edits: ['a', 'b', 'c', 'd'].map((key) => [
        `    timezone: UTC # ${key}`,
        `    paused: true\n    timezone: UTC # ${key}`,
      ]),
      refused: ['a', 'c', 'e'].map((key) => `schedules.${key}/timezone invalid`),
    },
    'a read-only file is left as it is': {
      files: mails([mail('a')]),
      changes: { A: paused },
      isReadOnly: true,
      refused: ['schedules.a/paused read-only'],
    },
  });
});

describe('layouts', () => {
  const chat = `schedules:
  chat:
    identifier: 12db1a0a
    name: Chat
    schedule: 0 9 ? * MON *
    timezone: UTC
    format: pdf
    destinationType: slack
    slackRecipientType: users
    recipients: U1, U2 # on call
`;

  testWritings({
    'several documents, and a resource that is an alias of another one, are edited apart': {
      files: `${mails([mail('a')])}---\nx-b: &b { name: B, subject: Hello }\nschedules:\n  b: *b\n${mail('c')}\n`,
      changes: { B: paused, C: paused },
      edits: [
        ['b: *b', 'b:\n    name: B\n    subject: Hello\n    paused: true'],
        [mail('c'), mail('c', 'paused: true')],
      ],
    },
    'recipients in one text stay one text': {
      files: chat,
      changes: { Chat: to('U1', 'U3') },
      edits: [['U1, U2', 'U1, U3']],
    },
  });

  it('the values of a filter of a dashboard are edited in its entry', async () => {
    const text = `dashboards:
  sales:
    identifier: 12db1a0a
    filters:
      # what was sent
      order_status: { values: [shipped, delivered] }
    filterOrder: [region, order_status]
`;
    const world = await openApplied(text);
    world.emulator.edit(({ documents }) => {
      const filters = documents.find(({ identifier }) => identifier === '12db1a0a')?.dashboard?.filters;
      Object.assign((filters?.['order_status'] ?? {}) as Fields, { values: ['shipped', 'returned'] });
    });
    expect(await world.drift('--deep', '--write')).toMatchObject({ code: 0, document: { notWritten: [] } });
    expect(world.read(all)).toBe(text.replace('delivered', 'returned'));
    await world.expectQuiet();
  });
});

describe('environments', () => {
  testWritings({
    'a value that environments share is overridden for the chosen one': {
      files: byVariable('a', 'b'),
      config: environments,
      environment: 'prod',
      changes: { A: paris, B: paris },
      edits: { 'almanac.yaml': [['prod.state.json } }', 'prod.state.json }, variables: { zone: Europe/Paris } }']] },
    },
    'without --env, a value that an environment reads as well stays, and is written at the resource': {
      files: byVariable('a'),
      config: environments,
      changes: { A: paris },
      edits: [['${var.zone}', 'Europe/Paris']],
    },
    'a value behind an anchor of the chosen environment stays if another environment refers to it': {
      files: byVariable('a'),
      config: `environments:
  prod: { state: { path: prod.state.json }, variables: { zone: &zone Europe/London } }
  staging: { state: { path: staging.state.json }, variables: { zone: *zone } }
`,
      environment: 'prod',
      changes: { A: paris },
      refused: ['schedules.a/timezone used-elsewhere'],
      because: /also change `schedules\.a` in the environment staging\. Change it yourself/,
    },
    'what would not be valid in another environment stays, and the rest is written': {
      files: mails([mail('a')]),
      config:
        'environments: { prod: {}, staging: { api: { operations: core }, state: { path: staging.state.json } } }\n',
      environment: 'prod',
      changes: { A: [paused, wednesday] },
      edits: [['0 9 ? * MON *', '0 6 ? * WED *']],
      refused: ['schedules.a/paused invalid'],
      because: /not be valid in the environment staging/,
    },
  });

  it('an environment whose declarations have errors hinders nothing, and is named', async () => {
    const config = 'environments: { prod: {}, broken: { variables: { zone: Nowhere/Else } } }\n';
    const world = await openWorld({ [all]: byVariable('a') }, { config: `variables: { zone: UTC }\n${config}` });
    await world.apply('--env', 'prod');
    world.change('A', wednesday);
    const { code, stderr } = await world.run('drift --deep --write --env prod');
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('warning: The declarations of the environment broken have errors, so nobody checked'),
    ]);
    expect(world.read(all)).toContain('0 6 ? * WED *');
  });
});

it('only the named resources are written, and an unknown one is refused with the nearest', async () => {
  const world = await openApplied(mails([mail('alpha'), mail('beta')]));
  for (const name of ['ALPHA', 'BETA']) world.change(name, paris);
  const { code, document } = await world.drift('--deep', '--write', 'schedules.alpha');
  expect(code).toBe(0);
  expect(document.written).toMatchObject([{ address: 'schedules.alpha' }]);
  expect(world.read(all)).toContain('timezone: Europe/London # where we are');
  const unknown = await world.run('drift --write schedules.alhpa');
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('Did you mean `schedules.alpha`?') });
  expect((await world.drift('--write', 'schedules.beta', '--target', 'schedules.beta')).code).toBe(0);
});

it('what was written is no drift for the next run, although only an apply records it in the state', async () => {
  const world = await openApplied(mails([mail('a')]));
  world.change('A', paused);
  const first = await world.run('drift --write');
  expect(first.code).toBe(0);
  expect(first.stdout).toContain('Written into the source files\n- schedules.a: paused (schedules/all.yaml:');
  const before = world.read(all);
  const { code, stdout } = await world.run('drift --write');
  expect(code).toBe(0);
  expect(stdout.replace(/\s+/g, ' ')).toContain(
    'No drift: everything that was compared is as it was applied, or as it is declared. Only the state is behind on 1 resource: Omni has it as declared already. The next `almanac apply --refresh` records it.',
  );
  expect(world.read(all)).toBe(before);
  expect(await world.drift()).toMatchObject({ code: 0, document: { drift: [], asDeclared: ['schedules.a'] } });
  const plan = await world.run('plan --refresh');
  expect(plan.stdout).not.toContain('Changed outside of Almanac');
  expect(plan.stdout).toContain('  update  schedules.a  A: Omni has it as declared already\n');
  expect(plan.stdout).toContain('Plan: 1 to update in the state.\nNo requests.');
  await world.apply('--refresh');
  expect((await world.drift()).document.asDeclared).toBeUndefined();
  expect((await world.plan('--refresh=deep')).changes).toEqual([]);
});

it('Markdown names what was written and what was not', async () => {
  const text = mails(["  a: { name: 'A ${var.region}', subject: Hello }", mail('b')]);
  const world = await openApplied(text, { config: 'variables: { region: EU }\n' });
  world.change('A EU', renamed('Other'));
  world.change('B', paused);
  const { code, stdout } = await world.run('drift --deep --write --format markdown');
  expect(code).toBe(2);
  expect(stdout).toMatch(/Not written\n\n- `schedules\.a: name`\n\nThe declared value is partly a reference/);
  expect(stdout).toMatch(/Written into the source files\n\n- `schedules\.b: paused \(schedules\/all\.yaml:\d+\)`/);
});
