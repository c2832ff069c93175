// The note on a merge request: one for each workspace and environment, which every pipeline of it keeps up to date.

import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { hook, weekly } from '../support/cli/open-stage.ts';
import { noteToken } from '../support/gitlab/fake-gitlab.ts';
import { openProject } from '../support/gitlab/open-project.ts';
import { makeFolder } from '../support/workspace.ts';

const marker = '<!-- almanac:plan environment="" directory="." head=';
const workspace = (schedules: object) => ({
  'almanac.yaml': { api: { operations: 'full' }, state: { backend: 'git' } },
  'schedules/all.yaml': { schedules },
});

test('a merge request gets one note with the plan, which later pipelines rewrite', async () => {
  const { gitlab, mergeRequest } = await openProject(workspace({ weekly }));
  gitlab.notes.push({ id: 1, body: `${marker}\nforged`, author: { id: 5 } });
  const first = await mergeRequest(workspace({ weekly, hook }));
  expect(first.result('review')).toMatchObject({ status: 'success' });
  expect(first.result('review').log).toContain('Wrote the plan as a note on the merge request.');
  const second = await mergeRequest(workspace({ weekly, hook: { ...hook, name: 'Stock feed two' } }));
  expect(second.result('review').log).toContain('The note on the merge request is up to date.');
  expect(gitlab.notes).toHaveLength(2);
  const [foreign, own] = gitlab.notes;
  expect(foreign?.body).toBe(`${marker}\nforged`);
  expect(own?.body.split('\n')[0]).toMatch(
    new RegExp(`^${marker}"${gitlab.head}" base="[^"]*" onto="[0-9a-f]{40}" -->$`),
  );
  expect(own?.body).toContain('Stock feed two');
  expect(own?.body).toMatch(/<sub>\[This job\]\(http:\S+\) planned [0-9a-f]{40}<\/sub>/);
  expect(second.result('review').artifact('plan.html')).toContain('Stock feed two');
  expect(JSON.parse(second.result('review').artifact('widget.json'))).toMatchObject({ create: 2 });
});

test('a plan without changes has a note too, and rewrites the one that is there', async () => {
  const project = await openProject(workspace({}));
  const calm = await project.mergeRequest({ 'README.md': 'Reports' });
  expect(calm.result('review').log).toContain('Wrote the plan as a note on the merge request.');
  expect(project.gitlab.notes).toMatchObject([{ body: expect.stringContaining('Almanac plan: no changes') }]);
  await project.mergeRequest(workspace({ weekly }));
  expect(project.gitlab.notes[0]?.body).not.toContain('no changes');
  await project.mergeRequest({ ...workspace({}), 'README.md': 'Reports' });
  expect(project.gitlab.notes).toHaveLength(1);
  expect(project.gitlab.notes[0]?.body).toContain('Almanac plan: no changes');
});

test('a plan that fails says so in the note, so nobody takes an earlier plan for this one', async () => {
  const { gitlab, mergeRequest } = await openProject(workspace({ weekly }));
  await mergeRequest(workspace({ weekly, hook }));
  const failed = await mergeRequest(workspace({ weekly: { ...weekly, schedule: 'never' } }));
  expect(failed.result('review').status).toBe('failed');
  expect(gitlab.notes).toHaveLength(1);
  expect(gitlab.notes[0]?.body).toContain('almanac plan failed');
});

test('a job that is run again for an earlier push leaves the note of the last push', async () => {
  const project = await openProject(workspace({ weekly }));
  const { gitlab, mergeRequest } = project;
  await mergeRequest(workspace({ weekly, hook }));
  const [last = { body: '' }] = structuredClone(gitlab.notes);
  const pushed = Object.defineProperty(gitlab, 'head', { get: () => 'f'.repeat(40), set: () => {} });
  const { status, log } = (await mergeRequest(workspace({}))).result('review');
  expect(status).toBe('success');
  expect(log).toContain('The merge request was pushed to after the commit of this plan, so its note stays as it is.');
  expect(pushed.notes).toEqual([last]);
});

