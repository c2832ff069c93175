// Compares almanac.yaml and the table of permissions with those of another commit. That is mostly one of the base branch.
// What differs there changes nothing in Omni, so only these dangers show it. The files of the commit come from the clone.

import { join, posix } from 'node:path';
import { type LoadedConfig, loadConfig } from '../../declare/load/load-config.ts';
import { everyRow, type Permission, type Permissions } from '../../declare/rows/permissions.ts';
import { readPermissions } from '../../declare/rows/read-permissions.ts';
import type { Workspace } from '../../declare/workspace.ts';
import type { DangerCode, DangerItem, FoundDanger } from '../../model/plan/danger.ts';
import { groupBy } from '../../model/values/collections.ts';
import { withoutCredentials } from '../../model/values/credentials.ts';
import { utcDay } from '../../model/values/day.ts';
import { domainOf } from '../../model/values/domains.ts';
import { isJsonObject } from '../../model/values/json.ts';
import { countOf, inBackticks, shellWord } from '../../model/values/words.ts';
import { type Config, configNames, configPathsFrom } from '../../model/workspace/config.ts';
import { hasErrors } from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { placeName } from '../../model/workspace/state-place.ts';
import type { Checkout } from '../../state/git/checkout.ts';
import type { CommittedFiles, NotCompared } from '../../state/git/read-commit.ts';
import { type Candidate, keyOf, statesIn } from '../base/neighbours.ts';
import { folderOf } from '../base/place-of-state.ts';
import type { Run } from '../base/run.ts';

export interface Base {
  readonly dangers: readonly FoundDanger[];
  /** The table of permissions of the commit; undefined if it names none, or if nobody could read it. */
  readonly rows?: Permissions | undefined;
}

/** The differences of the checkout from the commit that a name stands for. Throws Failure usage if the clone lacks it. */
export async function compareBase(run: Run, name: string): Promise<Base> {
  const workspace = await run.workspace();
  const checkout = await run.openCheckout(workspace.root);
  const clone = { run, workspace, checkout, ...(await placesIn(run, workspace)) };
  const commit = await commitNamed(checkout, name);
  const configured = await configOf(workspace, run.options.env);
  const here = sideOf(configured, clone.at);
  const isOwn = (path: string) => clone.configs.some((paths) => paths.includes(path));
  const isWanted = (path: string) => isConfig(path) || isOwn(path) || path === here.table;
  const files = await filesOf(clone, commit, isWanted);
  if (files === undefined) return { dangers: [notCompared('The base branch could not be read')] };

  const own = findConfig(clone, files);
  if ('why' in own) return { dangers: [notCompared('The base branch could not be read', [own.why])] };
  const { path, text } = own;
  const environment = path === undefined ? undefined : run.options.env;
  const committed = { configFile: path && posix.basename(path), read: () => ({ text }) };
  const configuredThere = await configOf(committed, environment);
  if (configuredThere.findings.some(({ code, address }) => code === 'unknown-environment' && address === undefined))
    return { dangers: [notCompared(`The base branch has no environment called ${environment}`)] };

  const there = sideOf(configuredThere, posix.dirname(path ?? '.'));
  const isRead = there.table === undefined || isWanted(there.table);
  const withTable = isRead ? files : await filesOf(clone, commit, (each) => each === there.table);
  const tables = tablesOf(clone, here, there, withTable);
  const neighbours = await newNeighbours(clone, files, { path, config: here.config });
  const unread = [
    ...(there.hasErrors ? [{ subject: path ?? '', detail: 'it has errors there: only its other parts count' }] : []),
    ...tables.unread,
    ...neighbours.unread,
  ];
  const count = countOf(unread.length, 'file');
  return {
    rows: tables.there,
    dangers: [
      ...(here.hasErrors ? [ownErrors] : []),
      ...(unread.length === 0
        ? []
        : [danger('base-unread', `${count} of the base branch could not be compared`, unread)]),
      ...otherSettings(here, there),
      ...(tables.unread.length === 0 ? otherLines(tables.here?.lines() ?? [], tables.there?.lines() ?? []) : []),
      ...neighbours.dangers,
    ],
  };
}

function danger(code: DangerCode, title: string, items: readonly DangerItem[]): FoundDanger {
  return { code, title, items };
}

function notCompared(why: string, items: readonly DangerItem[] = []): FoundDanger {
  const what = 'so almanac.yaml and the table of permissions were not compared with the base branch';
  return danger('base-unread', `${why}, ${what}`, items);
}

const ownErrors = danger(
  'base-unread',
  'This branch has an almanac.yaml with errors: only its other parts were compared with the base branch',
  [],
);

