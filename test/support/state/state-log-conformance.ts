// What every place for a shared state must do. The test of each backend calls `conformance` with a way to set up an empty
// place. The store asks nothing else of a log, so its own cases run over the log in memory.

import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LogEntry, NewEntry, StateLog } from '../../../src/state/state-log.ts';
import { runs } from '../runs/runs.ts';

/** An empty place, as `setUp` makes a new one for each test. */
export interface TestPlace {
  /** The log as a first machine opens it. */
  open(): StateLog | Promise<StateLog>;
  /** The log as another machine opens it: it shares nothing with others but the place. */
  again(): StateLog | Promise<StateLog>;
  readonly faults?: LogFaults;
  /** How many entries the race writes; 200 if undefined. */
  readonly races?: number;
  /** Ends what the place needs. The suite closes each log before. */
  close?(): Promise<void>;
}

/** Each is about the next append only, of any machine. */
export interface LogFaults {
  /** The write reaches the place, but its answer is lost. */
  loseAnswer(): void;
  /** The write is lost on its way. */
  loseRequest(): void;
}

/** The bytes begin as those of the store: one line of JSON with the id and the kind. Its number is never looked at. */
export function newEntry(kind: NewEntry['kind'] = 'lines', content: Readonly<Record<string, unknown>> = {}): NewEntry {
  const id = randomUUID();
  const text = JSON.stringify({ v: 1, id, n: 1, kind, ...content });
  return {
    id,
    kind,
    bytes: new TextEncoder().encode(text),
    title: `A test writes ${kind}`,
    snapshot: kind === 'commit' ? '{\n  "version": 1\n}\n' : undefined,
  };
}

