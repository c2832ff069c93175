// `almanac init`: a new workspace, by questions on a terminal and by options everywhere. Also adds jobs to an existing
// workspace. No existing file is overwritten without --force, nor an almanac.yaml by --ci; .gitignore and
// .gitattributes are only added to.

import { join, relative, resolve, sep } from 'node:path';
import { loadConfig } from '../../declare/load/load-config.ts';
import { invalidWorkspace } from '../../declare/load/refuse-errors.ts';
import { command } from '../../model/values/command.ts';
import { isJsonObject, parseJson } from '../../model/values/json.ts';
import type { Config } from '../../model/workspace/config.ts';
import { configNames } from '../../model/workspace/config.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { nothingDeclared } from '../../model/workspace/resource.ts';
import { secretsOf } from '../../plan/fingerprints.ts';
import { editorSchemaText } from '../../report/text/editor-schema.ts';
import { isExecutable, packageName } from '../../version.ts';
import type { Run } from '../base/run.ts';
import type { DataFile } from '../base/world.ts';
import { choose } from './choose.ts';
import type { InitOptions } from './init-command.ts';
import { type CiSystem, ciFiles } from './scaffold/ci-files.ts';
import { stateBranchOf, stateRemote } from './scaffold/ci-shape.ts';
import { type JobSurroundings, nextSteps, type Surroundings, stepsOfJobs } from './scaffold/next-steps.ts';
import {
  type Choices,
  configFile,
  defaultsOf,
  editorFiles,
  gitFileNames,
  gitFileText,
  workspaceFiles,
} from './scaffold/workspace-files.ts';

export async function init(run: Run, options: InitOptions): Promise<number> {
  const place = await findPlace(run, options);
  const { ci: system = 'none' } = options;
  if (system !== 'none' && (await hasConfig(run, place))) return addJobs(run, options, place, system);
  // Checked before any question, so that nobody answers in vain.
  await refuseExisting(run, options, place, configNames.map(inFolder(place)));
  const { userEmail } = await run.openCheckout(startOf(run, options), run.signal);
  const choices = await choose(run, options, await userEmail());
  await refuseShared(run, place, choices);
  const jobs = choices.ci === 'none' ? noJobs : await jobsOf(run, choices.ci, choices.environments, place);
  const files = { ...filesOf(choices, place), ...jobs.files };
  await refuseExisting(run, options, place, Object.keys(files));
  const all = { ...files, ...(await gitTexts(run, place, choices)) };
  for (const [path, text] of Object.entries(all)) await fileIn(run, place, path).write(text);
  if (choices.ci !== 'none') await warnOfOtherManager(run, place);
  await report(run, options, place, Object.keys(all), (around) => nextSteps(choices, { ...around, ...jobs }));
  return 0;
}

/** Adds the jobs to an existing workspace: nothing else is written, even with --force. */
async function addJobs(run: Run, options: InitOptions, place: InitPlace, ci: CiSystem): Promise<number> {
  refuseChoices(options);
  const configs = await configsIn(run, place);
  await refuseShared(run, place, { backend: 'git' });
  const secrets = await secretsIn(run, place);
  const { files, ...jobs } = await jobsOf(run, ci, configs[0]?.environments ?? [], place, secrets);
  await refuseExisting(run, options, place, Object.keys(files));
  for (const [path, text] of Object.entries(files)) {
    sayDropped(run, shownPath(run, options, place, path), (await fileIn(run, place, path).read()) ?? '', text);
    await fileIn(run, place, path).write(text);
  }
  await warnOfOtherManager(run, place);
  await report(run, options, place, Object.keys(files), (around) => stepsOfJobs(ci, configs, { ...around, ...jobs }));
  return 0;
}

/** The variables that the source files take from the environment: the apply needs each. */
async function secretsIn(run: Run, { root, folder }: InitPlace): Promise<readonly string[]> {
  const workspace = await run.openWorkspace({ cwd: join(root, folder), signal: run.signal });
  const { desired } = await run.loadFrom(workspace, { everywhere: true });
  const names = new Set(secretsOf(desired).flatMap(({ variables }) => variables));
  return [...names].filter((name) => name !== 'OMNI_API_TOKEN').sort();
}

