// The workflows and actions of this repository, and those that the pages on CI show, read as data.

import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';

export interface WorkflowStep {
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, unknown>>;
}

export interface Job {
  readonly permissions?: unknown;
  readonly 'timeout-minutes'?: number;
  readonly environment?: unknown;
  readonly steps: readonly WorkflowStep[];
}

export interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly concurrency?: { readonly group: string; readonly 'cancel-in-progress': boolean };
  readonly jobs: Readonly<Record<string, Job>>;
}

export interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>;
  readonly outputs?: Readonly<Record<string, { readonly description: string; readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly WorkflowStep[] };
}

export interface Named<T> {
  readonly name: string;
  readonly text: string;
  readonly content: T;
}

export const { name: packageName } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly name: string };

const read = <T>(name: string, text = readFileSync(name, 'utf8')): Named<T> => ({
  name,
  text,
  content: parse(text) as T,
});

/** The pages on CI, one after the other. */
export const page = ['ci', 'ci-github', 'ci-gitlab'].map((name) => readFileSync(`docs/${name}.md`, 'utf8')).join('\n');

/** Their YAML blocks. */
export const blocks = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);

export const workflows = readdirSync('.github/workflows').map((file) => read<Workflow>(`.github/workflows/${file}`));

/** By the first line, which names the file. */
export const shownWorkflows = blocks.flatMap((block) => {
  const name = /^# (\.github\/workflows\/[a-z-]+\.yml)/.exec(block)?.[1];
  return name === undefined ? [] : [read<Workflow>(`docs/ci-github.md: ${name}`, block)];
});

export const actions = readdirSync('.github/actions').map((folder) =>
  read<Action>(`.github/actions/${folder}/action.yml`),
);

/** Its folder as workflows name it; in the repository of a user it comes with the package. */
export function actionNamed(uses: string): Action | undefined {
  const own = uses.replace(`./node_modules/${packageName}/`, './');
  return actions.find(({ name }) => `./${name}` === `${own}/action.yml`)?.content;
}

export function stepsOf({ content }: Named<Workflow> | Named<Action>): readonly WorkflowStep[] {
  return 'jobs' in content ? Object.values(content.jobs).flatMap(({ steps }) => steps) : content.runs.steps;
}
