// What somebody renamed in Omni stops its own change and no other. Where its name is left to others, it is no trouble: the found
// name is sent, if all else that was read proves the id.

import { describe, expect, it } from 'vitest';
import { bucket, hook, inOneLine, mail, routine, sftp, slack } from '../support/vocabulary.ts';
import { openApplied, type World } from '../support/world.ts';

interface Renamed {
  readonly kind: 'schedules' | 'routines';
  readonly declared: Record<string, unknown>;
  /** What the files change of it. */
  readonly changed: object;
}

const kinds: Readonly<Record<string, Renamed>> = {
  'an e-mail': { kind: 'schedules', declared: mail({ name: 'A' }), changed: { subject: 'Two' } },
  'a message in Slack': { kind: 'schedules', declared: slack({ name: 'A' }), changed: { textBody: 'Two' } },
  'a webhook': { kind: 'schedules', declared: hook({ name: 'A' }), changed: { url: 'https://hooks.example.com/two' } },
  'an upload': { kind: 'schedules', declared: sftp({ name: 'A' }), changed: { path: '/two' } },
  'a file in S3': { kind: 'schedules', declared: bucket({ name: 'A' }), changed: { keyPrefix: 'two/' } },
  'a routine': {
    kind: 'routines',
    declared: routine({ name: 'A', owner: 'ana@example.com' }),
    changed: { prompt: 'Two' },
  },
};

const withOthers = ({ kind }: Renamed, a: object, subject: string) => ({
  schedules: { b: mail({ name: 'B', subject }), ...(kind === 'schedules' ? { a } : {}) },
  ...(kind === 'routines' ? { routines: { a } } : {}),
});

type Applied = World & Renamed & { readonly id: string };

const ignoring = { lifecycle: { ignoreChanges: ['name'] } };

async function open(what: string, more: object): Promise<Applied> {
  const renamed = kinds[what] as Renamed;
  const environment = { SFTP_PASSWORD: 'a-long-password-1' };
  const world = await openApplied(withOthers(renamed, { ...renamed.declared, ...more }, 'One'), { environment });
  return { ...world, ...renamed, id: world.idOf(`${renamed.kind}.a`) };
}

const found = ({ emulator, kind, id }: Applied) =>
  (emulator.data()[kind] ?? []).find((each) => each.id === id)?.fields as { name?: string };

const rename = (world: Applied) =>
  world.emulator.edit(
    (data) =>
      void Object.assign((data[world.kind] ?? []).find(({ id }) => id === world.id)?.fields ?? {}, {
        name: 'Of others',
      }),
  );

describe.each(Object.keys(kinds))('%s that was renamed', (what) => {
  it(`${what} that somebody renamed is left by itself, and the result names both names and the way on`, async () => {
    const world = await open(what, {});
    rename(world);
    const address = `${world.kind}.a`;
    world.write({ 'schedules/all.yaml': withOthers(world, { ...world.declared, ...world.changed }, 'Two') });
    const { code, stdout } = await world.run('apply', '--auto-approve');
    expect(code).toBe(1);
    const said = inOneLine(stdout);
    expect(said).toContain('Not sent: The state and Omni disagree about an id.');
    expect(said).toContain('the state has "A"');
    expect(said).toContain('Omni lists "Of others"');
    expect(said).toContain(`almanac apply --refresh-only --target ${address}`);
    expect(world.sent()).toEqual([`PUT /api/v1/schedules/${world.idOf('schedules.b')}`]);
    expect(await world.run('apply', '--auto-approve', '--refresh-only', '--target', address)).toMatchObject({
      code: 0,
    });
    expect(await world.run('apply', '--auto-approve')).toMatchObject({ code: 0 });
    expect(found(world).name).toBe('A');
    await world.expectQuiet();
  });

  it(`${what} whose name is left to others is updated under the name that Omni has`, async () => {
    const world = await open(what, ignoring);
    rename(world);
    world.write({
      'schedules/all.yaml': withOthers(world, { ...world.declared, ...ignoring, ...world.changed }, 'Two'),
    });
    const { code, stdout, stderr } = await world.run('apply', '--auto-approve');
    expect(code, stdout + stderr).toBe(0);
    expect(found(world).name).toBe('Of others');
    expect(world.sent()).toHaveLength(2);
    await world.expectQuiet();
  });

  it(`${what} whose name is left to others is delivered at once under the name that Omni has`, async () => {
    const world = await open(what, ignoring);
    rename(world);
    const { code, stdout, stderr } = await world.run('trigger', `${world.kind}.a`, '--auto-approve');
    expect(code, stdout + stderr).toBe(0);
    expect(world.sent()).toHaveLength(1);
  });
});

it.each<[string, object, object]>([
  ['another kind of destination', slack({ name: 'Of others' }), {}],
  ['another time', mail({ name: 'Of others', schedule: '0 7 ? * TUE *' }), {}],
  ['other receivers', mail({ name: 'Of others', recipients: ['eve@northpine.example'] }), {}],
  ['another dashboard', mail({ name: 'Of others', identifier: '7ae01c55' }), {}],
])(
  'an id of a schedule with %s is not proven by a name that is left to others, and nothing is sent of it',
  async (_, others) => {
    const world = await openApplied({
      schedules: { a: mail({ name: 'A', recipients: ['ana@example.com', 'bo@example.com'], ...ignoring }) },
    });
    const id = world.makeByHand(others);
    const { resources, ...state } = world.state();
    const edited = { ...resources, 'schedules.a': { ...resources['schedules.a'], id } };
    world.write({ 'almanac.state.json': { ...state, serial: state.serial + 1, resources: edited } });
    for (const more of [{ subject: 'Two' }, { recipients: ['ana@example.com'] }, { paused: true, subject: 'Two' }]) {
      world.declare({
        a: mail({ name: 'A', recipients: ['ana@example.com', 'bo@example.com'], ...ignoring, ...more }),
      });
      const { code, stdout } = await world.run('apply', '--auto-approve');
      expect(code).toBe(1);
      expect(inOneLine(stdout)).toContain('Not sent: The state and Omni disagree about an id.');
      expect(world.sent()).toEqual([]);
    }
  },
);
