// Deliberate failures: faults that a test or a user requests, and quirks of the service.

import { setTimeout as wait } from 'node:timers/promises';
import { type Answer, answerOf } from './answers.ts';

/**
 * The faults that can be injected, which requests they strike and when. A fault is given as an object or as a line of
 * text (`parseFault`); both are checked here.
 */
const statuses = ['429', '500', '502', '503', '504'] as const;
const statusesAfter = ['500-after', '502-after', '503-after', '504-after'] as const;

/** These change the work of a request: a PUT drops the user groups of a schedule, a download begins and fails. */
const workFaults = ['drop-groups', 'download-error'] as const;

/** These strike runs of schedules and routines: they decide how a run ends, or prevent it. */
const runFaults = ['run-error', 'run-delivered', 'run-killed', 'run-unmet', 'run-missed'] as const;

/** Latency, statuses and drop-before strike before the work, faults at work in it, others after it; run faults none. */
export const faultNames = [
  'latency',
  ...statuses,
  ...statusesAfter,
  'drop-before',
  'drop-after',
  'cut',
  'garbage',
  'no-id',
  'huge',
  ...workFaults,
  ...runFaults,
] as const;

export type FaultName = (typeof faultNames)[number];
export type WorkFault = (typeof workFaults)[number];

export interface Fault {
  readonly fault: FaultName;
  /**
   * A method, a path below `/api`, or both with a space between. A path includes those below it. All by default. For a
   * fault of runs, the path of a schedule or a routine.
   */
  readonly on?: string;
  /** Strikes the nth matching request, from 1. At most one of `at`, `every` and `p`; without them it strikes all. */
  readonly at?: number;
  /** Strikes every nth matching request. */
  readonly every?: number;
  /** Strikes with this probability, above 0 and at most 1. */
  readonly p?: number;
  /** The random seed for `p`; 1 by default. */
  readonly seed?: number;
  /** The duration of a latency, in milliseconds. */
  readonly ms?: number;
  /** The seconds of the Retry-After header of a status; no header by default. */
  readonly retryAfter?: number;
}

/** An invalid fault. The message says what is allowed. */
export class BadFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BadFault';
  }
}

const onPattern = /^(?:(GET|POST|PUT|PATCH|DELETE)(?: (?=\/)|$))?(\/\S*)?$/;

interface Range {
  readonly fits: (value: number) => boolean;
  readonly words: string;
}

