// `almanac init`: a new workspace, by questions on a terminal and by options everywhere. What exists is never
// overwritten without --force; .gitignore and .gitattributes are only added to.

import { join, relative, resolve, sep } from 'node:path';
import { workspaceSchema } from '../../declare/workspace-schema.ts';
import { isJsonObject, parseJson } from '../../model/values/json.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { publishedSchemas } from '../../published-schemas.ts';
import { schemaText } from '../../report/text/schema-text.ts';
import { packageName } from '../../version.ts';
import type { Run } from '../base/run.ts';
import type { DataFile } from '../base/world.ts';
import { choose } from './choose.ts';
import type { InitOptions } from './init-command.ts';
import { ciFiles } from './scaffold/ci-files.ts';
import { stateBranchOf, stateRemote } from './scaffold/ci-shape.ts';
import { nextSteps } from './scaffold/next-steps.ts';
import {
  type Choices,
  configFile,
  defaultsOf,
  gitFileNames,
  gitFileText,
  workspaceFiles,
} from './scaffold/workspace-files.ts';

export async function init(run: Run, options: InitOptions): Promise<number> {
  const place = await findPlace(run, options);
  // Checked before anything is asked, so that nobody answers questions in vain.
  await refuseExisting(run, options, place, configFiles.map(inFolder(place)));
  const choices = await choose(run, options);
  await refuseShared(run, place, choices);
  const files = filesOf(choices, place);
  await refuseExisting(run, options, place, Object.keys(files));
  const all = { ...files, ...(await gitTexts(run, place, choices)) };
  for (const [path, text] of Object.entries(all)) await fileIn(run, place, path).write(text);
  const shown = (path: string) => shownPath(run, options, place, path);
  warnOfStrayPackage(run, place);
  if (choices.ci !== 'none') await warnOfOtherManager(run, place);
  run.stdout.write(
    `Wrote\n${Object.keys(all)
      .map((path) => `  ${shown(path)}\n`)
      .join('')}\n`,
  );
  run.stdout.write(
    nextSteps(choices, {
      folder: shown(place.folder),
      fromRoot: place.folder,
      isInstalled: place.installedFrom !== undefined,
      isThroughNpx: run.environment('npm_command') === 'exec',
      isRepository: place.isRepository,
      hasRemote: await hasStateRemote(run, place),
    }),
  );
  return 0;
}

/** By path from the root of the repository. */
function filesOf(choices: Choices, place: InitPlace): Readonly<Record<string, string>> {
  const { ci, environments, backend } = choices;
  const { folder, packageFolder, branch } = place;
  const own = Object.entries(
    workspaceFiles(choices, schemasOf(choices), backend === 'git' ? nameable(folder) : folder),
  );
  return {
    ...Object.fromEntries(own.map(([path, text]) => [inFolder(place)(path), text])),
    ...(ci === 'none'
      ? {}
      : ciFiles(ci, { packageName, packageFolder, environments, folder: nameable(folder), branch })),
  };
}

/** The lines of .gitignore and .gitattributes, where they are missing. */
async function gitTexts(run: Run, place: InitPlace, { backend }: Choices): Promise<Readonly<Record<string, string>>> {
  const changed: Record<string, string> = {};
  for (const name of gitFileNames) {
    const path = inFolder(place)(name);
    const before = await fileIn(run, place, path).read();
    const text = gitFileText(name, backend, before);
    if (text !== before) changed[path] = text;
  }
  return changed;
}