export function conformance(name: string, setUp: () => TestPlace | Promise<TestPlace>): void {
  let place: TestPlace;
  let logs: StateLog[];

  beforeEach(async () => {
    logs = [];
    place = await setUp();
  });
  afterEach(async () => {
    for (const log of logs) await log.close();
    await place.close?.();
  });

  const opened = async (log: StateLog | Promise<StateLog>): Promise<StateLog> => {
    logs.push(await log);
    return log;
  };
  const open = () => opened(place.open());
  const again = () => opened(place.again());

  describe(`the log of ${name}`, () => {
    test(`a place of ${name} without an entry reads empty`, async () => {
      const log = await open();
      expect(await log.read(0)).toEqual([]);
      expect(await log.entry(1)).toBeUndefined();
      expect(await (await again()).read(0)).toEqual([]);
    });

    test(`what ${name} has written is read at once on another machine, byte for byte`, async () => {
      const [log, other] = [await open(), await again()];
      const entries = [
        newEntry('lock', { who: 'Zoë Müller', emoji: '📅 e\u0301 \u2028', text: 'a\n\n\r\n\tb\\n\u0000' }),
        newEntry('lines', { lines: ['', ''] }),
        newEntry('lines', { long: 'ü0123456789abcd\n'.repeat(65_536) }),
      ];
      for (const [index, entry] of entries.entries()) {
        expect(await log.append(index + 1, entry)).toBe('written');
        const seen = await other.read(index);
        expect(seen.map(({ n }) => n)).toEqual([index + 1]);
        expect(textOf(seen[0])).toBe(textOf(entry));
        expect(textOf(await other.entry(index + 1))).toBe(textOf(entry));
      }
      expect((await (await again()).read(0)).map(textOf)).toEqual(entries.map(textOf));
      expect(await other.read(3)).toEqual([]);
    });

    test(`a number of ${name} that another machine wrote is taken, and keeps what was there first`, async () => {
      const [log, other] = [await open(), await again()];
      const [first, second] = [newEntry('lock'), newEntry('lock')];
      await other.read(0);
      expect(await log.append(1, first)).toBe('written');
      expect(await other.append(1, second)).toBe('taken');
      expect((await other.read(0)).map(textOf)).toEqual([textOf(first)]);
      expect(await other.append(2, second)).toBe('written');
      expect(await log.append(2, newEntry())).toBe('taken');
      expect((await log.read(0)).map(textOf)).toEqual([first, second].map(textOf));
    });

    test(`an entry that would leave a gap in ${name} is refused, and nothing is written`, async () => {
      const log = await open();
      await log.append(1, newEntry('lock'));
      await expect(log.append(3, newEntry())).rejects.toThrow();
      expect((await (await again()).read(0)).map(({ n }) => n)).toEqual([1]);
      expect(await log.append(2, newEntry())).toBe('written');
    });

    test(`of 8 writers that race in ${name}, one gets each number, and none is left out`, {
      timeout: runs(120_000),
    }, async () => {
      const total = place.races ?? runs(200);
      const writers = await Promise.all(Array.from({ length: 8 }, again));
      const mine = await Promise.all(
        writers.map(async (log) => {
          const written = new Map<number, string>();
          for (let at = 0; at < total; ) {
            at = (await log.read(at)).at(-1)?.n ?? at;
            if (at >= total) break;
            const entry = newEntry();
            if ((await log.append(at + 1, entry)) === 'written') {
              at += 1;
              written.set(at, textOf(entry));
            }
          }
          return written;
        }),
      );
      const winners = mine.flatMap((written) => [...written]).sort(([a], [b]) => a - b);
      const entries = new Map((await (await again()).read(0)).map((entry) => [entry.n, textOf(entry)]));
      expect(winners.map(([n]) => n)).toEqual(Array.from({ length: total }, (_, index) => index + 1));
      expect([...entries.values()]).toEqual(winners.map(([, text]) => text));
    });

    test(`an entry that is appended to ${name} a second time, as after a lost answer, is there once`, async () => {
      const log = await open();
      const entry = newEntry('lock');
      expect(await log.append(1, entry)).toBe('written');
      expect(await log.append(1, entry)).toBe('written');
      expect((await (await again()).read(0)).map(textOf)).toEqual([textOf(entry)]);
      expect(await log.append(2, newEntry())).toBe('written');
      expect((await (await again()).read(0)).map(({ n }) => n)).toEqual([1, 2]);
    });

    test.for(['loseAnswer', 'loseRequest'] as const)(
      `an entry of ${name} is written once after the fault %s`,
      async (fault, { skip }) => {
        const { faults } = place;
        if (faults === undefined) return skip();
        const log = await open();
        await log.append(1, newEntry('lock'));
        const entry = newEntry();
        faults[fault]();
        expect(await log.append(2, entry)).toBe('written');
        expect(await log.append(3, newEntry())).toBe('written');
        const seen = await (await again()).read(0);
        expect(seen.map(({ n }) => n)).toEqual([1, 2, 3]);
        expect(textOf(seen[1])).toBe(textOf(entry));
      },
    );

    test(`a first read of ${name} begins at its newest commit, and a later one where the last ended`, async () => {
      const [log, other] = [await open(), await again()];
      const kinds = ['lock', 'lines', 'commit', 'lock', 'lines', 'commit', 'lines'] as const;
      const entries = kinds.map((kind) => newEntry(kind));
      for (const [index, entry] of entries.slice(0, 4).entries()) await log.append(index + 1, entry);
      expect((await other.read(0)).map(({ n }) => n)).toEqual([3, 4]);
      for (const [index, entry] of entries.slice(4).entries()) await log.append(index + 5, entry);
      const after = (await other.read(4)).map(({ n }) => n);
      expect([
        [5, 6, 7],
        [6, 7],
      ]).toContainEqual(after);
      expect((await (await again()).read(0)).map(({ n }) => n)).toEqual([6, 7]);
      expect(textOf(await other.entry(2))).toBe(textOf(entries[1]));
      expect(textOf(await (await again()).entry(3))).toBe(textOf(entries[2]));
      expect(await (await again()).entry(8)).toBeUndefined();
    });

    test(`the probe of ${name} accepts the place, writes no entry, and stops no apply of another machine`, async () => {
      const [log, other] = [await open(), await again()];
      await log.probe();
      expect(await (await again()).read(0)).toEqual([]);
      await log.append(1, newEntry('lock'));
      await other.probe();
      expect((await (await again()).read(0)).map(({ n }) => n)).toEqual([1]);
      expect(await log.append(2, newEntry('commit'))).toBe('written');
      await other.probe();
      expect(await log.append(3, newEntry())).toBe('written');
      expect((await other.read(0)).map(({ n }) => n)).toEqual([2, 3]);
    });

    test(`a read of ${name} that is interrupted ends`, async () => {
      const log = await open();
      await expect(log.read(0, AbortSignal.abort())).rejects.toMatchObject({ code: 'interrupted' });
      expect(await log.read(0)).toEqual([]);
    });

    test(`${name} can be closed twice`, async () => {
      const log = await open();
      await log.close();
      await expect(log.close()).resolves.toBeUndefined();
    });
  });
}

function textOf(entry: LogEntry | NewEntry | undefined): string {
  return entry === undefined ? 'no entry' : new TextDecoder('utf-8', { ignoreBOM: true }).decode(entry.bytes);
}
