// The faults that can be injected, which requests they strike and when. A fault is given as an object or as a line of
// text (parse-fault.ts); both are checked here.

const statuses = ['429', '500', '502', '503', '504'] as const;
const statusesAfter = ['500-after', '502-after', '503-after', '504-after'] as const;

/** These strike runs of schedules: how a run ends, or that it never begins. */
const runFaults = ['run-error', 'run-delivered', 'run-killed', 'run-unmet', 'run-missed'] as const;

/** Latency, the plain statuses and drop-before strike before the work is done; those of runs strike no request; all others strike after it. */
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
  ...runFaults,
] as const;

export type FaultName = (typeof faultNames)[number];

export interface Fault {
  readonly fault: FaultName;
  /**
   * A method, a path below `/api`, or both with a space between. A path includes those below it. All by default. Of a
   * fault of runs, the path of a schedule.
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

export const onPattern = /^(?:(GET|POST|PUT|PATCH|DELETE)(?: (?=\/)|$))?(\/\S*)?$/;

const numbers = {
  at: { least: 1, most: Number.MAX_SAFE_INTEGER, whole: true },
  every: { least: 1, most: Number.MAX_SAFE_INTEGER, whole: true },
  p: { least: 0, most: 1, whole: false },
  seed: { least: 0, most: 0xffff_ffff, whole: true },
  ms: { least: 0, most: 600_000, whole: true },
  retryAfter: { least: 0, most: 86_400, whole: true },
} as const satisfies Partial<Record<keyof Fault, { least: number; most: number; whole: boolean }>>;

/** Throws a BadFault. */
export function checkFault(fault: Fault): void {
  if (!faultNames.includes(fault.fault)) {
    throw new BadFault(`There is no fault "${fault.fault}". The faults are ${faultNames.join(', ')}.`);
  }
  for (const [name, range] of Object.entries(numbers)) checkNumber(name, fault[name as keyof typeof numbers], range);
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

function checkNumber(
  name: string,
  value: number | undefined,
  { least, most, whole }: { least: number; most: number; whole: boolean },
): void {
  if (value === undefined) return;
  const fits = whole ? Number.isSafeInteger(value) && value >= least : value > least;
  if (fits && value <= most) return;
  const written = name === 'retryAfter' ? 'retry-after' : name;
  const upTo = most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`;
  throw new BadFault(
    `"${written}" must be ${whole ? `a whole number from ${least}${upTo}` : 'above 0 and at most 1'}.`,
  );
}

/** The status that a fault answers with; undefined for the faults of other kinds. */
export function statusOf(fault: FaultName): number | undefined {
  const digits = /^\d{3}/.exec(fault)?.[0];
  return digits === undefined ? undefined : Number(digits);
}
