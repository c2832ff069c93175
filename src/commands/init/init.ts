// `almanac init`: a new workspace, by questions on a terminal and by options everywhere. What exists is never
// overwritten without --force; .gitignore and .gitattributes are only added to.

import { type Destination, destinations } from '../../model/fields/field.ts';
import { baseUrlFault } from '../../model/workspace/base-url-fault.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { normaliseBaseUrl } from '../../parse/parse-config.ts';
import { publishedSchemas } from '../../published-schemas.ts';
import { firstKey } from '../../render/scaffold/first-schedules.ts';
import {
  type Choices,
  ciSystems,
  configFile,
  editors,
  firstDefaults,
  gitFileNames,
  gitFileText,
  sourceFile,
  workspaceFiles,
} from '../../render/scaffold/workspace-files.ts';
import { schemaText } from '../../render/text/schema-text.ts';
import { nearest } from '../../validate/findings/suggest.ts';
import { workspaceSchema } from '../../validate/workspace-schema.ts';
import { packageName } from '../../version.ts';
import { fileOf } from '../base/session.ts';
import type { DataFile, World } from '../base/world.ts';
import type { InitOptions } from './command.ts';

export async function init(world: World, options: InitOptions): Promise<number> {
  const folder = options.dir === undefined ? '' : `${options.dir.replace(/\/+$/, '')}/`;
  const inFolder = (path: string): DataFile => fileOf(world, options, folder + path);
  // Checked before anything is asked, so that nobody answers questions in vain.
  if (!options.force) await refuseExisting(inFolder, [configFile, 'almanac.yml', sourceFile]);
  const choices = await choose(world, options);
  const files = workspaceFiles(choices, schemas(), packageName);
  if (!options.force) await refuseExisting(inFolder, Object.keys(files));
  const added = await gitTexts(inFolder);
  for (const [path, text] of [...Object.entries(files), ...added]) await inFolder(path).write(text);
  const written = [...Object.keys(files), ...added.map(([path]) => path)];
  world.stdout.write(`Wrote\n${written.map((path) => `  ${folder}${path}\n`).join('')}\n${nextSteps(choices, folder)}`);
  return 0;
}

/** The lines of .gitignore and .gitattributes, where they are missing. */
async function gitTexts(inFolder: (path: string) => DataFile): Promise<readonly (readonly [string, string])[]> {
  const changed: [string, string][] = [];
  for (const name of gitFileNames) {
    const before = await inFolder(name).read();
    const text = gitFileText(name, before);
    if (text !== before) changed.push([name, text]);
  }
  return changed;
}

async function refuseExisting(inFolder: (path: string) => DataFile, paths: readonly string[]): Promise<void> {
  const existing: string[] = [];
  for (const path of paths) if ((await inFolder(path).read()) !== undefined) existing.push(path);
  if (existing.length === 0) return;
  throw new Failure('refused', `Nothing was written, because these files already exist: ${existing.join(', ')}.`, {
    hint: 'Choose another folder with --dir, or overwrite them with --force.',
  });
}

async function choose(world: World, options: InitOptions): Promise<Choices> {
  const ask = options.yes ? undefined : world.ask;
  const question = async <T>(given: T | undefined, words: string, without: T, read: (answer: string) => T) => {
    if (given !== undefined) return given;
    if (ask === undefined) return without;
    for (;;) {
      const answer = await ask(words);
      if (answer === undefined || world.signal.aborted)
        throw new Failure('interrupted', 'Interrupted; nothing was written.');
      if (answer.trim() === '') return without;
      try {
        return read(answer.trim());
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        world.stderr.write(`${error.message} ${error.hint ?? ''}\n`);
      }
    }
  };
  const given = options.baseUrl === undefined ? undefined : readBaseUrl(options.baseUrl);
  return {
    baseUrl: await question<string | undefined>(
      given,
      'Address of your Omni organization (such as https://acme.omniapp.co; leave empty to add it later): ',
      undefined,
      readBaseUrl,
    ),
    destinations: await question<readonly Destination[]>(
      options.destination && unique(options.destination),
      `Where are reports delivered? One or more of ${destinations.join(', ')} (email): `,
      ['email'],
      (answer) => unique(answer.split(/[\s,]+/).map((word) => oneOf(word, destinations))),
    ),
    ci: await question(options.ci, `Which CI? ${ciSystems.join(', ')} (none): `, 'none', (answer) =>
      oneOf(answer, ciSystems),
    ),
    editor: await question(options.editor, `Which editor? ${editors.join(', ')} (none): `, 'none', (answer) =>
      oneOf(answer, editors),
    ),
  };
}

function readBaseUrl(text: string): string {
  const url = normaliseBaseUrl(text);
  const fault = baseUrlFault(url);
  if (fault === undefined) return url;
  throw new Failure('usage', `The base URL ${fault}`, { hint: 'Write it as https://acme.omniapp.co.' });
}

function oneOf<T extends string>(word: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === word.toLowerCase());
  if (found !== undefined) return found;
  const near = nearest(word, choices);
  throw new Failure('usage', `\`${word}\` is not one of ${choices.join(', ')}.`, {
    ...(near === undefined ? {} : { hint: `Did you mean \`${near}\`?` }),
  });
}

function unique<T>(values: readonly T[]): readonly T[] {
  return [...new Set(values)];
}

function schemas(): { config: string; resources: string } {
  const layer = { sections: firstDefaults, origin: { file: configFile, document: 0, pointer: '/defaults' } };
  return {
    config: schemaText(publishedSchemas['almanac'] ?? {}),
    resources: schemaText(workspaceSchema(publishedSchemas['resources'] ?? {}, [layer])),
  };
}

function nextSteps({ baseUrl, destinations, ci }: Choices, folder: string): string {
  const there = folder === '' ? '' : `cd ${folder.replace(/\/$/, '')} && `;
  const steps = [
    ...(baseUrl === undefined ? [`Write the address of your organization into ${folder}${configFile}.`] : []),
    `Make ${folder}${sourceFile} your own: identifier, name and where it goes.`,
    `Look at it, as often as you like (neither sends a request):\n     ${there}almanac validate\n     ${there}almanac plan`,
    `See when it runs:\n     ${there}almanac next schedules.${firstKey(destinations)}`,
    `Set OMNI_API_TOKEN to an API key and apply:\n     ${there}almanac apply`,
    ...(ci === 'none' ? [] : [ciStep(ci), ...(folder === '' ? [] : [rootStep(ci, folder)])]),
    'Commit all of it, almanac.state.json included.',
  ];
  return `Next:\n${steps.map((step, index) => `  ${index + 1}. ${step}\n`).join('')}`;
}

function ciStep(ci: 'github' | 'gitlab'): string {
  const install = `Let package.json install ${packageName} (npm install --save-dev)`;
  return ci === 'github'
    ? `${install},\n     give the repository the variable OMNI_BASE_URL, and its environment production\n     the secret OMNI_API_TOKEN.`
    : `${install},\n     and set the variables OMNI_BASE_URL, OMNI_API_TOKEN and STATE_PUSH_TOKEN, the\n     tokens protected and masked.`;
}

/** A CI system reads its files at the root of the repository, wherever the workspace is. */
function rootStep(ci: 'github' | 'gitlab', folder: string): string {
  const name = folder.replace(/\/$/, '');
  return ci === 'github'
    ? `If ${name} is a folder of a repository, move ${folder}.github to the root,\n     and give each step that runs almanac the working-directory ${name}.`
    : `If ${name} is a folder of a repository, move ${folder}.gitlab-ci.yml to the root,\n     and start each job with cd ${name}.`;
}
