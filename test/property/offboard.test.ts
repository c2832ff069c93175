// Random workspaces after `offboard --write` for an address in them. The address is in no resolved declaration of any
// environment but those named as blocked, everybody else receives what they received, the successor takes no place but
// theirs, nothing else differs, and who owns something is edited or named as well.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { OffboardDocument } from '../../src/commands/offboard/offboard-document.ts';
import type { WhoDocument } from '../../src/commands/who/who-document.ts';
import { runs } from '../support/runs/runs.ts';
import { openFolder, workspaceIn } from '../support/workspace.ts';

const ana = 'ana@acme.com';

const spellings = [
  'recipients: [ana@acme.com]',
  'recipients: [bo@acme.com, ANA@acme.com]',
  "recipients: ['${var.ana}', bo@acme.com]",
  "recipients: ['ana@${var.domain}', cy@acme.com]",
  "recipients: [ana@acme.com, '${var.ana}', cy@acme.com]",
  "recipients: ['${var.bo}', ana@acme.com]",
  "recipients: ['${var.ana}', cy@acme.com]\n    textBody: 'Ask ${var.ana}'",
  'recipients: [*person, cy@acme.com]',
  "recipients: ['${audience.team}']",
  "recipients: ['${audience.team}', '${audience.other}', bo@acme.com]",
  "recipients: '${var.list}'",
  'recipients: *people',
  '',
];
const tabled = [
  "recipients: ['${each.mail}']",
  "recipients: ['${each.mail}', '${each.cc}']",
  "recipients: ['${each.mail}', '${audience.team}', cy@acme.com]",
  "recipients: [cy@acme.com]\n    owner: '${each.mail}'",
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
  "owner: '${var.bo}'",
  'owner: cy@acme.com',
];
const loopedOwners = ['', "owner: '${each.mail}'", "owner: '${each.name}@acme.com'", 'owner: ana@acme.com'];
const people = fc.subarray([ana, 'bo@acme.com', 'cy@acme.com'], { minLength: 1 });

const person = fc.constantFrom(ana, 'bo@acme.com');
const only = fc.constantFrom('', 'in: [prod]', 'in: [staging]');

const workspaces = fc.record({
  plain: fc.array(fc.tuple(fc.constantFrom(...spellings), fc.constantFrom(...owners), only), {
    minLength: 1,
    maxLength: 4,
  }),
  loops: fc.array(fc.tuple(fc.constantFrom(...looped), fc.constantFrom(...loopedOwners)), { maxLength: 2 }),
  tables: fc.array(fc.constantFrom(...tabled), { maxLength: 1 }),
  rows: fc.tuple(person, person, person, fc.constantFrom('', ana, 'li@acme.com')),
  ownedByDefault: fc.boolean(),
  team: people,
  other: fc.oneof(people, fc.constantFrom(["'${var.ana}'", 'cy@acme.com'], ["'ana@${var.domain}'", 'li@acme.com'])),
  list: people,
  anchored: people,
  defaulted: people,
  to: people,
  mail: fc.constantFrom(ana, "'${var.ana}'", 'cy@acme.com'),
  variables: fc.record({ ana: person, bo: person }),
  inProd: fc.record(
    { ana: person, bo: person, domain: fc.constantFrom('acme.com', 'acme.example'), list: people },
    { requiredKeys: [] },
  ),
  sink: fc.option(people),
  successor: fc.constantFrom(undefined, 'bo@acme.com', 'new@acme.com'),
});

/** What each resource of an environment declares. */
type Declarations = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

function namesOf(received: ReadonlySet<string>, address: string): readonly string[] {
  return [...received].filter((each) => each.endsWith(` ${address}`)).map((each) => each.split(' ')[0] ?? '');
}

function lower(names: unknown): readonly string[] {
  return (Array.isArray(names) ? names : []).map((name) => String(name).toLowerCase());
}

