// The neighbours of a run and their states: other environments, other workspaces of the repository, and what `ignore` names.
// Nothing is read at a server that this run's own state does not use, unless `ignore` names it. Takes no lock.

import { basename, dirname, join, posix, relative } from 'node:path';
import { judgeFindings } from '../../declare/acceptances.ts';
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
import { shellWord } from '../../model/values/words.ts';
import { type Config, configNames } from '../../model/workspace/config.ts';
import { type Finding, placeOf, severityOf } from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import {
  isSameServer,
  ownLine,
  placeName,
  type SharedPlace,
  type StatePlace,
  usualFile,
} from '../../model/workspace/state-place.ts';
import { readState } from '../../state/current-state.ts';
import { parseState } from '../../state/format/parse-state.ts';
import { joined } from './place-of-state.ts';
import type { Run, Session } from './run.ts';

type Here = Pick<Session, 'workspace'> & { readonly loaded: Pick<Session['loaded'], 'config'> };

/** A state that may be a neighbour's, and how people reach it. */
export interface Candidate {
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
  /** True for another environment of this workspace, and for it without one. */
  readonly isEnvironment?: true;
  /** The environment; undefined for a workspace without one. */
  readonly environment?: string | undefined;
  /** True for the part of an almanac.yaml that its environments share. */
  readonly isBase?: boolean;
  readonly isJudged: boolean;
  /** True if `ignore` names it: then any server may be asked. */
  readonly isNamed?: boolean;
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
  const trackers = new Map<string, OtherTracker>();
  const open: OpenElsewhere[] = [];
  const read: ReadNeighbour[] = [];
  const unread: UnreadNeighbour[] = [];
  for (const { candidate, state, failure, isAsked } of await statesOf(run, here.workspace.root, config, candidates)) {
    const { who, options } = candidate;
    if (failure !== undefined) {
      const { message, hint = '' } = failure;
      const why = `The state of ${who} was not read. ${message}`;
      if (isAsked) unread.push({ who, why: `${why} ${hint}`.trim() });
      else if (run.options.verbose) say({ who, why });
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
  const names = [...unread, ...unknown].map(({ who }) => `unread-neighbours=${who.replaceAll(/[\\,]/g, '\\$&')}`);
  return `\`--allow ${shellWord(names.join(','))}\``;
}

/** A place that may not be read has a failure that says why, as one that cannot be read has. */
export interface StateThere<T extends Candidate = Candidate> {
  readonly candidate: T;
  /** Undefined for a place that holds none. */
  readonly state?: State | undefined;
  readonly failure?: Failure;
  readonly isAsked: boolean;
}

/** The states of others that a run has read, by place. */
const statesRead = new WeakMap<Run, Map<string, Promise<State | undefined>>>();

/** Reads states of others, each once a run and those of one remote together. The only reader of a state that is not the run's own. */
export async function statesOf<T extends Candidate>(
  run: Run,
  root: string,
  { state: own }: Pick<Config, 'state'>,
  candidates: readonly T[],
): Promise<readonly StateThere<T>[]> {
  const whyNotAsked = ({ place, isNamed }: Candidate) => {
    // A place that the user names is the only one that this run may read.
    if (run.options.state !== undefined)
      return new Failure('state-unreadable', '`--state` names the only one that this run reads.');
    if (isNamed || isSameServer(place, own)) return undefined;
    const message = `It is in ${placeName(place)}, and that of this run in ${placeName(own)}.`;
    return new Failure('state-unreadable', message, {
      hint: 'Only `ignore: [{ state: … }]` in almanac.yaml lets a run read a state at another server.',
    });
  };
  const known = statesRead.get(run) ?? new Map<string, Promise<State | undefined>>();
  statesRead.set(run, known);
  const isNew = ({ place, folder }: Candidate) => !known.has(keyOf(place, folder));
  const asked = candidates.filter((candidate) => isNew(candidate) && whyNotAsked(candidate) === undefined);
  const together = asked.flatMap(({ place }) => (place.backend === 'local' ? [] : place));
  return Promise.all(
    candidates.map(async (candidate) => {
      const failure = whyNotAsked(candidate);
      if (failure !== undefined) return { candidate, failure, isAsked: false };
      const key = keyOf(candidate.place, candidate.folder);
      const reading = known.get(key) ?? stateAt(run, root, candidate, together);
      known.set(key, reading);
      try {
        return { candidate, state: await reading, isAsked: true };
      } catch (error) {
        if (!(error instanceof Failure) || error.code === 'interrupted') throw error;
        return { candidate, failure: error, isAsked: true };
      }
    }),
  );
}

async function stateAt(
  run: Run,
  root: string,
  { place, folder, within }: Candidate,
  together: readonly SharedPlace[],
): Promise<State | undefined> {
  if (place.backend !== 'local') return (await readState(await run.openSharedState({ place, root, together }))).state;
  const path = joined(folder, place.path);
  const store = await run.openState({ path, name: relative(root, path), within });
  return (await readState(store)).state ?? (await committedState(run, root, path));
}

/** Each place once, without that of this run, and without what belongs to another organization by its almanac.yaml. */
async function candidatesOf(run: Run, workspace: Here['workspace'], config: Config) {
  const { root } = workspace;
  const beside = await workspacesBeside(run, workspace);
  const isNamed = namedBy(config, root);
  const workspaces = beside.candidates.map((candidate) => ({ ...candidate, isNamed: isNamed(candidate) }));
  const all = [...(await environmentsOf(run, root, config)), ...workspaces, ...(await namedIn(run, root, config))];
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

/** Tells whether `ignore` names a place. */
function namedBy({ ignore }: Config, root: string): (candidate: Pick<Candidate, 'place' | 'folder'>) => boolean {
  const named = new Set(ignore.flatMap(({ state }) => (state === undefined ? [] : keyOf(state, root))));
  return ({ place, folder }) => named.has(keyOf(place, folder));
}

/** Equal for places that are one. `folder` is the absolute folder that the path of a file begins at. */
export function keyOf(place: StatePlace, folder: string): string {
  return place.backend === 'local' ? posix.normalize(joined(folder, place.path)) : placeName(place);
}

/** In the middle of a sentence. */
export function environmentNamed(name: string | undefined): string {
  return name === undefined ? 'the workspace without `--env`' : `the environment ${name}`;
}

/** The other environments of a workspace, and it without one. */
export async function environmentsOf(run: Run, root: string, config: Config): Promise<readonly Candidate[]> {
  const { environment, environments } = config;
  const { cwd, options } = run;
  const named = options.config === undefined ? [] : ['--config', options.config];
  const without = [...inFolder(cwd, root), ...named];
  const isNamed = namedBy(config, root);
  const found: Candidate[] = [];
  for (const name of environments.length === 0 ? [] : [undefined, ...environments]) {
    if (name === environment) continue;
    const { state: place, api, safety } = (await run.inEnvironment(name).settings()).usable;
    found.push({
      who: environmentNamed(name),
      place,
      folder: root,
      within: root,
      options: name === undefined ? without : ['--env', name],
      isEnvironment: true,
      isNamed: isNamed({ place, folder: root }),
      environment: name,
      baseUrl: api.baseUrl,
      isJudged: safety.rows !== undefined,
    });
  }
  return found;
}

function inFolder(cwd: string, folder: string): readonly string[] {
  return ['--chdir', relative(cwd, folder) || '.'];
}

/**
 * The session with an error for each place of its states in which another workspace of the repository keeps one as well: each of the
 * two would delete what only the other one declares.
 */
export async function withSharedPlaces<T extends Session>(run: Run, session: T): Promise<T> {
  const { workspace, loaded } = session;
  const { config } = loaded;
  const repository = workspace.repository();
  if (config === undefined || run.options.state !== undefined) return session;
  if (repository?.mayHaveOther(configNames, workspace.configFile) !== true) return session;
  const { root } = workspace;
  const { environment, environments, file = '' } = config;
  // A run without `--env` where it is required uses no place.
  const isUnused = config.environmentRequired && environment === undefined && environments.length > 0;
  const ownPlaces = [
    ...(isUnused ? [] : [{ environment, place: config.state }]),
    ...(await environmentsOf(run, root, config)).filter((each) => each.environment !== undefined),
  ];
  const { candidates } = await workspacesBeside(run, workspace);
  const found = ownPlaces.flatMap((own): readonly Finding[] => {
    const isSame = ({ place, folder, isBase }: Candidate) => !isBase && keyOf(place, folder) === keyOf(own.place, root);
    const other = candidates.find(isSame)?.who;
    if (other === undefined) return [];
    const name = own.environment;
    const line = ownLine(own.place, basename(root).replaceAll(/[^A-Za-z0-9_-]+/g, '-'));
    const where = name === undefined ? '`state`' : `\`state\` of \`environments.${name}\``;
    return [
      {
        code: 'same-state-place',
        message: `${name === undefined ? 'This workspace' : `The environment ${name}`} keeps its state in the same place as ${other}, so each would delete what only the other declares.`,
        hint: `Write \`${line}\` in ${where}. If the state that is there is that of this workspace, give ${other} another place instead. Where nobody applies one of the two, such as a template, write \`checks: { same-state-place: off }\`.`,
        place: placeOf(
          { file, document: 0, pointer: '' },
          'key',
          ...(name === undefined ? ['state'] : ['environments', name]),
        ),
      },
    ];
  });
  return { ...session, loaded: { ...loaded, findings: [...loaded.findings, ...judgeFindings(found, loaded)] } };
}

/** The other workspaces of the repository, as the checked-out commit has them. */
export async function workspacesBeside(run: Run, { root, configFile }: Here['workspace']) {
  const candidates: Candidate[] = [];
  const unknown: UnreadNeighbour[] = [];
  if (run.options.state !== undefined) return { candidates, unknown };
  const checkout = await run.openCheckout(root);
  const files = await checkout.committed({ names: configNames });
  if (files === undefined) {
    const why = 'Git does not tell which other workspaces this repository has, so what they track is not known.';
    unknown.push({ who: 'another workspace of this repository', why });
  }
  // A checkout may leave this workspace's own almanac.yaml out, and `--config` may name another file beside it.
  const own = configFile === undefined || configNames.includes(configFile) ? '.' : undefined;
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
export async function statesIn({
  path,
  text,
  folder,
  cwd,
}: {
  path: string;
  text: string;
  folder: string;
  cwd: string;
}) {
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
      environment: name,
      place: usable.state,
      isBase: name === undefined && environments.length > 0,
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
    const isUsual = file === undefined || basename(file) === usualFile(undefined);
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
