// The neighbours of a run and their states: other environments, other workspaces of the repository, and what `ignore` names.
// Nothing is read at a server that this run's own state does not use, unless `ignore` names it. Takes no lock.

import { basename, dirname, join, posix, relative } from 'node:path';
import { loadConfig } from '../../declare/load/load-config.ts';
import {
  asNeighbour,
  type Neighbours,
  noNeighbours,
  type OpenElsewhere,
  type OtherTracker,
  type ReadNeighbour,
  type UnreadNeighbour,
} from '../../model/plan/neighbours.ts';
import type { State } from '../../model/plan/state.ts';
import type { Allowed } from '../../model/values/allowances.ts';
import type { Config } from '../../model/workspace/config.ts';
import { type Finding, severityOf } from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { isSameServer, placeName, type SharedPlace, type StatePlace } from '../../model/workspace/state-place.ts';
import { readState } from '../../state/current-state.ts';
import { parseState } from '../../state/format/parse-state.ts';
import { usualFile } from '../../state/unmoved-state.ts';
import { joined } from './place-of-state.ts';
import type { Run, Session } from './run.ts';

type Here = Pick<Session, 'workspace'> & { readonly loaded: Pick<Session['loaded'], 'config'> };

/** A state that may be a neighbour's, and how people reach it. */
interface Candidate {
  /** In the middle of a sentence: `the environment staging`, `../customers`. */
  readonly who: string;
  readonly place: StatePlace;
  /** The absolute folder that the path of a file begins at. */
  readonly folder: string;
  /** The absolute folder that the file may not be outside of. */
  readonly within: string;
  /** The options that lead a command to it. */
  readonly options: readonly string[];
  /** Undefined where its almanac.yaml leaves the organization open: its state says it. */
  readonly baseUrl: string | undefined;
  readonly isEnvironment?: true;
  readonly isJudged: boolean;
  /** True if `ignore` names it: then any server may be asked. */
  readonly isNamed?: true;
}

/**
 * The neighbours of the workspace of a run, and what they track of its organization. A state that could not be read is named
 * once on stderr; one that is deliberately not read, only with -v.
 */
export async function readNeighbours(run: Run, here: Here, allow: Allowed = {}): Promise<Neighbours> {
  const { config } = here.loaded;
  if (config === undefined) return noNeighbours;
  const say = ({ why }: UnreadNeighbour) => run.say(`note: ${why}`, run.stderr);
  const { candidates, unknown } = await candidatesOf(run, here.workspace, config);
  unknown.forEach(say);
  const asked: Candidate[] = [];
  for (const candidate of candidates) {
    const why = reasonNotAsked(run, candidate, config.state);
    if (why === undefined) asked.push(candidate);
    else if (run.options.verbose) say({ who: candidate.who, why: notRead(candidate, why) });
  }
  const states = await statesAt(run, here.workspace.root, asked);
  const trackers = new Map<string, OtherTracker>();
  const open: OpenElsewhere[] = [];
  const read: ReadNeighbour[] = [];
  const unread: UnreadNeighbour[] = [];
  for (const [index, candidate] of asked.entries()) {
    const state = states[index];
    const { who, options } = candidate;
    if (typeof state === 'string') {
      unread.push({ who, why: notRead(candidate, state) });
      continue;
    }
    const isHere = config.api.baseUrl === undefined || state?.baseUrl === config.api.baseUrl;
    if (state !== undefined && !isHere) continue;
    const tracks = state === undefined ? undefined : asNeighbour(state, who, options, candidate.isJudged);
    for (const [id, tracker] of tracks?.trackers ?? []) if (!trackers.has(id)) trackers.set(id, tracker);
    for (const each of tracks?.open ?? []) open.push(each);
    read.push({ who, isEnvironment: candidate.isEnvironment === true, tracks: tracks?.trackers.size ?? 0, state });
  }
  unread.forEach(say);
  const isHeld = ({ who }: UnreadNeighbour) => allow['unread-neighbours']?.includes(who) !== true;
  return { trackers, open, read, unread: unread.filter(isHeld), unknown: unknown.filter(isHeld) };
}

/** The option that lets a run take ids although these neighbours were not read. */
export function allowingNeighbours({ unread, unknown }: Pick<Neighbours, 'unread' | 'unknown'>): string {
  return `\`--allow "${[...unread, ...unknown].map(({ who }) => `unread-neighbours=${who}`).join(',')}"\``;
}

