// The action's own modules, with types, which its scripts have not: its steps, what is written into the first line of a
// comment, what is read from it, what merged pull requests reviewed, which changes of a plan that covers, and the issues
// that it keeps.

import { readFileSync } from 'node:fs';
import { posix, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Resolves to the exit code. */
export type Almanac = (
  args: readonly string[],
  options: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
    readonly onStdout: (text: string) => void;
    readonly onStderr: (text: string) => void;
  },
) => Promise<number>;

export type Git = (
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
) => { readonly status: number | null; readonly stdout: string };

/** What a step has from its process. */
interface Process {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly say: (text: string) => void;
  readonly git: Git;
  readonly almanac: Almanac;
}

export interface PlannedChange {
  readonly address: string;
  readonly digest?: string;
}

export type ReviewedChanges =
  | { readonly each: readonly { readonly key: string; readonly digest: string }[] }
  | { readonly set: string };

export interface Coverage {
  readonly digests: readonly string[];
  readonly disputed: readonly {
    readonly address: string;
    readonly digest: string;
    readonly pulls: readonly number[];
  }[];
  readonly unknown: readonly { readonly address: string; readonly digest: string; readonly shown?: number }[];
}

/** What was merged or pushed, as the comments of its pull request say it. */
export interface Merge {
  readonly commit: string;
  readonly files: ReadonlySet<string>;
  readonly pull?: number;
  readonly mergedAt?: string;
  readonly gap?: string;
  readonly review?: {
    readonly at: string;
    readonly onto: string;
    readonly isWhole: boolean;
    readonly named: ReadonlySet<string>;
    readonly changes: ReviewedChanges;
  };
}

interface Changes {
  keyOf(address: string): string;
  digestOfSet(digests: readonly string[]): string;
  encodeChanges(changes: readonly PlannedChange[]): string;
  decodeChanges(text: string): ReviewedChanges | undefined;
}

interface Review {
  readonly digest: string;
  readonly head: string;
  readonly onto: string;
  readonly isWhole: boolean;
  readonly named: string;
  readonly changes: ReviewedChanges;
  readonly part: number;
  readonly parts: number;
}

interface Marker {
  markerOf(place: { readonly environment: string; readonly directory: string }): string;
  firstLine(
    identity: string,
    plan: {
      readonly digest: string;
      readonly head: string;
      readonly base: string;
      readonly onto?: string;
      readonly isWhole?: boolean;
      readonly named?: readonly string[];
      readonly changes: readonly PlannedChange[];
    },
  ): string;
  reviewIn(body: string, identity: string): Review | undefined;
  partLine(line: string, changes: string, of?: { readonly part: number; readonly parts: number }): string;
}

interface Github {
  pullsOf(commits: readonly string[]): Promise<readonly (readonly object[])[]>;
}

type Contains = (commit: string, other: string) => boolean | undefined;

interface HistoryModule {
  mergesOf(
    history: {
      readonly touching: readonly { readonly commit: string; readonly files: readonly string[] }[];
      readonly others: readonly string[];
      readonly contains: Contains & { readonly has: (commit: string) => boolean };
    },
    of: { readonly github: Github; readonly branch: string; readonly identity: string },
  ): AsyncIterable<readonly Merge[]>;
}

export interface Issue {
  readonly id: number;
  readonly body: string;
  readonly isOpen: boolean;
}

interface WantedIssue {
  readonly title: string;
  readonly body: string;
}

interface Given {
  readonly environment: string;
  readonly directory: string;
  readonly document: object;
  readonly markdown: string;
  readonly link: string;
}

interface Issues {
  issueAbout(command: 'drift' | 'status', given: Given): WantedIssue;
  decideIssue(wanted: WantedIssue, issues: readonly Issue[]): readonly object[];
}

const folder = '.github/actions/almanac';
const load = async <T>(path: string): Promise<T> => (await import(pathToFileURL(resolve(folder, path)).href)) as T;

export const { keyOf, digestOfSet, encodeChanges, decodeChanges } = await load<Changes>('reviews/changes.mjs');
export const { markerOf, firstLine, reviewIn, partLine } = await load<Marker>('comments/marker.mjs');
export const { coverage } = await load<{
  coverage(history: {
    readonly changes: readonly PlannedChange[];
    readonly merges: readonly Merge[];
    readonly contains: Contains;
  }): Coverage;
}>('reviews/coverage.mjs');
export const { silence } = await load<{
  silence(
    document: Readonly<Record<string, unknown>> | object,
    options: readonly string[],
  ): { readonly isWhole: boolean; readonly named: readonly string[] };
}>('commands/plan.mjs');
export const { notReviewedWords } = await load<{
  notReviewedWords(why: Coverage & { readonly error: object; readonly gaps: readonly string[] }): {
    readonly text: string;
  };
}>('reviews/words.mjs');
export const { mergesOf } = await load<HistoryModule>('reviews/history.mjs');
export const { connectGithub } = await load<{ connectGithub(step: Pick<Process, 'env'>): Github }>('github/api.mjs');
export const { issueAbout, decideIssue } = await load<Issues>('issues/issue.mjs');
export const { runGit, openGit, gitSettings } = await load<{
  readonly runGit: Git;
  openGit(
    step: Pick<Process, 'env' | 'git'>,
    cwd: string,
  ): { textAt(commit: string, path: string): string | undefined };
  gitSettings(
    step: Pick<Process, 'env'>,
    pairs: readonly (readonly [key: string, value: string])[],
  ): Readonly<Record<string, string>>;
}>('runner/git.mjs');

/** What a script of the action runs in its process. */
export async function mainOf(script: string): Promise<(step: Process) => Promise<number>> {
  const text = readFileSync(`${folder}/${script}`, 'utf8');
  const [, from = ''] = /^import \{ main \} from '(.+)';$/m.exec(text) ?? [];
  return (await load<{ main(step: Process): Promise<number> }>(posix.join(posix.dirname(script), from))).main;
}
