// Parses many files in several threads before the load asks for them, in batches of about the same length: whichever thread
// is done takes the next batch, this one included. The load then goes through the files in its own order, so the result
// depends neither on the number of threads nor on which of them was faster. What a thread did not answer is parsed here.

import { Failure } from '../../model/workspace/failure.ts';
import type { SourceFile } from '../../model/workspace/source-file.ts';
import { parsedFromText } from '../../parse/parsed-text.ts';
import type { Clock } from '../../ports/clock.ts';
import type { OpenParsePool, ParseWorker } from '../../ports/parse-pool.ts';
import type { ParsedFile, ParseFile } from '../../validate/file-entry.ts';
import { parseWhenNew } from './parse-when-new.ts';

export interface ParseAhead {
  readonly parse: ParseFile;
  /** Parses these files, if they are worth more threads. Throws Failure interrupted. */
  prepare(files: readonly SourceFile[]): Promise<void>;
}

export interface AheadOptions {
  readonly openPool: OpenParsePool | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  /** In characters: less is parsed before a thread has started. */
  readonly worthwhile?: number;
  readonly batch?: number;
  readonly parse?: ParseFile;
}

/** Before it has parsed one, each worker has the next. */
const waiting = 2;

export function parseAhead({
  openPool,
  clock,
  signal,
  worthwhile = 600_000,
  batch: batchLength = 32_000,
  parse = parseWhenNew,
}: AheadOptions): ParseAhead {
  const ready = new Map<string, { readonly text: string; readonly parsed: string | ParsedFile }>();
  return {
    parse: async (file) => {
      const found = ready.get(file.path);
      if (found === undefined || found.text !== file.text) return parse(file);
      ready.delete(file.path);
      return typeof found.parsed === 'string' ? parsedFromText(found.parsed, file) : found.parsed;
    },
    prepare: async (files) => {
      if (openPool === undefined || lengthOf(files) < worthwhile) return;
      const batches = batchesOf(files, batchLength);
      const pool = await openPool(batches.length - 1).catch(() => undefined);
      if (pool === undefined) return;
      let taken = 0;
      const take = () => batches[taken++];
      const feed = async (worker: ParseWorker) => {
        for (let batch = take(); batch !== undefined; batch = take()) {
          const texts = await worker.parse(batch).catch(() => undefined);
          if (texts === undefined) return;
          for (const [index, file] of batch.entries()) {
            const parsed = texts[index];
            if (parsed !== undefined) ready.set(file.path, { text: file.text, parsed });
          }
        }
      };
      const close = () => void pool.close();
      signal?.addEventListener('abort', close, { once: true });
      try {
        const fed = Promise.all(pool.workers.flatMap((worker) => Array.from({ length: waiting }, () => feed(worker))));
        for (let batch = take(); batch !== undefined && !signal?.aborted; batch = take()) {
          for (const file of batch) ready.set(file.path, { text: file.text, parsed: await parse(file) });
          // Answers arrive, and signals.
          await clock.sleep(0, signal);
        }
        if (signal?.aborted) throw new Failure('interrupted', 'Interrupted while the workspace was read.');
        await fed;
        if (signal?.aborted) throw new Failure('interrupted', 'Interrupted while the workspace was read.');
      } finally {
        signal?.removeEventListener('abort', close);
        await pool.close();
      }
    },
  };
}

function lengthOf(files: readonly SourceFile[]): number {
  return files.reduce((sum, { text }) => sum + text.length, 0);
}

function batchesOf(files: readonly SourceFile[], most: number): readonly (readonly SourceFile[])[] {
  const batches: SourceFile[][] = [];
  let left = 0;
  for (const file of files) {
    if (left <= 0) {
      batches.push([]);
      left = most;
    }
    batches.at(-1)?.push(file);
    left -= file.text.length;
  }
  return batches;
}
