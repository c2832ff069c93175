// Random folds, after which a plan holds only moves. What `show --resolved` prints of the folded files, pasted in their
// place, plans nothing but the moves out of the loops.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../support/runs/runs.ts';
import { openWorld } from '../support/world.ts';

const oneOf = (...values: readonly string[]) => fc.constantFrom(...values);

const arbitraryMember = fc.record({
  region: oneOf('Europe', 'North America', '"#1: a, b"', '"$${x}"', '${var.region}', "'007'"),
  at: oneOf('0 9 ? * MON *', '0 6 ? * WED *', '${var.when}'),
  to: oneOf(
    '[ana@example.com]',
    '[bo@example.com, cy@example.com]',
    "['${audience.team}', bo@example.com]",
    "'${var.team}'",
  ),
  zone: oneOf('Europe/London', 'UTC', '${var.zone}'),
  file: fc.nat(1),
});
type Member = typeof arbitraryMember extends fc.Arbitrary<infer T> ? T : never;

const arbitraryGroup = fc.record({
  members: fc.array(arbitraryMember, { minLength: 3, maxLength: 5 }),
  destination: oneOf('email', 'webhook'),
  hasText: fc.boolean(),
  subject: oneOf('Sales', 'Sales ${var.region}', '\'$${x} "y" # z\''),
  name: oneOf('NAME', 'Weekly sales, NAME', 'Sales of NAME (weekly)'),
});
type Group = typeof arbitraryGroup extends fc.Arbitrary<infer T> ? T : never;

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
const plain = (text: string) => text.replace(/^["'](.*)["']$/, '$1');

function declaredAs(key: string, { region, at, to, zone }: Member, { destination, hasText, subject, name }: Group) {
  const own = {
    email: ['format: pdf', 'destinationType: email', `recipients: ${to}`, `subject: ${subject}`],
    webhook: ['format: csv', 'destinationType: webhook', 'url: https://hooks.example.com/${env.HOOK_KEY}'],
  };
  return [
    `  ${key}:`,
    '    identifier: 12db1a0a',
    `    name: ${quoted(`${key} ${name.replace('NAME', () => plain(region))}`)}`,
    `    schedule: ${at}`,
    `    timezone: ${zone}`,
    `    filterConfig: { region: { values: [${/^["']/.test(region) ? region : quoted(region)}] } }`,
    ...own[destination as keyof typeof own].map((line) => `    ${line}`),
    ...(hasText && destination === 'email' ? ['    textBody: "A\\n\\nB ${var.region}"'] : []),
    '',
  ].join('\n');
}

function filesOf(groups: readonly Group[]): readonly [string, string] {
  const texts: [string, string] = ['', ''];
  for (const [index, group] of groups.entries())
    for (const [place, member] of group.members.entries())
      texts[member.file === 0 ? 0 : 1] += declaredAs(`g${index}-m${place}`, member, group);
  return texts;
}

const config = `variables:
  when: 0 6 ? * WED *
  region: EU
  zone: Europe/Paris
  team: [bo@example.com, cy@example.com]
`;

it('a fold plans moves only, and unfolded again it plans nothing else', { timeout: 240_000 }, async () => {
  let loops = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(arbitraryGroup, { minLength: 1, maxLength: 3 }), async (groups) => {
      const [one, two] = filesOf(groups);
      const audiences = 'audiences:\n  team: { emails: [ana@example.com] }\n';
      const workspace = await openWorld(
        {
          'schedules/a.yaml': `${audiences}${one === '' ? '' : `schedules:\n${one}`}`,
          'schedules/b.yaml': two === '' ? '' : `schedules:\n${two}`,
        },
        { config, environment: { HOOK_KEY: 'k3y-of-the-hook' }, isKept: true },
      );
      try {
        await workspace.run('fmt', 'schedules');
        const { summary } = await workspace.apply();
        const folded = await workspace.run('fold');
        expect(folded.code === 0 ? '' : folded.stderr).toBe('');
        loops += folded.stdout.match(/^ {2}schedules\./gm)?.length ?? 0;
        const { changes } = await workspace.plan();
        expect(changes.filter(({ action }) => action !== 'move')).toEqual([]);
        expect((await workspace.run('fmt', '--check', 'schedules')).stdout).toBe('');
        await workspace.apply();

        const resolved = await workspace.run('show', '--resolved');
        workspace.write({ 'schedules/a.yaml': resolved.stdout, 'schedules/b.yaml': '' });
        const after = await workspace.plan();
        expect(after.changes.filter(({ action }) => action !== 'move')).toEqual([]);
        expect(Object.keys(workspace.state().resources)).toHaveLength(summary.applied);
      } finally {
        await workspace.close();
      }
    }),
    { numRuns: runs(8), seed: 16 },
  );
  // Otherwise nothing was tried.
  expect(loops).toBeGreaterThan(runs(4));
});