/** Throws also for links, which --force does not overwrite. */
async function refuseExisting(
  run: Run,
  options: InitOptions,
  place: InitPlace,
  paths: readonly string[],
): Promise<void> {
  const existing: string[] = [];
  for (const path of paths) if ((await fileIn(run, place, path).read()) !== undefined) existing.push(path);
  if (existing.length === 0 || options.force) return;
  const shown = existing.map((path) => shownPath(run, options, place, path));
  const isOfEditor = existing.every((path) => /(?:^|\/)\.vscode\//.test(path));
  const isForAgents = existing.every((path) => /(?:^|\/)AGENTS\.md$/.test(path));
  throw new Failure('refused', `Nothing was written, because these files already exist: ${shown.join(', ')}.`, {
    hint: isOfEditor
      ? 'Keep them with --editor none, and add what the documentation (editors) shows. --force would replace them.'
      : isForAgents
        ? 'Leave out --agents, and add to it what the documentation (editors) shows. --force would replace it.'
        : 'Choose another folder with --dir, or overwrite them with --force.',
  });
}

const configFiles = [configFile, 'almanac.yml'];

/** Jobs are named as the branch is. Throws also with --force: each of the two would plan to delete the reports of the other. */
async function refuseShared(run: Run, place: InitPlace, { backend }: Choices): Promise<void> {
  if (backend !== 'git' || place.folder === '') return;
  const other = await workspaceLike(run, place);
  if (other === undefined) return;
  const branch = stateBranchOf(place.folder);
  throw new Failure(
    'refused',
    `Nothing was written, because the workspaces ${place.folder} and ${other} would share the state branch ${branch} and the names of jobs.`,
    { hint: 'Choose another folder with --dir: more than `-`, `.`, `/` or case must differ.' },
  );
}

/** Another workspace whose folder becomes the same word, which some file systems and servers take in any case. */
async function workspaceLike(run: Run, place: InitPlace, above = ''): Promise<string | undefined> {
  const { root, folder } = place;
  const wordOf = (path: string) => stateBranchOf(path).toLowerCase();
  for (const name of await run.foldersIn(join(root, above))) {
    const path = above === '' ? name : `${above}/${name}`;
    if (!wordOf(folder).startsWith(wordOf(path))) continue;
    const isThere = async (file: string) => (await fileIn(run, place, `${path}/${file}`).read()) !== undefined;
    const isAlike = path !== folder && wordOf(path) === wordOf(folder);
    if (isAlike && (await Promise.all(configFiles.map(isThere))).includes(true)) return path;
    const below = await workspaceLike(run, place, path);
    if (below !== undefined) return below;
  }
  return undefined;
}

/** A folder becomes a part of a workflow, where `*` and `\${{` would mean something. */
function nameable(folder: string): string {
  if (/^[\p{L}\p{N}._/ -]*$/u.test(folder)) return folder;
  throw new Failure('usage', `The jobs of a CI system cannot name the folder ${folder}.`, {
    hint: 'Use letters, digits, spaces, `.`, `-` and `_`.',
  });
}

function warnOfStrayPackage(run: Run, place: InitPlace): void {
  const path = strayPackage(place);
  if (path === undefined) return;
  run.stderr.write(
    `warning: package.json installs ${packageName} from a file outside of the repository,\nso no other machine can: ${path}\nCopy it into the repository, and npm install --save-dev ./${path.split(/[\\/]/).at(-1)}.\n\n`,
  );
}

const otherLocks = ['pnpm-lock.yaml', 'yarn.lock', 'bun.lock', 'bun.lockb'];

/** The jobs install with `npm ci`, which refuses to work without its own lock file. */
async function warnOfOtherManager(run: Run, place: InitPlace): Promise<void> {
  const { packageFolder, root } = place;
  const isThere = async (name: string) =>
    (await run
      .openDataFile(join(root, packageFolder, name))
      .read()
      .catch(() => '')) !== undefined;
  const [lock] = (await Promise.all(otherLocks.map(async (name) => ((await isThere(name)) ? [name] : [])))).flat();
  if (lock === undefined || (await isThere('package-lock.json'))) return;
  run.stderr.write(
    `warning: The jobs install with npm ci, which needs package-lock.json, and there is\nonly ${lock}. Commit one (npm install --package-lock-only), or write into the\njobs how this repository installs its packages.\n\n`,
  );
}

function inFolder({ folder }: InitPlace): (path: string) => string {
  return (path) => (folder === '' ? path : `${folder}/${path}`);
}

function schemasOf({ timezone }: Choices): { config: string; resources: string } {
  const origin = { file: configFile, document: 0, pointer: '/defaults' };
  return {
    config: schemaText(publishedSchemas['almanac'] ?? {}),
    resources: schemaText(
      workspaceSchema(publishedSchemas['resources'] ?? {}, {
        defaults: [{ sections: defaultsOf(timezone), origin }],
        checks: {},
      }),
    ),
  };
}

/**
 * Where a new workspace is created: its folder, the repository around it, and the package.json that installs Almanac.
 */
interface InitPlace {
  /** The root of the repository; the workspace itself if there is none. Absolute. */
  readonly root: string;
  /** The workspace, from the root; '' for the root. */
  readonly folder: string;
  readonly isRepository: boolean;
  /** Where package.json is, from the root; '' for the root, also if there is none. */
  readonly packageFolder: string;
  /** What package.json installs Almanac from; undefined if it does not. */
  readonly installedFrom: string | undefined;
  /** The default branch, as far as this clone knows it. */
  readonly branch: string | undefined;
}

/** Reads, and writes nothing. */
async function findPlace(run: Run, options: InitOptions): Promise<InitPlace> {
  const workspace = resolve(startOf(run, options), options.dir ?? '.');
  const repository = await run.placeInRepository(workspace);
  const { root, folder } = repository ?? { root: workspace, folder: '' };
  const branch = repository && (await defaultBranch(run, root));
  const named = { root, folder, isRepository: repository !== undefined, branch };
  for (const packageFolder of foldersUpFrom(folder)) {
    const text = await run.openDataFile(join(root, packageFolder, 'package.json')).read();
    if (text !== undefined) return { ...named, packageFolder, installedFrom: installedFrom(text) };
  }
  return { ...named, packageFolder: '', installedFrom: undefined };
}

/** That of the remote, else the one that is checked out. A linked worktree knows neither. */
async function defaultBranch(run: Run, root: string): Promise<string | undefined> {
  const refs = [
    [`refs/remotes/${stateRemote}/HEAD`, `ref: refs/remotes/${stateRemote}/`],
    ['HEAD', 'ref: refs/heads/'],
  ] as const;
  for (const [file, start] of refs) {
    const text = await run
      .openDataFile(join(root, '.git', file))
      .read()
      .catch(() => undefined);
    const name = text?.startsWith(start) ? text.slice(start.length).trim() : '';
    // In a workflow it is a pattern.
    if (/^[\p{L}\p{N}._/-]+$/u.test(name)) return name;
  }
  return undefined;
}

/** A file, by its path from the root. */
function fileIn(run: Run, { root }: InitPlace, path: string): DataFile {
  return run.openDataFile(join(root, path), root);
}

/** As a user finds it from the current folder. */
function shownPath(run: Run, options: InitOptions, { root }: InitPlace, path: string): string {
  return relative(startOf(run, options), join(root, path)).split(sep).join('/');
}

/** Whether the repository has the remote in which a branch can keep the state. A linked worktree counts as one without. */
async function hasStateRemote(run: Run, place: InitPlace): Promise<boolean> {
  const config = place.isRepository
    ? await fileIn(run, place, '.git/config')
        .read()
        .catch(() => undefined)
    : undefined;
  return config?.includes(`[remote "${stateRemote}"]`) ?? false;
}

/** Where package.json takes Almanac from, if that is a file outside of the repository: no other machine finds it. */
function strayPackage({ root, packageFolder, installedFrom }: InitPlace): string | undefined {
  const path = /^file:(.*)$/.exec(installedFrom ?? '')?.[1];
  if (path === undefined) return undefined;
  const target = relative(root, resolve(root, packageFolder, path));
  return target === '..' || target.startsWith(`..${sep}`) || resolve(target) === target ? path : undefined;
}

/** The folder and those above it, up to the root, which is ''. */
function foldersUpFrom(folder: string): readonly string[] {
  const parts = folder === '' ? [] : folder.split('/');
  return Array.from({ length: parts.length + 1 }, (_, index) => parts.slice(0, parts.length - index).join('/'));
}

function installedFrom(manifest: string): string | undefined {
  const value = parseJson(manifest);
  if (!isJsonObject(value)) return undefined;
  for (const name of ['dependencies', 'devDependencies', 'optionalDependencies']) {
    const group = value[name];
    const from = isJsonObject(group) ? group[packageName] : undefined;
    if (typeof from === 'string') return from;
  }
  return undefined;
}

function startOf({ cwd }: Run, { chdir }: InitOptions): string {
  return resolve(cwd, chdir ?? '.');
}