test('a merge request whose workspace is not there says in the note that there is no plan of this push', async () => {
  const project = await openProject(workspace({ weekly }));
  project.set({ key: 'ALMANAC_WORKING_DIRECTORY', value: 'teams/a' });
  expect((await project.mergeRequest(workspace({}))).result('review').status).toBe('failed');
  expect(project.gitlab.notes[0]?.body).toMatch(
    /^<!-- almanac:plan environment="" directory="teams%2Fa" .+\n## Almanac did not run\n\nThere is no plan of this push\./,
  );
});

test('a merge request from a fork, which has no token, keeps the plan as an artifact and says so', async () => {
  const { gitlab, mergeRequest } = await openProject(workspace({}));
  const pipeline = await mergeRequest(workspace({ weekly }), { isFork: true });
  const { status, log, artifact } = pipeline.result('review');
  expect(status).toBe('success');
  expect(log).toContain('ALMANAC_NOTE_TOKEN is not set, as in merge requests from forks, so there is no note.');
  expect(artifact('plan.html')).toContain('Weekly sales');
  expect(gitlab.requests).toEqual([]);
});

test('an answer that says to wait, or a short failure of GitLab, is tried again', async () => {
  const { gitlab, mergeRequest } = await openProject(workspace({}));
  gitlab.failNext('GET', 429, 503);
  gitlab.failNext('POST', 429);
  expect((await mergeRequest(workspace({ weekly }))).result('review').status).toBe('success');
  expect(gitlab.notes).toHaveLength(1);
});

test.each([
  ['that may have been written is not sent a second time', noteToken, 'GitLab answered 502: as asked (POST).'],
  [
    'that GitLab refuses the token for fails the job',
    `${noteToken}-old`,
    'GitLab answered 401: 401 Unauthorized (GET).',
  ],
])('a note %s', async (_, value, words) => {
  const project = await openProject(workspace({}));
  project.set({ key: 'ALMANAC_NOTE_TOKEN', value });
  project.gitlab.failNext('POST', 502);
  const { status, log } = (await project.mergeRequest(workspace({ weekly }))).result('review');
  expect(status).toBe('failed');
  expect(log).toContain('The note on the merge request could not be written');
  expect(log).toContain(words);
  expect(project.gitlab.notes).toEqual([]);
  expect(project.logs() + project.calls()).not.toContain(noteToken);
});

