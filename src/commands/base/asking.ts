// How a command asks the service: its connection, its progress lines, and its words on Ctrl-C.

import type { Loaded } from '../../declare/load/load.ts';
import { environmentFailure } from '../../declare/load/missing-environment.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { type Service, type ServiceOptions, withService } from '../../observe/service.ts';
import type { StoredState } from '../../state/state-store.ts';
import { usualLimits } from './command.ts';
import { knownSecrets } from './shown-texts.ts';
import type { World } from './world.ts';

type ServiceEvent =
  | { readonly type: 'waiting'; readonly seconds: number; readonly why: string }
  | { readonly type: 'note'; readonly message: string };

interface EndingReporter {
  emit(event: ServiceEvent): void;
  end(): void;
}

interface ServiceNeed<R> {
  readonly loaded: Loaded;
  readonly reporter: R;
  readonly nothing?: string;
  readonly limits?: Pick<ServiceOptions, 'allowHttp' | 'maxAttempts' | 'maxWait'> | undefined;
}

export type AsksService = ReturnType<typeof makeAsking>;

/** `read` gives the states that were read so far. */
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
   * Hands the service to `work` and then ends the progress on stderr. `nothing` completes the message after Ctrl-C, as
   * in `Nothing was changed`. Throws Failure usage if an environment must be named, and whatever `work` throws.
   */
  const asking = async <T, R extends EndingReporter>(
    { loaded, reporter, nothing, limits = { allowHttp: false, ...usualLimits } }: ServiceNeed<R>,
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
