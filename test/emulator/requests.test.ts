// Plays requests.txt: single requests to the demo organization with eight more schedules: of the organization (OURS, and
// PAUSED, STOPPED, MANY recipients, SLACKED), of Ana (ANAS), Bo (BOS) and Cleo (CLEOS, of a dashboard that few see), and with routines
// of Ana (HERS, OFF) and Bo (HIS). Dan (DAN) has left, and Eve (EVE) may not use AI. The dashboard e5521fd8 allows no time
// zone for queries, and the model PRIVATE is no shared one. A line at the margin names a method, a path, and a body. Each line below it adds
// a query or the rest of the path, changes to the body (`-name` removes a field), who asks, and after `->` the status and the
// words of a refusal. `UPDATE=1 npx vitest run test/emulator/requests.test.ts` writes what is answered now; read the difference.

import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { demoOrganization } from '../../src/emulator/demo-organization.ts';
import type { EmulatedObject, StoredSchedule } from '../../src/emulator/store.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { bodyOf, demoNames, headersOf, named, spelled } from '../support/emulator/spelled-request.ts';
import { ids, startFull } from '../support/emulator/start-emulator.ts';
import { mail, routine, slack } from '../support/vocabulary.ts';

const file = 'test/emulator/requests.txt';
const names: Readonly<Record<string, string>> = {
  ...demoNames,
  OURS: '00000000-0000-4000-8000-000000000001',
  ANAS: '00000000-0000-4000-8000-000000000002',
  BOS: '00000000-0000-4000-8000-000000000003',
  CLEOS: '00000000-0000-4000-8000-000000000004',
  PAUSED: '00000000-0000-4000-8000-00000000000a',
  STOPPED: '00000000-0000-4000-8000-00000000000b',
  MANY: '00000000-0000-4000-8000-00000000000c',
  HERS: '00000000-0000-4000-8000-00000000000d',
  OFF: '00000000-0000-4000-8000-00000000000e',
  HIS: '00000000-0000-4000-8000-00000000000f',
  DAN: '00000000-0000-4000-8000-000000000010',
  EVE: '00000000-0000-4000-8000-000000000011',
  PRIVATE: '00000000-0000-4000-8000-000000000012',
  SLACKED: '00000000-0000-4000-8000-000000000013',
  DONE: '440e8400-e29b-41d4-a716-446655440004',
};
function organization() {
  const data = demoOrganization();
  const at = '2026-03-01T00:00:00.000Z';
  const add = (name: string, ownerId: string | null, changes: JsonObject = {}, more: Partial<StoredSchedule> = {}) => {
    const fields = mail(changes) as EmulatedObject;
    const made = { createdAt: at, updatedAt: at, hasPassword: false };
    data.schedules.push({ id: names[name] ?? '', ownerId, ...made, fields, ...more });
  };
  for (const document of data.documents) document.canUseTimezoneOverride = document.identifier !== 'e5521fd8';
  add('OURS', null);
  add('ANAS', ids.ana);
  add('BOS', ids.bo);
  add('CLEOS', ids.cleo, { identifier: 'b4d86e20' });
  add('PAUSED', null, {}, { disabledAt: at });
  add('STOPPED', null, {}, { systemDisabled: { at, reason: 'noAccess' } });
  data.schedules.push({
    ...{ id: names['SLACKED'] ?? '', ownerId: null, createdAt: at, updatedAt: at, hasPassword: false },
    fields: slack() as EmulatedObject,
  });
  add('MANY', null, { fanOut: true, recipients: Array.from({ length: 51 }, (_, index) => `r${index}@example.com`) });
  data.members.push(
    { id: names['DAN'] ?? '', name: 'Dan Moss', email: 'dan@example.com', active: false },
    { id: names['EVE'] ?? '', name: 'Eve Ash', email: 'eve@example.com', canUseAi: false },
  );
  data.models.push({ id: names['PRIVATE'] ?? '', name: 'Scratch', branches: [], topics: [], kind: 'WORKBOOK' });
  data.routines = ['HERS', 'OFF', 'HIS'].map((name) => ({
    id: names[name] ?? '',
    ownerId: name === 'HIS' ? ids.bo : ids.ana,
    createdAt: at,
    updatedAt: at,
    fields: routine() as EmulatedObject,
    disabled: name === 'OFF',
  }));
  return data;
}

type Running = Awaited<ReturnType<typeof startFull>>;

async function answerTo({ send, emulator }: Running, head: string, line: string): Promise<string> {
  const [, method = '', path = '', base = ''] = /^(\S+) (\S+) ?(.*)$/.exec(head) ?? [];
  const [, rest = '', asker, changes] = /^(\S*?)(?: ?as (\w+))? ?(\{.*)?$/.exec(line) ?? [];
  const before = emulator.data();
  const reply = await send(method, spelled(path + rest, names), bodyOf(base, changes, names), headersOf(asker));
  if (reply.status < 400) return String(reply.status);
  expect(emulator.data()).toEqual(before);
  expect(reply.body).toEqual({ detail: expect.any(String), status: reply.status });
  return `${reply.status} ${named(reply.body.detail, names)}`;
}

test('the emulator answers single requests as requests.txt says', async () => {
  const text = readFileSync(file, 'utf8');
  const lines: string[] = [];
  let head = '';
  let running = await startFull({ data: organization() });
  for (const line of text.split('\n')) {
    const isRow = line.startsWith('  ');
    if (!isRow) head = line;
    const [request = ''] = line.trim().split(' ->');
    const answer = isRow ? await answerTo(running, head, request) : '';
    lines.push(isRow ? `  ${request} -> ${answer}` : line);
    // What was refused changed nothing.
    if (/^2/.test(answer)) running = await startFull({ data: organization() });
  }
  if (process.env['UPDATE'] === '1') writeFileSync(file, lines.join('\n'));
  else expect(lines.join('\n')).toBe(text);
});
