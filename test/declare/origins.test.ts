// What the resolver records of where values come from.

import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { load } from '../../src/declare/load/load.ts';
import { isWithin, type Pointer } from '../../src/model/values/pointer.ts';
import { Secret } from '../../src/model/values/secret.ts';
import { type Origins, placeIn, type ValuePlace } from '../../src/model/workspace/origins.ts';
import { diagnosticsOf, loadFiles, schedule } from '../support/apply/loading.ts';
import { makeInstantClock } from '../support/fake-clock.ts';
import { makeMemoryWorkspace } from '../support/memory-workspace.ts';

/** `/recipients = audience team, schedules/a.yaml#/audiences/team/emails`, and behind it what gives that. */
function linesOf(origins: Origins | undefined, before: Pointer = '', within: Pointer = ''): readonly string[] {
  const isInside = ([pointer]: readonly [Pointer, unknown]) => isWithin(pointer, within);
  const path = (pointer: Pointer) => before + pointer.slice(within.length);
  return [
    ...[...(origins?.given ?? [])]
      .filter(isInside)
      .flatMap(([pointer, { isWhole, by }]) =>
        by.flatMap((giver) => [
          `${path(pointer)} ${isWhole ? '=' : '~'} ${wordsOf(placeIn(giver))}`,
          ...linesOf(giver.origins, `${path(pointer)}:`, giver.at),
        ]),
      ),
    ...[...(origins?.lists ?? [])]
      .filter(isInside)
      .map(([at, items]) => `${path(at)} [${items.map(({ written, item = '' }) => `${written}.${item}`).join(' ')}]`),
  ];
}

function wordsOf(place: ValuePlace): string {
  if (place.kind === 'text-file') return `text of ${place.path}`;
  const name = 'name' in place ? ` ${place.name}` : '';
  return `${place.kind}${name}, ${place.origin.file}#${place.origin.pointer}`;
}

async function recordOf(files: Readonly<Record<string, string>>, address = 'schedules.a') {
  const { desired } = await loadFiles(files);
  return desired.resources.find((resource) => resource.address === address)?.origins;
}

const text = (fields: string) =>
  `schedules:\n  a:\n    identifier: 12db1a0a\n    schedule: 0 9 ? * MON *\n    format: pdf\n    destinationType: email\n${fields}`;

it('nothing is recorded of a schedule whose values all stand in it', async () => {
  expect(await recordOf({ 'schedules/a.yaml': `schedules:\n${schedule('a')}` })).toBeUndefined();
});

it('a default, a variable, a text file and an audience are recorded with the places that give the value', async () => {
  const config = `defaults: { schedules: { timezone: UTC, subject: Sales } }
variables: { team: Sales, boss: ana@example.com }
`;
  const declared = `${text(`    name: \${var.team} weekly
    subject: Own
    message: \${file.body.md}
    recipients: ["\${audience.all}", bo@example.com]
`)}audiences: { all: { emails: ["\${var.boss}", cy@example.com] } }
`;
  const files = { 'almanac.yaml': config, 'schedules/body.md': 'Hello', 'schedules/a.yaml': declared };
  expect(linesOf(await recordOf(files))).toEqual([
    '/timezone = default, almanac.yaml#/defaults/schedules/timezone',
    '/name ~ variable team, almanac.yaml#/variables/team',
    '/message = text of schedules/body.md',
    '/recipients/0 = audience all, schedules/a.yaml#/audiences/all/emails',
    '/recipients/0:/0 = variable boss, almanac.yaml#/variables/boss',
    '/recipients [0.0 0.1 1.]',
  ]);
});

it('an instance of a loop records its item, and what the item refers to', async () => {
  const loop = `    forEach:
      emea: { region: Europe, to: ["\${audience.all}", bo@example.com] }
    name: "\${each.region} \${each.key}"
    recipients: \${each.to}
`;
  const files = { 'schedules/a.yaml': `${text(loop)}audiences: { all: { emails: [ana@example.com] } }\n` };
  expect(linesOf(await recordOf(files, 'schedules.a.emea'))).toEqual([
    '/name ~ item emea, schedules/a.yaml#/schedules/a/forEach/emea/region',
    '/name ~ item emea, schedules/a.yaml#/schedules/a/forEach/emea',
    '/recipients = item emea, schedules/a.yaml#/schedules/a/forEach/emea/to',
    '/recipients:/0 = audience all, schedules/a.yaml#/audiences/all/emails',
    '/recipients: [0.0 1.]',
  ]);
});

it('what is wrong with an address that an item has from a variable is reported at the reference in the item', async () => {
  const loop = `    forEach: { emea: { to: ["\${var.list}", bo@example.com] } }
    name: "\${each.key}"
    subject: x
    timezone: UTC
    recipients: \${each.to}
`;
  const files = { 'almanac.yaml': 'variables: { list: [ana@example.com, nobody] }\n', 'schedules/a.yaml': text(loop) };
  expect(await diagnosticsOf(files)).toMatchObject([{ code: 'invalid-email', path: '/schedules/a/forEach/emea/to/0' }]);
});

it('what is wrong in an audience is not reported again where an item of a loop takes it in', async () => {
  const loop = `    forEach: { emea: { to: ["\${audience.all}", bo@example.com] } }
    name: "\${each.key}"
    subject: x
    timezone: UTC
    recipients: [cy@example.com, "\${each.to}"]
`;
  const files = { 'schedules/a.yaml': `${text(loop)}audiences: { all: { emails: [ana@example.com, nobody] } }\n` };
  expect(await diagnosticsOf(files)).toMatchObject([{ code: 'invalid-email', path: '/audiences/all/emails/1' }]);
});

it('the record of a schedule with a secret holds places, and nothing of the secret', async () => {
  const fields = `    name: x\n    password: "\${var.user}-\${env.PASSWORD}"\n`;
  const workspace = makeMemoryWorkspace({
    'almanac.yaml': 'variables: { user: ana }\n',
    'schedules/a.yaml': text(fields),
  });
  const clock = makeInstantClock(Date.UTC(2026, 10, 21));
  const { desired } = await load({ workspace, environment: () => 'hunter2', clock });
  const [resource] = desired.resources;
  expect(resource?.attributes['password']).toBeInstanceOf(Secret);
  expect(linesOf(resource?.origins)).toEqual(['/password ~ variable user, almanac.yaml#/variables/user']);
  expect(inspect(resource?.origins, { depth: null })).not.toContain('hunter2');
});
