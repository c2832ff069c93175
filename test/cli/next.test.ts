// `almanac next` in a small workspace and in one of three hundred schedules.

import { beforeAll, describe, expect, it } from 'vitest';
import type { NextDocument } from '../../src/commands/next/document.ts';
import { largeOrganization } from '../support/emulator/large-organization.ts';
import { expectDocument } from '../support/schemas.ts';
import { makeFolder, openFolder, type Workspace, workspaceIn } from '../support/workspace.ts';

const config = 'api: { baseUrl: "http://127.0.0.1:9/api", operations: full }\n';
const mail = { identifier: '12db1a0a', format: 'pdf', destinationType: 'email', subject: 'Numbers' };
const small = {
  weekly: {
    ...mail,
    name: 'Weekly',
    schedule: '0 9 ? * MON *',
    timezone: 'Europe/Berlin',
    recipients: ['ana@example.com'],
  },
  tokyo: { ...mail, name: 'Tokyo', schedule: '0 9 ? * MON *', timezone: 'Asia/Tokyo', recipients: ['bo@partner.com'] },
  board: { ...mail, name: 'Board', schedule: '0 9 1 * ? *', timezone: 'UTC', recipients: ['ana@example.com'] },
};

const inSmall = (...argv: readonly string[]) =>
  workspaceIn(makeFolder({ 'almanac.yaml': config, 'schedules/all.yaml': { schedules: small } }), {}).run(
    'next',
    ...argv,
  );
const documentOf = async (...argv: readonly string[]) => {
  const { stdout } = await inSmall(...argv, '--format', 'json');
  return expectDocument('next', stdout) as NextDocument;
};
const runsOf = (document: NextDocument) =>
  Object.fromEntries(document.schedules.map(({ address, runs }) => [address.slice('schedules.'.length), runs]));

describe('the days of next', () => {
  it('days begin at midnight of --timezone, and so does a date that is given as the start', async () => {
    const { from, schedules } = await documentOf('--from', '2026-11-23', '--days', '1', '--timezone', 'Asia/Tokyo');
    expect(from).toBe('2026-11-22T15:00:00.000Z');
    expect(schedules.map(({ runs }) => runs)).toEqual([
      [],
      [{ at: '2026-11-23T00:00:00.000Z', local: '2026-11-23T09:00' }],
      [{ at: '2026-11-23T08:00:00.000Z', local: '2026-11-23T09:00' }],
    ]);
  });

  it('the last day ends at midnight, so that --days 1 is the rest of today', async () => {
    const today = runsOf(await documentOf('--from', '2026-11-23T07:59:00Z', '--days', '1'));
    expect(today).toMatchObject({ weekly: [{ at: '2026-11-23T08:00:00.000Z' }], tokyo: [] });
    expect(runsOf(await documentOf('--from', '2026-11-23T08:00:00Z', '--days', '1'))).toMatchObject(today);
    expect(runsOf(await documentOf('--from', '2026-11-29T22:00:00Z', '--days', '1'))).toMatchObject({ tokyo: [] });
    const second = runsOf(await documentOf('--from', '2026-11-29T22:00:00Z', '--days', '2'));
    expect(second).toMatchObject({ tokyo: [{ at: '2026-11-30T00:00:00.000Z' }] });
  });
});

describe('next --at', () => {
  it('next --at names what runs at a time of each schedule’s own zone', async () => {
    const { stdout } = await inSmall('--at', 'MON 09:00', '--from', '2026-11-21');
    expect(`\n${stdout}`).toMatchInlineSnapshot(`
      "
      Mon 2026-11-23
        00:00 UTC  09:00 Asia/Tokyo     schedules.tokyo
        08:00 UTC  09:00 Europe/Berlin  schedules.weekly

      schedules.tokyo: at 09:00 on Monday, Asia/Tokyo (0 9 ? * MON *)
      schedules.weekly: at 09:00 on Monday, Europe/Berlin (0 9 ? * MON *)

      2 of 3 schedules run at Mon 09:00, each in its own time zone.
      "
    `);
  });

  it('next --at names what runs at a time of --timezone', async () => {
    const runs = runsOf(await documentOf('--at', 'MON 09:00', '--from', '2026-11-21', '--timezone', 'Asia/Tokyo'));
    expect(runs).toEqual({ tokyo: [{ at: '2026-11-23T00:00:00.000Z', local: '2026-11-23T09:00' }] });
  });

  it('a schedule that runs only some Tuesdays is named only if it runs on the coming one', async () => {
    expect(Object.keys(runsOf(await documentOf('--at', 'TUE 09:00', '--from', '2026-11-28')))).toEqual(['board']);
    expect(await inSmall('--at', 'TUE 09:00', '--from', '2026-11-21')).toMatchObject({
      code: 0,
      stdout: 'None of 3 schedules runs at Tue 09:00, each in its own time zone.\n',
    });
  });

  it('--count and --days ask for several such times', async () => {
    const { weekly } = runsOf(await documentOf('--at', 'MON 09:00', '--from', '2026-11-21', '--count', '2'));
    expect(weekly?.map(({ at }) => at)).toEqual(['2026-11-23T08:00:00.000Z', '2026-11-30T08:00:00.000Z']);
    const fortnight = runsOf(await documentOf('--at', '09:00', '--from', '2026-11-23', '--days', '14'));
    expect(Object.entries(fortnight).map(([key, runs]) => [key, ...runs.map(({ local }) => local)])).toEqual([
      ['board', '2026-12-01T09:00'],
      ['tokyo', '2026-11-23T09:00', '2026-11-30T09:00'],
      ['weekly', '2026-11-23T09:00', '2026-11-30T09:00'],
    ]);
  });

  it('next --at with a date names what runs at that time, also in the past and in the first zone of the earth', async () => {
    // The clock of the test shows 2026-03-01.
    expect(runsOf(await documentOf('--at', '2026-02-23 09:00'))).toEqual({
      tokyo: [{ at: '2026-02-23T00:00:00.000Z', local: '2026-02-23T09:00' }],
      weekly: [{ at: '2026-02-23T08:00:00.000Z', local: '2026-02-23T09:00' }],
    });
    const early = { ...small.weekly, schedule: '0 0 * * ? *', timezone: 'Pacific/Kiritimati' };
    const files = { 'almanac.yaml': config, 'schedules/all.yaml': { schedules: { early } } };
    const { stdout } = await workspaceIn(makeFolder(files), {}).run('next', '--at', '2026-11-23 00:00');
    expect(stdout).toContain('Sun 2026-11-22\n  10:00 UTC  2026-11-23 00:00 Pacific/Kiritimati  schedules.early');
  });

  it.each([
    [['--at', 'Monday'], 'MON 09:00, 2026-11-23 09:00'],
    [['--at', '2026-11-23 09:00', '--from', '2026-11-01'], 'Leave --from out'],
    [['--at', '09:00', '--format', 'ics'], '--format ics takes no --at'],
    [['--from', '2026-02-30'], 'There is no 2026-02-30 in the calendar.'],
    [['--from', '2026-02-31T09:00:00Z'], 'There is no 2026-02-31 in the calendar.'],
    [['--timezone', 'Berlin'], 'Did you mean `Europe/Berlin`?'],
    [['via:fax'], 'webhook, email, sftp, slack, s3'],
    [['--count', '999999999'], 'a whole number from 1 to 1000'],
  ])('next refuses %j and says what to do', async (argv, words) => {
    const { code, stderr } = await inSmall(...argv);
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(words) });
  });
});

