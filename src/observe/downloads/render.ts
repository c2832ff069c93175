// One file of a dashboard from Omni: a job is started, and its file is asked for until it is made. A download of somebody
// else that is in the way is waited for, and its file is never taken, because it may have other filters.

import type { BodySink } from '../../http/exchange.ts';
import type { Clock } from '../../model/outside.ts';
import { Failure, statusOf } from '../../model/workspace/failure.ts';
import type { DeclaredObject } from '../../model/workspace/resource.ts';
import type { Api, CallOptions, DownloadedFile } from '../../omni/api.ts';

export const pauseSeconds = 5;
/** The most answers that may be lost one after the other. */
const maxLost = 3;

interface Ports {
  readonly api: Pick<Api, 'startDownload' | 'getDownload'>;
  readonly clock: Clock;
  readonly call: CallOptions;
  /** Seconds. */
  readonly wait: number;
  /** Seconds of them that another download may be in the way; as many where it is left out. */
  readonly waitWhileBusy?: number;
  /** Omni works on it from here on. */
  readonly onStarted: () => void;
}

/** Somebody else renders the dashboard with the same rights, for as long as it was waited. */
export class Busy extends Failure {}

/** The bytes are in the sink. Throws Failure, among them Busy. */
export async function render(
  attributes: DeclaredObject,
  userId: string | undefined,
  sink: BodySink,
  ports: Ports,
): Promise<DownloadedFile> {
  const { api, call, wait, waitWhileBusy = wait } = ports;
  const start = async () => {
    try {
      const id = await api.startDownload(attributes, userId, call);
      ports.onStarted();
      return id;
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'api-answer-lost') throw error;
      ports.onStarted();
      throw error.with({ hint: 'Run the command again later. A download changes nothing in Omni.' });
    }
  };
  const now = ports.clock.monotonic();
  const untilBusy = { at: now + waitWhileBusy * 1000, seconds: waitWhileBusy };
  const id = await asLongAs(untilBusy, starting, ports, () => start().catch(unlessBusy)).catch(inWordsOf(startWords));
  const job = { id, identifier: String(attributes['identifier']), userId };
  const fetchFile = () => api.getDownload(job, sink, call);
  return asLongAs({ at: now + wait * 1000, seconds: wait }, fetching, ports, fetchFile).catch(inWordsOf(fileWords));
}

interface RenderWords {
  readonly why: string;
  readonly failure: typeof Failure;
  /** The codes of failures after which it is asked again. */
  readonly lost: readonly Failure['code'][];
}

/** Without a connection, the client has tried often enough: there is nothing yet to wait for. */
const starting: RenderWords = {
  why: 'Another download of this dashboard runs for the same user.',
  failure: Busy,
  lost: ['api-answer-lost'],
};
const fetching: RenderWords = {
  why: 'Omni is still rendering it.',
  failure: Failure,
  lost: ['api-answer-lost', 'api-unreachable'],
};

/** Asks every five seconds until there is an answer. */
async function asLongAs<T>(
  until: { readonly at: number; readonly seconds: number },
  { why, failure, lost: codes }: RenderWords,
  { clock, call: { signal } }: Ports,
  ask: () => Promise<T | undefined>,
): Promise<T> {
  for (let lost = 0; ; ) {
    const isLast = clock.monotonic() + pauseSeconds * 1000 >= until.at;
    try {
      const value = await ask();
      if (value !== undefined) return value;
      lost = 0;
    } catch (error) {
      lost += 1;
      if (!isLost(error, codes) || lost > maxLost || isLast || signal?.aborted) throw error;
    }
    if (isLast)
      throw new failure('refused', `There is no file after ${until.seconds} s. ${why}`, {
        hint: 'Run the command again later, or allow more time with --wait.',
      });
    await clock.sleep(pauseSeconds * 1000, signal);
    if (signal?.aborted) throw new Failure('interrupted', 'Interrupted.');
  }
}

function unlessBusy(error: unknown): undefined {
  if (statusOf(error) !== 409) throw error;
  return undefined;
}

/** An answer that did not come, or not whole, or that a gateway gave. */
function isLost(error: unknown, lost: RenderWords['lost']): boolean {
  if (!(error instanceof Failure) || !lost.includes(error.code)) return false;
  const status = statusOf(error);
  return status === undefined || [408, 425, 502, 503, 504].includes(status);
}

type Words = Readonly<Record<number, { readonly message: string; readonly hint: string }>>;

const startWords: Words = {
  403: {
    message: 'Omni does not let this user download the dashboard.',
    hint: 'The user may not see it, or its settings forbid downloads (canDownload).',
  },
  500: { message: 'Omni could not start to render it.', hint: 'Run the command again later.' },
};
const fileWords: Words = {
  410: {
    message: 'Omni could not render it.',
    hint: 'Open the dashboard in Omni with these filters: a query of it may fail. Or Omni’s renderer is down: run it again.',
  },
  500: { message: 'Omni rendered it, and lost the file.', hint: 'Run the command again.' },
};

/** A refusal of the service, whose own words are at the end of the message. */
export class NotRendered extends Failure {
  /** The message without these words. */
  readonly brief: string;

  constructor(brief: string, words: string, details: Pick<Failure, 'hint' | 'cause'>) {
    super('api-rejected', `${brief} ${words}`, details);
    this.brief = brief;
  }
}

function inWordsOf(words: Words): (error: unknown) => never {
  return (error) => {
    const own = words[statusOf(error) ?? 0];
    if (own === undefined || !(error instanceof Failure)) throw error;
    throw new NotRendered(own.message, error.message, { hint: own.hint, cause: error.cause });
  };
}
