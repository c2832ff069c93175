// Bitbucket, as far as the pipeline of docs/ci-bitbucket.md uses it: its variables, Bash with -e, in which the lines of a
// step share one shell, and the comments of a pull request, of which it sends a page at a time.

import type { Asked } from '../action/fake-host.ts';
import { pipelineIn } from './pipeline-page.ts';
import type { Comment, PlatformKind } from './pipeline-team.ts';

interface Job {
  readonly name: string;
  readonly script: readonly string[];
  readonly environment?: string;
}

type Steps = readonly { readonly step: Job }[];

interface Pipeline {
  readonly pipelines: {
    readonly 'pull-requests': Readonly<Record<string, Steps>>;
    readonly branches: Readonly<Record<string, Steps>>;
    readonly custom: Readonly<Record<string, Steps>>;
  };
}

const path = '/2.0/repositories/acme/reports/pullrequests/7/comments';
const known = new Set([
  ...['name', 'script', 'environment', 'trigger', 'concurrency-group', 'max-time', 'artifacts', 'clone'],
]);
const secrets = ['OMNI_API_TOKEN', 'STATE_PUSH_TOKEN', 'SFTP_PASSWORD'];

function jobs(url = ''): readonly Job[] {
  // Another name of the same machine: git knows no credential for it, as for https in place of the proxy of origin.
  const pushed = url.replace('127.0.0.1', 'localhost');
  const { pipelines } = pipelineIn<Pipeline>('docs/ci-bitbucket.md', 'bitbucket-pipelines.yml', {
    'https://api.bitbucket.org': url,
    'https://bitbucket.org': pushed,
  });
  const all = [pipelines['pull-requests'], pipelines.branches, pipelines.custom].flatMap((each) => Object.values(each));
  return all.flat().map(({ step }) => step);
}

export const bitbucket: PlatformKind = {
  authorizations: {
    reads: 'Basic the-proxy-of-the-step',
    writes: `Basic ${Buffer.from('x-bitbucket-api-token-auth:the-token-that-writes-the-state').toString('base64')}`,
  },
  noteTokens: ['ALMANAC_NOTE_TOKEN'],
  shell: ['bash', '-e', '-c'],
  config: ({ remote }) => [[`http.${remote}.extraheader`, 'Authorization: Basic the-proxy-of-the-step']],
  planPath: 'checkout/almanac.plan.json',
  steps: (name, settings, { url, commit }) => {
    const job = jobs(url).find((each) => each.name === name);
    const { OMNI_BASE_URL = '', ALMANAC_NOTE_TOKEN, ALMANAC_ENVIRONMENT, ...ofEnvironment } = settings;
    const environment = {
      BITBUCKET_COMMIT: commit,
      BITBUCKET_REPO_FULL_NAME: 'acme/reports',
      ...(name === 'review' && { BITBUCKET_PR_ID: '7', BITBUCKET_PR_DESTINATION_BRANCH: 'main' }),
      ...(job?.environment === 'production' && ofEnvironment),
      ...(ALMANAC_ENVIRONMENT !== undefined && { ALMANAC_ENVIRONMENT }),
      ...(ALMANAC_NOTE_TOKEN !== undefined && { ALMANAC_NOTE_TOKEN }),
      OMNI_BASE_URL,
    };
    return [{ lines: job?.script ?? [], environment: withoutUndefined(environment) }];
  },
  secretsOf: () =>
    Object.fromEntries(
      jobs().map(({ name, environment }) => [name, environment === undefined ? ['ALMANAC_NOTE_TOKEN'] : secrets]),
    ),
  unknownKeywords: () => jobs().flatMap((job) => Object.keys(job).filter((key) => !known.has(key))),
  answer: ({ method, url, headers, text }: Asked, comments: Comment[]) => {
    if (headers.authorization !== 'Bearer the-token-of-the-note') return [401];
    const { pathname, searchParams } = new URL(url, 'http://bitbucket');
    const body = text === '' ? undefined : JSON.parse(text);
    if (body !== undefined && body.content.raw.length > 32_768) return [400];
    if (method === 'GET' && pathname === path) {
      const from = Number(searchParams.get('from'));
      const values = comments.slice(from, from + 1).map(({ text: raw }) => ({ id: from, content: { raw } }));
      const next = `http://${headers.host}${path}?from=${from + 1}`;
      return [200, { values, ...(from + 1 < comments.length && { next }) }];
    }
    if (method === 'POST' && pathname === path) {
      comments.push({ text: body.content.raw, isOurs: true });
      return [201, {}];
    }
    const comment = comments[Number(/^\/(\d+)$/.exec(pathname.replace(path, ''))?.[1])];
    if (method !== 'PUT' || comment === undefined) return [404];
    if (!comment.isOurs) return [403];
    comment.text = body.content.raw;
    return [200, {}];
  },
};

function withoutUndefined(values: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
