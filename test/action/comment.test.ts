// The step that keeps a comment per environment, on a fake of GitHub's API.

import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { firstLine, reviewIn } from '../../src/commands/ci/comments/marker.ts';
import { nextComment } from '../../src/report/text/markdown-parts.ts';
import { bot, openGithub } from '../support/action/fake-github.ts';
import { githubToken, headCommit, omniToken, openRunner } from '../support/action/fake-runner.ts';

const digest = '5e'.repeat(32);
const prod = '<!-- almanac:plan environment="prod" directory="."';
const markdown = '## Almanac plan: 2 to create\n';

const rest = `digest="${digest}" head="${headCommit}" base="main" onto="" whole="yes" named="" changes="" -->`;
const old = 'digest="" head="" base="" onto="" whole="no" named="" changes="" -->\nold';

async function opened() {
  const [runner, github] = [openRunner(), await openGithub()];
  const commentFile = join(runner.home, 'comment.md');
  return {
    github,
    happens: runner.happens,
    own: () => github.comments.filter(({ user, body }) => user.login === bot.login && body.startsWith(prod)),
    comment: (text = markdown, env: Record<string, string> = {}, identity = prod, first = `${identity} ${rest}`) => {
      writeFileSync(commentFile, `${first}\n${text}`);
      return runner.run('comment', {
        ...github.env,
        ALMANAC_COMMENT_PATH: commentFile,
        ALMANAC_PULL: '7',
        ...env,
      });
    },
  };
}

describe('the comment of an environment', () => {
  test('the comment of an environment is added once and then written again by every run', async () => {
    const { github, own, comment } = await opened();
    expect((await comment()).code).toBe(0);
    expect(own()).toHaveLength(1);
    expect(own()[0]?.body).toContain(markdown);
    expect(own()[0]?.body).toContain('[This run](https://github.example/acme/reports/actions/runs/4711/attempts/1)');
    expect(own()[0]?.body).toContain(`planned ${headCommit}`);
    // An edit by others does not last, even if the plan stays the same.
    Object.assign(own()[0] ?? {}, { editor: 'mallory' });
    await comment(markdown, { GITHUB_RUN_ATTEMPT: '2' });
    expect(own()).toMatchObject([{ editor: bot.login, body: expect.stringContaining('/attempts/2)') }]);
    // Other environments and folders have a comment of their own.
    await comment(markdown, {}, '<!-- almanac:plan environment="prod-2" directory="."');
    await comment(markdown, {}, '<!-- almanac:plan environment="prod" directory="teams%2Fa"');
    expect(github.comments).toHaveLength(3);
  });

  const [older, later] = ['1'.repeat(40), '2'.repeat(40)];
  const made = (more: { head?: string; base?: string; onto?: string }) => {
    const { head = headCommit, base = 'main', onto = older } = more;
    return `${prod} digest="${digest}" head="${head}" base="${base}" onto="${onto}" whole="yes" named="" changes="" -->`;
  };

  test.each([
    [
      'of a head that was replaced since, though its files had a later base',
      { head: 'e'.repeat(40), onto: later },
      true,
    ],
    [
      'for the branch that the pull request left, though its files had a later base',
      { base: 'develop', onto: later },
      true,
    ],
    ['of the same head with a later base', { onto: later }, false],
    ['of the same head with an earlier base', { onto: '0'.repeat(40) }, true],
  ])('a plan %s is replaced or stays', async (_, there, isReplaced) => {
    const { github, own, comment } = await opened();
    github.order = ['0'.repeat(40), older, later];
    github.comments.push({ id: 1, body: `${made(there)}\nshown so far`, user: bot });
    const { code, log } = await comment(markdown, {}, prod, made({}));
    expect(code, log).toBe(0);
    expect(own()[0]?.body.includes('shown so far')).toBe(!isReplaced);
  });

  test.each([
    ['a run for the branch that the pull request left', made({ base: 'develop' })],
    ['a run that does not know the commit of the base branch', made({ onto: '' })],
  ])('%s leaves the plan of the same head', async (_, first) => {
    const { github, own, comment } = await opened();
    github.comments.push({ id: 1, body: `${made({})}\nshown so far`, user: bot });
    const { code, log } = await comment(markdown, {}, prod, first);
    expect(code, log).toBe(0);
    expect(log).toContain('so its comment stays as it is');
    expect(own()[0]?.body).toContain('shown so far');
  });

  test('the comment of an environment is found behind hundreds of others, and comments of others are not touched', async () => {
    const { github, own, comment } = await opened();
    const forged = { id: 1, body: `${prod} ${rest}\nforged`, user: { login: 'mallory' } };
    github.comments.push(forged);
    for (let id = 2; id <= 250; id += 1) github.comments.push({ id, body: 'hello', user: { login: 'ana' } });
    // Two, which two runs added at once, become one again.
    for (const id of [251, 252]) github.comments.push({ id, body: `${prod} ${old}`, user: bot });
    await comment();
    expect(own()).toHaveLength(1);
    expect(own()[0]?.id).toBe(251);
    expect(own()[0]?.body).toContain('2 to create');
    expect(forged.body).toContain('forged');
    expect(github.comments).toHaveLength(251);
  });

  test.each([
    ['characters', `| row |\n`.repeat(20_000)],
    ['characters of four bytes', `📅 row\n`.repeat(20_000)],
    ['one line', 'x'.repeat(200_000)],
    [
      'an open fold and fence',
      `<details><summary>a</summary>\n\n\`\`\`\`text\n${'</details> ``` row\n'.repeat(20_000)}`,
    ],
  ])('a text that cannot be divided and is too long is cut, and says that it is not a review: %s', async (_, text) => {
    const { own, comment } = await opened();
    expect((await comment(text)).code).toBe(0);
    const [{ body } = { body: '' }] = own();
    expect(body.length).toBeLessThanOrEqual(65_536);
    expect(body).toContain('**Cut here because it is too long.** The rest is in the log of [the run](');
    expect(body).toContain('**This is not the whole plan, and does not count as a review');
    expect(body.split('\n')[0]).toBe(`${prod} ${rest.replace('changes=""', 'changes="too-long"')}`);
    const fences = body.match(/^````/gm) ?? [];
    expect(fences.length % 2).toBe(0);
  });
});

