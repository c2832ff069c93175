// Whom a group or an adoption sends to outside: how many are named to whoever judges that. What is found, and how it is
// accepted, is in transcripts/apply/adopted-outside.txt.

import { expect, test } from 'vitest';
import { adoptedAreInside, membersAreInside } from '../../src/declare/inside/members-inside.ts';
import { loadFiles, schedule } from '../support/apply/loading.ts';

const emails = [...Array(12).keys()].map((n) => `p${n + 10}@out.example`);
const named = emails.slice(0, 10);

async function adopting() {
  const { desired, config, days } = await loadFiles({
    'almanac.yaml': 'safety: { internalDomains: [example.com] }\nchecks: { recipient-not-inside: error }\n',
    'schedules/a.yaml': `schedules:\n${schedule('a')}\nadopt: [{ to: schedules.a, id: 2abba91d-9bec-41a0-8a8d-6f133b4ff0b5 }]\n`,
  });
  const [resource] = desired.resources;
  const [entry] = desired.adoptions;
  if (resource === undefined || entry === undefined || config === undefined) throw new Error('nothing was read');
  return { resource, entry, judging: { config, days } };
}

test('whoever judges an adoption or a group sees ten of the addresses outside, and how many more there are', async () => {
  const { resource, entry, judging } = await adopting();
  const findings = [
    ...adoptedAreInside(resource, { emails, groups: [] }, entry, judging),
    ...membersAreInside([resource], () => [{ text: 'Board', emails }], judging),
  ];
  const list = `${named.map((email) => `\`${email}\``).join(', ')} and 2 more.`;
  expect(findings.map(({ message }) => message)).toEqual([
    expect.stringContaining(list),
    expect.stringContaining(list),
  ]);
});
