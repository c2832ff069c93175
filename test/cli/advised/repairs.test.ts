// The commands that are advised to repair: what was lost or left over, locks, states that cannot be used, and the place of
// the state.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { OpenChange } from '../../../src/model/plan/open-change.ts';
import type { State } from '../../../src/model/plan/state.ts';
import { Failure } from '../../../src/model/workspace/failure.ts';
import { renderState } from '../../../src/state/format/parse-state.ts';
import { createdAndDied } from '../../support/apply/memory-place.ts';
import {
  advising,
  after,
  alone,
  appliedDesk,
  type Desk,
  daily,
  declare,
  fileLeft,
  gone,
  held,
  idIn,
  journalOf,
  leftInFile,
  lockFile,
  lostCreate,
  lostDelivery,
  movedTo,
  newDesk,
  orphaned,
  type Promised,
  sharedDesk,
  shows,
  succeedsThen,
  textOf,
} from '../../support/cli/advice.ts';
import { weekly } from '../../support/cli/open-stage.ts';

const idThere = (_: string, { emulator }: Desk) => ({ ID: emulator.data().schedules[0]?.id ?? '' });

advising('after a lost create', lostCreate('full'))
  .on(['plan', 'plan --format html', 'plan --format markdown'], 'apply')
  .on('plan', 'apply', { after: 'The next ' })
  .on('doctor', 'plan', 'looks for it in Omni');
advising('after a lost create with operations core', lostCreate('core'))
  .on('plan', 'state resolve', { fill: idThere })
  .on(['plan --format markdown', 'plan --format html'], 'state resolve', {
    after: 'then record the answer with ',
    more: 'schedules.weekly --id ID',
    fill: idThere,
  })
  .on('doctor', 'plan', 'almanac state resolve schedules.weekly --id ID');
advising(
  'after a lost create with several candidates',
  after(lostCreate('full'), ({ emulator }) =>
    emulator.edit(({ schedules }) => {
      const [made] = schedules;
      if (made !== undefined) schedules.push({ ...structuredClone(made), id: '2abba91d-9bec-41a0-8a8d-6f133b4ff0b7' });
    }),
  ),
).on('apply --auto-approve', 'state resolve', { fill: idThere });
advising('after a lost delivery', lostDelivery)
  .on('trigger schedules.weekly --auto-approve', 'state resolve', succeedsThen)
  .on('state show', 'state resolve', async (_, desk) =>
    expect((await desk.run('trigger schedules.weekly --auto-approve')).code).toBe(0),
  )
  .on('doctor', 'state resolve', async (_, desk) => expect(textOf(await desk.run('doctor'))).not.toContain('Find out'));
const edit = (change: (state: State) => State) => (desk: Desk) =>
  desk.write({ 'almanac.state.json': renderState(change(desk.state())) });
const open = (entry: Partial<OpenChange> & Pick<OpenChange, 'action'>) =>
  edit((state) => {
    const since = '2026-03-01T00:00:00.000Z';
    return { ...state, unresolved: [{ address: 'schedules.weekly', since, ...entry } as OpenChange] };
  });
advising(
  'where an update is unresolved',
  after(() => appliedDesk({ files: alone }), open({ action: 'update', attributes: weekly })),
)
  .on('trigger schedules.weekly --auto-approve', 'apply', succeedsThen)
  .on('state mv schedules.weekly schedules.monday', 'state resolve', {
    after: 'Resolve it first: ',
    then: succeedsThen,
  });
const made = { name: 'New', identifier: '12db1a0a' };
const id = '2abba91d-9bec-41a0-8a8d-6f133b4ff0b7';
advising(
  'where a create is unresolved',
  after(appliedDesk, open({ ...made, action: 'create', address: 'schedules.new', attributes: { ...weekly, ...made } })),
).on('state resolve schedules.new --done', 'state resolve', {
  fill: () => ({ ID: id }),
  then: (_, desk) => expect(desk.state().resources['schedules.new']).toMatchObject({ id }),
});

