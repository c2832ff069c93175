// A load whose files other threads have parsed and checked is the same as one that does all of it itself.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Loaded, load } from '../../src/engine/load/load.ts';
import { parseAhead } from '../../src/engine/load/parse-ahead.ts';
import { placeFindings } from '../../src/engine/load/place-findings.ts';
import type { EntrySettings } from '../../src/model/workspace/file-entry.ts';
import { parseSource } from '../../src/parse/parse-source.ts';
import type { OpenParsePool, ParseWorker } from '../../src/ports/parse-pool.ts';
import { entryMaker } from '../../src/validate/entry-maker.ts';
import { schedule } from '../support/engine/loading.ts';
import { makeInstantClock } from '../support/fake-clock.ts';
import { makeMemoryWorkspace } from '../support/memory-workspace.ts';
import { runs } from '../support/runs/runs.ts';

type Files = Readonly<Record<string, string>>;

interface Threads {
  readonly workers: number;
  /** How long each answer takes in turn, in steps of the event loop. */
  readonly delays?: readonly number[];
  /** Each worker ends after so many batches. */
  readonly batches?: number;
  readonly signal?: AbortSignal;
  /** The system lets no thread start. */
  readonly refused?: boolean;
  readonly worthwhile?: number;
}

/** Loads with threads that run in this one: what goes in and out is copied, as between real ones. */
async function loadWith(files: Files, threads: Threads) {
  const { workers, delays = [0], batches = Number.POSITIVE_INFINITY, signal, refused, worthwhile = 0 } = threads;
  const clock = makeInstantClock(Date.UTC(2026, 10, 21));
  const elsewhere: string[] = [];
  const here: string[] = [];
  let asked = 0;
  let open = 0;
  let answers = 0;
  const makeWorker = (settings: EntrySettings): ParseWorker => {
    const { withEntry } = entryMaker(structuredClone(settings));
    let left = batches;
    let before: Promise<unknown> = Promise.resolve();
    return {
      entriesOf: (batch) => {
        asked += batch.length;
        const answer = before.then(async () => {
          for (let steps = delays[answers++ % delays.length] ?? 0; steps > 0; steps -= 1) await undefined;
          left -= 1;
          if (left < 0 || open === 0) throw new Error('The thread has ended.');
          return structuredClone(batch).map((file) => {
            elsewhere.push(file.path);
            return withEntry(file).entry;
          });
        });
        before = answer.catch(() => undefined);
        return answer;
      },
    };
  };
  const openPool: OpenParsePool = async (_, settings) => {
    if (refused) throw new Error('No thread can start.');
    if (workers === 0) return undefined;
    open += 1;
    const close = async () => {
      open = 0;
    };
    const receive = () => clock.sleep(0);
    return { workers: Array.from({ length: workers }, () => makeWorker(settings)), receive, close };
  };
  const parse: typeof parseSource = (file) => {
    here.push(file.path);
    return parseSource(file);
  };
  const ahead = parseAhead({ openPool, signal, worthwhile, batch: 100, parse });
  const workspace = makeMemoryWorkspace(files);
  const running = load({ workspace, environment: () => undefined, clock, signal, ...ahead });
  const loaded = await running.catch((error: unknown) => error as Error);
  return { loaded, elsewhere, asked, here, open };
}

async function shown(loaded: Loaded | Error) {
  if (loaded instanceof Error) throw loaded;
  const { config, desired, findings, audiences, files, fileNamed } = loaded;
  const all = { config, desired, audiences, files, diagnostics: await placeFindings(findings, fileNamed) };
  return { all, text: JSON.stringify([desired.resources, all.diagnostics]) };
}

const many = Object.fromEntries(
  Array.from({ length: 24 }, (_, index) => [`schedules/${index}.yaml`, `schedules:\n${schedule(`s${index}`)}`]),
);

