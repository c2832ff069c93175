// The log of a state in S3: the object PREFIX/000000000042 is entry 42. Each is created with `If-None-Match: *`, so that
// whoever is first wins and nobody can write it again. Nothing else is asked of the server, and no object is ever
// replaced but PREFIX/latest, which says where reading may begin: it may be stale or wrong, and is never trusted.

import type { Failure } from '../../../model/workspace/failure.ts';
import { placeName, type S3Place } from '../../../model/workspace/state-place.ts';
import type { LogEntry, NewEntry, StateLog } from '../../../ports/state-log.ts';
import { type Answer, isSuccess, type NoAnswer, textOf } from '../exchange.ts';
import type { LogOptions } from '../log-options.ts';
import { inaccessible } from '../place-failures.ts';
import { checksumOf } from './checksum.ts';
import { listKeys } from './list-keys.ts';
import { probeBucket } from './probe-bucket.ts';
import { s3Address } from './s3-address.ts';
import { errorCode, openS3Client, type S3Client } from './s3-client.ts';
import { type Operation, s3Failure } from './s3-failure.ts';

export interface S3LogOptions extends LogOptions<S3Place> {
  /** For one try of a request. */
  readonly timeoutMs?: number;
}

/** Requests that are under way at once while entries are read. */
const together = 8;
const digits = 12;
const kindHeader = 'x-amz-meta-almanac-kind';
const restore =
  'Someone may have removed objects, or restored an older copy of the bucket. Restore what is missing: Almanac does not go on with half a history.';

/** Throws Failure usage if the place is not one that a signed request may go to. Sends nothing yet. */
export async function openS3Log(options: S3LogOptions): Promise<StateLog> {
  const { place, clock, environment, timeoutMs } = options;
  const address = s3Address(place, environment);
  return new S3Log(place, await openS3Client({ address, clock, environment, timeoutMs }));
}

interface ReadEntry extends LogEntry {
  readonly isCommit: boolean;
}

class S3Log implements StateLog {
  readonly name: string;
  readonly traits = { paceMs: 0 };
  readonly #place: S3Place;
  readonly #client: S3Client;
  /** The highest number that this process has seen. */
  #known = 0;
  #hinting: Promise<unknown> = Promise.resolve();

  constructor(place: S3Place, client: S3Client) {
    this.name = placeName(place);
    this.#place = place;
    this.#client = client;
  }

  async probe(signal?: AbortSignal): Promise<void> {
    const { prefix, kmsKeyId } = this.#place;
    await probeBucket({
      client: this.#client,
      name: this.name,
      prefix,
      headers: this.#writeHeaders(),
      kmsKeyId,
      signal,
    });
  }

  async prepare(): Promise<void> {}

