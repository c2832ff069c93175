// Whether a bucket can keep a log. The condition `If-None-Match: *` must hold, also where many write at the same moment:
// some servers look first and write then, which only a race shows. A listing must show at once what was written.
//
// The probe writes below PREFIX/probe/, to names that are used once: what stays there because it may not be deleted
// harms nothing.

import { randomUUID } from 'node:crypto';
import type { Failure } from '../../../model/workspace/failure.ts';
import { type Answer, isSuccess, type NoAnswer, textOf } from '../exchange.ts';
import { inaccessible, unfit } from '../place-failures.ts';
import { checksumOf } from './checksum.ts';
import { listKeys } from './list-keys.ts';
import { errorCode, type S3Client } from './s3-client.ts';
import { type Operation, s3Failure } from './s3-failure.ts';

const races = 10;
const writers = 8;
/** A race in which an answer was lost tells nothing, and is run again. */
const mostRaces = 20;
/** So large that a server that looks first and writes then takes a while in between. */
const raceBytes = 16_384;
/** Engines whose races were run with Almanac's own protocol, or whose makers document the condition as atomic. */
const fit = 'Amazon S3 and Ceph from version 16 are known to be fit';

export interface Probe {
  readonly client: S3Client;
  /** Of the place, for users. */
  readonly name: string;
  readonly prefix: string;
  /** Of every write. */
  readonly headers: Readonly<Record<string, string>>;
  readonly kmsKeyId: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Throws Failure state-backend-unfit, or the permission that lacks. */
export async function probeBucket(options: Probe): Promise<void> {
  const { client, signal } = options;
  const run = new ProbeRun(options);
  try {
    await run.condition();
    await run.listing();
    await run.races();
  } finally {
    if (!signal?.aborted) await run.cleanUp(client);
  }
}

class ProbeRun {
  readonly #probe: Probe;
  readonly #folder: string;
  readonly #made: string[] = [];

  constructor(probe: Probe) {
    this.#probe = probe;
    this.#folder = `${probe.prefix}/probe/${randomUUID()}-`;
  }