describe('a plan that takes several comments', () => {
  const changes = Array.from({ length: 500 }, (_, index) => ({
    address: `schedules.report-${index}`,
    digest: index.toString(16).padStart(64, '0'),
  }));
  const first = firstLine(prod, { digest, head: headCommit, base: 'main', changes });
  const page = (number: number) => `## Page ${number}\n\n${'| row |\n'.repeat(7_000)}`;
  const pages = (count: number) =>
    Array.from({ length: count }, (_, index) => page(index)).join(`\n\n${nextComment}\n\n`);
  const reviewed = (bodies: readonly string[]) =>
    bodies.map((body) => {
      const review = reviewIn(body, prod);
      if (review === undefined) throw new Error(body.slice(0, 200));
      return review;
    });

  test('each part has its text, the commit, its number and its share of the digests', async () => {
    const { own, comment } = await opened();
    expect((await comment(pages(3), {}, prod, first)).code).toBe(0);
    const bodies = own().map(({ body }) => body);
    const reviews = reviewed(bodies);
    // What is left below the three pages has no room for all digests.
    expect(reviews.map(({ part, parts }) => `${part}/${parts}`)).toEqual(
      bodies.map((_, index) => `${index + 1}/${bodies.length}`),
    );
    expect(bodies.length).toBeGreaterThanOrEqual(3);
    for (const [index, body] of bodies.entries()) {
      expect(body.length).toBeLessThanOrEqual(65_536);
      expect(body).toContain(`part ${index + 1} of ${bodies.length}, for ${headCommit}`);
      if (index < 3) expect(body).toContain(page(index).trim());
    }
    const found = reviews.flatMap(({ changes: of }) => (of === 'too-long' ? [] : of));
    expect(found.map((each) => each.digest)).toEqual(changes.map((each) => each.digest));
  });

  test('a later plan that takes fewer comments removes those that are left, and those of others stay', async () => {
    const { github, own, comment } = await opened();
    await comment(pages(3), {}, prod, first);
    github.comments.push({ id: 1, body: `${prod} ${rest}\nforged`, user: { login: 'mallory' } });
    await comment();
    expect(own()).toHaveLength(1);
    expect(own()[0]?.body).toContain('2 to create');
    expect(github.comments).toHaveLength(2);
  });

  test('above ten parts one comment says that it is not a review, gives both ways out, and has no digest of a change', async () => {
    const { own, comment } = await opened();
    await comment(pages(3), {}, prod, first);
    expect((await comment(pages(11), {}, prod, first)).code).toBe(0);
    expect(own()).toHaveLength(1);
    const [{ body } = { body: '' }] = own();
    expect(reviewed([body])[0]?.changes).toBe('too-long');
    expect(body).toContain('does not count as a review: it is too long for 10 comments');
    expect(body).toContain('Either split the pull request, or read the whole plan in the log of [the run](');
    expect(body).toContain(`\`almanac apply --expect ${digest}\``);
    expect(body).toContain('## Page 0');
    await comment(pages(10), {}, prod, `${prod} ${rest}`);
    expect(own()).toHaveLength(10);
  });
});

