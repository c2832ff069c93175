// `almanac import` of routines: those of the token's member, those of the members that --owners names, and what is left out.

import { describe, expect, it } from 'vitest';
import { connecting } from '../support/cli/connecting.ts';
import { refusal } from '../support/emulator/service.ts';
import { ids, routineBody } from '../support/emulator/start-emulator.ts';
import { says } from '../support/vocabulary.ts';
import { openWorld, type World, type WorldOptions } from '../support/world.ts';

const at = '2026-02-01T09:00:00.000Z';
const email = (...recipientEmails: readonly string[]) => ({ type: 'email', recipientEmails, userGroupIds: [] });

/** Members made them in Omni. */
function make(stage: World, ...made: readonly (readonly [owner: string, id: string, fields: object])[]): void {
  stage.emulator.edit((data) => {
    data.routines = made.map(([ownerId, id, fields]) => ({
      id,
      ownerId,
      createdAt: at,
      updatedAt: at,
      fields: routineBody(fields) as never,
      memberships: {},
    }));
  });
}

const uuid = (digit: number) => `${String(digit).repeat(8)}-1111-4111-8111-111111111111`;
const [first, second, third] = [uuid(1), uuid(2), uuid(3)] as const;

async function open(options: WorldOptions = {}): Promise<World> {
  const stage = await openWorld({}, options);
  make(
    stage,
    [ids.ana, first, { name: 'Sales ${week}', destination: email('bo@example.com') }],
    [ids.bo, second, { name: 'Churn', description: 'For the board', topicName: 'orders' }],
    [
      ids.bo,
      third,
      { name: 'Churn', destination: { type: 'slack', recipientId: 'C0123456789', slackRecipientType: 'channel' } },
    ],
  );
  return stage;
}

describe('import of routines', () => {
  it('declares those of members by their owners, and the next plan has nothing to do but adopt them', async () => {
    const stage = await open();
    const { code, stdout, stderr } = await stage.run('import', '--owners', 'Ana@example.com,bo@example.com');
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toContain('Reading the routines of 2 members in 2 requests.');
    expect(stdout).toContain('Imported 3 routines into 1 file.');
    expect(stage.read('schedules/routines.yaml')).toMatchInlineSnapshot(`
      "# yaml-language-server: $schema=../.almanac/resources.schema.json
      # Routines, as almanac import read them.
      routines:
        # Stopped by Omni: Topic "orders" does not exist in model 770e8400-e29b-41d4-a716-446655440002.
        churn:
          modelId: 770e8400-e29b-41d4-a716-446655440002
          topicName: orders
          name: Churn
          description: For the board
          prompt: What changed last week?
          schedule: 0 9 ? * MON *
          timezone: Europe/London
          destination:
            type: email
            recipientEmails: [bo@example.com]
          owner: bo@example.com

        churn-2:
          modelId: 770e8400-e29b-41d4-a716-446655440002
          name: Churn
          prompt: What changed last week?
          schedule: 0 9 ? * MON *
          timezone: Europe/London
          destination:
            type: slack
            recipientId: C0123456789
            slackRecipientType: channel
          owner: bo@example.com

        sales-week:
          modelId: 770e8400-e29b-41d4-a716-446655440002
          name: Sales $\${week}
          prompt: What changed last week?
          schedule: 0 9 ? * MON *
          timezone: Europe/London
          destination:
            type: email
            recipientEmails: [bo@example.com]
          owner: ana@example.com

      adopt:
        - to: routines.churn
          id: 22222222-1111-4111-8111-111111111111
        - to: routines.churn-2
          id: 33333333-1111-4111-8111-111111111111
        - to: routines.sales-week
          id: 11111111-1111-4111-8111-111111111111
      "
    `);
    expect((await stage.run('validate')).code).toBe(0);
    expect((await stage.run('import', '--owners', 'all')).stdout).toContain('3 are already tracked');
  });

  it('without --owners an organization key declares none, because nothing could adopt what names no owner', async () => {
    const stage = await open();
    const { code, stdout, stderr } = await stage.run('import');
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('1 could not be declared') });
    expect(stderr).toEqual(says('does not say to an organization key whose it is: name its owner'));
    expect(stderr).toContain('The routines of other members were not looked at.');
  });

  it('all members are asked for once, whoever may not use AI has none, and an import that broke off asks nobody twice', async () => {
    const owners: (string | undefined)[] = [];
    const connect = connecting(({ listRoutines }) => ({
      listRoutines: (of, call) => {
        owners.push(of.owner);
        return owners.length === 4 ? Promise.reject(refusal(500)) : listRoutines(of, call);
      },
    }));
    const stage = await open({ outside: { connect }, api: { concurrency: 1 } });
    stage.emulator.edit(({ members }) => {
      for (const member of members) if (member.id === ids.cleo) Object.assign(member, { canUseAi: false });
    });
    const broken = await stage.run('import', '--owners', 'all');
    expect(broken).toMatchObject({ code: 1, stderr: expect.stringContaining('--resume') });
    const { stdout } = await stage.run('import', '--owners', 'all', '--resume');
    expect(stdout).toContain('Imported 3 routines into 1 file.');
    // The list of the token's own member is read again; of the others, the one that failed is left.
    expect(owners).toEqual([undefined, ids.ana, ids.bo, ids.cleo, undefined, ids.cleo]);
  });

  it('a list that is refused for another reason than rights ends the import, which takes it for no empty one', async () => {
    const listRoutines = () => Promise.reject(refusal(400));
    const stage = await open({ outside: { connect: connecting(() => ({ listRoutines })) } });
    const { code, stderr } = await stage.run('import', '--owners', 'all');
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('The service answered 400.') });
    expect(() => stage.read('schedules/routines.yaml')).toThrow('ENOENT');
  });

  it('what a declaration that nothing tracks may be is named and not declared a second time', async () => {
    const stage = await open();
    const routine = routineBody({ name: 'Churn', owner: 'bo@example.com', timezone: 'Europe/Paris' });
    stage.write({ 'schedules/all.yaml': { routines: { churn: routine } } });
    const { stderr, stdout } = await stage.run('import', '--owners', 'all');
    expect(stdout).toContain('Imported 1 routine into 1 file; 2 could not be declared.');
    expect(stderr).toEqual(says(`write { to: routines.churn, id: ${second} } below \`adopt\``));
  });

  it('with --write-state each is tracked for its owner: nothing is left to do, and a change acts for that member', async () => {
    const stage = await open();
    expect((await stage.run('import', '--owners', 'all', '--write-state')).code).toBe(0);
    // By their addresses, as an apply has them: a member may get another one.
    expect(JSON.parse(stage.read('almanac.state.json')).owners).toEqual({
      'ana@example.com': ids.ana,
      'bo@example.com': ids.bo,
    });
    expect(stage.read('schedules/routines.yaml')).not.toContain('adopt:');
    await stage.expectQuiet('--refresh');
    const text = stage.read('schedules/routines.yaml').replace('For the board', 'For all');
    stage.write({ 'schedules/routines.yaml': text });
    stage.asked();
    expect((await stage.run('apply', '--auto-approve')).code).toBe(0);
    expect(stage.asked().filter((line) => line.startsWith('PATCH'))).toEqual([`PATCH /v1/ai/routines/${second}`]);
  });

  it.each([
    ['--owners nobody@example.com', 'Nobody in the organization has the address nobody@example.com'],
    ['--owners all --identifier 12db1a0a', '--owners adds routines'],
  ])('%s is refused before anything is written', async (options, words) => {
    const stage = await open();
    const { code, stderr } = await stage.run(`import ${options}`);
    expect(code).toBe(1);
    expect(stderr).toEqual(says(words));
  });

  it('a personal token takes the routines of its member, and no --owners', async () => {
    const stage = await open();
    const mine = stage.beside({}, { OMNI_API_TOKEN: stage.personalToken });
    const refused = await mine.run('import', '--owners', 'all');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Only an organization key') });
    expect((await mine.run('import', '--write-state')).stdout).toContain('Imported 1 routine into 1 file.');
    expect(stage.read('schedules/routines.yaml')).not.toContain('owner:');
    expect((await mine.run('plan', '--refresh')).stdout).toContain('No changes');
  });
});