function whole(least: number, most = Number.MAX_SAFE_INTEGER): Range {
  const upTo = most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`;
  const fits = (value: number) => Number.isSafeInteger(value) && value >= least && value <= most;
  return { fits, words: `a whole number from ${least}${upTo}` };
}

const numbers = {
  at: whole(1),
  every: whole(1),
  p: { fits: (value) => value > 0 && value <= 1, words: 'above 0 and at most 1' },
  seed: whole(0, 0xffff_ffff),
  ms: whole(0, 600_000),
  retryAfter: whole(0, 86_400),
} as const satisfies Partial<Record<keyof Fault, Range>>;

/** Throws a BadFault. */
function checkFault(fault: Fault): void {
  if (!faultNames.includes(fault.fault)) {
    throw new BadFault(`There is no fault "${fault.fault}". The faults are ${faultNames.join(', ')}.`);
  }
  for (const [name, { fits, words }] of Object.entries<Range>(numbers)) {
    const value = fault[name as keyof typeof numbers];
    if (value !== undefined && !fits(value)) throw new BadFault(`"${writtenName(name)}" must be ${words}.`);
  }
  if (fault.on !== undefined && (fault.on === '' || !onPattern.test(fault.on))) {
    throw new BadFault(
      `"on" cannot be "${fault.on}". It is a method, a path below /api, or both, such as POST /v1/schedules.`,
    );
  }
  const moments = (['at', 'every', 'p'] as const).filter((name) => fault[name] !== undefined);
  if (moments.length > 1) throw new BadFault(`Use only one of at, every and p, not ${moments.join(' and ')}.`);
  if (fault.seed !== undefined && fault.p === undefined) throw new BadFault('"seed" needs p.');
  checkBelonging(fault);
}

export function isOfRuns({ fault }: Fault): boolean {
  return runFaults.some((name) => name === fault);
}

function checkBelonging(given: Fault): void {
  const { fault, ms, retryAfter, on } = given;
  if (isOfRuns(given) && on !== undefined && !on.startsWith('/'))
    throw new BadFault(`"on" of ${fault} is the path of a schedule, such as /v1/schedules/ID, without a method.`);
  if (fault === 'latency' && ms === undefined) throw new BadFault('A latency needs "ms".');
  if (fault !== 'latency' && ms !== undefined) throw new BadFault('Only latency takes "ms".');
  if (retryAfter !== undefined && statusOf(fault) === undefined) {
    throw new BadFault(`"retry-after" is only for ${[...statuses, ...statusesAfter].join(', ')}.`);
  }
}

function writtenName(name: string): string {
  return name === 'retryAfter' ? 'retry-after' : name;
}

/** The status with which a fault answers; undefined for the faults of other kinds. */
function statusOf(fault: FaultName): number | undefined {
  const digits = /^\d{3}/.exec(fault)?.[0];
  return digits === undefined ? undefined : Number(digits);
}

/**
 * Points where the sources disagree about the service, or where it is known to be awkward. Each can be configured.
 */
export interface Quirks {
  /** The milliseconds during which a new schedule is neither found nor listed; 0 by default. */
  readonly eventualConsistencyMs?: number;
  /** A PUT resets omitted fields to their defaults (`replace`, the default) or keeps them (`merge`). */
  readonly put?: 'replace' | 'merge';
  /** True if a PUT with another destinationType is a 400, and with another dashboard a 404. */
  readonly fixedDestination?: boolean;
  /** The encoding of the signature of webhook events; `hex` by default. */
  readonly signatureEncoding?: 'hex' | 'base64';
  /** The count in a list of schedules: the addresses of a schedule, the default, or with the members of its groups. */
  readonly recipientCount?: 'addresses' | 'people';
  /** An SFTP address may be a host alone (`any`, the default) or must begin with `sftp://` (`url`). */
  readonly sftpAddress?: 'any' | 'url';
  /** The organization's allowlist: only addresses of these domains receive anything. All by default. */
  readonly emailDomains?: readonly string[];
  /** True if a condition without its type, or without a kind of that type, is ignored when a query runs. */
  readonly dropShortFilters?: boolean;
  /** True if a PNG shows the dashboard as it was saved, whatever filters are sent. */
  readonly pngUnfiltered?: boolean;
  /** True if filters on the same field are joined with AND; with OR by default. */
  readonly andFilters?: boolean;
  /** True if the list of queries leaves out their contents. */
  readonly queriesWithoutQuery?: boolean;
  /**
   * The sent filters that a schedule keeps: all, the default; none; each in other words (`respelled`), turned round, or
   * with its first value alone.
   */
  readonly storedFilters?: 'as-sent' | 'dropped' | 'respelled' | 'turned' | 'first-value';
}

/**
 * Decides which requests, or which runs, a fault strikes; called once for each. Each fault counts its own matches and
 * draws its own random numbers, so that faults do not affect each other. The path is relative to `/api`.
 */
export function strikesOf(fault: Fault): (request: { readonly method: string; readonly path: string }) => boolean {
  const [, method, path] = onPattern.exec(fault.on ?? '') ?? [];
  const draw = randomFrom(fault.seed ?? 1);
  let count = 0;
  return (request) => {
    if (method !== undefined && request.method !== method) return false;
    if (path !== undefined && !isBelow(request.path, path)) return false;
    count++;
    if (fault.at !== undefined) return count === fault.at;
    if (fault.every !== undefined) return count % fault.every === 0;
    return fault.p === undefined || draw() < fault.p;
  };
}

