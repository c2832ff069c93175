// Checks the inputs of the calling workflow. No input is trusted as a word of a command line.

import { realpathSync, statSync } from 'node:fs';
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