function notRead({ who }: Candidate, why: string): string {
  return `The state of ${who} was not read. ${why}`;
}

/** Returns a sentence; undefined if the place may be read. */
function reasonNotAsked({ options }: Run, { place, isNamed }: Candidate, own: StatePlace): string | undefined {
  // A place that the user names is the only one that this run may read.
  if (options.state !== undefined) return '`--state` names the only one that this run reads.';
  if (isNamed || isSameServer(place, own)) return undefined;
  return `It is in ${placeName(place)}, and that of this run in ${placeName(own)}.`;
}

/** Each place once, without that of this run, and without what belongs to another organization by its almanac.yaml. */
async function candidatesOf(run: Run, workspace: Here['workspace'], config: Config) {
  const { root } = workspace;
  const beside = await workspacesBeside(run, workspace);
  const named = await namedIn(run, root, config);
  const namedKeys = new Set(named.map(({ place, folder }) => keyOf(place, folder)));
  const found = [...(await environmentsOf(run, root, config)), ...beside.candidates].map((candidate) =>
    namedKeys.has(keyOf(candidate.place, candidate.folder)) ? { ...candidate, isNamed: true as const } : candidate,
  );
  const all = [...found, ...named];
  const known = new Set([keyOf(config.state, root)]);
  const candidates = all.filter(({ place, folder, baseUrl = config.api.baseUrl }) => {
    const key = keyOf(place, folder);
    // Without an address here, each state says which organization it is of.
    const isElsewhere = config.api.baseUrl !== undefined && baseUrl !== config.api.baseUrl;
    if (isElsewhere || known.has(key)) return false;
    known.add(key);
    return true;
  });
  return { candidates, unknown: beside.unknown };
}

function keyOf(place: StatePlace, folder: string): string {
  return place.backend === 'local' ? posix.normalize(joined(folder, place.path)) : placeName(place);
}

async function environmentsOf(run: Run, root: string, config: Config): Promise<readonly Candidate[]> {
  const { environment, environments } = config;
  const { cwd, options } = run;
  const named = options.config === undefined ? [] : ['--config', options.config];
  const without = [...inFolder(cwd, root), ...named];
  const found: Candidate[] = [];
  for (const name of environments.length === 0 ? [] : [undefined, ...environments]) {
    if (name === environment) continue;
    const { state: place, api, safety } = (await run.inEnvironment(name).settings()).usable;
    found.push({
      who: name === undefined ? 'the workspace without `--env`' : `the environment ${name}`,
      place,
      folder: root,
      within: root,
      options: name === undefined ? without : ['--env', name],
      isEnvironment: true,
      baseUrl: api.baseUrl,
      isJudged: safety.rows !== undefined,
    });
  }
  return found;
}

function inFolder(cwd: string, folder: string): readonly string[] {
  return ['--chdir', relative(cwd, folder) || '.'];
}

const configNames = ['almanac.yaml', 'almanac.yml'];

/** The other workspaces of the repository, as the checked-out commit has them. */
async function workspacesBeside(run: Run, { root, configFile }: Here['workspace']) {
  const candidates: Candidate[] = [];
  const unknown: UnreadNeighbour[] = [];
  if (run.options.state !== undefined) return { candidates, unknown };
  const checkout = await run.openCheckout(root);
  const files = await checkout.committed({ names: configNames });
  if (files === undefined) {
    const why = 'Git does not tell which other workspaces this repository has, so what they track is not known.';
    unknown.push({ who: 'another workspace of this repository', why });
  }
  const own = configNames.includes(configFile ?? '') ? '.' : undefined;
  const folders = new Set<string | undefined>([own]);
  for (const path of [...(files?.keys() ?? [])].sort()) {
    const folder = posix.dirname(path);
    if (path === configFile || folders.has(folder) || path.split('/').includes('node_modules')) continue;
    folders.add(folder);
    const text = files?.get(path);
    const found =
      text === undefined ? undefined : await statesIn({ path, text, folder: join(root, folder), cwd: run.cwd });
    for (const each of found ?? []) candidates.push(each);
    if (found === undefined)
      unknown.push({
        who: folder,
        why: `The place of the state of ${folder} was not told by ${path}, so what it tracks is not known.`,
      });
  }
  return { candidates, unknown };
}

