// The workflows and actions of this repository and of `almanac init`, as data.

import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { githubWorkflows } from '../../../src/commands/init/scaffold/ci-files.ts';
import type { CiShape } from '../../../src/commands/init/scaffold/ci-shape.ts';

export interface WorkflowStep {
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly 'working-directory'?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, unknown>>;
}

export interface Job {
  readonly needs?: string;
  readonly if?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly 'timeout-minutes'?: number;
  readonly environment?: unknown;
  readonly env?: Readonly<Record<string, unknown>>;
  readonly strategy?: { readonly matrix: { readonly include: readonly Readonly<Record<string, string>>[] } };
  readonly steps: readonly WorkflowStep[];
}

export interface Workflow {
  readonly name: string;
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

export const workflows = readdirSync('.github/workflows').map((file) => read<Workflow>(`.github/workflows/${file}`));

const plain: CiShape = { packageName, packageFolder: '', folder: '', environments: [] };
const environments = ['dev', 'prod-eu'];
const folder = 'teams/sales reports';

/** Each kind of repository that `almanac init` writes workflows for. */
const shapes: Readonly<Record<string, CiShape>> = {
  plain,
  environments: { ...plain, environments },
  folder: { ...plain, folder },
  'folder with a package of its own': { ...plain, folder, packageFolder: folder },
  'environments in a folder': { ...plain, folder, environments },
};

/** The workflows that `almanac init` writes. */
export const scaffolds = Object.entries(shapes).flatMap(([name, shape]) =>
  Object.entries(githubWorkflows(shape)).map(([path, text]) => ({
    ...read<Workflow>(`${name}: ${path}`, text),
    kind: kindOf(path),
    shape,
  })),
);

export type Scaffold = (typeof scaffolds)[number];

function kindOf(path: string): 'plan' | 'plan-fork' | 'apply' | 'check' {
  if (path.includes('-apply')) return 'apply';
  return /-(?:drift|status)\.yml$/.test(path) ? 'check' : path.endsWith('-plan-fork.yml') ? 'plan-fork' : 'plan';
}

export const actions = readdirSync('.github/actions').map((folder) =>
  read<Action>(`.github/actions/${folder}/action.yml`),
);

/** The folder of an action in this repository; in that of a user it comes with the package. */
export function ownAction(uses: string): string {
  const installed = `/node_modules/${packageName}/`;
  return uses.startsWith('./') && uses.includes(installed) ? `./${uses.split(installed)[1]}` : uses;
}

export function actionNamed(uses: string): Action | undefined {
  const own = ownAction(uses);
  return actions.find(({ name }) => `./${name}` === `${own}/action.yml`)?.content;
}

export function stepsOf({ content }: Named<Workflow> | Named<Action>): readonly WorkflowStep[] {
  return 'jobs' in content ? Object.values(content.jobs).flatMap(({ steps }) => steps) : content.runs.steps;
}
