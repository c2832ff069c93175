// `almanac next` in a workspace of three hundred schedules. In a small one it is in the transcripts.

import { beforeAll, describe, expect, it } from 'vitest';
import type { NextDocument } from '../../src/commands/next/next-document.ts';
import { largeOrganization } from '../support/emulator/large-organization.ts';
import { openFolder, type Workspace, workspaceIn } from '../support/workspace.ts';

const config = 'api: { baseUrl: "http://127.0.0.1:9/api", operations: full }\n';
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
    expect(shown).toContain('72 of 296 schedules run on Monday at 09:00 in Europe/Berlin.');
  });

  it('next -v lists every run of every schedule', async () => {
    const shown = await lines('-v', '--days', '2');
    const { stdout } = await workspace.run('next', '--from', '2026-11-23', '--days', '2', '--format', 'json');
    const runs = (JSON.parse(stdout) as NextDocument).schedules.flatMap((schedule) => schedule.runs);
    expect(shown.filter((line) => /^ {2}\d\d:\d\d UTC /.test(line))).toHaveLength(runs.length);
  });
});
