// Checks that a bucket can keep a log: what an apply writes is read back as it was written. The condition
// `If-None-Match: *` must hold, also where many write at the same moment: some servers look first and write then, which only
// a race shows.
//
// The probe writes below PREFIX/probe/, into a folder that is used once: what stays there because it may not be deleted
// harms nothing.

import { type Answer, bodyText, isSuccess, type NoAnswer } from '../../http/exchange.ts';
import type { Clock } from '../../model/outside.ts';
import type { Failure } from '../../model/workspace/failure.ts';
import { type Access, unfit } from '../log/backend.ts';
import { rehearsal } from '../log/new-entry.ts';
import type { StateLog } from '../state-log.ts';
import { errorField, type S3Client, type SendOptions, s3Failure } from './s3-client.ts';

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

export interface Probe {
  readonly client: S3Client;
  /** The name of the place, for users. */
  readonly name: string;
  readonly clock: Clock;
  /** The key of a name that only this probe uses. */
  readonly key: (name: string) => string;
  /** Opens the log that only this probe uses. */
  readonly open: (client: S3Client) => LogBeside;
  readonly signal: AbortSignal | undefined;
}

export interface LogBeside extends StateLog {
  /** Writes an object of that name unless somebody has written it. */
  create(name: string, body: Uint8Array, options: SendOptions): Promise<Answer | NoAnswer>;
}

/** Throws Failure state-backend-unfit, or the permission that lacks. */
export async function probeBucket(options: Probe): Promise<void> {
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
