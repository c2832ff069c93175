// A change that somebody interrupts: while only questions were asked, it is not started; once a request that changes
// something was sent, all of it is finished, waits and repeats included.

import type { CallOptions } from '../../ports/api.ts';

export interface OneChange {
  /** Its signal prevents the start. */
  readonly call: CallOptions;
  /** Aborts if even a change that has started must not be finished. */
  readonly ended?: AbortSignal;
}

/** `work` sends all requests of the change with the options that it gets. */
export async function finishWhatIsSent<T>(
  { call, ended }: OneChange,
  work: (call: CallOptions) => Promise<T>,
): Promise<T> {
  const off = new AbortController();
  const end = () => off.abort();
  const signals = [call.signal, ended];
  for (const signal of signals) {
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  }
  const onRequest: CallOptions['onRequest'] = (method) => {
    if (method !== 'GET') call.signal?.removeEventListener('abort', end);
    call.onRequest?.(method);
  };
  try {
    return await work({ ...call, signal: off.signal, onRequest });
  } finally {
    for (const signal of signals) signal?.removeEventListener('abort', end);
  }
}

/** `what`: changes, deliveries. `underWay`: in words. */
export function interruptedWords(what: string, underWay: readonly string[]): string {
  const finished = underWay.length === 0 ? '' : ` To be finished first: ${underWay.join(', ')}.`;
  return `Interrupted: no more ${what} are started.${finished} Interrupt again to leave at once; the journal keeps what was started.`;
}
