// A new workspace as files: what `almanac init` writes for what was chosen.

import type { Destination } from '../../model/fields/field.ts';
import { type CiSystem, ciFiles } from './ci-files.ts';
import { firstSchedules } from './first-schedules.ts';

export const editors = ['vscode', 'jetbrains', 'none'] as const;
export const ciSystems = ['github', 'gitlab', 'none'] as const;

export interface Choices {
  readonly baseUrl: string | undefined;
  readonly destinations: readonly Destination[];
  readonly ci: CiSystem | 'none';
  readonly editor: (typeof editors)[number];
}

export interface Schemas {
  readonly config: string;
  /** Of source files, for the defaults of this workspace. */
  readonly resources: string;
}

export const configFile = 'almanac.yaml';
export const sourceFile = 'schedules/first.yaml';
/** What the new almanac.yaml gives to every resource. */
export const firstDefaults = { schedules: { timezone: 'UTC' } } as const;

const schemaFolder = '.almanac';

/** By path. */
export function workspaceFiles(
  choices: Choices,
  schemas: Schemas,
  packageName: string,
): Readonly<Record<string, string>> {
  const { ci, destinations, editor } = choices;
  return {
    [configFile]: `${modeline(editor, `${schemaFolder}/almanac.schema.json`)}${configText(choices)}`,
    [sourceFile]: `${modeline(editor, `../${schemaFolder}/resources.schema.json`)}${firstSchedules(destinations)}`,
    [`${schemaFolder}/almanac.schema.json`]: schemas.config,
    [`${schemaFolder}/resources.schema.json`]: schemas.resources,
    ...(ci === 'none' ? {} : ciFiles(ci, packageName)),
    ...(editor === 'vscode' ? vscodeFiles : {}),
  };
}

/** Tells an editor which schema checks the file; JetBrains has its own form. */
function modeline(editor: Choices['editor'], schema: string): string {
  return editor === 'jetbrains' ? `# $schema: ${schema}\n` : `# yaml-language-server: $schema=${schema}\n`;
}

function configText({ baseUrl }: Pick<Choices, 'baseUrl'>): string {
  const address =
    baseUrl === undefined
      ? '  # The address of your organization. Until it is set here, OMNI_BASE_URL gives it.\n  # baseUrl: https://acme.omniapp.co/api\n'
      : `  baseUrl: ${baseUrl}\n`;
  return `api:
${address}  # Use the whole public API: schedules are updated and deleted in place.
  operations: full
defaults:
  schedules:
    timezone: ${firstDefaults.schedules.timezone}
`;
}

const vscodeFiles = {
  '.vscode/extensions.json': `${JSON.stringify({ recommendations: ['redhat.vscode-yaml'] }, null, 2)}\n`,
  '.vscode/settings.json': `${JSON.stringify(
    {
      'yaml.schemas': {
        [`./${schemaFolder}/almanac.schema.json`]: 'almanac.yaml',
        [`./${schemaFolder}/resources.schema.json`]: ['schedules/**/*.yaml', 'schedules/**/*.yml'],
      },
      '[yaml]': { 'editor.tabSize': 2 },
    },
    null,
    2,
  )}\n`,
};

/** The rules for git, by file: lines under a comment. */
const gitFiles = {
  '.gitignore': {
    words: 'Almanac: files of a single run or machine. The state itself is committed.',
    lines: [
      'node_modules/',
      '*.state.json.lock',
      '*.state.json.journal',
      'errored*.state.json',
      '.almanac-import.json',
      '*.plan.json',
    ],
  },
  '.gitattributes': {
    words: 'Almanac: two states are a conflict and are never merged.',
    lines: ['*.state.json -merge'],
  },
} as const;

export const gitFileNames = Object.keys(gitFiles) as readonly (keyof typeof gitFiles)[];

/** The file with its missing lines added; the rest stays. */
export function gitFileText(name: keyof typeof gitFiles, before: string | undefined): string {
  const { words, lines } = gitFiles[name];
  const there = (before ?? '').split(/\r?\n/);
  const missing = lines.filter((line) => !there.includes(line) && !there.includes(line.replace(/\/$/, '')));
  if (missing.length === 0) return before ?? '';
  const kept = before === undefined || before === '' ? '' : `${before.replace(/\n*$/, '')}\n\n`;
  return `${kept}# ${words}\n${missing.join('\n')}\n`;
}
