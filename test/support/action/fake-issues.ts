// Issues of the repository in the fake of GitHub: what the token writes belongs to the bot of the workflow.

export interface FakeIssue {
  readonly number: number;
  title: string;
  body: string;
  state: 'open' | 'closed';
  labels: readonly string[];
  readonly user: { readonly login: string };
  /** GitHub lists pull requests among the issues. */
  readonly pull_request?: object;
}

const root = '/repos/acme/reports/issues';

/** Undefined for a path that is about something else. */
export function answerAboutIssues(
  issues: FakeIssue[] | undefined,
  method: string,
  pathname: string,
  query: URLSearchParams,
  text: string,
): readonly [status: number, body: unknown] | undefined {
  const number = new RegExp(`^${root}/(\\d+)$`).exec(pathname)?.[1];
  if (pathname !== root && number === undefined) return undefined;
  if (issues === undefined) return [410, { message: 'Issues has been disabled in this repository.' }];
  if (method === 'GET') return [200, listed(issues, query)];
  const given = JSON.parse(text) as Partial<FakeIssue>;
  if (number === undefined) {
    const { title = '', body = '', labels = [] } = given;
    const user = { login: 'github-actions[bot]' };
    const next = 1 + Math.max(0, ...issues.map((issue) => issue.number));
    issues.push({ number: next, title, body, labels, user, state: 'open' });
    return [201, { number: next }];
  }
  const issue = issues.find((each) => each.number === Number(number));
  if (issue === undefined) return [404, { message: 'Not Found' }];
  Object.assign(issue, given);
  return [200, issue];
}

/** The newest first, as GitHub sorts them. */
function listed(issues: readonly FakeIssue[], query: URLSearchParams): readonly FakeIssue[] {
  const [size, page] = [Number(query.get('per_page')), Number(query.get('page'))];
  const [state, creator] = [query.get('state') ?? 'open', query.get('creator')];
  return [...issues]
    .filter((issue) => (state === 'all' || issue.state === state) && (creator === null || issue.user.login === creator))
    .sort((a, b) => b.number - a.number)
    .slice((page - 1) * size, page * size);
}
