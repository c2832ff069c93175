// What the checks of doctor share: each part is found out when a check first asks for it, and once. A part throws Failure, or
// Skipped where what it needs is missing; the check that asked for it is then failed or skipped.

import { once } from '../../model/values/memoize.ts';
import { readNow } from '../../state/current-state.ts';
import type { Run } from '../base/run.ts';
import { askService } from './check-service.ts';
import { type DeclaredHere, usableConfig } from './check-workspace.ts';
import type { CheckName } from './doctor-document.ts';
import { attempt, type Verdict } from './verdict.ts';

/** The message says why a check cannot be carried out. */
export class Skipped extends Error {}

export type Facts = ReturnType<typeof factsOf>;

/** `verdictOf`: of a check that others need. */
export function factsOf(run: Run, verdictOf: (name: CheckName) => Promise<Verdict>) {
  const { options } = run;
  const loaded = once(async () => {
    await run.requireWorkspace();
    return (await run.loadAnywhere()).loaded;
  });
  const declared = once(async (): Promise<DeclaredHere> => {
    const read = await needed(loaded, 'There is no workspace.');
    if (read.missingEnvironment !== undefined) throw new Skipped('No environment is named: see the configuration.');
    return { loaded: read, settings: await run.settings() };
  });
  const config = once(async () => {
    const usable = usableConfig((await declared()).settings);
    if (usable === undefined) throw new Skipped('almanac.yaml has errors: see the configuration.');
    return usable;
  });
  /** The state, and its path where it is a file. */
  const opened = once(async () => {
    // --state says which one it is, whatever is wrong with almanac.yaml.
    const configured = options.state === undefined ? await config() : await known(config);
    const session = { loaded: { ...(await declared()).loaded, config: configured } };
    return { store: await run.store(session), path: (await run.stateFile(session))?.path };
  });
  const recorded = once(async () => readNow((await opened()).store));
  const held = once(async () => {
    const read = await known(recorded);
    return read === undefined ? (await opened()).store.lockHolder() : read.stored.held;
  });
  const answer = once(async () => {
    const usable = await config();
    for (const [name, words] of [['base-url', 'base URL'] as const, ['token', 'token'] as const])
      if ((await verdictOf(name)).status === 'failed') throw new Skipped(`Omni was not asked: see the ${words}.`);
    return askService(usable, (await declared()).loaded, run);
  });
  return { run, loaded, declared, config, opened, recorded, held, answer };
}

/** Throws Skipped with these words where the fact cannot be found out. */
export async function needed<T>(fact: () => Promise<T>, words: string): Promise<T> {
  const found = await attempt(fact);
  if ('failure' in found) throw new Skipped(words);
  return found.value;
}

/** Undefined where the fact cannot be found out. */
export async function known<T>(fact: () => Promise<T>): Promise<T | undefined> {
  try {
    return await needed(fact, '');
  } catch (error) {
    if (error instanceof Skipped) return undefined;
    throw error;
  }
}
