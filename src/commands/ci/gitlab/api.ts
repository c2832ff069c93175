// The few requests that the jobs send to GitLab: the notes of a merge request, and issues. The token appears only in the
// header.

import type { HostText, PullHost } from '../comments/parts.ts';
import type { IssuesHost, KeptIssue } from '../issues/issue.ts';
import { allPages, HostFailure, pauseOf, requestJson } from '../runner/http.ts';
import type { Step } from '../step.ts';

interface ListedIssue {
  readonly iid: number;
  readonly description?: string | null;
  readonly state?: string;
}

interface ListedMergeRequest {
  readonly state?: string;
  readonly sha?: string;
  readonly target_branch?: string;
}

interface ListedNote extends HostText {
  readonly author?: { readonly id?: number } | null;
}

export interface Gitlab extends PullHost, IssuesHost {
  ownIssues(): Promise<readonly KeptIssue[]>;
}

/** The client for the token in ALMANAC_NOTE_TOKEN; undefined without one, as in the pipelines of forks. */
export function connectGitlab({ env }: Pick<Step, 'env'>): Gitlab | undefined {
  const token = env['ALMANAC_NOTE_TOKEN'];
  if (!token) return undefined;
  const base = env['CI_API_V4_URL'] ?? '';
  const project = `/projects/${encodeURIComponent(env['CI_PROJECT_ID'] ?? '')}`;

  const headers = { 'private-token': token, 'user-agent': 'almanac' };
  const request = async <T>(method: string, path: string, body?: object): Promise<T> =>
    (await requestJson('GitLab', method, `${base}${path}`, { headers, body, pause: pauseOf(env) })) as T;

  const list = <T>(path: string, query = ''): Promise<readonly T[]> =>
    allPages((page) => request<readonly T[]>('GET', `${path}?${query}${page}`));

  const mergeRequestPath = (number: number | string) => `${project}/merge_requests/${number}`;
  const notes = (mergeRequest: number | string) => `${mergeRequestPath(mergeRequest)}/notes`;
  /** The user that the token belongs to, who is the author of everything written with it. */
  const ownId = async () => (await request<{ readonly id: number }>('GET', '/user')).id;
  const ownNotes = async (path: string): Promise<readonly HostText[]> => {
    const me = await ownId();
    return (await list<ListedNote>(path)).filter(({ author }) => author?.id === me);
  };
  return {
    words: { pull: 'merge request', base: 'target branch' },
    pullNow: async (mergeRequest) => {
      const {
        state,
        sha,
        target_branch: base,
      } = (await unless([404], request<ListedMergeRequest>('GET', mergeRequestPath(mergeRequest)))) ?? {};
      return { isMerged: state === 'merged', head: sha, base };
    },
    /** True if a commit comes after another one; false if GitLab lacks one of them, or they are unrelated. */
    comesAfter: async (commit, other) => {
      const query = `refs[]=${other}&refs[]=${commit}`;
      return (
        (
          await unless(
            [400, 404],
            request<{ readonly id?: string }>('GET', `${project}/repository/merge_base?${query}`),
          )
        )?.id === other
      );
    },
    ownTexts: (mergeRequest) => ownNotes(notes(mergeRequest)),
    addComment: (mergeRequest, body) => request('POST', notes(mergeRequest), { body }),
    changeComment: (mergeRequest, id, body) => request('PUT', `${notes(mergeRequest)}/${id}`, { body }),
    removeComment: (mergeRequest, id) => request('DELETE', `${notes(mergeRequest)}/${id}`),
    ownIssues: async () =>
      (await list<ListedIssue>(`${project}/issues`, `scope=all&state=all&author_id=${await ownId()}&`)).map(
        ({ iid, description, state }) => ({ id: iid, body: description, isOpen: state === 'opened' }),
      ),
    ownWordsOn: async (iid) => (await ownNotes(`${project}/issues/${iid}/notes`)).map(({ body }) => body),
    addToIssue: (iid, body) => request('POST', `${project}/issues/${iid}/notes`, { body }),
    addIssue: ({ title, body }) => request('POST', `${project}/issues`, { title, description: body }),
    changeIssue: (iid, { body, open }) =>
      request('PUT', `${project}/issues/${iid}`, {
        description: body,
        state_event: open === undefined ? undefined : open ? 'reopen' : 'close',
      }),
  };
}

/** Resolves to undefined if GitLab answers with one of these statuses. */
async function unless<T>(statuses: readonly number[], answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof HostFailure && statuses.includes(error.status)) return undefined;
    throw error;
  }
}

/** Text in which no line is a quick action, which GitLab would carry out under the name of the token's user. */
export function withoutQuickActions(text: string): string {
  return text.replace(/^\//gm, '\u200b/');
}
