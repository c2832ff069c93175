// Plays test/emulator/conversations: requests to the demo organization, one after the other, with what is answered below
// each, and ids by their names or as ID and a number, in the order in which they are shown. It is 2026-03-01T00:00Z. A request
// is a method, a path, a body, changes to it, who asks, and after `|` the parts of the answer that are shown, where `*` is
// each one of a list. CURSOR is the last long one. The other lines are:
//   with OPTIONS       starts the emulator with these, in JSON; faults as --fault has them
//   at TIME            what is due until then is done
//   edit PATH VALUE    changes the data as a person in the app would; without a value, removes it
//   sink STATUS…       opens a receiver at SINK that answers with these, 0 for none, and then with 200
//   data PATH, inspect PATH, requests PATH, received PATH   show the data, what was delivered, asked, and received there
// `UPDATE=1 npx vitest run test/emulator/conversations.test.ts` writes what is answered now; read the difference.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseFault } from '../../src/emulator/faults.ts';
import { bodyOf, demoNames, headersOf, named, spelled } from '../support/emulator/spelled-request.ts';
import { startFull } from '../support/emulator/start-emulator.ts';
import { openSink } from '../support/state/scripted-server.ts';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

const folder = 'test/emulator/conversations';
const uuid = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;
const width = 124;

/** The value there: of a list, the one of that number, id or name, or each. */
function valueAt(value: Json | undefined, path: readonly string[]): Json | undefined {
  const [first, ...rest] = path;
  if (first === undefined || value === undefined || value === null || typeof value !== 'object') return value;
  if (first === '*' && Array.isArray(value)) return value.map((each) => valueAt(each, rest) ?? null);
  return valueAt(Array.isArray(value) ? value[indexIn(value, first)] : value[first], rest);
}

const indexIn = (list: readonly Json[], name: string) =>
  list.findIndex((each, index) => String(index) === name || Object.values(each ?? {}).includes(name));

/** On one line where that is short enough. */
function shown(value: Json | undefined, indent = '  '): string {
  const line = JSON.stringify(value) ?? 'nothing';
  if (line.length + indent.length <= width || typeof value !== 'object' || value === null) return line;
  const deeper = `${indent}  `;
  const [open, end] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const entries = Object.entries(value).map(([name, each]) => {
    const start = Array.isArray(value) ? '' : `${JSON.stringify(name)}: `;
    return `${deeper}${start}${shown(each, deeper)}`;
  });
  return `${open}\n${entries.join(',\n')}\n${indent}${end}`;
}

async function play(requests: readonly string[]): Promise<string[]> {
  let time = Date.UTC(2026, 2, 1);
  const options = requests.find((line) => line.startsWith('with '))?.slice(5) ?? '{}';
  const { faults = [], ...quirks } = JSON.parse(options) as { faults?: string[] };
  const { send, emulator } = await startFull({ now: () => time, faults: faults.map(parseFault), ...quirks });
  const names: Record<string, string> = { ...demoNames };
  let last = '';
  const say = (value: Json | undefined) => {
    const text = named(shown(value), names);
    names['CURSOR'] = /"nextCursor": ?"([^"]{20,})"/.exec(text)?.[1] ?? names['CURSOR'] ?? 'CURSOR';
    for (const [id] of text.matchAll(uuid)) {
      const isKnown = Object.values(names).includes(id);
      if (!isKnown) names[`ID${Object.keys(names).filter((name) => name.startsWith('ID')).length + 1}`] = id;
    }
    const told = named(text, names);
    if (told === last && told.length > width) return '  as before';
    last = told;
    return `  ${told}`;
  };
  const select = (body: unknown, paths: string) => {
    const values = paths.split(' ').map((path) => [path, valueAt(body as Json, path.split('.'))] as const);
    return values.length === 1 ? values[0]?.[1] : (Object.fromEntries(values) as Json);
  };

  let received: readonly { readonly body: string; readonly headers: object }[] = [];
  async function openReceiver(statuses: readonly number[]): Promise<void> {
    const sink = await openSink((before) => statuses[before] ?? 200);
    names['SINK'] = sink.url;
    received = sink.received;
  }
  const withBodies = () =>
    received.map(({ headers, body }) => ({ headers, body: body.startsWith('{') ? JSON.parse(body) : body }));

  async function doneBy(line: string): Promise<string[]> {
    const [, verb = '', path = '', rest = ''] = /^(\S+) (\S+) ?(.*)$/.exec(spelled(line, names)) ?? [];
    if (verb === 'with') return [];
    if (verb === 'sink') {
      await openReceiver(`${path} ${rest}`.trim().split(' ').map(Number));
      return [];
    }
    if (verb === 'received') return [say(select(withBodies(), `${path} ${rest}`.trim()))];
    if (verb === 'at') {
      time = Date.parse(path);
      await emulator.tick();
      return [];
    }
    if (verb === 'data') return [say(select(emulator.data(), `${path} ${rest}`.trim()))];
    if (verb === 'inspect') return [say(select(emulator.inspect(), `${path} ${rest}`.trim()))];
    if (verb === 'requests') return [say(select(emulator.requests(), `${path} ${rest}`.trim()))];
    if (verb === 'edit') {
      emulator.edit((data) => change(data as unknown as Json, path.split('.'), rest));
      return [];
    }
    const request = /^(\{.*?\}(?= ?[|{]| as |$)|[A-Z]\w*)? ?(?:as (\w+))? ?(\{.*\})? ?(?:\| ?(.*))?$/;
    const [, base = '', asker, changes, parts] = request.exec(rest) ?? [];
    const body = bodyOf(base, changes, names);
    const reply = await send(verb, path, body, headersOf(asker)).catch(() => undefined);
    if (reply === undefined) return ['  no answer'];
    const selected = parts === undefined ? reply.body : parts === '' ? undefined : select(reply.body, parts);
    const told = parts === '' ? '' : say(selected as Json);
    const wait = reply.headers.get('retry-after');
    return [`  ${reply.status}${wait === null ? '' : ` retry-after ${wait}`}${told.slice(1)}`];
  }

  const lines: string[] = [];
  for (const line of requests) lines.push(line, ...(line === '' || line.startsWith('#') ? [] : await doneBy(line)));
  return lines;
}

function change(data: Json, path: readonly string[], value: string): void {
  const holder = valueAt(data, path.slice(0, -1));
  const last = path.at(-1) ?? '';
  if (Array.isArray(holder)) holder.splice(indexIn(holder, last), 1, ...(value === '' ? [] : [JSON.parse(value)]));
  else if (holder !== null && typeof holder === 'object') {
    if (value === '') delete holder[last];
    else holder[last] = JSON.parse(value);
  }
}

describe.each(readdirSync(folder))('%s', (name) => {
  const parts = readFileSync(`${folder}/${name}`, 'utf8').split(/^=== /m).slice(1);
  test.each(parts.map((part, index) => [part.split('\n')[0] ?? '', index] as const))('%s', async (title, index) => {
    const text = (parts[index] ?? '').slice(title.length + 1);
    const requests = text.split('\n').filter((line) => !line.startsWith('  ') && !/^[\s\]}]*$/.test(line));
    const played = `${(await play(requests)).join('\n')}\n`;
    if (process.env['UPDATE'] !== '1') return expect(`${played}\n`.trimEnd()).toBe(text.trimEnd());
    const file = readFileSync(`${folder}/${name}`, 'utf8');
    writeFileSync(
      `${folder}/${name}`,
      file.replace(`=== ${title}\n${text.trimEnd()}\n`, () => `=== ${title}\n${played}`),
    );
  });
});
