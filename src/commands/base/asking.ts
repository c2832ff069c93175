// How a command asks the service: the connection, what is told while it waits, and what Ctrl-C makes it say.

import { knownSecrets } from '../../apply/propose/fingerprint-secrets.ts';
import { judgeFindings } from '../../declare/judge-findings.ts';
import type { Loaded } from '../../declare/load/load.ts';
import { environmentFailure } from '../../declare/load/missing-environment.ts';
import { countOf } from '../../model/values/words.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { safeText } from '../../report/text/terminal-text.ts';
import { type Service, type ServiceOptions, withService } from '../../service/service.ts';
import type { StoredState } from '../../state/state-store.ts';
import { type GlobalOptions, type OnlineFlags, usualLimits } from './command.ts';
import type { World } from './world.ts';

type ServiceEvent =
  | { readonly type: 'waiting'; readonly seconds: number; readonly why: string }
  | { readonly type: 'note'; readonly message: string };

interface EndingReporter {
  emit(event: ServiceEvent): void;
  end(): void;
}

interface Asking<R> {
  readonly loaded: Loaded;
  readonly reporter: R;
  readonly nothing?: string;
  readonly limits?: Pick<ServiceOptions, 'allowHttp' | 'maxAttempts' | 'maxWait'> | undefined;
}

export type AsksService = ReturnType<typeof makeAsking>;

/** `read`: the states that were read so far. */
export function makeAsking({ environment, clock, signal, connect }: World, read: () => readonly StoredState[]) {
  /** Adds to an interruption that nothing was done, as `asking` does. */
  const unlessInterrupted = async <T>(nothing: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      // A failure that already says how to go on stays.
      if (!(error instanceof Failure) || error.code !== 'interrupted' || error.hint !== undefined) throw error;
      throw error.with({ hint: `Nothing was ${nothing}. Run the command again.` });
    }
  };
  /**
   * Hands the service to `work`, and ends the progress on stderr with it. `nothing` completes what Ctrl-C makes it say, as
   * in `Nothing was changed`. Throws Failure usage where an environment must be named, and what `work` throws.
   */
  const asking = async <T, R extends EndingReporter>(
    { loaded, reporter, nothing, limits = { allowHttp: false, ...usualLimits } }: Asking<R>,
    work: (service: Service, reporter: R) => Promise<T>,
  ): Promise<T> => {
    const { config } = loaded;
    const ask = async () => {
      // The last safeguard before a request.
      if (config?.environmentRequired && config.environment === undefined)
        throw environmentFailure({ need: 'required', names: config.environments });
      const onWait = (seconds: number, why: string) => reporter.emit({ type: 'waiting', seconds, why });
      const onNote = (message: string) => reporter.emit({ type: 'note', message });
      const secrets = () => knownSecrets(loaded, environment, read());
      const settled = { config, environment, secrets, connect, clock, signal, onWait, onNote, ...limits };
      return withService(settled, (service) => work(service, reporter));
    };
    try {
      return await (nothing === undefined ? ask() : unlessInterrupted(nothing, ask));
    } finally {
      reporter.end();
    }
  };
  return { asking, unlessInterrupted };
}

/** Adds what `--online` finds; without it, the declarations as they are. */
export async function withOnlineFindings(
  { stderr, options: { verbose } }: World & { readonly options: GlobalOptions },
  { online }: OnlineFlags,
  loaded: Loaded,
  service: Service,
): Promise<Loaded> {
  if (!online) return loaded;
  const { checkOnline } = await import('../../service/online.ts');
  const { findings, requests } = await checkOnline({ loaded, service });
  if (verbose) stderr.write(`Online checks: ${countOf(requests, 'request')}.\n`);
  return { ...loaded, findings: [...loaded.findings, ...judgeFindings(findings, loaded)] };
}

// The question before something that cannot be undone. Without a terminal, --auto-approve answers it.

/** Only the answer `yes` confirms; after an interruption no answer does. What the question names may hold anything. */
export async function isConfirmed({ asker, signal }: World, question: string): Promise<boolean> {
  const answer = await asker()?.(`${safeText(question, { keepNewlines: true })} Only yes is accepted: `);
  return answer?.trim() === 'yes' && !signal.aborted;
}

/**
 * `what` and `nothing` complete the sentence, as in `The delivery was not confirmed; nothing was sent.` Throws Failure
 * refused and interrupted.
 */
export async function requireConfirmed(
  world: World,
  question: string,
  { what, nothing }: { readonly what: string; readonly nothing: string },
): Promise<void> {
  if (await isConfirmed(world, question)) return;
  if (world.signal.aborted)
    throw new Failure('interrupted', `Interrupted; ${nothing}.`, { hint: 'Run the command again.' });
  throw new Failure('refused', `${what} not confirmed; ${nothing}.`);
}

/** `consequence` completes the sentence, as in `so nothing was sent`. */
export function noTerminal(consequence: string, hint: string): Failure {
  return new Failure('usage', `There is no terminal to ask on, so ${consequence}.`, { hint });
}

// Keeps a command that serves requests running until it is interrupted.

/** Resolves when the signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
