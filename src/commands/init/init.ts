// `almanac init`: a new workspace, by questions on a terminal and by options everywhere. What exists is never
// overwritten without --force; .gitignore and .gitattributes are only added to.

import { workspaceSchema } from '../../declare/workspace-schema.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { publishedSchemas } from '../../published-schemas.ts';
import { schemaText } from '../../report/text/schema-text.ts';
import { packageName, version } from '../../version.ts';
import type { Run } from '../base/run.ts';
import { choose } from './choose.ts';
import type { InitOptions } from './command.ts';
import { fileIn, findPlace, hasStateRemote, type Place, shownPath, strayPackage } from './place.ts';
import { ciFiles } from './scaffold/ci-files.ts';
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
  await refuseExisting(run, options, place, [configFile, 'almanac.yml'].map(inFolder(place)));
  const choices = await choose(run, options);
  const files = filesOf(choices, place);
  await refuseExisting(run, options, place, Object.keys(files));
  const all = { ...files, ...(await gitTexts(run, place, choices)) };
  for (const [path, text] of Object.entries(all)) await fileIn(run, place, path).write(text);
  const shown = (path: string) => shownPath(run, options, place, path);
  warnOfStrayPackage(run, place);
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
      packageName,
      version,
      isRepository: place.isRepository,
      hasRemote: await hasStateRemote(run, place),
    }),
  );
  return 0;
}

/** By path from the root of the repository. */
function filesOf(choices: Choices, place: Place): Readonly<Record<string, string>> {
  const { ci, environments, backend } = choices;
  const { folder, packageFolder } = place;
  const own = Object.entries(
    workspaceFiles(choices, schemasOf(choices), backend === 'git' ? nameable(folder) : folder),
  );
  return {
    ...Object.fromEntries(own.map(([path, text]) => [inFolder(place)(path), text])),
    ...(ci === 'none' ? {} : ciFiles(ci, { packageName, packageFolder, environments, folder: nameable(folder) })),
  };
}

/** The lines of .gitignore and .gitattributes, where they are missing. */
async function gitTexts(run: Run, place: Place, { backend }: Choices): Promise<Readonly<Record<string, string>>> {
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
async function refuseExisting(run: Run, options: InitOptions, place: Place, paths: readonly string[]): Promise<void> {
  const existing: string[] = [];
  for (const path of paths) if ((await fileIn(run, place, path).read()) !== undefined) existing.push(path);
  if (existing.length === 0 || options.force) return;
  const shown = existing.map((path) => shownPath(run, options, place, path));
  throw new Failure('refused', `Nothing was written, because these files already exist: ${shown.join(', ')}.`, {
    hint: 'Choose another folder with --dir, or overwrite them with --force.',
  });
}

/** A folder becomes a part of a workflow, where `*` and `\${{` would mean something. */
function nameable(folder: string): string {
  if (/^[\p{L}\p{N}._/ -]*$/u.test(folder)) return folder;
  throw new Failure('usage', `The jobs of a CI system cannot name the folder ${folder}.`, {
    hint: 'Use letters, digits, spaces, `.`, `-` and `_`.',
  });
}

function warnOfStrayPackage(run: Run, place: Place): void {
  const path = strayPackage(place);
  if (path === undefined) return;
  run.stderr.write(
    `warning: package.json installs ${packageName} from a file outside of the repository,\nso no other machine can: ${path}\nCopy it into the repository, and npm install --save-dev ./${path.replace(/.*[\\/]/, '')}.\n\n`,
  );
}

function inFolder({ folder }: Place): (path: string) => string {
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
