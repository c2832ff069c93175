// The log of a state in S3: the object PREFIX/000000000042 is entry 42. Each is created with `If-None-Match: *`, so that
// whoever is first wins and nobody can write it again. Numbers have no gap, so nothing is ever listed: a reader begins at a
// commit that PREFIX/latest names, the only object that is ever replaced, or at entry 1, which is never removed, and asks for
// one number after the other until there is none.

import { createHash, randomUUID } from 'node:crypto';
import { type Answer, bodyText, isSuccess, type NoAnswer } from '../../http/exchange.ts';
import type { Clock } from '../../model/outside.ts';
import { pushAll } from '../../model/values/collections.ts';
import type { Failure } from '../../model/workspace/failure.ts';
import { placeName, type S3Place } from '../../model/workspace/state-place.ts';
import { kindIn } from '../format/log-entry.ts';
import { type Access, EntryTooLarge, inaccessible, type LogOptions, unfit } from '../log/backend.ts';
import { rehearsal } from '../log/new-entry.ts';
import type { LogEntry, NewEntry, StateLog } from '../state-log.ts';
import {
  errorField,
  isTooLarge,
  openS3Client,
  type S3Client,
  type SendOptions,
  s3Address,
  s3Failure,
} from './s3-client.ts';

export interface S3LogOptions extends LogOptions<S3Place> {
  /** The milliseconds for one try of a request. */
  readonly timeoutMs?: number;
  /** A log with more entries after the one that `latest` names is not one; 100,000 if undefined. */
  readonly mostEntries?: number;
}

/** Requests that are under way at once while entries are read. */
const together = 8;
const digits = 12;
const restore =
  'Someone may have removed objects, or restored an older copy of the bucket. Restore what is missing: Almanac does not go on with half a history.';

/** Throws Failure usage if the place is not one that a signed request may go to. Sends nothing yet. */
export async function openS3Log(options: S3LogOptions): Promise<StateLog> {
  const { place, clock, environment, timeoutMs } = options;
  const address = s3Address(place, environment);
  return new S3Log(options, await openS3Client({ address, clock, environment, timeoutMs }));
}

interface ReadEntry extends LogEntry {
  readonly kind: ReturnType<typeof kindIn>;
}

class S3Log implements LogBeside {
  readonly name: string;
  readonly paceMs = 0;
  readonly #options: S3LogOptions;
  readonly #client: S3Client;
  readonly #mostEntries: number;
  /** The highest number that this process has seen. */
  #known = 0;
  #hinting: Promise<unknown> = Promise.resolve();

  constructor(options: S3LogOptions, client: S3Client, name = placeName(options.place)) {
    this.#options = options;
    this.#mostEntries = options.mostEntries ?? 100_000;
    this.name = name;
    this.#client = client;
  }