async function commitNamed(checkout: Checkout, name: string): Promise<string> {
  const found = await checkout.commitNamed(name);
  if (found === undefined)
    throw new Failure('usage', `\`--base ${name}\` names a commit, and git knows no commits here.`, {
      hint: 'Run it in a clone of the repository, where git is installed.',
    });
  const { commit, isShallow } = found;
  if (commit !== undefined) return commit;
  const wanted = shellWord(name.replace(/^(?:refs\/remotes\/)?origin\//, '').replace(/[~^].*/, ''));
  const fetch = `git fetch ${isShallow ? '--depth=1 ' : ''}origin ${wanted}`;
  throw new Failure('usage', `The clone does not have the commit ${name}.`, {
    hint: `Fetch it with \`${fetch}\`. After that, \`--base FETCH_HEAD\` names it as well.`,
  });
}

/** The workspace in its repository; paths are from the root of that. */
interface Clone {
  readonly run: Run;
  readonly workspace: Workspace;
  readonly checkout: Checkout;
  readonly root: string;
  /** The folder of the workspace. */
  readonly at: string;
  /** The paths at which its almanac.yaml may be, nearest first, those of one folder together. */
  readonly configs: readonly (readonly string[])[];
}

async function placesIn(run: Run, workspace: Workspace): Promise<Pick<Clone, 'root' | 'at' | 'configs'>> {
  const folder = folderOf(run, run.options);
  const { root } = (await run.placeInRepository(workspace.root)) ?? workspace;
  const real = (await run.placeInRepository(folder))?.folder || '.';
  const searched = [...groupBy(configPathsFrom(real), ({ at }) => at).values()];
  const at = (await run.placeInRepository(workspace.root))?.folder || '.';
  const isNamed = run.options.config !== undefined;
  return {
    root,
    at,
    configs: isNamed
      ? [[posix.join(at, workspace.configFile ?? '.')]]
      : searched.map((there) => there.map(({ path }) => path)),
  };
}

const isConfig = (path: string): boolean =>
  configNames.includes(posix.basename(path)) && !path.split('/').includes('node_modules');

/** The text of a file of the commit, or why nobody knows it; undefined only for a path that its tree does not have. */
type TextThere = { readonly text: string } | { readonly why: string } | undefined;

interface Files extends CommittedFiles {
  readonly textOf: (path: string) => TextThere;
}

const whyNot: Readonly<Record<NotCompared, string>> = {
  lfs: 'it is in Git LFS, and the clone does not have it: not compared',
  unread: 'git does not give it as a text in UTF-8: not compared',
};

async function filesOf(
  { checkout, workspace, at }: Clone,
  commit: string,
  isWanted: (path: string) => boolean,
): Promise<Files | undefined> {
  const files = await checkout.filesAt(commit, async (paths) => paths.filter(isWanted), 'repository');
  if (files === undefined) return undefined;
  const paths = new Set(files.paths);
  const textOf = (path: string): TextThere => {
    const [submodule = '', isSame] = [...files.submodules].find(([each]) => path.startsWith(`${each}/`)) ?? [];
    if (isSame === false)
      return { why: `it is in the submodule ${inBackticks(submodule)}, at another commit there: not compared` };
    if (!isSame && !paths.has(path)) return undefined;
    const text = files.texts.get(path);
    if (text !== undefined) return { text };
    const why = files.notCompared.get(path);
    const here = why === undefined ? workspace.readInRepository(posix.relative(at, path)) : { why: whyNot[why] };
    return 'finding' in here ? { why: here.finding.message } : here;
  };
  return { ...files, textOf };
}

/** The almanac.yaml of the commit; without a path if its tree has none. */
function findConfig(
  { configs }: Clone,
  { textOf }: Files,
): { readonly path?: string; readonly text: string } | { readonly why: DangerItem } {
  for (const names of configs) {
    const [first, second] = names.flatMap((path) => {
      const found = textOf(path);
      return found === undefined ? [] : [{ path, found }];
    });
    if (first === undefined) continue;
    const { path, found } = first;
    if (second !== undefined) return { why: { subject: path, detail: `${inBackticks(second.path)} is beside it` } };
    return 'why' in found ? { why: { subject: path, detail: found.why } } : { path, text: found.text };
  }
  return { text: '' };
}

/** The configuration as the file alone says it: no variable of this machine counts. */
function configOf(workspace: Parameters<typeof loadConfig>[0], environment: string | undefined) {
  return loadConfig(workspace, () => undefined, environment);
}

/** The checkout or the commit. */
interface Side {
  readonly config: Config;
  readonly hasErrors: boolean;
  /** The path of its table of permissions. */
  readonly table: string | undefined;
  /** Where the state is kept: the path of a file from the root of the repository, or the name of another place. */
  readonly place: string;
}

function sideOf({ usable: config, findings }: LoadedConfig, at: string): Side {
  const { state, safety } = config;
  return {
    config,
    hasErrors: hasErrors(findings),
    table: safety.rows && posix.join(at, safety.rows.allow),
    place: state.backend === 'local' ? posix.join(at, state.path) : placeName(state),
  };
}

/** Keys whose changes the plan shows by itself, or the comparison in another way. */
const apart: ReadonlySet<string> = new Set<keyof Config>([
  ...(['file', 'sources', 'defaults', 'variables', 'variableOrigins'] as const),
  ...(['environment', 'environments', 'emulates', 'organizations', 'stateFiles'] as const),
]);

/** A weakened setting changes nothing in Omni, so nobody would look twice; the next pull request is judged by it. */
function otherSettings(here: Side, there: Side): readonly FoundDanger[] {
  const isNew = there.config.file === undefined;
  const [url, urlThere] = [here, there].map(({ config }) => config.api.baseUrl ?? 'none') as [string, string];
  const soFar = (text: string) => `so far ${inBackticks(withoutCredentials(text))}`;
  const { backend } = here.config.state;
  const isMoved = here.place !== there.place || backend !== there.config.state.backend;
  const moved: FoundDanger[] = [];
  if (!isNew && url !== urlThere)
    moved.push(
      danger('base-url', 'The base URL is not that of the base branch: the token goes to a different server', [
        { subject: withoutCredentials(url), detail: soFar(urlThere) },
      ]),
    );
  if (!isNew && isMoved)
    moved.push(
      danger('base-state', 'The state is not kept where the base branch keeps it', [
        { subject: here.place, detail: soFar(there.place) },
      ]),
    );
  const settings = ({ config, table }: Side): Readonly<Record<string, unknown>> => {
    const { api, state, safety } = config;
    const rows = safety.rows && { ...safety.rows, allow: table };
    return {
      ...config,
      api: { ...api, baseUrl: undefined },
      state: isMoved || { ...state, path: '' },
      safety: { ...safety, rows },
    };
  };
  const [now, then] = [settings(here), settings(there)];
  // The plan shows everything else of a new file.
  const compared = isNew ? ['safety', 'checks', 'ignore'] : Object.keys({ ...then, ...now });
  return [
    ...moved,
    ...compared
      .filter((name) => !apart.has(name))
      .flatMap((name) => {
        const [is, was] = [now, then].map((all) => leavesOf(all[name], isCollection(all[name]) ? '' : name));
        const items = differences(is ?? [], was ?? []);
        const title = `The section ${name} of almanac.yaml is not that of the base branch`;
        return items.length === 0 ? [] : danger('base-settings', title, items);
      }),
  ];
}

const isCollection = (value: unknown): boolean => Array.isArray(value) || isJsonObject(value);

/** The settings in a section, an entry of a list each. */
function leavesOf(value: unknown, path = ''): readonly string[] {
  const leaf = (entry: unknown) => withoutCredentials(`${path}${path === '' ? '' : ': '}${JSON.stringify(entry)}`);
  if (Array.isArray(value)) return value.map(leaf);
  if (isJsonObject(value))
    return Object.entries(value).flatMap(([key, entry]) => leavesOf(entry, path === '' ? key : `${path}.${key}`));
  return value === undefined ? [] : [leaf(value)];
}

function differences(now: readonly string[], then: readonly string[]): readonly DangerItem[] {
  const [isNow, wasThen] = [new Set(now), new Set(then)];
  return [
    ...now.filter((each) => !wasThen.has(each)).map((each) => ({ subject: `+ ${each}` })),
    ...then.filter((each) => !isNow.has(each)).map((each) => ({ subject: `- ${each}` })),
  ];
}

/** The tables of permissions of both sides; `unread` says why that of the commit is not known. */
function tablesOf({ run, workspace, at }: Clone, here: Side, there: Side, files: Files | undefined) {
  const today = utcDay(run.clock.now());
  const read = (path: string, text: string) => readPermissions({ path, text }, today).value;
  const now = here.table === undefined ? undefined : workspace.read(posix.relative(at, here.table));
  const known = now === undefined || 'finding' in now ? undefined : read(here.table ?? '', now.text);
  if (there.table === undefined) return { here: known, there: undefined, unread: [] };
  const found = files === undefined ? { why: whyNot.unread } : (files.textOf(there.table) ?? { text: '' });
  if ('why' in found) return { here: known, there: undefined, unread: [{ subject: there.table, detail: found.why }] };
  return { here: known, there: read(there.table, found.text), unread: [] };
}

/** A line that is added here, and used by the next pull request, is a danger of neither plan. */
function otherLines(now: readonly Permission[], then: readonly Permission[]): readonly FoundDanger[] {
  const [isNow, wasThen] = [now, then].map((lines) => new Set(lines.map(({ text }) => text))) as [
    Set<string>,
    Set<string>,
  ];
  const fresh = now.filter(({ text }) => !wasThen.has(text));
  const gone = then.filter(({ text }) => !isNow.has(text));
  const known = new Set(then.map(domainIn));
  // A receiver who already sees one value and gets another one must not escape the reviewer.
  const isKnown = (line: Permission) => known.has(domainIn(line));
  const sorted = [...fresh.filter(isKnown), ...fresh.filter((line) => !isKnown(line))];
  const items = (sign: string, lines: readonly Permission[]) =>
    lines.map(({ text }) => ({ subject: `${sign} ${text}` }));
  const [open, others] = [
    sorted.filter(({ shows }) => shows === everyRow),
    sorted.filter(({ shows }) => shows !== everyRow),
  ];
  const lines = (count: number) => countOf(count, 'line is', 'lines are');
  return [
    danger(
      'base-permissions',
      `${countOf(open.length, 'more receiver', 'more receivers')} may see every row`,
      items('+', open),
    ),
    danger(
      'base-permissions',
      `${lines(others.length)} new in the table of permissions, and ${lines(gone.length)} gone`,
      [...items('+', others), ...items('-', gone)],
    ),
  ];
}

/** The receiver's domain, or the whole receiver if there is none. */
function domainIn({ receiver }: Permission): string {
  return (domainOf(receiver) ?? receiver).toLowerCase();
}

/** The states that other workspaces and environments keep here and not in the commit: what they track is left to them. */
async function newNeighbours(
  { run, workspace, checkout, root, at }: Clone,
  files: Files,
  own: { readonly path: string | undefined; readonly config: Config },
): Promise<{ readonly dangers: readonly FoundDanger[]; readonly unread: readonly DangerItem[] }> {
  const { configFile } = workspace;
  const ours = configFile && posix.join(at, configFile);
  const isCompared = (path: string) => isConfig(path) || path === ours;
  const there = new Set(files.paths);
  const isSame = (path: string) => there.has(path) && !files.texts.has(path) && !files.notCompared.has(path);
  const known = [...files.pathsNow, ...(ours === undefined ? [] : [ours])].filter(isCompared);
  if (known.every(isSame)) return { dangers: [], unread: [] };
  const committed = await checkout.committed({ names: configNames });
  if (committed === undefined)
    return { dangers: [], unread: [{ subject: '.', detail: 'git does not tell which workspaces this commit has' }] };
  const texts = new Map([...committed].map(([path, text]) => [posix.join(at, path), text]));
  const here = configFile === undefined ? { text: '' } : workspace.read(configFile);
  if (ours !== undefined) texts.set(ours, 'text' in here ? here.text : undefined);
  const states = (path: string, text: string | undefined) =>
    text === undefined ? undefined : statesIn({ path, text, folder: join(root, posix.dirname(path)), cwd: run.cwd });
  const keyOfState = ({ place, folder, baseUrl }: Candidate) => `${keyOf(place, folder)} ${baseUrl}`;
  const keys = new Set<string>();
  const [found, unread]: [Candidate[], DangerItem[]] = [[], []];
  const changed = [...texts].filter(([path]) => isCompared(path) && !isSame(path));
  for (const path of changed.length === 0 ? [] : files.paths.filter(isCompared)) {
    const text = files.textOf(path);
    if (text !== undefined && 'why' in text) unread.push({ subject: path, detail: text.why });
    else for (const each of (await states(path, text?.text)) ?? []) keys.add(keyOfState(each));
  }
  const ownKey = keyOf(own.config.state, workspace.root);
  for (const [path, text] of changed) {
    // Everything of a workspace that is new as a whole is in the plan.
    if (path === ours && own.path === undefined) continue;
    for (const each of (await states(path, text)) ?? []) {
      const { environment, place, folder } = each;
      const isOwn = path === ours && environment !== undefined;
      if (keyOf(place, folder) !== ownKey)
        found.push(isOwn ? { ...each, who: `the environment ${environment}` } : each);
    }
  }
  const fresh = found.filter((each) => !keys.has(keyOfState(each)));
  const items = fresh.map(({ who, place }) => ({ subject: who, detail: inBackticks(placeName(place)) }));
  const title = `${countOf(fresh.length, 'state is', 'states are')} new beside this one: what a neighbour tracks, this workspace leaves alone`;
  return { dangers: [danger('base-neighbour', title, items)], unread };
}
