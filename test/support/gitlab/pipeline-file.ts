// A pipeline file as GitLab reads it: the keywords that Almanac's pipelines use, and an error for any other. What an event
// selects of it is a list of jobs, in the order in which they run.

import { parse } from 'yaml';

export type Variables = Readonly<Record<string, string>>;

export interface Rule {
  readonly if: string;
  readonly changes?: readonly string[];
  readonly when?: 'manual' | 'always';
}

export interface Artifacts {
  readonly when?: 'always';
  readonly access?: string;
  readonly paths?: readonly string[];
  readonly reports?: Readonly<Record<string, string>>;
}

type Need = string | { readonly job: string; readonly pipeline?: string };

/** A job as the file declares it, with what it inherits. */
export interface DeclaredJob {
  readonly stage?: string;
  readonly image?: string;
  readonly interruptible?: boolean;
  readonly timeout?: string;
  readonly variables?: Variables;
  readonly environment?: string | { readonly name: string; readonly action?: string };
  readonly parallel?: { readonly matrix: readonly Readonly<Record<string, readonly string[]>>[] };
  readonly needs?: readonly Need[];
  readonly resource_group?: string;
  readonly trigger?: { readonly include: string; readonly strategy: string };
  readonly before_script?: readonly string[];
  readonly script?: readonly string[];
  readonly after_script?: readonly string[];
  readonly artifacts?: Artifacts;
  readonly rules: readonly Rule[];
}

/** A job of a pipeline. */
export interface PlannedJob {
  readonly name: string;
  readonly job: DeclaredJob;
  readonly when: 'on_success' | 'manual' | 'always';
  /** Its own, of the file and of the matrix. */
  readonly variables: Variables;
  /** The jobs of this pipeline that it waits for. */
  readonly after: readonly string[];
  /** The jobs whose artifacts it gets, of this pipeline or of another. */
  readonly from: readonly { readonly pipeline?: string; readonly job: string }[];
}

const builtInStages = ['.pre', 'build', 'test', 'deploy', '.post'];
const keywords = new Set([
  ...['stage', 'image', 'interruptible', 'timeout', 'variables', 'environment', 'parallel', 'needs', 'resource_group'],
  ...['trigger', 'before_script', 'script', 'after_script', 'artifacts', 'rules'],
]);

export interface PipelineFile {
  readonly stages: readonly string[];
  readonly jobs: Readonly<Record<string, DeclaredJob>>;
}

export function readPipelineFile(text: string): PipelineFile {
  const {
    stages = builtInStages,
    default: shared = {},
    include: _,
    ...rest
  } = parse(text) as Record<string, unknown> & {
    stages?: readonly string[];
  };
  const templates = rest as Record<string, Record<string, unknown>>;
  const jobs = Object.entries(templates).flatMap(([name, { extends: base, ...own }]) => {
    if (name.startsWith('.')) return [];
    if (base !== undefined && templates[String(base)] === undefined) throw new Error(`${name} extends nothing`);
    const inherited = own['trigger'] === undefined ? (shared as Record<string, unknown>) : {};
    const template = base === undefined ? {} : (templates[String(base)] ?? {});
    const job = { ...inherited, ...template, ...own };
    // GitLab merges the keys of maps.
    if (isMap(template['variables']) && isMap(own['variables']))
      Object.assign(job, { variables: { ...template['variables'], ...own['variables'] } });
    const unknown = Object.keys(job).filter((keyword) => !keywords.has(keyword));
    if (unknown.length > 0) throw new Error(`${name} has keywords that this double does not know: ${unknown}`);
    return [[name, job as unknown as DeclaredJob] as const];
  });
  return { stages, jobs: Object.fromEntries(jobs) };
}

/** The jobs of a pipeline: `changed` are the paths that the event changes. */
export function selectJobs({ stages, jobs }: PipelineFile, given: Variables, changed: readonly string[]): PlannedJob[] {
  const declared = Object.entries(jobs).sort(([, a], [, b]) => stages.indexOf(stageOf(a)) - stages.indexOf(stageOf(b)));
  for (const [name, job] of declared) if (!stages.includes(stageOf(job))) throw new Error(`${name} has no stage`);
  const planned: PlannedJob[] = [];
  for (const [name, job] of declared) {
    const rule = job.rules.find((each) => isMet(each, given, changed));
    if (rule === undefined) continue;
    const earlier = planned.filter((each) => stages.indexOf(stageOf(each.job)) < stages.indexOf(stageOf(job)));
    const needs = job.needs?.map((need) => (typeof need === 'string' ? { job: need } : need));
    const from = needs ?? earlier.map((each) => ({ job: each.name }));
    const after = from.flatMap((need) => ('pipeline' in need ? [] : [need.job]));
    for (const each of after)
      if (!planned.some((other) => other.name === each)) throw new Error(`${name} needs ${each}, which is not there`);
    for (const { name: full, variables } of instancesOf(name, job))
      planned.push({
        name: full,
        job,
        when: rule.when ?? 'on_success',
        variables: { ...job.variables, ...variables },
        after,
        from: from.map((need) => ({
          job: expanded(need.job, given),
          pipeline: 'pipeline' in need && need.pipeline !== undefined ? expanded(need.pipeline, given) : undefined,
        })),
      });
  }
  return planned;
}

/** `$NAME` and `${NAME}`, as GitLab replaces them in most keywords. */
export function expanded(text: string, variables: Variables): string {
  return text.replace(/\$\{?([A-Za-z_]\w*)\}?/g, (_, name: string) => variables[name] ?? '');
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function stageOf({ stage = 'test' }: DeclaredJob): string {
  return stage;
}

function instancesOf(name: string, { parallel }: DeclaredJob): readonly { name: string; variables: Variables }[] {
  if (parallel === undefined) return [{ name, variables: {} }];
  return parallel.matrix.flatMap((row) =>
    Object.entries(row).flatMap(([variable, values]) =>
      values.map((value) => ({ name: `${name}: [${value}]`, variables: { [variable]: value } })),
    ),
  );
}

function isMet(rule: Rule, given: Variables, changed: readonly string[]): boolean {
  const isChanged = rule.changes?.some((pattern) => changed.some((path) => globOf(pattern).test(path))) ?? true;
  // What no push started has changed everything, as far as GitLab is concerned.
  const isPush = ['push', 'merge_request_event'].includes(given['CI_PIPELINE_SOURCE'] ?? '');
  return (isChanged || !isPush) && rule.if.split(' && ').every((comparison) => isTrue(comparison, given));
}

function isTrue(comparison: string, given: Variables): boolean {
  const [, name = '', operator, right = ''] = /^\$(\w+) (==|=~|!~) (.+)$/.exec(comparison) ?? [];
  const left = given[name];
  const [, pattern = '', flags] = /^\/(.*)\/(i?)$/.exec(right) ?? [];
  if (operator === '=~' || operator === '!~')
    return new RegExp(pattern, flags).test(left ?? '') === (operator === '=~');
  if (operator === '==') return left === (right.startsWith('$') ? given[right.slice(1)] : JSON.parse(right));
  throw new Error(`not a rule that this double knows: ${comparison}`);
}

function globOf(pattern: string): RegExp {
  const parts = pattern.split('/**/*').map((part) => part.replace(/[.+^$()|[\]\\{}*?]/g, '\\$&'));
  return new RegExp(`^${parts.join('/.+')}$`);
}
