// A request sets and delivers nothing that no plan has shown: each asker by each field that somebody may change in Omni.

import { expect, it } from 'vitest';
import { fieldsOf } from '../../src/model/fields/fields.ts';
import { pairsOf } from '../support/runs/runs.ts';
import { bucket, dashboard, inOneLine, mail, region, sftp, slack } from '../support/vocabulary.ts';
import { type Fields, openApplied, type World } from '../support/world.ts';

const address = 'schedules.a';
const board = 'a1f0c6d2-7b34-4e59-8c1d-52e6f90b7a31';

type Stored = { userGroupIds?: readonly string[]; ownerId?: string | null; disabledAt?: string | null };
type Edit = (fields: Fields, schedule: Stored) => void;
const set =
  (more: Fields): Edit =>
  (fields) =>
    void Object.assign(fields, more);

interface Base {
  readonly declared: Record<string, unknown>;
  /** What the files change of it, which takes a PUT. */
  readonly changed: Fields;
  readonly edits: Readonly<Record<string, Edit>>;
}

/** No default is documented, so a look compares these where they are declared. */
const paper = { paperFormat: 'a4', paperOrientation: 'landscape' };
const tile = { queryIdentifierMapKey: '1' };

/** Each kind of destination, with the fields that a look compares. */
const bases: Readonly<Record<string, Base>> = {
  email: {
    declared: mail({ name: 'A', owner: 'bo@example.com', filterConfig: region('North'), ...paper }),
    changed: { subject: 'Two' },
    edits: {
      schedule: set({ schedule: '0 7 ? * TUE *' }),
      timezone: set({ timezone: 'Asia/Tokyo' }),
      format: set({ format: 'xlsx' }),
      destinationType: (fields) => {
        for (const name of ['recipients', 'subject']) delete (fields as Record<string, unknown>)[name];
        Object.assign(fields, { destinationType: 'webhook', url: 'https://hooks.example.com/x' });
      },
      recipients: set({ recipients: ['ana@example.com', 'eve@northpine.example'] }),
      userGroups: (_, schedule) => void Object.assign(schedule, { userGroupIds: [board] }),
      filterConfig: set({ filterConfig: region('South') }),
      timezoneOverride: set({ timezoneOverride: 'Asia/Tokyo' }),
      conditionType: set({ conditionType: 'RESULTS_PRESENT', conditionQueryMapKey: '1' }),
      killJobsOnFailure: set({ killJobsOnFailure: true }),
      showFilters: set({ showFilters: false }),
      hideTitle: set({ hideTitle: true }),
      expandTablesToShowAllRows: set({ expandTablesToShowAllRows: true }),
      singleColumnLayout: set({ singleColumnLayout: true }),
      paperFormat: set({ paperFormat: 'letter' }),
      paperOrientation: set({ paperOrientation: 'portrait' }),
      owner: (_, schedule) => void Object.assign(schedule, { ownerId: '6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b' }),
      paused: (_, schedule) => void Object.assign(schedule, { disabledAt: '2026-03-01T00:00:00.000Z' }),
    },
  },
  tile: {
    declared: mail({ name: 'A', ...tile }),
    changed: { subject: 'Two' },
    edits: {
      queryIdentifierMapKey: (fields) => void delete (fields as Record<string, unknown>)['queryIdentifierMapKey'],
    },
  },
  alert: {
    declared: mail({ name: 'A', conditionType: 'RESULTS_PRESENT', conditionQueryMapKey: '1' }),
    changed: { subject: 'Two' },
    edits: { conditionQueryMapKey: set({ conditionQueryMapKey: '2' }) },
  },
  slack: {
    declared: slack({ name: 'A' }),
    changed: { textBody: 'Two' },
    edits: {
      recipients: set({ recipients: 'C9876543210' }),
      slackRecipientType: set({ slackRecipientType: 'user', recipients: 'U0123456789' }),
    },
  },
  sftp: {
    declared: sftp({ name: 'A', ...tile }),
    changed: { path: '/two' },
    edits: {
      schedule: set({ schedule: '0 7 ? * TUE *' }),
      address: set({ address: 'sftp.other.example' }),
      port: set({ port: 2222 }),
      username: set({ username: 'other' }),
      hideHiddenFields: set({ hideHiddenFields: true }),
      enableFormatting: set({ enableFormatting: true }),
      overrideRowLimit: set({ overrideRowLimit: true, maxRowLimit: 5 }),
      filterConfig: set({ filterConfig: region('South') }),
    },
  },
  s3: {
    declared: bucket({ name: 'A' }),
    changed: { textBody: undefined, filename: 'two-{{entityName}}' },
    edits: {
      bucketName: set({ bucketName: 'others' }),
      region: set({ region: 'us-east-1' }),
      roleArn: set({ roleArn: 'arn:aws:iam::999999999999:role/omni' }),
      keyPrefix: set({ keyPrefix: 'others/' }),
    },
  },
};

const cases = Object.keys(bases).flatMap((base) =>
  Object.keys(bases[base]?.edits ?? {}).map((field) => [base, field] as const),
);

const before = { OMNI_API_TOKEN: '', SFTP_PASSWORD: 'old-password-1' };
const on = { d: dashboard({ filters: { order_status: { values: ['complete'] } } }) };

