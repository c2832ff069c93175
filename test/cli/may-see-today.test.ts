// One question, for everybody who asks it: may this receiver see this, today? A line of the table counts, has ended, or is not
// there; and so does one of every row.

import { expect, test } from 'vitest';
import { isJudged } from '../../src/declare/rows/judge-rows.ts';
import { readPermissions } from '../../src/declare/rows/read-permissions.ts';
import { deliveryOf } from '../../src/model/fields/delivery.ts';
import { says } from '../support/vocabulary.ts';
import { openApplied, type World } from '../support/world.ts';

const report = {
  identifier: '12db1a0a',
  name: 'Of North Pine',
  schedule: '0 9 ? * MON *',
  timezone: 'UTC',
  format: 'csv',
  destinationType: 'email',
  subject: 'Daily',
  owner: 'ana@example.com',
  recipients: ['cfo@northpine.example'],
  filterConfig: { region: { values: ['North Pine'] } },
};
const config = { safety: { internalDomains: ['acme.com'], rows: { filters: ['region'], allow: 'tenants.csv' } } };
const heads = 'shows,receiver,until\n';
const right = `${heads}North Pine,cfo@northpine.example,2999-12-31\n`;

const lines = {
  today: 'North Pine,cfo@northpine.example,2999-12-31',
  ended: 'North Pine,cfo@northpine.example,2026-01-01',
  none: 'South Oak,cfo@northpine.example,2999-12-31',
  everything: '*,cfo@northpine.example,2999-12-31',
  'everything, ended': '*,cfo@northpine.example,2026-01-01',
};

type Answer = readonly [code: number, words?: string];
type Line = keyof typeof lines;

interface Asker {
  readonly ask: (world: World) => Promise<{ readonly code: number; readonly said: string }>;
  readonly answers: Readonly<Record<Line, Answer>>;
}

const running =
  (...argv: readonly string[]) =>
  async (world: World) => {
    const { code, stdout, stderr } = await world.run(...argv);
    return { code, said: stdout + stderr };
  };
const over = 'ended on 2026-01-01';
const wrong = 'may receive `South Oak`';

const askers: Readonly<Record<string, Asker>> = {
  validate: {
    ask: running('validate', '-v'),
    answers: { today: [0], ended: [0, over], none: [1, wrong], everything: [0], 'everything, ended': [0, over] },
  },
  plan: {
    ask: running('plan'),
    answers: { today: [0], ended: [0, over], none: [1, wrong], everything: [0], 'everything, ended': [0, over] },
  },
  apply: {
    ask: async (world) => {
      world.declare({ a: { ...report, subject: 'Changed' } });
      return running('apply', '--auto-approve')(world);
    },
    answers: { today: [0], ended: [1, over], none: [1, wrong], everything: [0], 'everything, ended': [1, over] },
  },
  drift: {
    ask: running('drift', '--deep'),
    answers: { today: [0], ended: [2, over], none: [1, wrong], everything: [0], 'everything, ended': [2, over] },
  },
  prove: {
    ask: running('prove'),
    answers: {
      today: [0, 'Proven: 1 of 1 report'],
      ended: [2, 'may see nothing of it today'],
      none: [1, wrong],
      everything: [1, 'may see every row'],
      'everything, ended': [2, 'may see nothing of it today'],
    },
  },
  who: {
    ask: running('who', '--rows', '--online'),
    answers: { today: [0], ended: [2, over], none: [2, wrong], everything: [0], 'everything, ended': [2, over] },
  },
  page: {
    ask: async (world) => {
      const ran = await running('page', '--out', 'page.html')(world);
      return { ...ran, said: ran.said + (ran.code === 0 ? world.read('page.html') : '') };
    },
    answers: { today: [0], ended: [0, over], none: [1, wrong], everything: [0], 'everything, ended': [0, over] },
  },
  'read-back': {
    ask: async (world) => {
      const { value: permissions } = readPermissions(
        { path: 'tenants.csv', text: world.read('tenants.csv'), isTable: true },
        '2026-11-21',
        ['acme.com'],
      );
      const rules = {
        permissions,
        filters: ['region'],
        usedOn: () => ['region'],
        shared: new Set<string>(),
        isOutside: () => true,
      };
      const isRead = isJudged('schedule', deliveryOf('schedule', report), rules);
      return { code: isRead ? 1 : 0, said: '' };
    },
    answers: { today: [1], ended: [1], none: [1], everything: [0], 'everything, ended': [1] },
  },
};

test.each(
  Object.entries(askers).flatMap(([name, { ask, answers }]) =>
    (Object.keys(lines) as Line[]).map((line) => [name, line, ask, answers[line]] as const),
  ),
)('`%s` answers for a line: %s', async (_, line, ask, [code, words]) => {
  const world = await openApplied(
    { schedules: { a: report }, 'tenants.csv': right },
    { config, downloadDurationMs: 0 },
  );
  world.write({ 'tenants.csv': `${heads}${lines[line]}\n` });
  const { code: found, said } = await ask(world);
  expect(found, said).toBe(code);
  if (words === undefined) expect(said).not.toContain(over);
  else expect(said).toEqual(says(words));
});