advising('where there is an orphan', orphaned)
  .on('plan --allow empty', 'state orphans --clear', {
    fill: idIn,
    first: gone,
    then: async (_, desk) => expect(textOf(await desk.run('state orphans'))).toContain('No orphans'),
  })
  .on('doctor', 'state orphans', 'Weekly sales');
advising(
  'where an entry adopts an orphan',
  after(orphaned, (desk) =>
    declare({ weekly }, { adopt: [{ to: 'schedules.weekly', id: desk.state().orphans[0]?.id }] })(desk),
  ),
).on('plan -v', 'state orphans --clear', {
  after: 'remove it from the list of orphans first: ',
  then: async (_, desk, again) => {
    expect(textOf(await again())).toContain('adopt');
    await desk.run('apply --auto-approve');
    expect(desk.state()).toMatchObject({ orphans: [], resources: { 'schedules.weekly': {} } });
  },
});
advising(
  'where an apply would leave an orphan',
  after(() => appliedDesk({ files: alone, operations: 'core' }), declare({})),
).on('apply --auto-approve --allow empty', 'state orphans --clear', {
  fill: idIn,
  first: ({ run }) => run('apply --auto-approve --allow empty --allow orphans'),
  then: (_, desk) => expect(desk.state().orphans).toEqual([]),
});
advising(
  'where Omni refuses another dashboard',
  after(() => appliedDesk({ files: alone }), declare({ weekly: { ...weekly, identifier: 'zzzzzzzz' } })),
).on('apply --auto-approve', 'apply --replace', { first: declare({ weekly: { ...weekly, identifier: '3f9c2b71' } }) });
const isPruned: Promised = (_, { read }) => expect(read('schedules/all.yaml')).not.toContain('removed');
const released = (key: string) => ({ removed: [{ from: `schedules.${key}`, keep: true }] });
advising('where an entry has taken effect', after(appliedDesk, declare({ weekly, daily }, released('old')))).on(
  ['plan -v', 'plan'],
  'fmt --prune',
  isPruned,
);
advising('where an entry takes effect', after(appliedDesk, declare({ weekly }, released('daily')))).on(
  'apply --auto-approve',
  'fmt --prune',
  isPruned,
);
const locked = after(newDesk, ({ write }) => write({ [lockFile]: held }));
advising('where the state is locked', locked)
  .on('apply --auto-approve', 'apply --lock-timeout', {
    fill: () => ({ SECONDS: '60' }),
    first: ({ path }) => rmSync(join(path, lockFile)),
  })
  .on('apply --auto-approve', 'state unlock', succeedsThen)
  .on('doctor', 'state unlock', succeedsThen);
advising(
  'where a lock names nobody',
  after(newDesk, ({ write }) => write({ [lockFile]: '{"by":"hand"}' })),
).on('apply --auto-approve', 'state unlock', succeedsThen);
const journal = 'almanac.state.json.journal';
advising(
  'where a run of this machine is under way',
  after(appliedDesk, (desk) => desk.write({ [lockFile]: held, [journal]: journalOf(desk) })),
).on('plan', 'state unlock', succeedsThen);
const sharedState = after(sharedDesk, ({ run }) => run('apply --auto-approve'));
advising(
  'where a shared state is locked',
  after(sharedState, ({ place }) => place.open().lock('apply')),
).on('doctor', 'apply --lock-timeout', {
  first: (desk) => (desk as Awaited<ReturnType<typeof sharedState>>).place.endProcesses(),
});
/** A part of the state file, as a merge leaves it. */
const inConflict = after(appliedDesk, (desk) => {
  const text = `<<<<<<< ours\n${desk.read('almanac.state.json')}=======\n>>>>>>> theirs\n`;
  desk.write({ 'almanac.state.json': text });
});
const withoutMarkers = (desk: Desk) => {
  const lines = desk.read('almanac.state.json').split('\n');
  desk.write({ 'almanac.state.json': lines.filter((line) => !/^[<=>]{7}/.test(line)).join('\n') });
};
advising('where the state is in conflict', inConflict).on('plan', 'plan --refresh', {
  first: withoutMarkers,
  then: shows('No changes.'),
});
advising(
  'where a journal is broken',
  after(appliedDesk, ({ write }) => write({ [journal]: 'nothing\n' })),
).on('plan --refresh', 'plan --refresh', {
  first: ({ path }) => rmSync(join(path, journal)),
  then: shows('No changes.'),
});
advising(
  'where a run broke off',
  after(appliedDesk, (desk) => desk.write({ [journal]: journalOf(desk, true) })),
).on('doctor', 'apply', async (_ran, _desk, again) => expect(textOf(await again())).not.toContain('journal'));
advising(
  'where a push lacks what a journal holds',
  after(sharedState, async (desk) => {
    await desk.run('state pull > pushed.json');
    const state = JSON.parse(desk.read('pushed.json'));
    await desk.place.write({ ...state, serial: 2 }, createdAndDied({ ...state, serial: 2 }));
    desk.write({ 'pushed.json': { ...state, serial: 20 } });
  }),
).on('state push pushed.json', 'state pull', 'schedules.made');