async function changedByOthers(base: string, field: string): Promise<World & { readonly base: Base }> {
  const given = bases[base] as Base;
  const world = await openApplied(
    { schedules: { a: given.declared } },
    { environment: { SFTP_PASSWORD: before.SFTP_PASSWORD } },
  );
  world.change('A', given.edits[field] as Edit);
  return { ...world, base: given };
}

const inOmni = ({ emulator }: World) => structuredClone(emulator.data().schedules);

/** By who asks: nothing of what others changed is set or delivered. */
const askers: Readonly<
  Record<string, (world: World & { readonly base: Base }, field: string, base: string) => Promise<void>>
> = {
  'an update': async (world) => {
    world.declare({ a: { ...world.base.declared, ...world.base.changed } });
    const { code, stdout } = await world.run('apply', '--auto-approve');
    expect(code, stdout).toBe(1);
    expect(inOneLine(stdout)).toContain('would undo what somebody changed in schedules.a');
    expect(world.sent()).toEqual([]);
  },
  'an update that is sent again': async (world) => {
    const { resources, ...state } = world.state();
    const attributes = { ...resources[address]?.attributes, ...world.base.changed };
    const lost = { address, action: 'update', since: '2026-03-01T00:00:00.000Z', attributes };
    world.write({ 'almanac.state.json': { ...state, resources, serial: state.serial + 1, unresolved: [lost] } });
    world.declare({ a: { ...world.base.declared, ...world.base.changed } });
    const { code, stdout } = await world.run('apply', '--auto-approve');
    expect(code, stdout).toBe(1);
    expect(inOneLine(stdout)).toContain('would undo what somebody changed in schedules.a');
    expect(world.sent()).toEqual([]);
  },
  'a rotation': async (world, _, base) => {
    if (base !== 'sftp') return;
    world.write({ 'reviewed.txt': '' });
    const rotated = world.beside(
      {},
      { ...before, OMNI_API_TOKEN: world.organizationKey, SFTP_PASSWORD: 'new-password-2' },
    );
    const { code, stdout, stderr } = await rotated.run('apply', '--auto-approve', '--expect-changes', 'reviewed.txt');
    expect(code, stdout).toBe(1);
    expect(inOneLine(stdout)).toContain('would undo what somebody changed in schedules.a');
    expect(stderr).not.toContain('no review is needed');
    expect(world.sent()).toEqual([]);
  },
  'a filter of its dashboard': async (world, field) => {
    world.declare({ a: world.base.declared }, { dashboards: on });
    const { code, stdout } = await world.run('apply', '--auto-approve');
    const isLeft = fieldsOf.schedule[field]?.decides === 'who';
    expect(code, stdout).toBe(isLeft ? 1 : 0);
    if (isLeft) expect(inOneLine(stdout)).toContain('which no plan has shown');
    expect(world.sent().filter((line) => line.startsWith('PATCH'))).toHaveLength(isLeft ? 0 : 1);
  },
  'a trigger': async (world, field) => {
    if (field === 'paused') return;
    const { code, stdout } = await world.run('trigger', address, '--auto-approve');
    const goes = field === 'schedule' || field === 'timezone';
    expect(code, stdout).toBe(goes ? 0 : 1);
    if (!goes) expect(inOneLine(stdout)).toContain('Somebody changed it in Omni, and no plan has shown that: ');
    expect(world.sent()).toHaveLength(goes ? 1 : 0);
  },
  'a test delivery': async (world, _, base) => {
    if (base === 's3') return;
    const stored = inOmni(world);
    const { code, stderr } = await world.run('test', address, '--auto-approve');
    expect(code, stderr).toBe(0);
    const [sent] = world.emulator.requests().toReversed();
    expect(sent).toMatchObject({ method: 'POST', body: { testNow: true } });
    for (const [name, value] of Object.entries(world.base.declared))
      if (name !== 'owner' && name !== 'passwordUnencrypted') expect(sent?.body).toMatchObject({ [name]: value });
    expect(inOmni(world)).toEqual(stored);
  },
};

it.each(pairsOf(cases, Object.keys(askers)).map(([[base, field], asker]) => [asker, field, base] as const))(
  '%s sets and delivers nothing of a change of %s by others (%s)',
  async (asker, field, base) => {
    const world = await changedByOthers(base, field);
    await askers[asker]?.(world, field, base);
  },
);

it.each(
  cases.filter(([, field]) => !['owner', 'paused', 'format', 'slackRecipientType', 'destinationType'].includes(field)),
)('what the files declare is shown: a trigger of %s goes where others changed %s to that', async (base, field) => {
  const world = await changedByOthers(base, field);
  const { fields, userGroupIds } = world.emulator.data().schedules[0] ?? { fields: {} };
  const declared = {
    ...fields,
    ...(userGroupIds?.length ? { userGroups: ['Board'] } : {}),
    owner: world.base.declared['owner'],
  };
  const { passwordUnencrypted } = world.base.declared;
  world.declare({ a: JSON.parse(JSON.stringify({ ...declared, passwordUnencrypted })) });
  const { code, stdout, stderr } = await world.run('trigger', address, '--auto-approve');
  expect(code, stdout + stderr).toBe(0);
  expect(world.sent()).toHaveLength(1);
});
