// What commands say of applied routines, and which people they ask about them.

import { describe, expect, it } from 'vitest';
import { daily } from '../support/cli/open-stage.ts';
import { ids, routineBody } from '../support/emulator/start-emulator.ts';
import { says } from '../support/vocabulary.ts';
import { openApplied, type World } from '../support/world.ts';

const ana = 'ana@example.com';
const bo = 'bo@example.com';
const mailTo = (...recipientEmails: readonly string[]) => ({ type: 'email', recipientEmails });

/** Two of Ana's and one of Bo's, beside a schedule. */
const open = (more: object = {}) =>
  openApplied({
    schedules: { daily },
    routines: {
      churn: routineBody({ name: 'Churn', owner: ana, schedule: '0 9 * * ? *' }),
      digest: routineBody({ name: 'Digest', owner: ana }),
      sales: routineBody({ name: 'Sales', owner: bo, destination: mailTo(ana, bo) }),
    },
    ...more,
  });

const edit = (stage: World, name: string, change: object) =>
  stage.emulator.edit(({ routines = [] }) => {
    for (const routine of routines) if (routine.fields['name'] === name) Object.assign(routine, change);
  });

const lists = (stage: World) => stage.asked().filter((line) => line.startsWith('GET /v1/ai/routines'));

describe('drift of routines', () => {
  it('drift --write writes what changed in a routine into the files, also inside of a destination', async () => {
    const stage = await open();
    edit(stage, 'Churn', {
      fields: { ...routineBody({ name: 'Churn', schedule: '0 9 * * ? *', prompt: 'What is new?' }) },
    });
    edit(stage, 'Sales', { fields: routineBody({ name: 'Sales', destination: mailTo(ana, bo, 'cleo@example.com') }) });
    const found = await stage.run('drift');
    expect(found.code).toBe(2);
    expect(found.stdout).toContain('cleo@example.com');
    expect((await stage.run('drift', '--write')).stdout).toContain('Written into the source files');
    expect(stage.read('schedules/all.yaml')).toContain('What is new?');
    expect(stage.read('schedules/all.yaml')).toContain('cleo@example.com');
    await stage.expectQuiet('--refresh');
  });
});

it('drift --write keeps the audience of a destination, and says that it did not write', async () => {
  const stage = await openApplied({
    audiences: { team: { emails: [ana, bo] } },
    routines: {
      sales: {
        ...routineBody({ name: 'Sales', owner: bo }),
        destination: { type: 'email', recipientEmails: '${audience.team}' },
      },
    },
  });
  edit(stage, 'Sales', { fields: routineBody({ name: 'Sales', destination: mailTo(ana, bo, 'cleo@example.com') }) });
  const { stdout } = await stage.run('drift', '--write');
  expect(stdout).toEqual(says('The declared value is partly a reference'));
  expect(stage.read('schedules/all.yaml')).toContain('${audience.team}');
});

describe('offboard of routines', () => {
  it('offboard names the routines that somebody owns with what to do, puts a successor in their place, and transfers none', async () => {
    const stage = await open();
    stage.emulator.edit((data) => {
      const [first] = data.routines ?? [];
      if (first !== undefined)
        data.routines?.push({ ...first, id: ids.stranger, fields: { ...first.fields, name: 'Ad hoc' } });
    });
    const asked = await stage.run('offboard', ana, '--to', bo);
    expect(asked.stdout).toEqual(says('2 tracked, 1 untracked'));
    expect(asked.stdout).toEqual(
      says('routines.churn, routines.digest Omni cannot transfer a routine. Declare another'),
    );
    expect(asked.stdout).toEqual(says(`"Ad hoc" (${ids.stranger}) Omni cannot transfer a routine. Before`));
    const { stdout } = await stage.run('offboard', ana, '--to', bo, '--write', '--apply', '--auto-approve');
    expect(stdout).toContain('There is nothing to transfer.');
    expect(stage.read('schedules/all.yaml')).not.toContain(ana);
    await stage.apply();
    const owners = (stage.emulator.data().routines ?? []).map(({ ownerId, fields }) => `${fields['name']} ${ownerId}`);
    expect(owners.sort()).toEqual([`Ad hoc ${ids.ana}`, `Churn ${ids.bo}`, `Digest ${ids.bo}`, `Sales ${ids.bo}`]);
  });

  it('offboard finds the routines of the state where Omni no longer lists their owner', async () => {
    const stage = await open();
    stage.emulator.edit(({ members }) => {
      for (const member of members) if (member.id === ids.ana) Object.assign(member, { active: false });
    });
    const { stdout } = await stage.run('offboard', ana);
    expect(stdout).toEqual(says('routines.churn, routines.digest Omni cannot transfer a routine.'));
  });
});

describe('status of routines', () => {
  it('status asks one list of routines for each owner, and says what failed, was stopped, or is paused by its owner', async () => {
    const stage = await open();
    stage.until(3, 10, 30);
    const at = '2026-03-03T09:01:00.000Z';
    edit(stage, 'Churn', { lastRun: { at, status: 'ERROR' } });
    edit(stage, 'Digest', { disabled: true });
    edit(stage, 'Sales', { systemDisabled: true, systemDisabledReason: 'Its model is gone' });
    stage.asked();
    const { code, stdout } = await stage.run('status');
    expect(code).toBe(2);
    expect(lists(stage)).toHaveLength(2);
    expect(stdout).toEqual(says(`FAILED routines.churn ERROR, today 09:01, owner ${ana}`));
    expect(stdout).toEqual(says(`STOPPED routines.sales Its model is gone, owner ${bo}`));
    expect(stdout).toEqual(says('routines.digest: paused by its owner in Omni.'));
    const { stdout: markdown } = await stage.run('status', '--format', 'markdown');
    expect(markdown).toContain('Almanac status: 2 routines to look at');
  });

  it('with --all lists untracked ones of the owners in the state, and says that it knows no others', async () => {
    const stage = await open();
    stage.emulator.edit((data) => {
      const [first] = data.routines ?? [];
      if (first === undefined) return;
      const adHoc = (id: string, ownerId: string, name: string) => ({
        ...first,
        id,
        ownerId,
        fields: { ...first.fields, name },
      });
      data.routines?.push(adHoc(ids.stranger, ids.ana, 'Ad hoc'), adHoc(ids.conversation, ids.cleo, 'Unseen'));
    });
    const { stdout } = await stage.run('status', '--all', '-v');
    expect(stdout).toContain('"Ad hoc"');
    expect(stdout).not.toContain('Unseen');
    expect(stdout).toEqual(says('Untracked routines are known for the owners in the state only.'));
  });

  it('status says whose list of routines Omni refuses, instead of calling their routines gone', async () => {
    const stage = await open();
    stage.emulator.edit(({ members }) => {
      for (const member of members) if (member.id === ids.ana) Object.assign(member, { active: false });
    });
    const { code, stdout, stderr } = await stage.run('status');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toEqual(
      says(
        'Omni does not show the list of their owner, who may no longer be a member or may not use AI: routines.churn, routines.digest.',
      ),
    );
    expect(stdout).not.toContain('Not listed by Omni');
  });
});

describe('next of routines', () => {
  it('next counts routines by their kind, and says of what else it knows runs', async () => {
    const stage = await open({
      dashboards: { sales: { identifier: '12db1a0a', filters: { region: { values: ['EU'] } } } },
    });
    const { stdout } = await stage.run('next', '--at', '09:00');
    expect(stdout).toMatch(/\d of 4 schedules and routines runs? at/);
    expect((await stage.run('next', 'dashboards.sales')).stderr).toContain('is not a schedule or routine');
  });
});