/** The states of another workspace; undefined if its almanac.yaml does not tell where they are. Other mistakes do not matter. */
async function statesIn({ path, text, folder, cwd }: { path: string; text: string; folder: string; cwd: string }) {
  const workspace = { configFile: basename(path), read: () => ({ text }) };
  const load = (name: string | undefined) => loadConfig(workspace, () => undefined, name);
  const shared = await load(undefined);
  const { environments } = shared.usable;
  // The part that all environments share may leave to each of them what a place needs.
  const isHidden = shared.findings.some(hidesState);
  if (isHidden && environments.length === 0) return undefined;
  const found: Candidate[] = [];
  for (const name of isHidden ? environments : [undefined, ...environments]) {
    const { usable, findings } = name === undefined ? shared : await load(name);
    if (findings.some(hidesState)) return undefined;
    found.push({
      who: name === undefined ? dirname(path) : `${dirname(path)} (${name})`,
      place: usable.state,
      folder,
      within: folder,
      options: [...inFolder(cwd, folder), ...(name === undefined ? [] : ['--env', name])],
      baseUrl: usable.api.baseUrl,
      isJudged: usable.safety.rows !== undefined,
    });
  }
  return found;
}

/** True for a mistake after which it is not known where a state is, or of which organization. */
function hidesState(finding: Finding): boolean {
  if (severityOf(finding) !== 'error') return false;
  const { place } = finding;
  if (place === undefined || !('pointer' in place)) return true;
  return /^(?:|\/environments(?:\/[^/]*)?|(?:\/environments\/[^/]*)?\/state(?:\/.*)?)$/.test(place.pointer);
}

/** The places that `ignore` names. */
async function namedIn(run: Run, root: string, { ignore }: Config): Promise<readonly Candidate[]> {
  const places = ignore.flatMap(({ state }) => state ?? []);
  if (places.length === 0) return [];
  const repository = (await run.placeInRepository(root))?.root ?? root;
  return places.map((place) => {
    const file = place.backend === 'local' ? join(root, place.path) : undefined;
    const folder = file === undefined ? root : dirname(file);
    const isUsual = file === undefined || basename(file) === usualFile;
    return {
      who: place.backend === 'local' ? `the state ${place.path}` : placeName(place),
      place,
      folder: root,
      within: repository,
      options: [...inFolder(run.cwd, folder), ...(isUsual || file === undefined ? [] : ['--state', basename(file)])],
      baseUrl: undefined,
      // Whoever wrote the entry leaves it to others.
      isJudged: true,
      isNamed: true,
    };
  });
}

/** The state of each, undefined for a place that holds none, or a sentence that says why it cannot be read. */
export async function statesAt(
  run: Run,
  root: string,
  candidates: readonly Pick<Candidate, 'place' | 'folder' | 'within'>[],
): Promise<readonly (State | undefined | string)[]> {
  const together = candidates.flatMap(({ place }) => (place.backend === 'local' ? [] : place));
  return Promise.all(
    candidates.map(async ({ place, folder, within }) => {
      try {
        if (place.backend !== 'local') return await sharedState(run, { place, root, together });
        const path = joined(folder, place.path);
        const store = await run.openState({ path, name: relative(root, path), within });
        return (await readState(store)).state ?? (await committedState(run, root, path));
      } catch (error) {
        if (error instanceof Failure && error.code !== 'interrupted')
          return [error.message, error.hint ?? ''].join(' ').trim();
        throw error;
      }
    }),
  );
}

async function sharedState(
  run: Run,
  options: { readonly place: SharedPlace; readonly root: string; readonly together: readonly SharedPlace[] },
): Promise<State | undefined> {
  return (await readState(await run.openSharedState(options))).state;
}

/** A sparse checkout leaves out files that the commit has. */
async function committedState(run: Run, root: string, path: string): Promise<State | undefined> {
  const name = relative(root, path);
  const files = await (await run.openCheckout(root)).committed({ path: name });
  const key = name.replaceAll('\\', '/');
  const text = files?.get(key);
  if (text !== undefined) return parseState(text, name);
  if (files !== undefined && !files.has(key)) return undefined;
  const message = `Git does not tell what the commit has as ${name}, which is not on the disk.`;
  throw new Failure('state-unreadable', message);
}