describe('a run that cannot comment', () => {
  const repository = (name: string) => ({ repo: { full_name: name } });
  test.each<[string, object, Record<string, string>, RegExp]>([
    [
      'of a fork says so',
      { pull_request: { head: repository('mallory/reports'), base: repository('acme/reports') } },
      {},
      /\. In pull requests from forks, the token of a run is read-only\./,
    ],
    [
      'of a fork that is gone says so',
      { pull_request: { head: { repo: null }, base: repository('acme/reports') } },
      {},
      /\. In pull requests from forks,/,
    ],
    [
      'of Dependabot says so',
      {},
      { GITHUB_ACTOR: 'dependabot[bot]' },
      /\. In runs of Dependabot, the token is read-only/,
    ],
    [
      'of the repository itself names the permission that it lacks',
      { pull_request: { head: repository('acme/reports'), base: repository('acme/reports') } },
      {},
      /\. Give the job the permission `pull-requests: write`\./,
    ],
  ])('a run that may not comment passes with a note in the summary, and a run %s', async (_, event, env, words) => {
    const { github, comment, happens } = await opened();
    happens(event);
    github.readOnly = true;
    const step = await comment(markdown, env);
    expect(step.code).toBe(0);
    expect(step.summary).toMatch(
      /No comment was written\. GitHub answered 403: Resource not accessible by integration/,
    );
    expect(step.summary).toMatch(words);
    expect(step.log.includes('::warning')).toBe(words.source.includes('permission'));
    expect(github.comments).toEqual([]);
  });

  test('a run that cannot comment fails if an earlier plan would stay visible', async () => {
    const { github, comment } = await opened();
    await comment();
    github.readOnly = true;
    const step = await comment('other');
    expect(step.code).toBe(1);
    expect(step.summary).toContain('shows an earlier plan');
  });

  test('a run that comments repeats what failed temporarily, but never adds twice', async () => {
    const { github, own, comment } = await opened();
    github.failNext('GET', 502, 429);
    expect((await comment()).code).toBe(0);
    github.failNext('PATCH', 500);
    expect((await comment('other')).code).toBe(0);
    expect(own()).toHaveLength(1);
    github.comments.length = 0;
    github.requests.length = 0;
    github.failNext('POST', 502);
    expect((await comment()).code).toBe(1);
    expect(github.requests.filter((line) => line.startsWith('POST'))).toHaveLength(1);
    // A rate limit, which GitHub may answer with 403 and a time to wait, is not a missing permission.
    github.failNext('POST', 429, 403, 403, 403);
    expect(await comment()).toMatchObject({ code: 1, log: expect.stringContaining('::error title=Almanac::') });
  });

  test('a page that is not JSON, as a proxy sends it, fails the comment step with words', async () => {
    const { comment } = await opened();
    const proxy = createServer((_, response) => response.end('<html>Log in</html>'));
    await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
    onTestFinished(() => void proxy.close());
    const { port } = proxy.address() as AddressInfo;
    const step = await comment(markdown, { GITHUB_API_URL: `http://127.0.0.1:${port}` });
    expect(step.code).toBe(1);
    expect(step.log).toContain('GitHub answered with something other than JSON (GET).');
    expect(step.log).not.toContain('    at ');
  });
});

test('a token is never printed by the comment step', async () => {
  const { github, comment } = await opened();
  const text = `plan ${omniToken} ${githubToken}\n`;
  const steps = [await comment(text)];
  github.failNext('GET', 401);
  steps.push(await comment(text));
  steps.push(await comment(text, { GITHUB_API_URL: 'http://127.0.0.1:1', GITHUB_TOKEN: 'another-token-of-github' }));
  expect(steps.map(({ code }) => code)).toEqual([0, 1, 1]);
  for (const { log, summary, outputs } of steps)
    expect(log + summary + JSON.stringify(outputs)).not.toMatch(/must-not-leak|MustNotLeak|another-token/);
  expect(github.comments[0]?.body).toContain('plan *** ***');
});
