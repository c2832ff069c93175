// The pipelines of docs/ci-azure.md and docs/ci-bitbucket.md: their scripts run in a shell with the variables that the
// platform sets, from a pull request to the apply, against the emulator and a double of the platform's API and repository.

import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { hook, weekly } from '../support/cli/open-stage.ts';
import { azure } from '../support/docs/azure.ts';
import { bitbucket } from '../support/docs/bitbucket.ts';
import { openTeam } from '../support/docs/pipeline-team.ts';
import { sftp } from '../support/vocabulary.ts';

const platforms = [
  ['Azure DevOps', azure],
  ['Bitbucket', bitbucket],
] as const;

const schedules = (declared: object) => ({ 'schedules/all.yaml': stringify({ schedules: declared }) });

describe.each(platforms)('the pipeline of %s', (name, platform) => {
  test(`the pipeline of ${name} shows the plan of a pull request in one comment, without a secret and without a request to Omni`, async () => {
    const team = await openTeam(platform, schedules({}));
    const first = await team.review(schedules({ weekly }));
    expect(first.code, first.log).toBe(0);
    expect(team.comments()).toHaveLength(1);
    expect(team.comments()[0]).toMatch(/^## Plan of Almanac\n\nPlanned for [0-9a-f]{40}\.\n\n\*\*The plan:\*\*\n/);
    expect(team.comments()[0]).toContain('schedules.weekly');
    await team.review(schedules({ weekly, hook }));
    expect(team.comments()).toHaveLength(1);
    expect(team.comments()[0]).toContain('schedules.hook');
    expect(team.emulator.requests()).toEqual([]);
    expect(team.subjects('almanac-state')).toEqual([]);
  });

  test(`the pipeline of ${name} keeps a comment for each environment, whose name is in its title`, async () => {
    const team = await openTeam(platform, schedules({}));
    for (const ALMANAC_ENVIRONMENT of ['dev', 'prod', 'dev'])
      await team.review(schedules({ weekly }), { ALMANAC_ENVIRONMENT });
    expect(team.comments().map((comment) => comment.split('\n')[0])).toEqual([
      '## Plan of Almanac (dev)',
      '## Plan of Almanac (prod)',
    ]);
  });

  test(`the pipeline of ${name} begins the comment with the difference if a pull request changes almanac.yaml, and no text becomes Markdown`, async () => {
    const team = await openTeam(platform, schedules({}));
    const textBody = 'Good morning\n```\n# Approved\n<img src=x>\r# Also approved\n';
    const job = await team.review({
      'almanac.yaml': 'api:\n  operations: full\n\nstate:\n  backend: git\n\nsafety:\n  maxDeletePercent: 99\n',
      ...schedules({ weekly: { ...weekly, textBody } }),
    });
    expect(job.code, job.log).toBe(0);
    const [comment = ''] = team.comments();
    expect(comment).toMatch(/^## Plan of Almanac\n\n.*\n\n\*\*The plan:\*\*\n/);
    expect(comment).toMatch(/^ {4}Look at this first$/m);
    expect(comment).toMatch(/^ {4}.*\+ maxDeletePercent: 99$/m);
    const outside = comment.split('\n').filter((line) => line !== '' && !line.startsWith('    '));
    expect(outside.join('\n').replaceAll(/[0-9a-f]{40}/g, '')).toBe('## Plan of Almanac\nPlanned for .\n**The plan:**');
  });

  test(`the pipeline of ${name} marks rows by a line that the table of the target branch does not have`, async () => {
    const report = {
      ...weekly,
      recipients: ['cfo@northpine.example'],
      filterConfig: { region: { values: ['North'] } },
    };
    const config = 'api:\n  operations: full\n\nstate:\n  backend: git\n\nsafety:\n';
    const team = await openTeam(platform, {
      'almanac.yaml': `${config}  internalDomains: [acme.example]\n  rows: { filters: [region], allow: tenants.csv }\n`,
      'tenants.csv': 'shows,receiver\nSouth,cfo@southoak.example\n',
      ...schedules({}),
    });
    const job = await team.review({
      'tenants.csv': 'shows,receiver\nSouth,cfo@southoak.example\nNorth,cfo@northpine.example\n',
      ...schedules({ report }),
    });
    expect(job.code, job.log).toBe(0);
    expect(team.comments()[0]).toMatch(/^ {4}.*\+ North,cfo@northpine\.example$/m);
    expect(team.comments()[0]).toMatch(/^ {6}!! 1 receiver gets rows by a line that the base branch does not have$/m);
  });

  test(`the pipeline of ${name} writes a comment of its own where somebody else has written one like it`, async () => {
    const team = await openTeam(platform, schedules({}));
    team.comment('## Plan of Almanac\n\nNothing changes.');
    expect((await team.review(schedules({ weekly }))).code).toBe(0);
    expect(team.comments()).toHaveLength(2);
    expect(team.comments()[0]).toContain('Nothing changes.');
  });

  test(`the pipeline of ${name} says in the comment that the plan could not be made, and fails`, async () => {
    const team = await openTeam(platform, schedules({}));
    team.commit('almanac-state', { 'almanac.state.json': 'no state' });
    const job = await team.review(schedules({ weekly }));
    expect(job.code).toBe(1);
    expect(team.comments()[0]).toContain('    error[state-');
  });

  test(`the pipeline of ${name} says first in a comment that it is too long for the plan`, async () => {
    const team = await openTeam(platform, schedules({}));
    const textBody = 'word '.repeat(40_000);
    await team.review(schedules({ weekly: { ...weekly, textBody } }));
    const [comment = ''] = team.comments();
    expect(comment).toMatch(/^## Plan of Almanac\n\n\*\*This is not the whole plan/);
  });

  test(`the pipeline of ${name} applies the plan that was saved after the merge, and the next plan is empty`, async () => {
    const team = await openTeam(platform, schedules({}));
    team.merge(schedules({ weekly, sftp: sftp() }));
    const plan = await team.plan();
    expect(plan.log).toContain('2 to create');
    const apply = await team.apply(plan);
    expect(apply.code, apply.log).toBe(0);
    expect(team.tracked()).toEqual(['schedules.sftp', 'schedules.weekly']);
    expect((await team.plan()).log).toContain('No changes.');
    for (const secret of team.secrets) expect(`${plan.log}${apply.log}`).not.toContain(secret);
  });

  test(`the pipeline of ${name} does the rest of a saved plan of which another apply has done a part`, async () => {
    const team = await openTeam(platform, schedules({}));
    team.merge(schedules({ weekly }));
    const first = await team.plan();
    team.merge(schedules({ weekly, hook }));
    const second = await team.plan();
    expect((await team.apply(first)).code).toBe(0);
    const sent = team.written().length;
    const late = await team.apply(second);
    expect(late.code).toBe(0);
    expect(late.log).toContain('schedules.weekly');
    expect(team.written()).toHaveLength(sent + 1);
  });

  test(`the pipeline of ${name} sends nothing where no variable pins the base URL, or the token may not write the state`, async () => {
    const team = await openTeam(platform, schedules({}));
    team.merge(schedules({ weekly }));
    const plan = await team.plan();
    expect((await team.apply(plan, { OMNI_BASE_URL: '' })).log).toContain('OMNI_BASE_URL: is not a variable of the');
    const refused = await team.apply(plan, { STATE_PUSH_TOKEN: 'another' });
    expect(refused.code).toBe(1);
    expect(team.written()).toEqual([]);
  });

  test(`the pipeline of ${name} fails at night if somebody has changed in Omni what was applied`, async () => {
    const team = await openTeam(platform, schedules({}));
    team.merge(schedules({ weekly }));
    await team.apply(await team.plan());
    expect((await team.look()).code).toBe(0);
    await team.deleteInOmni();
    const look = await team.look();
    expect(look.code, look.log).toBe(2);
    expect(look.log).toContain('schedules.weekly');
  });

  test(`the pipeline of ${name} gives secrets to no job of a pull request, and those that write to the apply alone`, () => {
    const seen = platform.secretsOf();
    expect(seen.review).toEqual(platform.noteTokens);
    expect(seen.apply).toEqual(expect.arrayContaining(['OMNI_API_TOKEN', 'STATE_PUSH_TOKEN']));
    expect(platform.unknownKeywords()).toEqual([]);
  });
});

test('a variable that the group of Azure DevOps lacks never becomes a password', async () => {
  const team = await openTeam(azure, schedules({}));
  team.merge(schedules({ sftp: sftp() }));
  const plan = await team.plan({ SFTP_PASSWORD: undefined });
  expect(plan.code).toBe(1);
  expect(plan.log).toContain('SFTP_PASSWORD=$(SFTP_PASSWORD)\nThe group has no such variable.');
});

test('without a token Bitbucket gets no comment, and the log has the plan', async () => {
  const team = await openTeam(bitbucket, schedules({}));
  const job = await team.review(schedules({ weekly }), { ALMANAC_NOTE_TOKEN: undefined });
  expect(job.code).toBe(0);
  expect(job.log).toContain('There is no ALMANAC_NOTE_TOKEN, so no comment.');
  expect(job.log).toContain('schedules.weekly');
  expect(team.comments()).toEqual([]);
});
