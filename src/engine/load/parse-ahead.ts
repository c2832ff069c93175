// Parses and checks many files in several threads before the load asks for them, in batches of about the same length:
// whichever thread is done takes the next batch, this one included. The load then goes through the files in its own order,
// so the result depends neither on the number of threads nor on which of them was faster. What a thread did not answer is
// parsed here.

import { Failure } from '../../model/workspace/failure.ts';
import type { SourceFile } from '../../model/workspace/source-file.ts';
import { parsedFromText } from '../../parse/parsed-text.ts';
import type { OpenParsePool, ParseWorker } from '../../ports/parse-pool.ts';
import type { ParsedFile, ParseFile } from '../../validate/entry-maker.ts';
import { parseWhenNew } from './parse-when-new.ts';
import type { PrepareFiles } from './read-sources.ts';

export interface ParseAhead {
  readonly parse: ParseFile;
  /** Parses and checks these files, if they are worth more threads. Throws Failure interrupted. */
  readonly prepare: PrepareFiles;
}

export interface AheadOptions {
  readonly openPool: OpenParsePool | undefined;
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
  signal,
  worthwhile = 600_000,
  batch: batchLength = 32_000,
  parse = parseWhenNew,
}: AheadOptions): ParseAhead {
  const ready = new Map<string, { readonly text: string; readonly parsed: ParsedFile }>();
  return {
    parse: async (file) => {
      const found = ready.get(file.path);
      if (found === undefined || found.text !== file.text) return parse(file);
      ready.delete(file.path);
      return found.parsed;
    },
    prepare: async (files, settings) => {
      if (openPool === undefined || lengthOf(files) < worthwhile) return;
      const batches = batchesOf(files, batchLength);
      const pool = await openPool(batches.length - 1, settings).catch(() => undefined);
      if (pool === undefined) return;
      let taken = 0;
      const take = () => batches[taken++];
      const add = (file: SourceFile, parsed: ParsedFile) => ready.set(file.path, { text: file.text, parsed });
      const feed = async (worker: ParseWorker) => {
        for (let batch = take(); batch !== undefined; batch = take()) {
          const entries = await worker.entriesOf(batch).catch(() => undefined);
          if (entries === undefined) return;
          for (const [index, file] of batch.entries()) {
            const entry = entries[index];
            if (entry !== undefined) add(file, { ...parsedFromText(entry.parsed, file), entry });
          }
        }
      };
      const close = () => void pool.close();
      signal?.addEventListener('abort', close, { once: true });
      try {
        const fed = Promise.all(pool.workers.flatMap((worker) => Array.from({ length: waiting }, () => feed(worker))));
        const { entryMaker } = await import('../../validate/entry-maker.ts');
        const { withEntry } = entryMaker(settings);
        for (let batch = take(); batch !== undefined && !signal?.aborted; batch = take()) {
          for (const file of batch) add(file, withEntry(file, await parse(file)));
          await pool.receive();
        }
        if (!signal?.aborted) await fed;
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