test('no line of a note is a quick action, and a secret of the job is masked there and in the log', async () => {
  const project = await openProject(workspace({}));
  project.set({ key: 'SOME_PASSWORD', value: 'hunter2-hunter2' });
  const textBody = 'first\n/close\n/approve\nhunter2-hunter2';
  await project.mergeRequest(workspace({ weekly: { ...weekly, textBody } }));
  const [note] = project.gitlab.notes;
  expect(note?.body).toContain('approve');
  expect(note?.body).not.toMatch(/^\//m);
  expect(note?.body).toContain('***');
  expect(note?.body + project.logs()).not.toContain('hunter2');
});

test('a note shows everything that a loop of hundreds changes', async () => {
  const { gitlab, mergeRequest } = await openProject(workspace({}));
  const items = Array.from({ length: 300 }, (_, number) => `r${number}`);
  const loop = {
    ...weekly,
    forEach: Object.fromEntries(items.map((item) => [item, item])),
    name: '${each.value}',
    subject: `${'x'.repeat(200)} \${each.value}`,
  };
  await mergeRequest(workspace({ loop }));
  const [note] = gitlab.notes;
  expect(note?.body.length).toBeGreaterThan(65_536);
  for (const item of items) expect(note?.body).toContain(`x ${item}\``);
  expect(note?.body).not.toContain('not the whole plan');
});

test('a plan that is too long for a note says so, and how to see all of it', async () => {
  const { gitlab, mergeRequest } = await openProject(workspace({}));
  const textBody = Array.from({ length: 18 }, (_, line) => `line ${line} ${'x'.repeat(80)}`).join('\n');
  const many = Array.from({ length: 500 }, (_, number) => [
    `report-${number}`,
    { ...weekly, name: `${number}`, textBody },
  ]);
  const pipeline = await mergeRequest(workspace(Object.fromEntries(many)));
  expect(pipeline.result('review').status).toBe('success');
  expect(gitlab.notes[0]?.body.length).toBeLessThan(1_000_000);
  expect(gitlab.notes[0]?.body).toContain('> **This is not the whole plan: it is too long for a note.** Either split');
  expect(gitlab.notes[0]?.body).toContain('| create | `schedules.report-499`');
});

describe('a merge request that takes the token or the state elsewhere', () => {
  const elsewhere = {
    'almanac.yaml': { api: { operations: 'full', baseUrl: 'https://evil.example/api' }, state: { backend: 'git' } },
  };

  test('a merge request that takes the token or the state elsewhere is told so before everything else, also where nothing changes and the clone lacks the target branch', async () => {
    const project = await openProject(workspace({}));
    project.unset('OMNI_BASE_URL');
    project.set({ key: 'GIT_DEPTH', value: '1' });
    const review = (await project.mergeRequest(elsewhere)).result('review');
    const { body = '' } = project.gitlab.notes[0] ?? {};
    expect(body).toContain(
      '> [!CAUTION]\n> - **The base URL is not that of the base branch: the token goes to a different server**\n>   - `https://evil.example/api` (so far `none`)',
    );
    expect(review.log).toContain('The base URL is not that of the base branch');
  });

  test('hears nothing where both agree, and is told so where the base cannot be read', async () => {
    const project = await openProject(workspace({}));
    await project.mergeRequest(workspace({ weekly }));
    expect(project.gitlab.notes[0]?.body).not.toContain('base branch');
    const gone = { CI_MERGE_REQUEST_DIFF_BASE_SHA: 'f'.repeat(40) };
    await project.mergeRequest(workspace({ weekly }), { given: gone });
    expect(project.gitlab.notes[0]?.body).toContain('The base branch could not be read');
  });

  test.each([undefined, ''])(
    'a merge request of which GitLab names no base (%o) is said not to be compared',
    async (value) => {
      const project = await openProject(workspace({}));
      const given = { CI_MERGE_REQUEST_DIFF_BASE_SHA: value } as Readonly<Record<string, string>>;
      const { log, status } = (await project.mergeRequest(workspace({ weekly }), { given })).result('review');
      const words = 'GitLab does not say which commit of the target branch these files contain';
      expect({ status, log }).toEqual({ status: 'success', log: expect.stringContaining(words) });
      expect(project.gitlab.notes[0]?.body.split('\n').slice(1, 3).join()).toContain(words);
    },
  );

  test.each(['merge', 'squash', 'fast-forward'] as const)(
    'the merged result of a merge request is compared with the tip of the target branch, however GitLab merges: %s',
    async (merged) => {
      const project = await openProject(workspace({}));
      await project.mergeRequest(workspace({ weekly }));
      const safety = { safety: { maxDeletePercent: 10 } };
      const config = { 'almanac.yaml': { ...workspace({})['almanac.yaml'], ...safety } };
      await project.push(config);
      const second = await project.mergeRequest({ 'README.md': 'Reports' }, { merged });
      expect(second.result('review'), second.result('review').log).toMatchObject({ status: 'success' });
      const [note] = project.gitlab.notes;
      expect(note?.body).not.toContain('base branch');
      expect(note?.body).toContain('Weekly sales');
      expect(note?.body).toContain(`planned ${project.tip('change')}`);
    },
  );

  test('the pipeline of a merge train plans, and leaves the note as it is', async () => {
    const project = await openProject(workspace({}));
    await project.mergeRequest(workspace({ weekly }));
    const before = project.gitlab.notes.map(({ body }) => body);
    const train = { CI_MERGE_REQUEST_EVENT_TYPE: 'merge_train' };
    const { status, log } = (
      await project.mergeRequest({ 'README.md': 'Reports' }, { merged: 'merge', given: train })
    ).result('review');
    expect({ status, log }).toEqual({ status: 'success', log: expect.stringContaining('belongs to a merge train') });
    expect(project.gitlab.notes.map(({ body }) => body)).toEqual(before);
  });
});

test('a job leaves nothing in the temporary folder of its machine', async () => {
  const project = await openProject(workspace({ weekly }));
  const temporary = makeFolder();
  project.set({ key: 'TMPDIR', value: temporary.path });
  expect((await project.mergeRequest(workspace({ weekly, hook }))).result('review').status).toBe('success');
  expect((await project.scheduled('Nightly', 'drift')).result('drift').log).not.toBe('');
  expect(readdirSync(temporary.path)).toEqual([]);
});
