// The GitHub event that a step runs for, and links to its run.

import { readFileSync } from 'node:fs';
import type { Step } from '../step.ts';

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
