// A file of the workspace that knows of schedules, beside a place that many share and that does not: they would be created a
// second time. Somebody named the new place and has not moved the state. Or somebody moved it elsewhere, without what an
// apply had left here, or did in the file after that.

import type { Workspace } from '../declare/workspace.ts';
import { type State, trackedAt } from '../model/plan/state.ts';
import { countOf } from '../model/values/words.ts';
import type { Config } from '../model/workspace/config.ts';
import { Failure } from '../model/workspace/failure.ts';
import type { Desired } from '../model/workspace/resource.ts';
import { currentState } from './current-state.ts';
import { parseState } from './format/parse-state.ts';
import type { StateStore } from './state-store.ts';

const defaultPath = 'almanac.state.json';
/** Where an apply keeps a state that it could not write. */
const erroredPath = 'errored.state.json';

export interface UnmovedContext {
  readonly config?: Config | undefined;
  readonly desired: Desired;
  /** The environment chosen with --env. */
  readonly environmentName: string | undefined;
}

/** Throws Failure refused or state-conflict. The shared place is read only where such a file is there. */
export async function refuseUnmoved(
  store: StateStore,
  workspace: Workspace,
  { config, desired, environmentName }: UnmovedContext,
): Promise<void> {
  if (store.shared === undefined) return;
  const left = await leftBehind(workspace, config?.api.baseUrl);
  if (left === undefined) return;
  const stored = await store.read();
  const present = currentState(stored, store.name);
  if (present !== undefined && left.state === undefined) throw leftJournal(left.path, store.name);
  if (present !== undefined && left.state !== undefined)
    refuseDiverged(left.path, left.state, present, desired, store.name);
  if (present !== undefined || stored.journal !== undefined) return;
  throw new Failure(
    'refused',
    `${store.name} holds no state yet, and ${left.path} holds ${left.what}. All of it would be created a second time.`,
    { hint: wayOut(left.path, environmentName) },
  );
}

/** The state files that git tracks beside a shared place: states of this organization, with resources. */
export async function unusedStates(workspace: Workspace, baseUrl: string | undefined): Promise<readonly string[]> {
  const unused: string[] = [];
  for (const path of workspace.repository()?.trackedStates() ?? []) {
    const state = await stateIn(workspace, path).catch(() => undefined);
    if (state !== undefined && isFull(state, baseUrl)) unused.push(path);
  }
  return unused;
}

function isFull({ resources, baseUrl: own }: State, baseUrl: string | undefined): boolean {
  return Object.keys(resources).length > 0 && (baseUrl === undefined || own === baseUrl);
}

interface LeftBehind {
  readonly path: string;
  readonly what: string;
  /** Undefined where there is only the journal of the first apply. */
  readonly state?: State;
}

async function leftBehind(workspace: Workspace, baseUrl: string | undefined): Promise<LeftBehind | undefined> {
  const paths = new Set([defaultPath, erroredPath, ...(workspace.repository()?.trackedStates() ?? [])]);
  for (const path of paths) {
    const state = await stateIn(workspace, path);
    if (state !== undefined && isFull(state, baseUrl))
      return { path, what: `one with ${countOf(Object.keys(state.resources).length, 'resource')}`, state };
    if (path === defaultPath && workspace.exists(journalOf(path)) && !workspace.exists(path))
      return { path, what: 'the journal of an apply that broke off' };
  }
  return undefined;
}

/**
 * Two clones went on from one state. What the shared place does not know of would be created where it is declared. Not
 * after a run that lost its lock: what that kept aside, the next run looks for.
 */
function refuseDiverged(path: string, state: State, present: State, desired: Desired, name: string): void {
  if (path === erroredPath || state.lineage !== present.lineage) return;
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
    return id === undefined || known.has(id) ? [] : `  - { to: ${address}, id: ${id} }`;
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

/** Undefined where there is none, and for a file that is no state. Throws Failure state-unreadable. */
async function stateIn(workspace: Workspace, path: string): Promise<State | undefined> {
  if (!workspace.exists(path)) return undefined;
  const text = await workspace.readOutside(`${workspace.root}/${path}`);
  try {
    return parseState(text, path);
  } catch (error) {
    // A state that cannot be read may hold everything. Another file may only have such a name.
    if (path === defaultPath) throw error;
    return undefined;
  }
}

function journalOf(path: string): string {
  return `${path}.journal`;
}

/** A move folds the journal of its own clone, so this one was left here before another clone moved the state. */
function leftJournal(path: string, name: string): Failure {
  const journal = journalOf(path);
  return new Failure(
    'refused',
    `The state was moved to ${name} in another clone, and ${journal} holds what an apply did here before. What only it knows would be created a second time.`,
    {
      hint: `Compare the ids in ${journal} with \`almanac state list\`. Give what is missing there an entry under \`adopt\` in almanac.yaml. Then move ${journal} elsewhere.`,
    },
  );
}

function wayOut(path: string, environmentName: string | undefined): string {
  const env = environmentName === undefined ? '' : ` --env ${environmentName}`;
  if (path === erroredPath) return `Put it there with \`almanac state push ${erroredPath}${env}\`.`;
  const file = path === defaultPath ? '' : ` --state ${path}`;
  return `Move it with \`almanac state migrate${file}${env}\`.`;
}