describe('an id that Omni shows in another form', () => {
  const cases = ['987fcdeb', '1234567', 'mo-1'].flatMap((id) => [
    { id, what: 'model', fields: { modelId: id } },
    { id, what: 'branch', fields: { branchId: id } },
    { id, what: 'group', fields: { destination: { ...email(), userGroupIds: [id] } } },
  ]);

  it.each(cases)('import declares a routine with the $what $id, and nothing refuses it', async ({ id, fields }) => {
    const stage = await openWorld({});
    make(stage, [ids.ana, first, { name: 'Sales', ...fields }]);
    const imported = await stage.run('import', '--owners', 'ana@example.com');
    expect(imported.stdout, imported.stderr).toContain('Imported 1 routine into 1 file.');
    expect(stage.read('schedules/routines.yaml')).toContain(id);
    for (const command of ['validate', 'plan', 'apply --auto-approve', 'plan', 'validate']) {
      const { code, stdout, stderr } = await stage.run(command);
      expect(code, `${command}: ${stdout}${stderr}`).toBe(0);
    }
    expect((await stage.plan()).changes).toEqual([]);
    expect(stage.sent()).toEqual([]);
  });

  it('an entry of adopt does not make an id right that Omni does not have', async () => {
    const stage = await openWorld({});
    make(stage, [ids.ana, first, { name: 'Sales' }]);
    await stage.run('import', '--owners', 'ana@example.com');
    const written = stage.read('schedules/routines.yaml').replace(/modelId: .*/, 'modelId: 987fcdeb');
    stage.write({ 'schedules/routines.yaml': written });
    const { code, stdout, stderr } = await stage.run('apply --auto-approve');
    expect(code).toBe(1);
    expect(`${stdout}${stderr}`).toContain('`987fcdeb` is a part of a UUID.');
    expect(stage.sent()).toEqual([]);
  });
});
