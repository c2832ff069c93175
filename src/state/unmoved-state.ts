// A file of the workspace that knows of schedules of which the state does not: they would be created a second time. Somebody
// named a new place and has not moved the state. Or somebody moved it elsewhere, without what an apply had left here, or did
// in the file after that.

import type { Workspace } from '../declare/workspace.ts';
import { type State, trackedAt } from '../model/plan/state.ts';
import { command } from '../model/values/command.ts';
import { countOf } from '../model/values/words.ts';
import type { Config } from '../model/workspace/config.ts';
import { Failure } from '../model/workspace/failure.ts';
import type { Desired } from '../model/workspace/resource.ts';
import { inBrackets, printString } from '../yaml/format/print-string.ts';
import { currentState } from './current-state.ts';
import { keptJournal, lackingIn, nameOf } from './journal-of-state.ts';
import { type NamedState, namedStates } from './named-states.ts';
import type { StateStore, StoredState } from './state-store.ts';

interface UnmovedContext {
  readonly workspace: Workspace;
  /** Undefined where almanac.yaml has errors, which only --state passes. */
  readonly config?: Config | undefined;
  readonly desired: Desired;
}

/**
 * The store, which is read and locked only if no such file is there: otherwise that throws Failure refused or state-conflict.
 * Each is looked for once, and of an empty shared place also in git.
 */
export async function refusingUnmoved(
  store: StateStore,
  { workspace, config, desired }: UnmovedContext,
): Promise<StateStore> {
  if (config === undefined) return store;
  const left = await namedStates(workspace, config, { inUse: false, inGit: false });
  if (store.shared === undefined && left.length === 0) return store;
  const check = async (stored: StoredState): Promise<void> => {
    if (store.shared !== undefined && stored.state === undefined && stored.journal === undefined)
      refuseBeside(await namedStates(workspace, config, { inUse: true, inGit: true }), config, store.name);
    const present = left.length === 0 ? undefined : currentState(stored, store.name);
    for (const found of left) refuseUnknown(found, present, desired, store);
  };
  let checked: Promise<void> | undefined;
  const read = async (): Promise<StoredState> => {
    const stored = await store.read();
    checked ??= check(stored);
    await checked;
    return stored;
  };
  return {
    ...store,
    read,
    // An empty place is left empty.
    lock: async (...request) => {
      await (checked ?? read());
      return store.lock(...request);
    },
  };
}

/** Of an empty shared place. Throws Failure refused, and state-unreadable for a file that may hold everything. */
function refuseBeside(all: readonly NamedState[], config: Config, name: string): void {
  const left = all.find(({ usedBy }) => usedBy.length === 0);
  const found = left ?? all.find((each) => each.unreadable === undefined && !isApart(each, config));
  if (found === undefined) return;
  if (found.unreadable !== undefined) throw found.unreadable;
  const { path, state, usedBy } = found;
  const { environment } = config;
  const from = path === 'almanac.state.json' ? [] : ['--state', path];
  const move = `\`${command('state migrate', ...from, ...(environment === undefined ? [] : ['--env', environment]))}\``;
  const [user] = usedBy;
  const of = user === undefined ? '' : `, the state ${userWords(user)},`;
  const what =
    state === undefined
      ? 'the journal of an apply that broke off'
      : `one with ${countOf(Object.keys(state.resources).length, 'resource')}`;
  throw new Failure(
    'refused',
    `${name} holds no state yet, and ${path}${of} holds ${what}. All of it would be created a second time.`,
    {
      hint:
        user === undefined
          ? `Move it with ${move}.`
          : `If these are to be the same reports, move it with ${move}. For reports of its own, make the first apply with the state in a file (\`state: { backend: local, path: … }\`), and move that file.`,
    },
  );
}

function userWords({ environment }: Config['stateFiles'][number]): string {
  return environment === undefined ? 'without an environment' : `of the environment ${environment}`;
}

/** What one of the two delivers to its sinks is no second copy of what the other delivers. */
function isApart({ state }: NamedState, { deliver }: Config): boolean {
  if (deliver !== undefined) return true;
  return state !== undefined && Object.values(state.resources).every(({ throughSink }) => throughSink);
}

/** Throws Failure state-conflict where the state does not hold what a file that was left behind does. */
function refuseUnknown(
  found: NamedState,
  present: State | undefined,
  desired: Desired,
  { name, shared }: StateStore,
): void {
  const { path, state, journal, unreadable } = found;
  if (unreadable !== undefined) throw unreadable;
  if (state !== undefined && present !== undefined && shared !== undefined)
    refuseDiverged(path, state, present, desired, name);
  if (journal === undefined || (present !== undefined && present.lineage !== journal.header.lineage)) return;
  const lacking = lackingIn(present, journal);
  if (lacking.length === 0) return;
  const message = `${path}.journal holds what an apply did here before the state was moved to ${name}, and ${name} does not hold it: ${lacking.map(nameOf).join(', ')}.`;
  throw keptJournal({ journal, path: `${path}.journal`, state: present }, message, 'It would be made a second time: ');
}

/** Two clones went on from one state. What the shared place does not know of would be created where it is declared. */
function refuseDiverged(path: string, state: State, present: State, desired: Desired, name: string): void {
  if (state.lineage !== present.lineage) return;
  const known = new Set([
    ...Object.values(present.resources).map(({ id }) => id),
    ...present.orphans.map(({ id }) => id),
    ...desired.adoptions.map(({ id }) => id),
  ]);
  const created = desired.resources.flatMap(({ address }) =>
    trackedAt(present, address) === undefined ? address : [],
  );
  const unknown = created.flatMap((address) => {
    const id = trackedAt(state, address)?.id;
    return id === undefined || known.has(id) ? [] : `  - { to: ${address}, id: ${printString(id, inBrackets)} }`;
  });
  if (unknown.length === 0) return;
  const what = countOf(unknown.length, 'schedule');
  throw new Failure(
    'state-conflict',
    `${path} and ${name} went on from the same state, and only the file knows of ${what} that would be created a second time.`,
    {
      hint: [`Keep what is there: add this to a source file, then remove ${path}.`, '', 'adopt:', ...unknown].join(
        '\n',
      ),
    },
  );
}
