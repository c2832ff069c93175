// How much memory the built program needs where many people receive many reports.

import { expect, test } from 'vitest';
import { runProgram } from '../support/program.ts';
import { makeFolder } from '../support/workspace.ts';

const [lists, people] = [100, 5000];

function fileOf(name: string): string {
  const numbered = (count: number, lineOf: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => lineOf(index)).join('\n');
  return `x-people: &people
${numbered(people, (index) => `  - person-${index}@${name}.example`)}
audiences:
${numbered(lists, (index) => `  ${name}-${index}: { emails: *people }`)}
schedules:
${numbered(
  lists,
  (index) => `  ${name}-${index}:
    { identifier: 12db1a0a, name: "${name} ${index}", schedule: 0 9 ? * MON *, timezone: UTC, format: pdf,
      destinationType: email, subject: Weekly, recipients: ["\${audience.${name}-${index}}"] }`,
)}
`;
}

test('a first plan for 200 lists of 5,000 people keeps little of each of the million receivers', async () => {
  const { path: cwd } = makeFolder({
    'almanac.yaml': 'api: { baseUrl: "https://acme.omniapp.co/api" }\n',
    'schedules/north.yaml': fileOf('north'),
    'schedules/south.yaml': fileOf('south'),
  });
  // In MB; of it the program itself takes a fifth.
  const environment = { NODE_OPTIONS: '--max-old-space-size=200' };
  const planned = await runProgram(['plan'], { cwd, environment });
  expect(planned).toMatchObject({ code: 0, stderr: '' });
  expect(planned.stdout).toContain('Plan: 200 to create');
});