describe('the selectors of next', () => {
  it('labels of one kind add up, and different kinds narrow each other', async () => {
    const chosen = async (...argv: readonly string[]) => Object.keys(runsOf(await documentOf(...argv)));
    expect(await chosen('to:*@partner.com')).toEqual(['tokyo']);
    expect(await chosen('to:ana@example.com', 'to:bo@partner.com')).toEqual(['board', 'tokyo', 'weekly']);
    expect(await chosen('to:ana@example.com', 'dashboard:12db1a0a', 'schedules.weekly')).toEqual(['weekly']);
  });
});

it('the next runs of many schedules are found even if they are years away', async () => {
  const rare = { ...small.weekly, schedule: '0 9 1 6 ? 2030' };
  const schedules = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`rare-${index}`, rare]));
  const workspace = workspaceIn(makeFolder({ 'almanac.yaml': config, 'schedules/all.yaml': { schedules } }), {});
  const { stdout } = await workspace.run('next');
  expect(stdout).toContain('Sat 2030-06-01\n  07:00 UTC  09:00 Europe/Berlin  12 schedules');
  expect(stdout).not.toContain('not run');
});

describe('three hundred schedules', () => {
  let workspace: Workspace;
  beforeAll(() => {
    const folder = openFolder();
    const schedules = Object.fromEntries(
      largeOrganization().schedules.map(({ fields, disabledAt }, index) => [
        `report-${index}`,
        { ...fields, paused: disabledAt !== undefined },
      ]),
    );
    folder.write({ 'almanac.yaml': config, 'schedules/all.yaml': { schedules } });
    workspace = workspaceIn(folder, {});
    return () => folder.remove();
  });
  const lines = async (...argv: readonly string[]) => {
    const { code, stdout } = await workspace.run('next', '--from', '2026-11-23', ...argv);
    expect(code).toBe(0);
    return stdout.trimEnd().split('\n');
  };

  it.each(['2026-11-22T00:10:00Z', '2026-11-23T20:10:00Z', '2026-11-27T17:10:00Z'])(
    'the first runs after %s are the first of a month',
    async (from) => {
      const rows = (shown: readonly string[]) =>
        shown.filter((line) => /^( {2}\d\d:\d\d|\w{3} \d{4}-\d\d-\d\d$)/.test(line));
      const first = rows(await lines('--from', from));
      expect(first.filter((line) => line.startsWith(' '))).toHaveLength(20);
      expect(first).toEqual(rows(await lines('--from', from, '--days', '31')));
    },
  );

  it('what runs on Monday at nine is listed one by one', async () => {
    const shown = await lines('--at', 'MON 09:00', '--timezone', 'Europe/Berlin');
    expect(
      shown.filter((line) => line.includes('09:00 Europe/Berlin') && line.includes('schedules.report-')),
    ).toHaveLength(72);
    expect(shown).toContain('72 of 296 schedules run at Mon 09:00 in Europe/Berlin.');
  });

  it('next -v lists every run of every schedule', async () => {
    const shown = await lines('-v', '--days', '2');
    const { stdout } = await workspace.run('next', '--from', '2026-11-23', '--days', '2', '--format', 'json');
    const runs = (JSON.parse(stdout) as NextDocument).schedules.flatMap((schedule) => schedule.runs);
    expect(shown.filter((line) => /^ {2}\d\d:\d\d UTC /.test(line))).toHaveLength(runs.length);
  });
});
