// What `show --resolved` prints, in place of all declarations of a random workspace. Planned, these texts change
// nothing but move instances out of loops.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../support/runs/runs.ts';
import { openWorld } from '../support/world.ts';

const spellings = {
  schedule: ['schedule: 30 18 1 * ? *', 'schedule: ${var.when}', 'schedule: *when', 'schedule: ${file.when.txt}', ''],
  timezone: ['timezone: UTC', 'timezone: *zone', '<<: *late', ''],
  recipients: [
    'recipients: [ana@example.com, Cy@example.com]',
    'recipients: *team',
    "recipients: '${var.team}'",
    "recipients: '${audience.team}'",
    "recipients: ['${audience.team}', cy@example.com, '${var.team}']",
    "recipients: ['${var.none}', '${audience.board}', '${audience.team}']",
    '',
  ],
  filters: [
    "filterConfig: { region: { values: ['${var.regions}', '${var.region}', UK, EU] }, order_date: { values: [], label: {} } }",
    'filterConfig: { region: { \'#1 a/b~c\': [[x], {}], values: [], note: "a # b: c\\n\\n d \\u202e\\t" } }',
    'filterConfig: *filters',
    '',
  ],
} as const;

const texts = ['"S"', "'S ${var.region}'", "'S $${var.x} # ${file.when.txt}'", '"S \\" \\\\ \'"', "'- S: ${var.hash}'"];

const oneOf = (values: readonly string[]) => fc.constantFrom(...values);

const arbitraryResource = fc.record({
  name: oneOf(texts),
  schedule: oneOf(spellings.schedule),
  timezone: oneOf(spellings.timezone),
  recipients: oneOf(spellings.recipients),
  filters: oneOf(spellings.filters),
  destination: oneOf(['email', 'slack', 'webhook', 'sftp']),
});
type Drawn = typeof arbitraryResource extends fc.Arbitrary<infer T> ? T : never;

const linesOf = (drawn: Drawn): readonly string[] => {
  const common = [`name: ${drawn.name}`, drawn.schedule, drawn.timezone, drawn.filters];
  const own = {
    email: ['format: pdf', 'destinationType: email', 'subject: "007"', drawn.recipients],
    slack: [
      'format: link_only',
      'destinationType: slack',
      'slackRecipientType: users',
      "recipients: ['${audience.team}', U2]",
    ],
    webhook: ['format: csv', 'destinationType: webhook', "url: 'https://${var.host}/${env.HOOK_KEY}?a=b'"],
    sftp: [
      'format: csv',
      'destinationType: sftp',
      'address: sftp.example.com',
      'port: 22',
      'path: /in',
      "username: 'u-${env.HOOK_KEY}-$${b}'",
      "passwordUnencrypted: '${env.HOOK_KEY}'",
    ],
  };
  return [...common, ...own[drawn.destination as keyof typeof own]].filter((line) => line !== '');
};

const sourceText = (resources: readonly Drawn[]) =>
  [
    'x-when: &when 0 6 ? * WED *',
    'x-zone: &zone Europe/Paris',
    'x-late: &late { timezone: Europe/London }',
    'x-team: &team [ana@example.com, bo@example.com]',
    "x-filters: &filters { region: { values: ['${var.region}'] } }",
    'audiences:',
    "  team: { emails: [ana@example.com, '${var.team}'], slack: U1 }",
    '  board: { emails: [cfo@example.com] }',
    'defaults:',
    '  schedules: { identifier: 12db1a0a, hideTitle: true }',
    'schedules:',
    ...resources.flatMap((drawn, index) => [`  s-${index}:`, ...linesOf(drawn).map((line) => `    ${line}`)]),
    '  loop:',
    '    forEach:',
    "      a: { who: ['${audience.team}', cy@example.com], at: '${var.when}', region: EU }",
    "      b-2: { who: [bo@example.com], at: *when, region: '$${x} ${var.region}' }",
    "    name: 'L ${each.key} ${each.region}'",
    '    schedule: ${each.at}',
    '    format: pdf',
    '    destinationType: email',
    "    recipients: ['${var.team}', '${each.who}']",
    '    subject: ${each.key}',
    '  loop-a: { name: In the way, format: pdf, destinationType: email, subject: x }',
    'dashboards:',
    "  d: { identifier: 12db1a0a, filterOrder: ['${var.regions}', region, metric] }",
    '',
  ].join('\n');

const config = `defaults:
  schedules: { timezone: Europe/London, schedule: 0 9 ? * MON *, recipients: [bo@example.com] }
variables:
  when: 0 6 ? * WED *
  region: EU
  regions: [order_status, order_date]
  none: []
  host: hooks.example.com
  hash: "a # b"
  team: [bo@example.com, cy@example.com]
`;

it('what show --resolved prints plans only the moves out of a loop in place of the declarations', {
  timeout: 240_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(arbitraryResource, { minLength: 1, maxLength: 6 }), async (resources) => {
      const workspace = await openWorld(
        { 'schedules/when.txt': '0 9 ? * MON *', 'schedules/all.yaml': sourceText(resources) },
        { config, environment: { HOOK_KEY: 'k3y-of-the-hook' }, isKept: true },
      );
      try {
        const applied = await workspace.run('apply', '--auto-approve');
        expect(applied.code === 0 ? '' : applied.stderr).toBe('');
        const resolved = await workspace.beside({}, {}).run('show', '--resolved');
        expect(resolved).toMatchObject({ code: 0, stderr: '' });
        expect(resolved.stdout).not.toContain('k3y-of');
        workspace.write({ 'schedules/all.yaml': resolved.stdout });
        const { changes } = await workspace.plan();
        expect(changes.map(({ address, action, requests }) => [address, action, requests])).toEqual([
          ['schedules.loop-a-2', 'move', 0],
          ['schedules.loop-b-2', 'move', 0],
        ]);
      } finally {
        await workspace.close();
      }
    }),
    { numRuns: runs(25), seed: 16 },
  );
});
