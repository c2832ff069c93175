// A new workspace as files, written by `almanac init` for the user's choices.

import { exampleSchedules } from '../../../model/fields/example-schedules.ts';
import type { Destination } from '../../../model/fields/field.ts';
import { trimEndOf } from '../../../model/values/words.ts';
import { configSchemaFile, type ResourceDraft, resourcesSchemaFile } from '../../../model/workspace/source-draft.ts';
import { usualFile } from '../../../model/workspace/state-place.ts';
import { renderSource } from '../../../report/source-text.ts';
import { inBrackets, printString } from '../../../yaml/format/print-string.ts';
import agentsText from './agents.md?raw';
import type { CiSystem } from './ci-files.ts';
import { type Backend, stateBranchOf } from './ci-shape.ts';

export interface Choices {
  readonly baseUrl: string | undefined;
  /** Empty if there is only one organization. */
  readonly environments: readonly string[];
  /** Empty if they are not known. */
  readonly internalDomains: readonly string[];
  /** The address that the example sends e-mail to; undefined for an invented one. */
  readonly recipient: string | undefined;
  readonly timezone: string;
  /** The destinations of the example; empty if the workspace starts with the schedules in Omni. */
  readonly destinations: readonly Destination[];
  readonly ci: CiSystem | 'none';
  readonly backend: Backend;
  readonly editor: 'vscode' | 'jetbrains' | 'none';
  /** Rules for coding agents. */
  readonly agents: boolean;
}

interface Schemas {
  readonly config: string;
  /** The schema of source files, for the defaults of this workspace. */
  readonly resources: string;
}

export const configFile = 'almanac.yaml';
export const sourceFile = 'schedules/first.yaml';

export const defaultsOf = (timezone: string) => ({ schedules: { timezone } }) as const;

/** The files of the states; empty if a branch keeps them. */
export function stateFilesOf({ environments, backend }: Choices): readonly string[] {
  if (backend === 'git') return [];
  return environments.length === 0 ? [usualFile(undefined)] : environments.map(usualFile);
}

/** Keyed by path from the workspace's folder. Without an example there is no source file yet: an import writes them. */
export function workspaceFiles(choices: Choices, schemas: Schemas, folder: string): Readonly<Record<string, string>> {
  const { destinations, recipient, editor, agents } = choices;
  const sources = `${modeline(editor, `../${resourcesSchemaFile}`)}${firstSchedules(destinations, recipient)}`;
  return {
    [configFile]: `${modeline(editor, configSchemaFile)}${configText(choices, folder)}`,
    ...(destinations.length === 0 ? {} : { [sourceFile]: sources }),
    [configSchemaFile]: schemas.config,
    [resourcesSchemaFile]: schemas.resources,
    ...(agents ? { 'AGENTS.md': agentsText } : {}),
  };
}

/** Tells an editor which schema checks the file; JetBrains has its own form. */
function modeline(editor: Choices['editor'], schema: string): string {
  return editor === 'jetbrains' ? `# $schema: ${schema}\n` : `# yaml-language-server: $schema=${schema}\n`;
}

/** A text beside its key. */
const plain = (text: string) => printString(text, { inFlow: false, isKey: false });

function configText(choices: Choices, folder: string): string {
  const { environments, timezone, backend } = choices;
  return `api:
${environments.length === 0 ? addressText(choices) : ''}  # Use the whole public API: schedules are updated and deleted in place.
  operations: full
${backend === 'git' ? stateText(folder) : ''}${environments.length === 0 ? '' : requiredText}${domainsText(choices)}defaults:
  schedules:
    timezone: ${plain(timezone)}
    # Reports run with the rights of their owner, and only those of a known owner can be proven.
    # owner: ana@example.com
${environments.length === 0 ? '' : environmentsText(choices, folder)}`;
}

const requiredText =
  '# No command that reads a state or sends a request runs without --env.\nenvironmentRequired: true\n';

function stateText(folder: string): string {
  const branch = folder === '' ? '' : `  branch: ${stateBranchOf(folder)}\n`;
  return `state:\n  # A branch of this repository, which everybody who applies shares.\n  backend: git\n${branch}`;
}

/** A plan begins with recipients outside these domains. */
function domainsText({ internalDomains }: Choices): string {
  return internalDomains.length === 0
    ? '# Your own mail domains: a plan begins with whoever else receives something.\n# safety: { internalDomains: [acme.com] }\n'
    : `safety:\n  # A plan begins with whoever else receives something.\n  internalDomains: [${internalDomains.map((name) => printString(name, inBrackets)).join(', ')}]\n`;
}

function addressText({ baseUrl }: Choices): string {
  return baseUrl === undefined
    ? '  # The address of your organization. Until it is set here, OMNI_BASE_URL gives it.\n  # baseUrl: https://acme.omniapp.co/api\n'
    : `  baseUrl: ${plain(baseUrl)}\n`;
}