it('after offboard --write an address is in no resolved declaration that is not named as blocked', async () => {
  await fc.assert(
    fc.asyncProperty(workspaces, async (drawn) => {
      const { plain, loops, tables, rows, ownedByDefault, team, other, list, anchored, defaulted, to, mail } = drawn;
      const { variables, inProd, sink, successor } = drawn;
      const lines = (...fields: readonly string[]) =>
        fields
          .filter((field) => field !== '')
          .map((field) => `    ${field}\n`)
          .join('');
      const flow = (names: readonly string[]) => `[${names.join(', ')}]`;
      const rest = 'identifier: 12db1a0a, schedule: 0 9 ? * MON *, timezone: UTC, format: pdf, destinationType: email';
      const fields = `    <<: { ${rest}, subject: Hello }\n`;
      const source = [
        `x-people: &people ${flow(anchored)}\nx-person: &person ana@acme.com\n`,
        `audiences:\n  team: { emails: ${flow(team)} }\n  other: { emails: ${flow(other)} }\n`,
        `defaults: { schedules: { recipients: ${flow(defaulted)}${ownedByDefault ? ', owner: ana@acme.com' : ''} } }\nschedules:\n`,
        ...plain.map((fieldsOf, index) => `  s${index}:\n    name: S ${index}\n${fields}${lines(...fieldsOf)}`),
        ...loops.map(
          (fieldsOf, index) =>
            `  l${index}:\n    forEach: { one: { name: ana, mail: ${mail}, to: ${flow(to)} }, two: { name: li, mail: li@acme.com, to: [li@acme.com] } }\n    name: L ${index} \${each.key}\n${fields}${lines(...fieldsOf)}    accept: { for-each-unused: drawn }\n`,
        ),
        ...tables.map(
          (field) =>
            `  t:\n    forEachRow: { file: rows.csv, key: code }\n    name: T \${each.key}\n${fields}${lines(field)}    accept: { for-each-unused: drawn }\n`,
        ),
      ].join('');
      const [first, second, third, cc] = rows;
      const folder = openFolder();
      try {
        const before = {
          'almanac.yaml': JSON.stringify({
            api: { baseUrl: 'https://acme.omniapp.co/api', operations: 'full' },
            variables: { ...variables, domain: 'acme.com', list },
            checks: {
              'unused-audience': 'off',
              'for-each-unused': 'off',
              'accepted-nothing': 'off',
              'duplicate-recipient': 'off',
            },
            environments: { prod: { variables: inProd }, staging: sink === null ? {} : { deliver: { email: sink } } },
          }),
          'schedules/a.yaml': source,
          'schedules/rows.csv': `code,mail,cc\none,${first},${cc}\ntwo,${second},\nthree,${third},cy@acme.com\n`,
        };
        folder.write(before);
        const workspace = workspaceIn(folder, {});
        const isInSome = plain.some(([, , limit]) => limit !== '');
        const environments = [...(isInSome ? [] : [[]]), ['--env', 'prod'], ['--env', 'staging']];
        const declaredIn = async (environment: readonly string[]): Promise<Declarations> => {
          const { changes } = await workspace.plan(...environment);
          return new Map(changes.map(({ address, after }) => [address, after ?? {}]));
        };
        const receivedIn = async (environment: readonly string[]) => {
          const { stdout } = await workspace.run('who', ...environment, '--format', 'json');
          const { recipients } = JSON.parse(stdout) as WhoDocument;
          return new Set(
            recipients.flatMap(({ recipient, deliveries }) =>
              deliveries.map(({ address = '' }) => `${recipient} ${address}`),
            ),
          );
        };
        const declaredBefore = await Promise.all(environments.map(declaredIn));
        const receivedBefore = await Promise.all(environments.map(receivedIn));
        const given = successor === undefined ? [] : ['--to', successor];
        const ran = await workspace.run(
          'offboard',
          ...[ana, '--offline', '--write', '--format', 'json', ...given, ...(environments[0] ?? [])],
        );
        const { blocked, edits } = JSON.parse(ran.stdout) as OffboardDocument;
        const stays = new Set(blocked.map(({ address }) => address));
        expect(ran.code).toBe(stays.size > 0 ? 1 : 0);
        if (edits.length === 0)
          for (const [path, text] of Object.entries(before)) expect(workspace.read(path)).toBe(text);
        /** Nobody else, and the successor only in their place. */
        const onlyAnaLeft = (had: readonly string[], has: readonly string[], holder: string) => {
          if (has.includes(ana)) expect(stays).toContain(holder);
          const wanted = had.filter((name) => name !== ana || has.includes(ana));
          const joins = wanted.length < had.length && successor !== undefined ? [successor] : [];
          expect([...new Set(has)].sort()).toEqual([...new Set([...wanted, ...joins])].sort());
        };
        const isAna = (name: unknown) => typeof name === 'string' && name.toLowerCase() === ana;
        for (const [index, environment] of environments.entries()) {
          const [was, had] = [declaredBefore[index] ?? new Map(), receivedBefore[index] ?? new Set<string>()];
          const declared = await declaredIn(environment);
          const received = await receivedIn(environment);
          const addresses = [...was.keys()];
          expect([...declared.keys()]).toEqual(addresses);
          for (const address of addresses) {
            const { recipients: sentBefore, owner: ownedBefore, ...others } = was.get(address) ?? {};
            const { recipients: sent, owner, ...same } = declared.get(address) ?? {};
            expect(same).toEqual(others);
            if (!isAna(ownedBefore)) expect(owner).toBe(ownedBefore);
            else if (!isAna(owner)) expect(owner).toBe(successor);
            else expect(stays).toContain(address);
            onlyAnaLeft(namesOf(had, address), namesOf(received, address), address);
            const holder = sink !== null && environment.includes('staging') ? 'environments.staging' : address;
            onlyAnaLeft(lower(sentBefore), lower(sent), holder);
          }
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
