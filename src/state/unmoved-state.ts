// A file of the workspace that knows of schedules of which the state does not: they would be created a second time. Somebody
// named a new place and has not moved the state. Or somebody moved it elsewhere, without what an apply had left here, or did
// in the file after that.

import { resolve } from 'node:path';
import type { Workspace } from '../declare/workspace.ts';
import type { Journal } from '../model/plan/journal.ts';
import { type State, trackedAt } from '../model/plan/state.ts';
import { countOf } from '../model/values/words.ts';
import type { Config } from '../model/workspace/config.ts';
import { Failure } from '../model/workspace/failure.ts';
import type { Desired } from '../model/workspace/resource.ts';
import { currentState } from './current-state.ts';
import { parseJournal } from './format/parse-journal.ts';
import { parseState } from './format/parse-state.ts';
import { keptJournal, lackingIn, nameOf } from './journal-of-state.ts';
import type { StateStore } from './state-store.ts';

const defaultPath = 'almanac.state.json';
const journalEnd = '.journal';

interface UnmovedContext {
  readonly config?: Config | undefined;
  readonly desired: Desired;
  /** The environment chosen with --env. */
  readonly environmentName: string | undefined;
  /** The files of the states in use, absolute or from the root. */
  readonly states: () => Promise<readonly string[]>;
}

/** Throws Failure refused or state-conflict. The state is read only where such a file is there. */
export async function refuseUnmoved(
  store: StateStore,
  workspace: Workspace,
  { config, desired, environmentName, states }: UnmovedContext,
): Promise<void> {
  const baseUrl = config?.api.baseUrl;
  const journals = await leftJournals(workspace, baseUrl, states);
  const left = store.shared === undefined ? undefined : await leftState(workspace, baseUrl);
  if (left === undefined && journals.length === 0) return;
  const stored = await store.read();
  const present = currentState(stored, store.name);
  if (present !== undefined && left !== undefined) refuseDiverged(left.path, left.state, present, desired, store.name);
  const isNew = present === undefined && stored.journal === undefined && store.shared !== undefined;
  const [path, what] =
    left === undefined
      ? [journals[0]?.path.slice(0, -journalEnd.length), 'the journal of an apply that broke off']
      : [left.path, `one with ${countOf(Object.keys(left.state.resources).length, 'resource')}`];
  if (isNew && path !== undefined)
    throw new Failure(
      'refused',
      `${store.name} holds no state yet, and ${path} holds ${what}. All of it would be created a second time.`,
      { hint: wayOut(path, environmentName) },
    );
  for (const found of journals) refuseJournal(found, present, store.name);
}

/** Throws Failure state-conflict unless the state holds all that the journal says. */
function refuseJournal(found: LeftJournal, state: State | undefined, name: string): void {
  const lacking = lackingIn(state, found.journal);
  if (lacking.length === 0) return;
  const message = `${found.path} holds what an apply did here before the state was moved to ${name}, and ${name} does not hold it: ${lacking.map(nameOf).join(', ')}.`;
  throw keptJournal({ ...found, state }, message, 'It would be made a second time: ');
}

/** The state files that git tracks beside a shared place: states of this organization, with resources. */
export async function unusedStates(workspace: Workspace, baseUrl: string | undefined): Promise<readonly string[]> {
  const unused: string[] = [];
  for (const path of await otherStates(workspace, [])) {
    const state = await stateIn(workspace, path).catch(() => undefined);
    if (state !== undefined && isFull(state, baseUrl)) unused.push(path);
  }
  return unused;
}

function isFull({ resources, baseUrl: own }: State, baseUrl: string | undefined): boolean {
  return Object.keys(resources).length > 0 && (baseUrl === undefined || own === baseUrl);
}

interface LeftState {
  readonly path: string;
  readonly state: State;
}

async function leftState(workspace: Workspace, baseUrl: string | undefined): Promise<LeftState | undefined> {
  const known = [defaultPath];
  for (const path of new Set([...known, ...(await otherStates(workspace, known))])) {
    const state = await stateIn(workspace, path);
    if (state !== undefined && isFull(state, baseUrl)) return { path, state };
  }
  return undefined;
}

/** Git is asked only where a file is there that may be one and is not among the known. If it cannot be, all of them count. */
async function otherStates(workspace: Workspace, known: readonly string[]): Promise<readonly string[]> {
  const repository = workspace.repository();
  const found = repository && (await workspace.find(['**/*state*.json', '**/*state*/**/*.json']));
  if (found === undefined || found.every((path) => known.includes(path))) return [];
  return repository?.trackedStates().catch(() => found) ?? [];
}

interface LeftJournal {
  readonly path: string;
  readonly journal: Journal;
}

/** Those beside no state in use, of this organization. Throws Failure state-unreadable. */
async function leftJournals(
  workspace: Workspace,
  baseUrl: string | undefined,
  states: UnmovedContext['states'],
): Promise<readonly LeftJournal[]> {
  const found = await workspace.find([`**/*.json${journalEnd}`]);
  if (found.length === 0) return [];
  const used = new Set((await states()).map((path) => resolve(workspace.root, path + journalEnd)));
  const left: LeftJournal[] = [];
  for (const path of found) {
    const absolute = resolve(workspace.root, path);
    if (used.has(absolute)) continue;
    const journal = parseJournal(await workspace.readOutside(absolute), path);
    if (journal !== undefined && (baseUrl === undefined || journal.header.baseUrl === baseUrl))
      left.push({ path, journal });
  }
  return left;
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

function wayOut(path: string, environmentName: string | undefined): string {
  const env = environmentName === undefined ? '' : ` --env ${environmentName}`;
  const file = path === defaultPath ? '' : ` --state ${path}`;
  return `Move it with \`almanac state migrate${file}${env}\`.`;
}
