// `almanac ci`: what the jobs of a CI do around the program. The steps of the action and the jobs of GitLab's pipeline call
// these commands; people do not, so the help leaves them out. Each loads only what it needs.

import { Argument } from '@commander-js/extra-typings';
import { nameSome } from '../../model/values/words.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { EmptyCommand } from '../base/command.ts';
import type { RunCommand } from '../base/define-command.ts';
import type { World } from '../base/world.ts';
import type { RunningStep, Step } from './step.ts';

interface Row {
  readonly words: string;
  /** The variables that are set only inside a job. */
  readonly needs?: readonly string[];
}

type CiRow =
  | (Row & { readonly runs: false; readonly load: () => Promise<(step: Step) => Promise<number>> })
  | (Row & {
      /** True if it starts Almanac; the steps that have GitHub's token never do. */
      readonly runs: true;
      /** The words that name what it runs. */
      readonly choices?: readonly string[];
      readonly load: () => Promise<(step: RunningStep, word?: string) => Promise<number>>;
    });

export const ciTable = {
  pull: {
    words: 'GitHub: find the pull request that a plan is for',
    runs: false,
    load: async () => (await import('./github/pull-request.ts')).main,
  },
  rules: {
    words: 'GitHub: ask who may update the branch of the state',
    runs: false,
    load: async () => (await import('./github/state-rules.ts')).main,
  },
  run: {
    words: 'GitHub: run Almanac, and write the outputs and the summary of the job',
    runs: true,
    load: async () => (await import('./commands/run.ts')).main,
  },
  reviewed: {
    words: 'GitHub: write down what the merged pull requests show',
    needs: ['ALMANAC_PREPARED'],
    runs: false,
    load: async () => (await import('./reviews/reviewed.ts')).main,
  },
  comment: {
    words: 'GitHub: keep the comment on the pull request',
    needs: ['ALMANAC_COMMENT_PATH', 'ALMANAC_PULL'],
    runs: false,
    load: async () => (await import('./comments/comment.ts')).main,
  },
  issue: {
    words: 'GitHub: keep an issue',
    needs: ['ALMANAC_REPORT_JSON'],
    runs: false,
    load: async () => (await import('./issues/keep-issue.ts')).main,
  },
  review: {
    words: 'GitLab: plan, and keep the note on the merge request',
    runs: true,
    load: async () => (await import('./gitlab/review.ts')).main,
  },
  check: {
    words: 'GitLab: run a check, and keep an issue',
    runs: true,
    choices: ['drift', 'status'],
    load: async () => (await import('./gitlab/check.ts')).main,
  },
  apply: {
    words: 'GitLab: apply the saved plan',
    runs: true,
    load: async () => (await import('./gitlab/apply.ts')).main,
  },
} satisfies Readonly<Record<string, CiRow>>;

export function defineCi(group: EmptyCommand, start: RunCommand): void {
  for (const [name, row] of Object.entries<CiRow>(ciTable)) {
    const command = group.command(name).description(row.words);
    const choices = row.runs ? row.choices : undefined;
    if (choices !== undefined) command.addArgument(new Argument('<command>', 'what to run').choices(choices));
    command.action(async () => {
      await start.outside(async (world) => {
        requireVariables(name, row, world);
        const step = await stepOf(world);
        if (!row.runs) return await (await row.load())(step);
        return await (await row.load())({ ...step, almanac: world.startProgram }, command.args[0]);
      });
    });
  }
}

function requireVariables(name: string, { needs = [] }: Row, { variables }: World): void {
  const missing = needs.filter((each) => (variables[each] ?? '') === '');
  if (missing.length === 0) return;
  throw new Failure('usage', `ci ${name} is run by a step of the action, which sets ${nameSome(missing)}.`, {
    hint: 'Use the action in a workflow instead: the documentation (ci-github) shows how.',
  });
}

async function stepOf({ variables, cwd, stdout }: World): Promise<Step> {
  const { runGit } = await import('./runner/git.ts');
  return { env: variables, cwd, say: stdout.data, git: runGit };
}