  probe(signal?: AbortSignal): Promise<void> {
    const { place, clock } = this.#options;
    const prefix = this.#key(`probe/${randomUUID()}`);
    const beside = { ...this.#options, place: { ...place, prefix }, signal };
    return probeBucket({
      client: this.#client,
      name: this.name,
      clock,
      key: (name) => `${prefix}/${name}`,
      open: (client) => new S3Log(beside, client, this.name),
      signal,
    });
  }

  async read(after: number, signal?: AbortSignal): Promise<readonly LogEntry[]> {
    const entries = after === 0 ? await this.#fromLatest(signal) : await this.#from(after + 1, signal, 1);
    const newest = entries.at(-1)?.n ?? after;
    if (newest < this.#known) throw this.#damaged(`entry ${this.#known} was there, and is missing`);
    this.#known = newest;
    const commit = entries.findLastIndex(({ kind }) => kind === 'commit');
    return entries.slice(Math.max(0, commit)).map(({ n, bytes }) => ({ n, bytes }));
  }

  async entry(n: number, signal?: AbortSignal): Promise<LogEntry | undefined> {
    const found = await this.#get(n, { signal });
    return found && { n, bytes: found.bytes };
  }

  async append(n: number, entry: NewEntry, signal?: AbortSignal): Promise<'written' | 'taken'> {
    if (n > 1 && (await this.#get(n - 1, { signal })) === undefined)
      throw inaccessible('write', this.name, `entry ${n - 1} is missing, which comes before the new one`, restore);
    const answer = await this.create(nameOf(n), entry.bytes, { signal });
    const outcome = isSuccess(answer) ? 'written' : await this.#whose(n, entry, answer, signal);
    this.#known = Math.max(this.#known, n);
    if (outcome === 'written' && entry.kind === 'commit') this.#hinting = this.#writeHint(n);
    return outcome;
  }

  async close(): Promise<void> {
    await this.#hinting;
    await this.#client.close();
  }

  create(name: string, body: Uint8Array, options: SendOptions): Promise<Answer | NoAnswer> {
    return this.#put(this.#key(name), body, options, { 'if-none-match': '*' });
  }

  /** After anything but a success: a try before may have been carried out, so the entry itself is asked. */
  async #whose(
    n: number,
    entry: NewEntry,
    answer: Answer | NoAnswer,
    signal: AbortSignal | undefined,
  ): Promise<'written' | 'taken'> {
    if (isTooLarge(answer)) throw new EntryTooLarge(this.#failed(answer, 'write'));
    const isDoubtful = answer.type === 'none' || answer.status >= 500 || [408, 409, 412, 429].includes(answer.status);
    if (!isDoubtful || (answer.type === 'answer' && answer.status === 501)) throw this.#failed(answer, 'write');
    const isRefused = answer.type === 'answer' && answer.status === 412;
    // A server that was busy that long is hardly less so now, and its failure says more than that of the look-up.
    const tries = isRefused ? undefined : 2;
    const found = await this.#get(n, { signal, tries }).catch((error: unknown) => {
      throw isRefused || signal?.aborted ? error : this.#failed(answer, 'write');
    });
    if (found !== undefined) return Buffer.compare(found.bytes, entry.bytes) === 0 ? 'written' : 'taken';
    // The request may still arrive, so nothing certain can be said.
    throw this.#failed(answer, 'write');
  }

  /** Reads from `latest` on. The log is empty only if both `latest` and entry 1 are missing. */
  async #fromLatest(signal: AbortSignal | undefined): Promise<readonly ReadEntry[]> {
    const [latest, first] = await Promise.all([this.#latest(signal), this.#get(1, { signal })]);
    if (first === undefined && latest === undefined) return [];
    if (first === undefined) throw this.#damaged('entry 1 is missing, which is never removed');
    if (latest === undefined || latest === 1) return [first, ...(await this.#from(2, signal, together))];
    const entries = await this.#from(latest, signal, together);
    const [newest] = entries;
    // Whoever reads the entries says what is wrong with one of no known kind.
    if (newest !== undefined && (newest.kind ?? 'commit') === 'commit') return entries;
    throw this.#damaged(`the object latest names entry ${latest}, and no state is there`);
  }

  /** Reads entries from `first` on, until there are no more; `width` is the number that is asked for at once at first. */
  async #from(first: number, signal: AbortSignal | undefined, width: number): Promise<readonly ReadEntry[]> {
    const entries: ReadEntry[] = [];
    for (let next = first, hole = 0; ; ) {
      const length = entries.length === 0 ? width : together;
      const found = await Promise.all(Array.from({ length }, (_, index) => this.#get(next + index, { signal })));
      const end = found.indexOf(undefined);
      const existingEntries = (end < 0 ? found : found.slice(0, end)).flatMap((entry) => entry ?? []);
      pushAll(entries, existingEntries);
      next += existingEntries.length;
      if (entries.length > this.#mostEntries) throw this.#damaged(`it has no end after entry ${next}`);
      if (existingEntries.length === length) continue;
      if (next === hole) throw this.#damaged(`entry ${next} is missing, and later ones are there`);
      if (found.every((entry, index) => index < existingEntries.length || entry === undefined)) return entries;
      // Others write while this reads: what came later than an absent one was written in between, or that one is gone.
      hole = next;
    }
  }

  /** Returns undefined if it does not exist; every other answer but the entry is a failure. */
  async #get(n: number, options: SendOptions): Promise<ReadEntry | undefined> {
    const answer = await this.#object(this.#key(nameOf(n)), options);
    return answer && { n, bytes: answer.bytes, kind: kindIn(answer.bytes) };
  }

  /** The number of a recent commit, not surely the newest; undefined before the first one. */
  async #latest(signal: AbortSignal | undefined): Promise<number | undefined> {
    const answer = await this.#object(this.#key('latest'), { signal });
    if (answer === undefined) return undefined;
    const text = bodyText(answer).slice(0, 20);
    if (/^[1-9]\d{0,10}$/.test(text)) return Number(text);
    throw this.#damaged('the object latest does not name an entry');
  }

  async #object(key: string, options: SendOptions): Promise<Answer | undefined> {
    const answer = await this.#client.send({ method: 'GET', key }, options);
    if (answer.type === 'answer' && answer.status === 200) return answer;
    if (answer.type === 'answer' && answer.status === 404 && errorField(answer, 'Code') === 'NoSuchKey')
      return undefined;
    throw this.#failed(answer, 'read');
  }

  /** Best effort: without it, a first read begins further back. */
  async #writeHint(n: number): Promise<void> {
    const options = { tries: 1, signal: this.#options.signal };
    await this.#put(this.#key('latest'), new TextEncoder().encode(`${n}`), options).catch(() => undefined);
  }

  #put(
    key: string,
    body: Uint8Array,
    options: SendOptions,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer | NoAnswer> {
    // A bucket whose objects are locked asks for it, and a body that was damaged on its way is refused.
    const checksum = createHash('md5').update(body).digest('base64');
    const all = { 'content-type': 'application/json', 'content-md5': checksum, ...headers };
    return this.#client.send({ method: 'PUT', key, headers: all, body }, options);
  }

  #key(name: string): string {
    return `${this.#options.place.prefix}/${name}`;
  }

  #failed(answer: Answer | NoAnswer, access: Access): Failure {
    return s3Failure(this.#client, this.name, answer, access);
  }

  #damaged(what: string): Failure {
    return inaccessible('read', this.name, what, restore);
  }
}

function nameOf(n: number): string {
  return String(n).padStart(digits, '0');
}

// Checks that a bucket can keep a log: what an apply writes is read back as it was written. The condition
// `If-None-Match: *` must hold, also where many write at the same moment: some servers look first and write then, which only
// a race shows.
//
// The probe writes below PREFIX/probe/, into a folder that is used once: what stays there because it may not be deleted
// harms nothing.

const races = 10;
const writers = 8;
/** A race in which an answer was lost tells nothing, and is run again. */
const maxRaces = 20;
/** The size of a body, so large that a server that looks first and writes then takes a while in between. */
const raceBytes = 16_384;
const twoRuns = 'Two runs could apply at the same time.';
const unreadable = 'Nobody could read the state again.';
/** Engines whose races were run with Almanac's own protocol, or whose makers document the condition as atomic. */
const fit = 'Amazon S3 and Ceph from version 16 are known to be fit';

interface Probe {
  readonly client: S3Client;
  /** The name of the place, for users. */
  readonly name: string;
  readonly clock: Clock;
  readonly key: (name: string) => string;
  readonly open: (client: S3Client) => LogBeside;
  readonly signal: AbortSignal | undefined;
}

interface LogBeside extends StateLog {
  /** Writes an object of that name unless somebody has written it. */
  create(name: string, body: Uint8Array, options: SendOptions): Promise<Answer | NoAnswer>;
}

/** Throws Failure state-backend-unfit, or the permission that lacks. */
async function probeBucket(options: Probe): Promise<void> {
  const { signal } = options;
  const run = new ProbeRun(options);
  try {
    await run.condition();
    await run.entries();
    await run.races();
  } finally {
    if (!signal?.aborted) await run.cleanUp();
  }
}

class ProbeRun {
  readonly #probe: Probe;
  readonly #made = new Set<string>();
  readonly #open: () => LogBeside;
  readonly #log: LogBeside;

  constructor(probe: Probe) {
    this.#probe = probe;
    const send: S3Client['send'] = (request, options) => {
      if (request.method === 'PUT') this.#made.add(request.key);
      return probe.client.send(request, options);
    };
    this.#open = () => probe.open({ ...probe.client, send, close: async () => undefined });
    this.#log = this.#open();
  }

  /** A first create succeeds, a second one is refused, and what was written first is still there. */
  async condition(): Promise<void> {
    await this.#createNew('1', 'first');
    const second = await this.#create('1', 'second');
    if (isSuccess(second)) throw this.#unfit(second, 'ignores the condition If-None-Match');
    if (second.type === 'none' || second.status !== 412) throw this.#failed(second, 'write');
    const found = await this.#get('1');
    if (bodyText(found) !== 'first') throw this.#unfit(found, 'replaced an object although it refused to');
    const absent = await this.#ask('0');
    if (absent.type === 'none' || absent.status !== 404) throw this.#failed(absent, 'read');
    if (errorField(absent, 'Code') !== 'NoSuchKey')
      throw this.#unfit(absent, 'does not say of an object that it is absent');
  }

  /** An apply writes entries, and another machine reads them. */
  async entries(): Promise<void> {
    const { clock, signal } = this.#probe;
    const [writer, reader] = [this.#open(), this.#open()];
    const entries = rehearsal(clock);
    for (const [index, entry] of entries.entries()) await writer.append(index + 1, entry, signal);
    await writer.close();
    const found = [await reader.entry(1, signal), await reader.entry(2, signal), ...(await reader.read(0, signal))];
    const isWhole =
      found.length === entries.length &&
      entries.every(({ bytes }, index) => Buffer.compare(bytes, found[index]?.bytes ?? Buffer.of()) === 0);
    if (!isWhole) throw this.#unfit(undefined, 'gave back another entry than the one that was written', unreadable);
  }

  /** Checks that of simultaneous creates exactly one wins, and that its object stays. */
  async races(): Promise<void> {
    // Opens the connections first: otherwise the creates would wait for them one by one.
    await Promise.all(Array.from({ length: writers }, () => this.#get('1')));
    for (let decided = 0, count = 1; decided < races; count += 1) {
      const lost = await this.#race(`race-${count}`);
      if (lost === undefined) decided += 1;
      else if (count === maxRaces) throw this.#failed(lost, 'write');
    }
  }

  /** The answer that left the race undecided; undefined if the race was decided. */
  async #race(name: string): Promise<Answer | NoAnswer | undefined> {
    const bodies = Array.from({ length: writers }, (_, index) => `${index} `.padEnd(raceBytes, 'x'));
    const answers = await Promise.all(bodies.map((body) => this.#create(name, body, 1)));
    const winners = answers.flatMap((answer, index) => (isSuccess(answer) ? [index] : []));
    const refused = answers.find((answer) => answer.type === 'answer' && [401, 403].includes(answer.status));
    if (refused !== undefined) throw this.#failed(refused, 'write');
    const [first] = winners;
    if (winners.length > 1)
      throw this.#unfit(answers[0], `let ${winners.length} of ${writers} writers create the same object`);
    const lost = answers.find((each) => !isSuccess(each) && !(each.type === 'answer' && isRefusal(each.status)));
    if (lost !== undefined || first === undefined) return lost ?? answers[0];
    const found = await this.#get(name);
    if (bodyText(found) !== bodies[first])
      throw this.#unfit(found, 'replaced the object of the first of several writers');
    return undefined;
  }

  /** Best effort: the permission to delete is not needed for anything else. */
  async cleanUp(): Promise<void> {
    const { client } = this.#probe;
    const [first, ...otherKeys] = this.#made;
    if (first === undefined) return;
    const remove = (key: string) =>
      client.send({ method: 'DELETE', key }, { tries: 1 }).catch((): undefined => undefined);
    const answer = await remove(first);
    if (answer?.type === 'answer' && answer.status < 300) await Promise.all(otherKeys.map(remove));
  }

  /** Creates an object whose name is not used yet. */
  async #createNew(name: string, text: string): Promise<void> {
    const answer = await this.#create(name, text);
    if (isSuccess(answer)) return;
    if (answer.type === 'answer' && answer.status === 501)
      throw this.#unfit(answer, 'does not know the condition If-None-Match');
    // An earlier try may have created it, and its answer was lost.
    const isOurs = answer.type === 'answer' && answer.status === 412 && bodyText(await this.#get(name)) === text;
    if (!isOurs) throw this.#failed(answer, 'write');
  }

  #create(name: string, text: string, tries?: number): Promise<Answer | NoAnswer> {
    return this.#log.create(name, new TextEncoder().encode(text), { signal: this.#probe.signal, tries });
  }

  async #get(name: string): Promise<Answer> {
    const answer = await this.#ask(name);
    if (answer.type === 'answer' && answer.status === 200) return answer;
    throw this.#failed(answer, 'read');
  }

  #ask(name: string): Promise<Answer | NoAnswer> {
    const { client, key, signal } = this.#probe;
    return client.send({ method: 'GET', key: key(name) }, { signal });
  }

  #failed(answer: Answer | NoAnswer, access: Access): Failure {
    const { client, name } = this.#probe;
    return s3Failure(client, name, answer, access);
  }

  #unfit(answer: Answer | NoAnswer | undefined, what: string, risk = twoRuns): Failure {
    const { client, name } = this.#probe;
    const server = answer?.type === 'answer' ? client.clean(answer.headers['server'] ?? '').slice(0, 60) : '';
    const host = server === '' ? client.address.host : `${client.address.host} (${server})`;
    const hint = `${risk} Use another server (${fit}), or another backend.`;
    return unfit(name, `the server ${host} ${what}`, hint);
  }
}

/** 409: another create was under way. */
function isRefusal(status: number): boolean {
  return status === 412 || status === 409;
}
