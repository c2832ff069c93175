// Azure DevOps, as far as the pipeline of docs/ci-azure.md uses it: its variables, `$(NAME)` in the variables of a step, Bash
// without -e, and the threads of a pull request.

import type { Asked } from '../action/fake-host.ts';
import { type Environment, pipelineIn, type Step } from './pipeline-page.ts';
import type { Comment, PlatformKind } from './pipeline-team.ts';

interface Task {
  readonly bash?: string;
  readonly env?: Environment;
  readonly condition?: string;
}

interface Job {
  readonly steps?: readonly Task[];
  readonly strategy?: { readonly runOnce: { readonly deploy: { readonly steps: readonly Task[] } } };
}

interface Pipeline {
  readonly variables: Environment;
  readonly stages: readonly { readonly stage: string; readonly variables?: unknown; readonly jobs: readonly Job[] }[];
}

const path = '/acme/4711/_apis/git/repositories/12/pullRequests/7/threads';
const known = new Set([
  ...[
    'bash',
    'checkout',
    'condition',
    'download',
    'artifact',
    'env',
    'inputs',
    'fetchDepth',
    'persistCredentials',
    'publish',
    'task',
  ],
]);
const pipeline = () => pipelineIn<Pipeline>('docs/ci-azure.md', 'azure-pipelines.yml');

function tasksOf(name: string): readonly Task[] {
  const stage = pipeline().stages.find((each) => each.stage === name);
  return (stage?.jobs ?? []).flatMap((job) => job.steps ?? job.strategy?.runOnce.deploy.steps ?? []);
}

export const azure: PlatformKind = {
  authorizations: {
    reads: 'bearer the-token-of-the-job',
    writes: `Basic ${Buffer.from(':the-token-that-writes-the-state').toString('base64')}`,
  },
  noteTokens: ['SYSTEM_ACCESSTOKEN'],
  shell: ['bash', '--noprofile', '--norc', '-c'],
  config: ({ remote }) => [[`http.${remote}.extraheader`, 'AUTHORIZATION: bearer the-token-of-the-job']],
  planPath: 'plan/almanac.plan.json',
  steps: (name, settings, { url, remote, commit }) => {
    const always = {
      ...pipeline().variables,
      TF_BUILD: 'True',
      BUILD_REPOSITORY_URI: remote,
      BUILD_REPOSITORY_ID: '12',
      SYSTEM_COLLECTIONURI: `${url}/acme/`,
      SYSTEM_TEAMPROJECTID: '4711',
      ...(name === 'review' && {
        SYSTEM_PULLREQUEST_PULLREQUESTID: '7',
        SYSTEM_PULLREQUEST_TARGETBRANCH: 'refs/heads/main',
        SYSTEM_PULLREQUEST_SOURCECOMMITID: commit,
      }),
      ...(settings['ALMANAC_ENVIRONMENT'] && { ALMANAC_ENVIRONMENT: settings['ALMANAC_ENVIRONMENT'] }),
      ...(settings['OMNI_BASE_URL'] && { OMNI_BASE_URL: settings['OMNI_BASE_URL'] }),
    };
    const given: Readonly<Record<string, string | undefined>> = {
      ...settings,
      'System.AccessToken': 'the-token-of-the-job',
    };
    const expanded = (text: string) => text.replace(/\$\(([\w.]+)\)/g, (whole, key: string) => given[key] ?? whole);
    return tasksOf(name).flatMap(({ bash, env = {}, condition }): readonly Step[] => {
      if (bash === undefined) return [];
      const own = Object.fromEntries(Object.entries(env).map(([key, value]) => [key, expanded(value)]));
      const isForced = condition === 'succeededOrFailed()';
      return [{ lines: [expanded(bash)], environment: { ...always, ...own }, isForced }];
    });
  },
  secretsOf: () =>
    Object.fromEntries(
      pipeline().stages.map(({ stage }) => [stage, tasksOf(stage).flatMap(({ env = {} }) => Object.keys(env))]),
    ),
  unknownKeywords: () =>
    pipeline().stages.flatMap(({ stage }) =>
      tasksOf(stage)
        .flatMap(Object.keys)
        .filter((key) => !known.has(key)),
    ),
  answer: ({ method, url, headers, text }: Asked, comments: Comment[]) => {
    if (headers.authorization !== 'Bearer the-token-of-the-job') return [401];
    const { pathname, searchParams } = new URL(url, 'http://azure');
    if (searchParams.get('api-version') !== '7.1') return [400];
    const body = text === '' ? undefined : JSON.parse(text);
    if (method === 'GET' && pathname === path)
      return [200, { value: comments.map(({ text: content }, id) => ({ id, comments: [{ id: 1, content }] })) }];
    if (method === 'POST' && pathname === path) {
      comments.push({ text: body.comments[0].content, isOurs: true });
      return [200, {}];
    }
    const comment = comments[Number(/^\/(\d+)\/comments\/1$/.exec(pathname.replace(path, ''))?.[1])];
    if (method !== 'PATCH' || comment === undefined) return [404];
    if (!comment.isOurs) return [403];
    comment.text = body.content;
    return [200, {}];
  },
};
