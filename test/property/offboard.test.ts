// Wherever an address stands: after `offboard --write` it is in no resolved declaration but those that are named as blocked,
// everybody else receives what they received, the files are valid, and who owns something is edited or named as well.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { OffboardDocument, WhoDocument } from '../../src/model/people.ts';
import { runs } from '../support/runs/runs.ts';
import { openFolder, workspaceIn } from '../support/workspace.ts';

const ana = 'ana@acme.com';

const spellings = [
  'recipients: [ana@acme.com]',
  'recipients: [bo@acme.com, ANA@acme.com]',
  "recipients: ['${var.ana}', bo@acme.com]",
  "recipients: ['ana@${var.domain}', cy@acme.com]",
  "recipients: ['${audience.team}']",
  "recipients: ['${audience.team}', '${audience.other}', bo@acme.com]",
  "recipients: '${var.list}'",
  'recipients: *people',
  '',
];
const looped = [
  "recipients: ['${each.mail}']",
  "recipients: ['${each.mail}', bo@acme.com]",
  "recipients: '${each.to}'",
  "recipients: ['${each.name}@acme.com', bo@acme.com]",
  "recipients: ['${each.to}', '${var.ana}', cy@acme.com]",
];
const owners = [
  '',
  'owner: ana@acme.com',
  'owner: Ana@Acme.com',
  "owner: '${var.ana}'",
  "owner: 'ana@${var.domain}'",
  'owner: cy@acme.com',
];
const loopedOwners = ['', "owner: '${each.mail}'", "owner: '${each.name}@acme.com'", 'owner: ana@acme.com'];
const people = fc.subarray([ana, 'bo@acme.com', 'cy@acme.com'], { minLength: 1 });

const workspaces = fc.record({
  plain: fc.array(fc.tuple(fc.constantFrom(...spellings), fc.constantFrom(...owners)), { minLength: 1, maxLength: 4 }),
  loops: fc.array(fc.tuple(fc.constantFrom(...looped), fc.constantFrom(...loopedOwners)), { maxLength: 2 }),
  ownedByDefault: fc.boolean(),
  team: people,
  other: people,
  list: people,
  anchored: people,
  defaulted: people,
  to: people,
  mail: fc.constantFrom(ana, "'${var.ana}'", 'cy@acme.com'),
  sink: fc.option(people),
  successor: fc.constantFrom(undefined, 'bo@acme.com', 'new@acme.com'),
});

it('after offboard --write an address is in no resolved declaration that is not named as blocked', async () => {
  await fc.assert(
    fc.asyncProperty(workspaces, async (drawn) => {
      const { plain, loops, ownedByDefault, team, other, list, anchored, defaulted, to, mail, sink, successor } = drawn;
      const lines = (...fields: readonly string[]) =>
        fields
          .filter((field) => field !== '')
          .map((field) => `    ${field}\n`)
          .join('');
      const flow = (names: readonly string[]) => `[${names.join(', ')}]`;
      const rest = 'identifier: 12db1a0a, schedule: 0 9 ? * MON *, timezone: UTC, format: pdf, destinationType: email';
      const fields = `    <<: { ${rest}, subject: Hello }\n`;
      const source = [
        `x-people: &people ${flow(anchored)}\naudiences:\n  team: { emails: ${flow(team)} }\n  other: { emails: ${flow(other)} }\n`,
        `defaults: { schedules: { recipients: ${flow(defaulted)}${ownedByDefault ? ', owner: ana@acme.com' : ''} } }\nschedules:\n`,
        ...plain.map((fieldsOf, index) => `  s${index}:\n    name: S ${index}\n${fields}${lines(...fieldsOf)}`),
        ...loops.map(
          (fieldsOf, index) =>
            `  l${index}:\n    forEach: { one: { name: ana, mail: ${mail}, to: ${flow(to)} }, two: { name: li, mail: li@acme.com, to: [li@acme.com] } }\n    name: L ${index} \${each.key}\n${fields}${lines(...fieldsOf)}    accept: { for-each-unused: drawn }\n`,
        ),
      ].join('');
      const folder = openFolder();
      try {
        folder.write({
          'almanac.yaml': {
            api: { baseUrl: 'https://acme.omniapp.co/api', operations: 'full' },
            variables: { ana, domain: 'acme.com', list },
            checks: {
              'unused-audience': 'off',
              'for-each-unused': 'off',
              'accepted-nothing': 'off',
              'duplicate-recipient': 'off',
            },
            environments: sink === null ? undefined : { staging: { deliver: { email: sink } } },
          },
          'schedules/a.yaml': source,
        });
        const workspace = workspaceIn(folder, {});
        const received = async () => {
          const { stdout, stderr } = await workspace.run('who', '--format', 'json');
          if (stdout === '') throw new Error(`${stderr}${source}`);
          const { recipients } = JSON.parse(stdout) as WhoDocument;
          return recipients.flatMap(({ recipient, deliveries }) =>
            [...new Set(deliveries.map(({ address = '' }) => address))].map((address) => [recipient, address] as const),
          );
        };
        const before = await received();
        const owned = async () => {
          const { changes } = await workspace.plan();
          return new Map(changes.map(({ address, after }) => [address, after?.['owner']]));
        };
        const ownedBefore = await owned();
        const given = successor === undefined ? [] : ['--to', successor];
        const ran = await workspace.run('offboard', ana, '--offline', '--write', '--format', 'json', ...given);
        const { blocked } = JSON.parse(ran.stdout) as OffboardDocument;
        const stays = new Set(blocked.map(({ address }) => address));
        expect(ran.code).toBe(stays.size > 0 ? 1 : 0);
        const after = await received();
        const left = after.filter(([name]) => name === ana).map(([, address]) => address);
        expect(left.filter((address) => !stays.has(address))).toEqual([]);
        const others = (pairs: typeof before) =>
          pairs.filter(([name]) => name !== ana && name !== successor).map((pair) => pair.join(' '));
        expect(others(after)).toEqual(others(before));
        expect(new Set(after.map(([, address]) => address))).toEqual(new Set(before.map(([, address]) => address)));
        const isAna = (owner: unknown) => typeof owner === 'string' && owner.toLowerCase() === ana;
        for (const [address, owner] of await owned()) {
          const was = ownedBefore.get(address);
          if (!isAna(was)) expect(owner).toBe(was);
          else if (!isAna(owner)) expect(owner).toBe(successor);
          else expect(stays).toContain(address);
        }
        if (sink === null || stays.has('environments.staging')) return;
        const resolved = await workspace.run('show', '--resolved', '--env', 'staging');
        const declared = resolved.stdout
          .split('\n')
          .filter((line) => line.includes(`- ${ana}`) || line.includes(`[${ana}`));
        expect(declared).toEqual([]);
      } finally {
        folder.remove();
      }
    }),
    { numRuns: runs(15) },
  );
});
