// The rules that only Omni tells, each broken and kept.

import { expect, test } from 'vitest';
import { aiJob, dashboard, mail, routine } from '../support/vocabulary.ts';
import { openWorld, type World } from '../support/world.ts';

type Sections = Readonly<Record<string, unknown>>;
const schedule = (more: object): Sections => ({ schedules: { a: { ...mail(), ...more } } });
const job = (more: object): Sections => ({ aiJobs: { a: { ...aiJob(), ...more } } });
const filtered = (name: string) => schedule({ filterConfig: { [name]: { type: 'string', values: ['Europe'] } } });
const alert = (tile: string) => schedule({ conditionType: 'RESULTS_PRESENT', conditionQueryMapKey: tile });
const alertOn = { conditionType: 'RESULTS_PRESENT', conditionQueryMapKey: '1' };
const noModel = '770e8400-e29b-41d4-a716-446655440099';

const online: readonly (readonly [severity: string, code: string, broken: Sections, kept: Sections])[] = [
  ['error', 'unknown-document', schedule({ identifier: '12db1a0b' }), schedule({})],
  ['error', 'deleted-dashboard', schedule({ identifier: '0ddba115' }), schedule({})],
  ['error', 'no-dashboard', schedule({ identifier: 'a17b3e94' }), schedule({})],
  ['error', 'unknown-filter-key', filtered('Region'), filtered('region')],
  [
    'error',
    'unknown-control',
    { dashboards: { a: dashboard({ controls: { metrics: { hidden: true } } }) } },
    { dashboards: { a: dashboard({ controls: { metric: { hidden: true } } }) } },
  ],
  ['error', 'unknown-query', alert('nothing'), alert('1')],
  ['error', 'unknown-query', schedule({ queryIdentifierMapKey: 'nothing' }), schedule({ queryIdentifierMapKey: '1' })],
  ['error', 'unknown-group', schedule({ userGroups: ['Bord'] }), schedule({ userGroups: ['Board'] })],
  ['error', 'owner-unknown', schedule({ owner: 'nobody@example.com' }), schedule({ owner: 'ana@example.com' })],
  ['error', 'owner-inactive', schedule({ owner: 'cleo@example.com' }), schedule({ owner: 'bo@example.com' })],
  ['error', 'unknown-model', { routines: { a: routine({ modelId: noModel }) } }, { routines: { a: routine() } }],
  ...['987fcdeb', '1234567', 'orders-model'].map(
    (modelId) => ['error', 'invalid-id', job({ modelId }), job({})] as const,
  ),
  ['note', 'csv-of-tiles', { schedules: { a: { ...mail({ format: 'csv' }), ...alertOn } } }, schedule(alertOn)],
];

const numbered = online.map(([severity, code, broken, kept], at) => ({ number: at + 1, severity, code, broken, kept }));

async function foundIn(world: World, declared: Sections, code: string) {
  world.write({ 'schedules/all.yaml': declared });
  const { stdout } = await world.run('validate --online --format json');
  const { diagnostics } = JSON.parse(stdout) as { readonly diagnostics: readonly Record<string, unknown>[] };
  return diagnostics.filter((each) => each['code'] === code);
}

test.each(numbered)(
  'rule $number that needs Omni: $code is a $severity if broken, and absent if kept',
  async ({ severity, code, broken, kept }) => {
    const world = await openWorld({});
    world.emulator.edit(({ members }) => {
      for (const member of members) if (member.email === 'cleo@example.com') member.active = false;
    });
    const found = await foundIn(world, broken, code);
    expect([...new Set(found.map((each) => each['severity']))]).toEqual([severity]);
    expect(found[0]).toMatchObject({ hint: expect.stringMatching(/\w/), line: expect.any(Number) });
    expect(await foundIn(world, kept, code)).toEqual([]);
  },
);