function isBelow(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`);
}

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function isAtWork(fault: FaultName): fault is WorkFault {
  return workFaults.some((name) => name === fault);
}

interface Struck {
  readonly fault: Fault | undefined;
  /** In addition to the fault. */
  readonly atWork: readonly WorkFault[];
}

/**
 * Chooses the fault that strikes a request, and waits for latencies. If several faults strike one request, only the
 * first is applied, plus all latencies, and faults at work. The path is relative to `/api`. Throws a BadFault.
 */
export function makeFaultPicker(faults: readonly Fault[]): (method: string, path: string) => Promise<Struck> {
  for (const fault of faults) checkFault(fault);
  const ofRequests = faults.filter((fault) => !isOfRuns(fault));
  const rules = ofRequests.map((fault) => ({ fault, strikes: strikesOf(fault) }));
  return async (method, path) => {
    const struck = rules.filter(({ strikes }) => strikes({ method, path })).map(({ fault }) => fault);
    const latencies = struck.filter(({ fault }) => fault === 'latency');
    for (const { ms } of latencies) await wait(ms, undefined, { ref: false });
    const others = struck.filter(({ fault }) => fault !== 'latency' && !isAtWork(fault));
    const atWork = struck.filter(({ fault }) => isAtWork(fault));
    return {
      fault: [...others, ...atWork, ...latencies][0],
      atWork: atWork.map(({ fault }) => fault).filter(isAtWork),
    };
  };
}

/** Larger than any answer of the service. */
const hugeBytes = 10_000_000;

const idFields = ['id', 'jobId', 'scheduledTaskId'];

/** The answer under a fault: status 0 if the connection is dropped. `work` is not done if the fault strikes before it. */
export function answerUnder(fault: Fault | undefined, work: () => Answer): Answer {
  const name = fault?.fault;
  const instead = fault && answerInstead(fault);
  const isBefore = name === 'drop-before' || statuses.some((each) => each === name);
  if (instead !== undefined && isBefore) return instead;
  const answer = answerOf(work);
  if (instead !== undefined) return instead;
  const fields = Object.entries(answer.body ?? {});
  if (name === 'no-id')
    return { ...answer, body: Object.fromEntries(fields.filter(([key]) => !idFields.includes(key))) };
  if (name === 'huge' && answer.file !== undefined)
    return { ...answer, file: Buffer.concat([answer.file, Buffer.alloc(hugeBytes)]) };
  if (name === 'huge') return { ...answer, body: { ...Object.fromEntries(fields), padding: 'x'.repeat(hugeBytes) } };
  return answer;
}

/** Undefined for a fault that changes the answer or the way in which it is sent. */
function answerInstead({ fault, retryAfter }: Fault): Answer | undefined {
  if (fault === 'drop-before' || fault === 'drop-after') return { status: 0, body: undefined };
  const status = statusOf(fault);
  if (status === undefined) return undefined;
  const headers = retryAfter === undefined ? undefined : { 'Retry-After': String(retryAfter) };
  return { status, headers, body: { detail: `A fault on request: ${fault}`, status } };
}

const keys = ['on', ...Object.keys(numbers).map(writtenName)];

/**
 * Parses a fault from one line of text: its name, then `key=value` settings, separated by commas, such as
 * `drop-after,on=POST /v1/schedules,at=3`. Throws a BadFault.
 */
export function parseFault(text: string): Fault {
  const [name = '', ...settings] = text.split(',').map((part) => part.trim());
  const fault: Record<string, string | number> = { fault: name };
  for (const setting of settings) {
    const [, key = '', value = ''] = /^([^=]*)=(.*)$/.exec(setting) ?? [];
    if (!keys.includes(key))
      throw new BadFault(`"${setting}" is not a setting. The settings are ${keys.join('=, ')}=.`);
    const field = key === 'retry-after' ? 'retryAfter' : key;
    if (Object.hasOwn(fault, field)) throw new BadFault(`"${key}" appears twice.`);
    fault[field] = key === 'on' ? value : readNumber(value);
  }
  const read = fault as unknown as Fault & { readonly fault: FaultName };
  checkFault(read);
  return read;
}

/** Anything but a number becomes a value that no setting allows. */
function readNumber(text: string): number {
  return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
}