describe('files that other threads parse', () => {
  const pieces = [
    'schedules:\n',
    schedule('one'),
    schedule('two', ', paused: -0'),
    schedule('wrong', ', recipient: [ana]'),
    schedule('dated').replace('MON *', 'MON 2026'),
    schedule('twice').replace('ana@example.com', 'ana@example.com, ANA@example.com'),
    schedule('team').replace('ana@example.com', '$' + '{audience.team}'),
    schedule('from').replace('subject: x', 'subject: $' + '{var.subject}'),
    'audiences:\n  team: [ana@example.com]\n',
    'defaults: { schedules: &a { subject: x } }\n',
    'moved: [{ from: schedules.a, to: schedules.one }]\n',
    '  loop: { forEach: { a: {}, b: {} }, name: x }\n',
    '  merged: { <<: *a, name: 08 }\n',
    '  1: { $secret: x, __proto__: 1 }\n',
    '  big: [&b [&c [x, x, x], *c, *c, *c], *b, *b, *b, *b]\n',
    '---\n',
    '{',
    ': \ud800',
    '\r\n# é\n',
  ];
  const text = fc.array(fc.constantFrom(...pieces), { maxLength: 6 }).map((parts) => parts.join(''));
  const configs = fc.constantFrom(
    'variables: { subject: Hello }\n',
    'defaults: { schedules: { maxRowLimit: 5 } }\n',
    'api: { operations: full }\n',
    'defaults: { schedules: { subject: $' + '{env.SUBJECT} } }\n',
  );
  const files = fc.array(text, { minLength: 1, maxLength: 8 });
  const delays = fc.array(fc.nat(30), { minLength: 1, maxLength: 8 });
  const batches = fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.nat(3));

  it('a load is the same with 0, 1, 2 and 4 workers, however long they take and whenever they end', async () => {
    await fc.assert(
      fc.asyncProperty(configs, files, delays, batches, async (config, texts, steps, last) => {
        const sources = texts.map((each, index) => [`schedules/${index}.yaml`, each]);
        const named = { 'almanac.yaml': config, ...Object.fromEntries(sources) };
        const alone = await shown((await loadWith(named, { workers: 0 })).loaded);
        for (const workers of [1, 2, 4]) {
          const { loaded, open } = await loadWith(named, { workers, delays: steps, batches: last });
          expect(await shown(loaded)).toStrictEqual(alone);
          expect(open).toBe(0);
        }
      }),
      { numRuns: runs(30) },
    );
  });

  it('each file is parsed once, some here and some by the workers', async () => {
    const { here, asked, elsewhere } = await loadWith(many, { workers: 2, delays: [5] });
    expect([...here, ...elsewhere].sort()).toEqual(Object.keys(many).sort());
    expect(elsewhere).toHaveLength(asked);
    expect(Math.min(here.length, elsewhere.length)).toBeGreaterThan(4);
  });

  it('what a worker did not answer before it ended is parsed here', async () => {
    const { loaded, here, elsewhere } = await loadWith(many, { workers: 1, batches: 1 });
    expect((await shown(loaded)).all.desired.resources).toHaveLength(24);
    expect(elsewhere.length).toBeGreaterThan(0);
    expect([...here, ...elsewhere].sort()).toEqual(Object.keys(many).sort());
  });

  it('where no thread may start, everything is parsed here', async () => {
    const { loaded, here } = await loadWith(many, { workers: 1, refused: true });
    expect((await shown(loaded)).all.desired.resources).toHaveLength(24);
    expect(here).toHaveLength(24);
  });

  it('files that are not worth a thread are parsed here', async () => {
    const { elsewhere } = await loadWith(many, { workers: 2, worthwhile: 100_000 });
    expect(elsewhere).toEqual([]);
  });

  it('a signal ends the load and the workers', async () => {
    const stop = new AbortController();
    const running = loadWith(many, { workers: 2, delays: [20], signal: stop.signal });
    await undefined;
    stop.abort();
    const { loaded, open, elsewhere } = await running;
    expect(loaded).toMatchObject({ code: 'interrupted' });
    expect(open).toBe(0);
    expect(elsewhere.length).toBeLessThan(24);
  });
});