/** Names the lines with secrets that somebody has added to a job, and that the new one does not have. */
function sayDropped(run: Run, path: string, before: string, after: string): void {
  const inText = (text: string) =>
    [...text.matchAll(/^ *(\S+: .*\$\{\{ *secrets\..*)$/gm)].map(([, line = '']) => line);
  const kept = new Set(inText(after));
  const dropped = [...new Set(inText(before))].filter((line) => !kept.has(line));
  if (dropped.length === 0) return;
  run.say(`warning: ${path} had these lines with secrets. Add again what the job needs:`, run.stderr);
  for (const line of dropped) run.say(`  ${line}`, run.stderr);
}

/** The options that almanac.yaml or an import decides already. */
const ofNewWorkspace = [
  ...(['baseUrl', 'environments', 'internalDomains', 'timezone', 'start'] as const),
  ...(['destination', 'backend', 'editor', 'agents'] as const),
] as const satisfies readonly (keyof InitOptions)[];

function refuseChoices(options: InitOptions): void {
  const chosen = ofNewWorkspace.find((name) => (options[name] ?? false) !== false && options[name] !== 'none');
  if (chosen === undefined) return;
  const name = chosen.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw new Failure(
    'usage',
    `\`--ci\` adds only jobs to a workspace that exists, and \`--${name}\` is for a new one.`,
    {
      hint: `Leave out --${name}, or choose another folder with --dir.`,
    },
  );
}

/** The configuration of the one organization, or of each environment. Throws Failure invalid-workspace. */
async function configsIn(run: Run, { root, folder }: InitPlace): Promise<readonly Config[]> {
  const workspace = await run.openWorkspace({ cwd: join(root, folder), signal: run.signal });
  // The files alone decide here, so no variable contradicts them about the organization and the state.
  const read = async (environment: string | undefined) => {
    const { config, findings, file } = await loadConfig(workspace, () => undefined, environment);
    if (config !== undefined) return config;
    throw invalidWorkspace('almanac.yaml has errors; nothing was written.', findings, {
      desired: nothingDeclared,
      fileNamed: () => file,
    });
  };
  const shared = await read(undefined);
  return shared.environments.length === 0 ? [shared] : Promise.all(shared.environments.map(read));
}

async function report(
  run: Run,
  options: InitOptions,
  place: InitPlace,
  paths: readonly string[],
  steps: (around: Omit<Surroundings, keyof JobSurroundings>) => string,
): Promise<void> {
  const shown = (path: string) => shownPath(run, options, place, path);
  warnOfStrayPackage(run, place);
  run.stdout.write(`Wrote\n${paths.map((path) => `  ${shown(path)}\n`).join('')}\n`);
  run.stdout.write(
    steps({
      folder: shown(place.folder),
      fromRoot: place.folder,
      isInstalled: place.installedFrom !== undefined,
      isThroughNpx: !isExecutable && run.environment('npm_command') === 'exec',
      isRepository: place.isRepository,
      hasRemote: await hasStateRemote(run, place),
    }),
  );
}

/** Keyed by path from the root of the repository. */
function filesOf(choices: Choices, place: InitPlace): Readonly<Record<string, string>> {
  const { backend } = choices;
  const { folder } = place;
  const own = Object.entries(
    workspaceFiles(choices, schemasOf(choices), backend === 'git' ? nameable(folder) : folder),
  );
  return {
    ...Object.fromEntries(own.map(([path, text]) => [inFolder(place)(path), text])),
    ...editorFiles(choices, folder),
  };
}

/** `files` are keyed by path from the root of the repository. */
interface Jobs extends JobSurroundings {
  readonly files: Readonly<Record<string, string>>;
}

const noJobs: Jobs = { files: {}, guessedBranch: undefined, includedPipeline: undefined };

async function jobsOf(
  run: Run,
  ci: CiSystem,
  environments: readonly string[],
  place: InitPlace,
  secrets: readonly string[] = [],
): Promise<Jobs> {
  const { packageFolder } = place;
  const folder = nameable(place.folder);
  const shape = { packageName, packageFolder, environments, folder, secrets };
  if (ci === 'github') {
    const { name, isKnown } = await defaultBranch(run, place);
    const files = ciFiles(ci, { ...shape, branch: name });
    return { ...noJobs, files, guessedBranch: isKnown ? undefined : name };
  }
  const isBeside = await hasOtherPipeline(run, place);
  const files = ciFiles(ci, { ...shape, isBeside });
  return { ...noJobs, files, includedPipeline: folder === '' && !isBeside ? undefined : Object.keys(files)[0] };
}

/** A pipeline of GitLab that has none of these jobs: it is the user's, and never replaced. */
async function hasOtherPipeline(run: Run, place: InitPlace): Promise<boolean> {
  const text = await fileIn(run, place, inFolder(place)('.gitlab-ci.yml')).read();
  return text !== undefined && !text.includes('/dist/cli.cjs ci review');
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
  throw new Failure('refused', `Nothing was written, because these files already exist: ${shown.join(', ')}.`, {
    hint: hintAbout(existing, place),
  });
}

function hintAbout(existing: readonly string[], place: InitPlace): string {
  if (existing.every((path) => /(?:^|\/)\.vscode\//.test(path)))
    return 'Keep them with --editor none, and add what the documentation (editors) shows. --force would replace them.';
  if (existing.every((path) => /(?:^|\/)AGENTS\.md$/.test(path)))
    return 'Leave out --agents, and add to it what the documentation (editors) shows. --force would replace it.';
  if (existing.some((path) => configNames.map(inFolder(place)).includes(path)))
    return `This folder is a workspace already. \`${command('init', '--ci', 'github')}\` or \`--ci gitlab\` adds the jobs to it, and --dir chooses another folder.`;
  return 'Choose another folder with --dir, or overwrite them with --force.';
}

async function hasConfig(run: Run, place: InitPlace): Promise<boolean> {
  const texts = await Promise.all(configNames.map((name) => fileIn(run, place, inFolder(place)(name)).read()));
  return texts.some((text) => text !== undefined);
}

/** Jobs are named like the branch. Throws also with --force: each of two would plan to delete the other's reports. */
async function refuseShared(run: Run, place: InitPlace, { backend }: Pick<Choices, 'backend'>): Promise<void> {
  if (backend !== 'git' || place.folder === '') return;
  const similarWorkspace = await workspaceLike(run, place);
  if (similarWorkspace === undefined) return;
  const branch = stateBranchOf(place.folder);
  throw new Failure(
    'refused',
    `Nothing was written, because the workspaces ${place.folder} and ${similarWorkspace} would share the state branch ${branch} and the names of jobs.`,
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
    if (isAlike && (await Promise.all(configNames.map(isThere))).includes(true)) return path;
    const below = await workspaceLike(run, place, path);
    if (below !== undefined) return below;
  }
  return undefined;
}

/** A folder becomes part of a workflow, where `*` and `\${{` would have a meaning. */
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

function schemasOf({ timezone, environments }: Choices): { config: string; resources: string } {
  const origin = { file: configFile, document: 0, pointer: '/defaults' };
  const settings = { defaults: [{ sections: defaultsOf(timezone), origin }], checks: {}, environments };
  return { config: editorSchemaText('almanac', settings), resources: editorSchemaText('resources', settings) };
}

/** The place of a new workspace: its folder, the repository around it, and the package.json that installs Almanac. */
interface InitPlace {
  /** The root of the repository; the workspace itself if there is none. Absolute. */
  readonly root: string;
  /** The workspace, from the root; '' for the root. */
  readonly folder: string;
  readonly isRepository: boolean;
  /** The folder of package.json, from the root; '' for the root, and if there is no such file. */
  readonly packageFolder: string;
  /** The source from which package.json installs Almanac; undefined if it does not. */
  readonly installedFrom: string | undefined;
}

/** Reads, and writes nothing. */
async function findPlace(run: Run, options: InitOptions): Promise<InitPlace> {
  const workspace = resolve(startOf(run, options), options.dir ?? '.');
  const repository = await run.placeInRepository(workspace);
  const { root, folder } = repository ?? { root: workspace, folder: '' };
  const named = { root, folder, isRepository: repository !== undefined };
  for (const packageFolder of foldersUpFrom(folder)) {
    const text = await run.openDataFile(join(root, packageFolder, 'package.json')).read();
    if (text !== undefined) return { ...named, packageFolder, installedFrom: installedFrom(text) };
  }
  return { ...named, packageFolder: '', installedFrom: undefined };
}

/** Names that a new repository gives its first branch. */
const usualBranches = ['main', 'master', 'trunk'];

/**
 * The default branch of the repository: as the clone remembers it, else as the remote says. The checked-out branch need
 * not be it, because people run `init` on one that becomes a pull request.
 */
async function defaultBranch(
  run: Run,
  place: InitPlace,
): Promise<{ readonly name: string; readonly isKnown: boolean }> {
  const refIn = async (file: string, start: string) => {
    const text = await fileIn(run, place, `.git/${file}`)
      .read()
      .catch(() => undefined);
    return { isThere: text !== undefined, name: text?.startsWith(start) ? text.slice(start.length).trim() : undefined };
  };
  const remembered = await refIn(`refs/remotes/${stateRemote}/HEAD`, `ref: refs/remotes/${stateRemote}/`);
  const { isThere, name: current = '' } = await refIn('HEAD', 'ref: refs/heads/');
  // The .git of a linked worktree is a file, which only git follows.
  const hasRemote = place.isRepository && (!isThere || (await hasStateRemote(run, place)));
  const name =
    remembered.name ??
    (hasRemote ? await (await run.openCheckout(place.root, run.signal)).defaultBranch(stateRemote) : undefined);
  // In a workflow it is a pattern.
  if (name !== undefined && /^[\p{L}\p{N}._/-]+$/u.test(name)) return { name, isKnown: true };
  const isUsual = usualBranches.includes(current);
  return { name: isUsual ? current : 'main', isKnown: isUsual && !hasRemote };
}

function fileIn(run: Run, { root }: InitPlace, path: string): DataFile {
  return run.openDataFile(join(root, path), root);
}

/** The path from the user's current folder. */
function shownPath(run: Run, options: InitOptions, { root }: InitPlace, path: string): string {
  return relative(startOf(run, options), join(root, path)).split(sep).join('/');
}

/** True if the repository has the remote for a branch with the state. A linked worktree counts as one without. */
async function hasStateRemote(run: Run, place: InitPlace): Promise<boolean> {
  const config = place.isRepository
    ? await fileIn(run, place, '.git/config')
        .read()
        .catch(() => undefined)
    : undefined;
  return config?.includes(`[remote "${stateRemote}"]`) ?? false;
}

/** The package of Almanac in package.json, if it is a file outside of the repository: no other machine finds it. */
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