  async read(after: number, signal?: AbortSignal): Promise<readonly LogEntry[]> {
    const start = after === 0 ? await this.#hint(signal) : undefined;
    const entries =
      (start === undefined ? undefined : await this.#readFrom(start, signal)) ?? (await this.#readAfter(after, signal));
    return entries.map(({ n, bytes }) => ({ n, bytes }));
  }

  async entry(n: number, signal?: AbortSignal): Promise<LogEntry | undefined> {
    const found = await this.#get(n, signal);
    return found && { n, bytes: found.bytes };
  }

  async append(n: number, entry: NewEntry, signal?: AbortSignal): Promise<'written' | 'taken'> {
    if (n > 1 && (await this.#get(n - 1, signal)) === undefined)
      throw inaccessible('write', this.name, `entry ${n - 1} is missing, which comes before the new one`, restore);
    const answer = await this.#client.send(
      {
        method: 'PUT',
        key: this.#key(n),
        headers: {
          ...this.#writeHeaders(),
          ...checksumOf(entry.bytes),
          'if-none-match': '*',
          [kindHeader]: entry.kind,
        },
        body: entry.bytes,
      },
      { signal },
    );
    const outcome = isSuccess(answer) ? 'written' : await this.#whose(n, entry, answer, signal);
    this.#known = Math.max(this.#known, n);
    if (outcome === 'written' && entry.kind === 'commit') this.#hinting = this.#writeHint(n);
    return outcome;
  }

  async close(): Promise<void> {
    await this.#hinting;
    await this.#client.close();
  }

  /** After anything but a success: a try before may have been carried out, so the entry itself is asked. */
  async #whose(
    n: number,
    entry: NewEntry,
    answer: Answer | NoAnswer,
    signal: AbortSignal | undefined,
  ): Promise<'written' | 'taken'> {
    const isDoubtful = answer.type === 'none' || answer.status >= 500 || [408, 409, 412, 429].includes(answer.status);
    if (!isDoubtful || (answer.type === 'answer' && answer.status === 501)) throw this.#failed(answer, 'put');
    const isRefused = answer.type === 'answer' && answer.status === 412;
    // A server that was busy for so long is hardly less so now, and its failure says more than that of the look-up.
    const found = await this.#get(n, signal, isRefused ? undefined : 2).catch((error: unknown) => {
      throw isRefused || signal?.aborted ? error : this.#failed(answer, 'put');
    });
    if (found !== undefined) return Buffer.compare(found.bytes, entry.bytes) === 0 ? 'written' : 'taken';
    // What was sent may still arrive: nothing certain can be said.
    throw this.#failed(answer, 'put');
  }

  /** Undefined if it does not exist; every other answer but the entry is a failure. */
  async #get(n: number, signal: AbortSignal | undefined, tries?: number): Promise<ReadEntry | undefined> {
    const answer = await this.#client.send({ method: 'GET', key: this.#key(n) }, { signal, tries });
    if (answer.type === 'answer' && answer.status === 200)
      return { n, bytes: answer.bytes, isCommit: answer.headers[kindHeader] === 'commit' };
    if (answer.type === 'answer' && answer.status === 404 && errorCode(answer) === 'NoSuchKey') return undefined;
    throw this.#failed(answer, 'get');
  }

  /** From an entry that the hint names; undefined if it is not there, or no commit is found. */
  async #readFrom(start: number, signal: AbortSignal | undefined): Promise<readonly ReadEntry[] | undefined> {
    const numbers = await this.#list(start - 1, signal);
    if (numbers[0] !== start || !isGapless(numbers) || (numbers.at(-1) ?? 0) < this.#known) return undefined;
    const entries = await this.#readBack(numbers, signal);
    return entries[0]?.isCommit ? entries : undefined;
  }

  async #readAfter(after: number, signal: AbortSignal | undefined): Promise<readonly ReadEntry[]> {
    // The entry `after` is listed as well: if it is gone, the log was set back.
    const listed = await this.#list(Math.max(0, after - 1), signal);
    const numbers = after === 0 ? listed : listed.slice(1);
    const newest = listed.at(-1) ?? 0;
    if ((after > 0 && listed[0] !== after) || (numbers[0] ?? after + 1) !== after + 1 || !isGapless(listed))
      throw this.#damaged('entries are missing');
    if (newest < this.#known) throw this.#damaged(`entry ${this.#known} was there, and is missing`);
    return this.#readBack(numbers, signal);
  }

  /** Backwards from the newest entry to the newest commit. */
  async #readBack(numbers: readonly number[], signal: AbortSignal | undefined): Promise<readonly ReadEntry[]> {
    let entries: readonly ReadEntry[] = [];
    for (let end = numbers.length; end > 0 && !entries[0]?.isCommit; end -= together) {
      const batch = await Promise.all(
        numbers.slice(Math.max(0, end - together), end).map(async (n) => {
          const found = await this.#get(n, signal);
          if (found === undefined) throw this.#damaged(`entry ${n} is listed, and is missing`);
          return found;
        }),
      );
      entries = [
        ...batch.slice(
          Math.max(
            0,
            batch.findLastIndex(({ isCommit }) => isCommit),
          ),
        ),
        ...entries,
      ];
    }
    this.#known = Math.max(this.#known, numbers.at(-1) ?? 0);
    return entries;
  }

  /** The numbers of the entries after one, as they are listed. */
  async #list(after: number, signal: AbortSignal | undefined): Promise<readonly number[]> {
    // No number has twelve digits, so that this prefix leaves out all other objects of this state.
    const listed = await listKeys(this.#client, {
      prefix: `${this.#place.prefix}/0`,
      after: this.#key(after),
      signal,
    });
    if (listed.type === 'refused') throw this.#failed(listed.answer, 'list');
    if (listed.type === 'odd') throw this.#damaged(`the server ${listed.what}`);
    const names = listed.keys.map((key) => key.slice(this.#place.prefix.length + 1));
    // What lies in a folder is of another state, whose prefix begins with this one.
    return names.flatMap((text) => {
      if (text.includes('/')) return [];
      if (!/^0\d{11}$/.test(text)) throw this.#damaged('it holds an object that Almanac did not write');
      return Number(text);
    });
  }

  /** Where the newest commit was some time ago. */
  async #hint(signal: AbortSignal | undefined): Promise<number | undefined> {
    const answer = await this.#client.send({ method: 'GET', key: this.#hintKey }, { signal });
    if (answer.type === 'none') throw this.#failed(answer, 'get');
    const text = answer.status === 200 ? textOf(answer).slice(0, 20) : '';
    return /^[1-9]\d{0,10}$/.test(text) ? Number(text) : undefined;
  }

  /** Best effort: without it, a first read has more pages to list. */
  async #writeHint(n: number): Promise<void> {
    const body = new TextEncoder().encode(`${n}`);
    const headers = { ...this.#writeHeaders(), ...checksumOf(body) };
    await this.#client.send({ method: 'PUT', key: this.#hintKey, headers, body }, { tries: 1 }).catch(() => undefined);
  }

  #writeHeaders(): Readonly<Record<string, string>> {
    const { kmsKeyId } = this.#place;
    return {
      'content-type': 'application/json',
      ...(kmsKeyId === undefined
        ? {}
        : {
            'x-amz-server-side-encryption': 'aws:kms',
            'x-amz-server-side-encryption-aws-kms-key-id': kmsKeyId,
          }),
    };
  }

  #key(n: number): string {
    return `${this.#place.prefix}/${String(n).padStart(digits, '0')}`;
  }

  get #hintKey(): string {
    return `${this.#place.prefix}/latest`;
  }

  #failed(answer: Answer | NoAnswer, operation: Operation): Failure {
    return s3Failure(this.#client, this.name, answer, { operation, kmsKeyId: this.#place.kmsKeyId });
  }

  #damaged(what: string): Failure {
    return inaccessible('read', this.name, what, restore);
  }
}

function isGapless(numbers: readonly number[]): boolean {
  return numbers.every((n, index) => n === (numbers[0] ?? 0) + index);
}
