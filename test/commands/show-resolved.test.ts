// `show --resolved`: what is printed, for which resources, and what never is.

import { expect, test } from 'vitest';
import { makeFolder, workspaceIn } from '../support/workspace.ts';

const common = 'identifier: 12db1a0a, schedule: 0 9 ? * MON *, timezone: UTC, format: csv';
const files = {
  'almanac.yaml':
    'api: { operations: core }\nvariables:\n  team: [ana@example.com, bo@example.com]\n  region: Europe\nenvironments:\n  staging: { variables: { region: Test } }\n',
  'schedules/lists.yaml': 'audiences:\n  finance: { emails: [ana@example.com, cy@example.com] }\n',
  'schedules/body.txt': 'Hello',
  'schedules/a.yaml': `defaults:
  schedules: { identifier: 12db1a0a, schedule: 0 9 ? * MON *, format: csv }
x-zone: &zone UTC
schedules:
  mail:
    name: Sales \${var.region}
    timezone: *zone
    destinationType: email
    recipients: ["\${var.team}", "\${audience.finance}", eve@example.com]
    subject: Literal $\${x}
    textBody: \${file.body.txt}
  mail-2: { ${common}, name: Two, destinationType: email, recipients: "\${audience.finance}", subject: x }
  upload:
    name: Upload
    timezone: UTC
    destinationType: sftp
    address: sftp.example.com
    port: 22
    username: "u-\${env.USER_PART}"
    path: /in
    passwordUnencrypted: hunter-two
dashboards:
  d: { identifier: 12db1a0a, filters: {}, filterOrder: [region] }
`,
};

const show = (...argv: readonly string[]) =>
  workspaceIn(makeFolder(files), { USER_PART: 'secret-part' }).run('show', '--resolved', ...argv);

test('every field has a comment that names the place of its value', async () => {
  const { code, stdout, stderr } = await show('schedules.mail');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toBe(`schedules:
  mail: # schedules/a.yaml:5
    identifier: 12db1a0a # default, schedules/a.yaml:2
    name: Sales Europe # schedules/a.yaml:6; variable region, almanac.yaml:4
    schedule: 0 9 ? * MON * # default, schedules/a.yaml:2
    timezone: UTC # anchor, schedules/a.yaml:3
    format: csv # default, schedules/a.yaml:2
    destinationType: email # schedules/a.yaml:8
    recipients: # schedules/a.yaml:9
      - ana@example.com # variable team, almanac.yaml:3; audience finance, schedules/lists.yaml:2
      - bo@example.com # variable team, almanac.yaml:3
      - cy@example.com # audience finance, schedules/lists.yaml:2
      - eve@example.com # schedules/a.yaml:9
    subject: Literal $\${x} # schedules/a.yaml:10
    textBody: Hello # text, schedules/body.txt
`);
});

test('the values are those of the environment, and name its part of almanac.yaml', async () => {
  expect((await show('schedules.mail', '--env', 'staging')).stdout).toContain(
    'name: Sales Test # schedules/a.yaml:6; variable region, almanac.yaml:6\n',
  );
});

test('a list that is one audience has one comment, and an empty map one above it', async () => {
  const { stdout } = await show('schedules.mail-2', 'dashboards.d');
  expect(stdout).toContain('recipients: # audience finance, schedules/lists.yaml:2\n      - ana@example.com\n');
  expect(stdout).toContain('    # schedules/a.yaml:23\n    filters: {}\n');
});

test('a secret is not shown, and what is written in a file cannot be pasted by mistake', async () => {
  const folder = makeFolder(files);
  const workspace = workspaceIn(folder, { USER_PART: 'secret-part' });
  const { stdout } = await workspace.run('show', '--resolved');
  expect(stdout).not.toMatch(/secret-part|hunter-two/);
  expect(stdout).toContain('username: u-${env.USER_PART} # schedules/a.yaml:19\n');
  expect(stdout).toContain('# not shown, copy it from schedules/a.yaml:21\n');
  folder.write({ 'schedules/a.yaml': stdout });
  expect(await workspace.run('validate')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('invalid-interpolation'),
  });
});

test('an unknown address, another format and a plan are refused, and errors are reported', async () => {
  expect(await show('schedules.mial')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Did you mean `schedules.mail`?'),
  });
  expect(await show('--format', 'json')).toMatchObject({ code: 1, stdout: expect.stringContaining('prints YAML') });
  const mixed = await workspaceIn(makeFolder(files), {}).run('show', 'a.plan', '--resolved');
  expect(mixed).toMatchObject({ code: 1, stderr: expect.stringContaining('and not a plan') });
  const wrong = { ...files, 'schedules/b.yaml': 'schedules:\n  x: {}\n' };
  expect(await workspaceIn(makeFolder(wrong), {}).run('show', '--resolved')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('nothing was resolved'),
  });
});

test('the values of an instance name the item or the row, and moved entries take it out of its loop', async () => {
  const loops = `schedules:
  by-region:
    forEach:
      emea: { region: Europe, to: ["\${audience.finance}", eve@example.com] }
    ${common.replaceAll(', ', '\n    ')}
    name: Sales \${each.region}
    destinationType: email
    recipients: ["\${each.to}", "\${var.team}"]
    subject: \${each.key}
  by-row:
    forEachRow: { file: rows.csv, key: code }
    ${common.replaceAll(', ', '\n    ')}
    name: \${each.name}
    destinationType: email
    recipients: ["\${each.mail}"]
    subject: x
`;
  const folder = makeFolder({
    ...files,
    'schedules/loops.yaml': loops,
    'schedules/rows.csv': 'code,name,mail\na1,Acme,kim@example.com\n',
  });
  const { stdout } = await workspaceIn(folder, {}).run(
    'show',
    '--resolved',
    'schedules.by-region',
    'schedules.by-row.a1',
  );
  expect(stdout).toContain(`  by-region-emea: # schedules/loops.yaml:4
`);
  expect(stdout).toContain(`    recipients: # schedules/loops.yaml:11
      - ana@example.com # audience finance, schedules/lists.yaml:2; variable team, almanac.yaml:3
      - cy@example.com # audience finance, schedules/lists.yaml:2
      - eve@example.com # item emea, schedules/loops.yaml:4
      - bo@example.com # variable team, almanac.yaml:3
    subject: emea # item emea, schedules/loops.yaml:4
`);
  expect(stdout).toContain('  by-row-a1: # schedules/rows.csv:2\n');
  expect(stdout).toContain('    name: Acme # item a1, schedules/rows.csv:2\n');
  expect(stdout).toContain(`moved:
  - { from: schedules.by-region.emea, to: schedules.by-region-emea }
  - { from: schedules.by-row.a1, to: schedules.by-row-a1 }
`);
});