  /** A first create succeeds, a second one is refused, and what was written first is still there. */
  async condition(): Promise<void> {
    const key = this.#key('1');
    await this.#createNew(key, 'first');
    const second = await this.#create(key, 'second');
    if (isSuccess(second)) throw this.#unfit(second, 'ignores the condition If-None-Match');
    if (second.type === 'none' || second.status !== 412) throw this.#failed(second, 'put');
    const found = await this.#get(key);
    if (textOf(found) !== 'first') throw this.#unfit(found, 'replaced an object although it refused to');
    const absent = await this.#probe.client.send(
      { method: 'GET', key: this.#key('0') },
      { signal: this.#probe.signal },
    );
    if (absent.type === 'none' || absent.status !== 404) throw this.#failed(absent, 'get');
    if (errorCode(absent) !== 'NoSuchKey') throw this.#unfit(absent, 'does not say of an object that it is absent');
  }

  /** Whole, in order, in pages, and from where it is asked to begin. */
  async listing(): Promise<void> {
    const keys = [this.#key('1'), this.#key('2'), this.#key('3')];
    for (const key of keys.slice(1)) {
      await this.#createNew(key, 'listed');
      const wanted = keys.slice(0, keys.indexOf(key) + 1);
      await this.#expectListed(wanted, {});
    }
    await this.#expectListed(keys.slice(1), { after: this.#key('1') });
    await this.#expectListed(keys, { pageSize: 1 });
  }

  async #expectListed(
    wanted: readonly string[],
    options: { readonly after?: string; readonly pageSize?: number },
  ): Promise<void> {
    const { client, signal } = this.#probe;
    const listed = await listKeys(client, { prefix: this.#folder, signal, ...options });
    if (listed.type === 'refused') throw this.#failed(listed.answer, 'list');
    if (listed.type === 'odd') throw this.#unfit(listed.answer, listed.what);
    if (listed.keys.join('\n') !== wanted.join('\n'))
      throw this.#unfit(listed.answer, 'does not list at once what was written');
  }

  /** Of creates that are under way at the same moment, exactly one wins, and its object stays. */
  async races(): Promise<void> {
    // Opens the connections first: otherwise the creates would wait for them one by one.
    await Promise.all(Array.from({ length: writers }, () => this.#get(this.#key('1'))));
    let decided = 0;
    for (let count = 1; decided < races; count++) {
      if (count > mostRaces) throw this.#undecided();
      if (await this.#race(this.#key(`race-${count}`))) decided += 1;
    }
  }

  /** False if an answer was lost. */
  async #race(key: string): Promise<boolean> {
    const bodies = Array.from({ length: writers }, (_, index) => `${index} `.padEnd(raceBytes, 'x'));
    const answers = await Promise.all(bodies.map((body) => this.#create(key, body, 1)));
    const winners = answers.flatMap((answer, index) => (isSuccess(answer) ? [index] : []));
    const refused = answers.find((answer) => answer.type === 'answer' && [401, 403].includes(answer.status));
    if (refused !== undefined) throw this.#failed(refused, 'put');
    const [first = 0] = winners;
    const answer = answers[first] ?? { type: 'none', why: 'no answer' };
    if (winners.length > 1)
      throw this.#unfit(answer, `let ${winners.length} of ${writers} writers create the same object`);
    const isDecided = answers.every((each) => isSuccess(each) || (each.type === 'answer' && isRefusal(each.status)));
    if (!isDecided || winners.length === 0) return false;
    const found = await this.#get(key);
    if (textOf(found) !== bodies[first])
      throw this.#unfit(found, 'replaced the object of the first of several writers');
    return true;
  }

  /** Best effort: the permission to delete is not needed for anything else. */
  async cleanUp(client: S3Client): Promise<void> {
    const [first, ...others] = this.#made;
    if (first === undefined) return;
    const remove = (key: string) =>
      client.send({ method: 'DELETE', key }, { tries: 1 }).catch((): NoAnswer => ({ type: 'none', why: '' }));
    const answer = await remove(first);
    if (answer.type === 'answer' && answer.status < 300) await Promise.all(others.map(remove));
  }

  /** Of a name that is not used yet. */
  async #createNew(key: string, text: string): Promise<void> {
    const answer = await this.#create(key, text);
    if (isSuccess(answer)) return;
    if (answer.type === 'answer' && answer.status === 501)
      throw this.#unfit(answer, 'does not know the condition If-None-Match');
    // An earlier try may have created it, and its answer was lost.
    const isOurs = answer.type === 'answer' && answer.status === 412 && textOf(await this.#get(key)) === text;
    if (!isOurs) throw this.#failed(answer, 'put');
  }

  async #create(key: string, text: string, tries?: number): Promise<Answer | NoAnswer> {
    const { client, headers, signal } = this.#probe;
    const body = new TextEncoder().encode(text);
    if (!this.#made.includes(key)) this.#made.push(key);
    return client.send(
      { method: 'PUT', key, headers: { ...headers, ...checksumOf(body), 'if-none-match': '*' }, body },
      { signal, tries },
    );
  }

  async #get(key: string): Promise<Answer> {
    const answer = await this.#probe.client.send({ method: 'GET', key }, { signal: this.#probe.signal });
    if (answer.type === 'answer' && answer.status === 200) return answer;
    throw this.#failed(answer, 'get');
  }

  #key(name: string): string {
    return `${this.#folder}${name}`;
  }

  #failed(answer: Answer | NoAnswer, operation: Operation): Failure {
    const { client, name, kmsKeyId } = this.#probe;
    return s3Failure(client, name, answer, { operation, kmsKeyId });
  }

  #undecided(): Failure {
    const { client, name } = this.#probe;
    return inaccessible(
      'write',
      name,
      'too many answers to its check were lost',
      `Check the connection to ${client.address.host}, and run again.`,
    );
  }

  #unfit(answer: Answer | NoAnswer, what: string): Failure {
    const { client, name } = this.#probe;
    const server = answer.type === 'answer' ? client.clean(answer.headers['server'] ?? '').slice(0, 60) : '';
    const host = server === '' ? client.address.host : `${client.address.host} (${server})`;
    const hint = `Two runs could apply at the same time. Use another server (${fit}), or another backend.`;
    return unfit(name, `the server ${host} ${what}`, hint);
  }
}

/** 409: another create was under way. */
function isRefusal(status: number): boolean {
  return status === 412 || status === 409;
}