function environmentsText({ environments, backend }: Choices, folder: string): string {
  const each = environments.map(
    (name, at) => `  ${name}:
    # Its address. Until it is set here, OMNI_BASE_URL gives it.
    # api:
    #   baseUrl: https://acme-${name.toLowerCase().replaceAll('_', '-')}.omniapp.co/api
${backend === 'git' ? `    state:\n      branch: ${stateBranchOf(folder, name)}\n` : ''}${at === 0 ? '' : sinkText}`,
  );
  return `# Chosen with --env. Each one overrides the rest of this file.\nenvironments:\n${each.join('')}`;
}

/** Every environment but the first is for trying: what it sends must not reach the declared receivers. */
const sinkText = `    # What it sends goes here instead, and not to the declared receivers.
    # deliver: { email: [qa@example.com], slack: C0123456789, webhook: skip, sftp: skip, s3: skip }
`;

/** Keyed by path from the root of the repository, which is the folder that people open. `folder`: the workspace, '' for the root. */
export function editorFiles({ editor }: Choices, folder: string): Readonly<Record<string, string>> {
  if (editor !== 'vscode') return {};
  const within = (path: string) => (folder === '' ? path : `${folder}/${path}`);
  const settings = {
    'yaml.schemas': {
      [`./${within(configSchemaFile)}`]: within('almanac.yaml'),
      [`./${within(resourcesSchemaFile)}`]: [within('schedules/**/*.yaml'), within('schedules/**/*.yml')],
    },
    '[yaml]': { 'editor.tabSize': 2 },
  };
  return {
    '.vscode/extensions.json': `${JSON.stringify({ recommendations: ['redhat.vscode-yaml'] }, null, 2)}\n`,
    '.vscode/settings.json': `${JSON.stringify(settings, null, 2)}\n`,
  };
}

export const gitFileNames = ['.gitignore', '.gitattributes'] as const;
type GitFileName = (typeof gitFileNames)[number];

const ofRuns = [
  '*.tmp',
  '.almanac-import.json',
  '.almanac-recipients.json',
  '.almanac/probe.json',
  '.almanac/emulator*',
  '*.plan.json',
  'plan.html',
  'almanac.html',
];
/** The states in files, without and with an environment. */
const ofStates = ['*.state.json', '*.state.*.json'];
const generated = '.almanac/*.schema.json linguist-generated -diff';

/** The rules for git, by file: lines under a comment. */
const gitFiles: Record<Backend, Record<GitFileName, { readonly words: string; readonly lines: readonly string[] }>> = {
  local: {
    '.gitignore': {
      words: 'Almanac: files of a single run or machine. The state itself is committed.',
      lines: ['node_modules/', ...ofStates.flatMap((name) => [`${name}.lock`, `${name}.journal`]), ...ofRuns],
    },
    '.gitattributes': {
      words: 'Almanac: two states are a conflict and are never merged. Nobody reviews a generated schema.',
      lines: [...ofStates.map((name) => `${name} -merge`), generated],
    },
  },
  git: {
    '.gitignore': {
      words: 'Almanac: files of a single run or machine. The state is in a branch of its own.',
      lines: ['node_modules/', ...ofRuns],
    },
    '.gitattributes': { words: 'Almanac: nobody reviews a generated schema.', lines: [generated] },
  },
};

/** The file with its missing lines added; the rest stays. */
export function gitFileText(name: GitFileName, backend: Backend, before: string | undefined): string {
  const { words, lines } = gitFiles[backend][name];
  const there = (before ?? '').split(/\r?\n/);
  const missing = lines.filter((line) => !there.includes(line) && !there.includes(line.replace(/\/$/, '')));
  if (missing.length === 0) return before ?? '';
  const kept = before === undefined || before === '' ? '' : `${trimEndOf(before, /\n/)}\n\n`;
  return `${kept}# ${words}\n${missing.join('\n')}\n`;
}

const fieldComments: Readonly<Record<string, string>> = {
  identifier: 'The last part of the URL of your dashboard.',
  passwordUnencrypted: 'Secrets come from the environment of `almanac apply`, never from a file.',
};
const channelComment = 'The id of the channel, at the end of its details in Slack.';

/** The source file, without its modeline. The time zone is a default. */
function firstSchedules(destinations: readonly Destination[], recipient: string | undefined): string {
  const schedules = destinations.map((destination): ResourceDraft => {
    const { key, words, fields } = exampleSchedules[destination];
    const commentOf = (name: string) =>
      destination === 'slack' && name === 'recipients' ? channelComment : fieldComments[name];
    const written = Object.entries(fields).filter(([name]) => name !== 'timezone');
    return {
      key,
      comments: [words],
      fields: written.map(([name, value]) => ({
        name,
        value: destination === 'email' && name === 'recipients' && recipient !== undefined ? [recipient] : value,
        comment: commentOf(name),
      })),
    };
  });
  return renderSource({ path: sourceFile, comments: [], resources: { schedules }, adoptions: [] });
}

export function firstKey(destinations: readonly Destination[]): string {
  return exampleSchedules[destinations[0] ?? 'email'].key;
}
