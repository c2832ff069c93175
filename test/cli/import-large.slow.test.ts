// `almanac import` of an organization with 300 schedules: readable keys, files and variables, and a report that fits a
// screen.

import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { largeOrganization } from '../support/emulator/large-organization.ts';
import type { Workspace } from '../support/workspace.ts';
import { openWorld, type World } from '../support/world.ts';

const openLarge = () => openWorld({}, { data: largeOrganization() });

/** Every file of a folder of the workspace, joined. */
function everything({ path }: Workspace, folder = '.'): string {
  const paths = readdirSync(join(path, folder), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return paths.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')).join('\n');
}

/** The value of each variable that a file refers to in a URL. */
function secretsOf({ state, emulator }: World): ReadonlyMap<string, string> {
  const urls = new Map(emulator.data().schedules.map(({ id, fields }) => [id, String(fields['url'])]));
  return new Map(
    Object.values(state().resources).flatMap(({ id, attributes }): [string, string][] => {
      const { url } = attributes;
      const text = typeof url === 'object' && url !== null && 'text' in url ? String(url['text']) : '';
      const [, before = '', name = ''] = /^(.*)\$\{env\.(\w+)\}$/.exec(text) ?? [];
      return name === '' ? [] : [[name, urls.get(id ?? '')?.slice(before.length) ?? '']];
    }),
  );
}

describe('an import of 300 schedules', () => {
  it('the report of a large import fits a screen, and names the variables and the next steps', async () => {
    const workspace = await openLarge();
    const { code, stdout, stderr } = await workspace.run('import');
    expect(code).toBe(0);
    const lines = stdout.split('\n');
    expect(lines.length).toBeLessThanOrEqual(30);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(stdout).toMatchInlineSnapshot(`
      "Wrote
        .almanac/resources.schema.json: the schema for editors
        schedules/board/board-deck-cfo.yaml: 8 resources
        schedules/board/executive-summary.yaml: 8 resources
        schedules/board/investor-metrics.yaml: 8 resources
        schedules/data-quality.yaml: 8 resources
        and 34 more (-v lists all)

      Imported 300 schedules into 38 files.

      Set these 9 variables where almanac apply runs:
        HOOKS_EXAMPLE_COM_TOKEN: \`token\` of a URL at hooks.example.com (6 schedules)
        SFTP_PARTNER_EXAMPLE_ACME_PASSWORD: the password of acme at
          sftp.partner.example (42 schedules)
        SLACK_HOOK_COPY_OF_WEEKLY_REPORT_BOARD_DECK_CFO: the end of the URL of a
          Slack hook (1 schedule)
        SLACK_HOOK_COPY_OF_WEEKLY_REPORT_FX_EXPOSURE: the end of the URL of a Slack
          hook (1 schedule)
        SLACK_HOOK_COPY_OF_WEEKLY_REPORT_JOURNAL_REVIEW: the end of the URL of a
          Slack hook (1 schedule)
        and 4 more (almanac doctor lists all that are not set)
      Omni never returns a password. Omni shows the URL of a webhook where the
      schedule is edited.

      The next plan: 300 to adopt.
      \`almanac apply\` records what is adopted in almanac.state.json, and changes
      nothing in Omni.
      \`almanac fmt --prune\` then removes the adopt entries. With one environment,
      \`almanac import --write-state\` does all of this at once.
      "
    `);
    expect(stderr.split('\n').length).toBeLessThanOrEqual(12);
    rmSync(join(workspace.path, 'schedules'), { recursive: true });
    const { stdout: all } = await workspace.run('import', '-v');
    expect(all.match(/: \d+ resources\n/g)).toHaveLength(38);
    expect(all.match(/SLACK_HOOK_\w+/g)).toHaveLength(7);
  });

  it('no file and no output holds a secret of a URL, and the state knows it all the same', async () => {
    const workspace = await openLarge();
    const ran = await workspace.run('import', '--write-state', '-v');
    expect(ran.code).toBe(0);
    expect(everything(workspace) + ran.stdout + ran.stderr).not.toContain('not-a-real');
    const sent = workspace.emulator.requests().length;
    expect(await workspace.plan()).toMatchObject({ changes: [] });
    expect(workspace.emulator.requests().length).toBe(sent);
    const secrets = secretsOf(workspace);
    expect(secrets.size).toBe(8);
    Object.assign(workspace.environment, Object.fromEntries(secrets));
    expect(await workspace.plan()).toMatchObject({ changes: [] });
    expect(await workspace.run('drift', '--deep')).toMatchObject({ code: 0 });
    workspace.environment['HOOKS_EXAMPLE_COM_TOKEN'] = 'another';
    const { changes } = await workspace.plan();
    expect(changes.map(({ action }) => action)).toEqual(Array.from({ length: 6 }, () => 'update'));
  });
});
