// `expect: reviewed`: which digest the merged pull request showed, against a fake of GitHub's API.

import { expect, test } from 'vitest';
import { bot, openGithub } from '../support/action/fake-github.ts';
import { githubToken, headCommit, openRunner } from '../support/action/fake-runner.ts';

const digest = '5e'.repeat(32);
const shown = {
  id: 1,
  body: `<!-- almanac:plan environment="prod" directory="." digest="${digest}" -->\r\nplan`,
  user: bot,
};
const merged = { number: 7, merged_at: '2026-03-01T00:00:00Z', merge_commit_sha: headCommit, base: { ref: 'main' } };

async function opened() {
  const [runner, github] = [openRunner(), await openGithub()];
  const env = { GITHUB_API_URL: github.url, GITHUB_TOKEN: githubToken, ALMANAC_ENVIRONMENT: 'prod' };
  return { github, look: (more = {}) => runner.run('reviews/reviewed.mjs', { ...env, ...more }) };
}

test('the reviewed digest is the one in the comment on the pull request that was merged as this commit', async () => {
  const { github, look } = await opened();
  github.pulls.push({ ...merged, number: 3, merge_commit_sha: 'b'.repeat(40) }, { ...merged, merged_at: null }, merged);
  github.comments.push(shown);
  const step = await look();
  expect(step.code).toBe(0);
  expect(step.outputs).toEqual({ digest });
});

test.each([
  ['no pull request', [], [shown], {}],
  ['a pull request that was closed', [{ ...merged, merged_at: null }], [shown], {}],
  ['a pull request into another branch', [{ ...merged, base: { ref: 'next' } }], [shown], {}],
  ['a pull request without a comment, as from a fork', [merged], [], {}],
  ['a comment that someone else wrote', [merged], [{ ...shown, user: { login: 'mallory' } }], {}],
  ['the plan of another environment', [merged], [shown], { ALMANAC_ENVIRONMENT: 'staging' }],
  ['a plan that failed', [merged], [{ ...shown, body: shown.body.replace(digest, '') }], {}],
  ['a digest further down', [merged], [{ ...shown, body: `x\n${shown.body}` }], {}],
])('the reviewed digest is unknown with %s', async (_, pulls, comments, env) => {
  const { github, look } = await opened();
  github.pulls.push(...pulls);
  github.comments.push(...comments);
  const step = await look(env);
  expect(step.code).toBe(0);
  expect(step.outputs).toEqual({ digest: '' });
});

test.each([
  ['GitHub fails', { GITHUB_API_URL: 'http://127.0.0.1:1' }],
  ['the token may not look', { GITHUB_TOKEN: 'other' }],
  ['there is no commit', { GITHUB_SHA: '../../x' }],
])('the search for the reviewed digest stops the apply if %s', async (_, env) => {
  const { look } = await opened();
  const step = await look(env);
  expect(step.code).toBe(1);
  expect(step.outputs).toEqual({});
  expect(step.log).toContain('so nothing is applied');
});
