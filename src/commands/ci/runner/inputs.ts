// Checks the inputs of the calling workflow, and reads the event behind it. No input is trusted as a word of a command
// line.

import { readFileSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { Failure } from '../../../model/workspace/failure.ts';
import type { Step } from '../step.ts';

/** An input that is one of these words; the first is used for an empty one. */
export function readChoice<T extends string>(name: string, text: string | undefined, choices: readonly [T, ...T[]]): T {
  const wanted = text || choices[0];
  const choice = choices.find((each) => each === wanted);
  if (choice === undefined) throw new Failure('usage', `The input ${name} must be ${choices.join(' or ')}.`);
  return choice;
}

export interface Folder {
  readonly checkout: string;
  readonly path: string;
  readonly name: string;
}

/**
 * The folder of the workspace: its path, and its name relative to the checkout, `.` for the checkout itself. With
 * `mayBeMissing` it may also have been removed.
 */
export function readFolder(
  { env, cwd }: Pick<Step, 'env' | 'cwd'>,
  { mayBeMissing = false }: { readonly mayBeMissing?: boolean } = {},
): Folder {
  const checkout = realpathSync(env.ALMANAC_CHECKOUT || env.GITHUB_WORKSPACE || cwd);
  const wanted = resolve(checkout, env.ALMANAC_WORKING_DIRECTORY || '.');
  const isThere = statSync(wanted, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const path = isThere ? realpathSync(wanted) : wanted;
  const name = relative(checkout, path);
  if (name === '..' || name.startsWith(`..${sep}`) || isAbsolute(name) || !(isThere || mayBeMissing))
    throw new Failure('usage', 'The input working-directory does not name a folder in the checkout.');
  return { checkout, path, name: name === '' ? '.' : name.split(sep).join('/') };
}

/** The name of an environment in almanac.yaml; '' if there is none. */
export function readEnvironment({ env }: Pick<Step, 'env'>): string {
  const name = env.ALMANAC_ENVIRONMENT || '';
  if (name !== '' && !/^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(name))
    throw new Failure(
      'usage',
      'The input environment must begin with a letter and contain only letters, digits, _ and -.',
    );
  return name;
}

/** The required digest, `reviewed`, or '' if none is set. */
export function readExpect({ env }: Pick<Step, 'env'>): string {
  const expected = env.ALMANAC_EXPECT || '';
  if (!['', 'reviewed'].includes(expected) && !isDigest(expected))
    throw new Failure('usage', 'The input expect must be a digest (64 hexadecimal digits) or the word reviewed.');
  return expected;
}

export function isDigest(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

/** One option per line, each starting with two dashes. A value follows an equals sign, never a space. */
export function readOptions({ env }: Pick<Step, 'env'>): readonly string[] {
  const lines = (env.ALMANAC_OPTIONS || '').split('\n').map((line) => line.trim());
  const options = lines.filter((line) => line !== '');
  const odd = options.find((option) => !/^--[a-z][a-z-]*(?:=.*)?$/.test(option));
  if (odd !== undefined)
    throw new Failure('usage', 'The input options takes one option per line, such as --target=ADDRESS.');
  const own = options.find((option) =>
    /^--(?:base|format|report|out|env|expect|expect-changes|chdir|config|state|detailed-exitcode)\b/.test(option),
  );
  if (own !== undefined)
    throw new Failure('usage', `The action sets ${own.replace(/=.*/, '')}; use its inputs for that.`);
  return options;
}

// The GitHub event that a step runs for, and links to its run.

/** The parts of GitHub's event that a step reads. Nobody has checked it. */
export interface GithubEvent {
  readonly pull_request?: PullOfGithub;
  readonly issue?: { readonly number: number; readonly pull_request?: object };
  readonly repository?: { readonly default_branch?: string };
  readonly workflow_run?: {
    readonly event?: string;
    readonly conclusion?: string;
    readonly head_branch?: string;
    readonly head_sha?: string;
    readonly head_repository?: { readonly owner?: { readonly login?: string } } | null;
  };
}

/** A pull request in GitHub's form, both in an event and in an answer. */
export interface PullOfGithub {
  readonly number: number;
  readonly merged_at?: string | null;
  readonly merge_commit_sha?: string | null;
  readonly head?: { readonly sha?: string; readonly repo?: { readonly full_name?: string } | null };
  readonly base?: { readonly ref?: string; readonly sha?: string; readonly repo?: { readonly full_name?: string } };
}

/** {} if there is no event, or none that can be read. */
export function readEvent({ env }: Pick<Step, 'env'>): GithubEvent {
  try {
    return JSON.parse(readFileSync(env.GITHUB_EVENT_PATH ?? '', 'utf8')) ?? {};
  } catch {
    return {};
  }
}

/**
 * The page of this run, '' if it is unknown. It names the attempt, so that a repeated run changes a comment: the
 * comment is then last edited by this action.
 */
export function linkToRun({ env }: Pick<Step, 'env'>): string {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = env;
  const { GITHUB_RUN_ID: run, GITHUB_RUN_ATTEMPT: attempt } = env;
  if (!server || !repository || !/^\d+$/.test(run ?? '')) return '';
  const base = `${server}/${repository}/actions/runs/${run}`;
  return /^\d+$/.test(attempt ?? '') ? `${base}/attempts/${attempt}` : base;
}

export function isCommit(text: unknown): text is string {
  return typeof text === 'string' && /^[0-9a-f]{40,64}$/.test(text);
}