advising('where the state is shared', sharedState).on('state pull --serial 99', 'state history', 'serial 1');
advising(
  'where a copy of a shared state is at hand',
  after(sharedState, ({ run }) => run('state pull > copy.json')),
).on('apply --state copy.json --auto-approve', 'plan --state', {
  fill: () => ({ FILE: 'copy.json' }),
  then: shows('No changes.'),
});
/** Where the place of the state cannot be reached until `open` is called. */
async function withoutAccess(): Promise<Desk & { readonly access: { isOpen: boolean } }> {
  const access = { isOpen: true };
  const openSharedState = async () => {
    if (!access.isOpen) throw new Failure('state-unreadable', 'The place cannot be reached.');
    return desk.place.open();
  };
  const desk: Awaited<ReturnType<typeof sharedDesk>> = await sharedDesk({ outside: { openSharedState } });
  await desk.run('apply --auto-approve');
  access.isOpen = false;
  return { ...desk, access };
}
const inReach = (isOpen: boolean) => (desk: Desk) => {
  (desk as Awaited<ReturnType<typeof withoutAccess>>).access.isOpen = isOpen;
};
const ofCopy = () => ({ FILE: 'copy.json' });
advising('without access to the state', withoutAccess)
  .on('plan', 'state pull', {
    fill: ofCopy,
    first: inReach(true),
    then: async (_, desk) => expect(textOf(await desk.run('plan --state copy.json'))).toContain('No changes.'),
  })
  .on('plan', 'plan --state', {
    fill: ofCopy,
    first: async (desk) => {
      inReach(true)(desk);
      await desk.run('state pull > copy.json');
      inReach(false)(desk);
    },
    then: shows('No changes.'),
  });
advising('where no state is to be moved', sharedDesk).on('state migrate --auto-approve', 'apply', {
  after: 'The first ',
});
advising('where the state is still in the file', leftInFile).on('plan', 'state migrate', succeedsThen);
advising(
  'where the place has another state',
  after(leftInFile, (desk) => desk.place.write({ ...(JSON.parse(desk.read(fileLeft())) as State), serial: 9 })),
).on('state migrate --auto-approve', 'state pull', '"serial": 9');
advising('where the state is in a file', after(leftInFile, movedTo('local'))).on('state history', 'state migrate', {
  first: movedTo('git'),
  then: succeedsThen,
});
advising(
  'where the base URL has no TLS',
  after(newDesk, (desk) => desk.write({ 'almanac.yaml': desk.read('almanac.yaml').replace('127.0.0.1', '0.0.0.0') })),
)
  // The emulator answers for no host but its own: the request went out.
  .on('apply --auto-approve', 'apply --allow http', { code: 1, then: shows('does not answer for the host') });
