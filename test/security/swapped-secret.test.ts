// A pull request that sends an unreviewed secret, or one no declaration may read.

import { describe, expect, it } from 'vitest';
import { notesOf, stage } from '../support/apply/stage.ts';
import { failureOf } from '../support/failure-of.ts';
import { sftp } from '../support/vocabulary.ts';

const upload = (password: string, fields = {}) => sftp({ passwordUnencrypted: password, ...fields });
const staged = (declared: object) => stage({ schedules: { s: declared } });
it.each([
  'OMNI_API_TOKEN',
  'OMNI_API_KEY',
  'OMNI_PRODUCTION_TOKEN',
  'ALMANAC_STATE_KEY',
  'ALMANAC_TOKEN_2',
  'GITHUB_TOKEN',
  'GITLAB_TOKEN',
  'ACTIONS_RUNTIME_TOKEN',
  'CI_JOB_TOKEN',
  'AWS_SECRET_ACCESS_KEY',
  'PGPASSWORD',
  'NPM_TOKEN',
  'NODE_AUTH_TOKEN',
  'SSH_AUTH_SOCK',
  'HTTPS_PROXY',
  'https_proxy',
  'STATE_PUSH_TOKEN',
  'omni_api_token',
])('%s can never be read, not even as a password', async (name) => {
  const made = staged(upload(`\${env.${name}}`));
  made.environment[name] = 'x';
  const { findings } = await failureOf(made.plan());
  expect(findings.map(({ code }) => code)).toEqual(['reserved-variable']);
});

it('a create with another variable has another digest, with and without the values', async () => {
  const digestOf = async (variable: string, values: Record<string, string>) => {
    const made = staged(upload(`\${env.${variable}}`));
    Object.assign(made.environment, values);
    return (await made.plan()).digest;
  };
  const values = { SFTP_PASSWORD: 'one', OTHER: 'two' };
  const digests = [await digestOf('SFTP_PASSWORD', {}), await digestOf('SFTP_PASSWORD', values)];
  const others = [await digestOf('OTHER', {}), await digestOf('OTHER', values)];
  expect(new Set(digests).size).toBe(1);
  expect(new Set(others).size).toBe(1);
  expect(digests[0]).not.toBe(others[0]);
});

describe('a tracked schedule with a password', () => {
  const applied = async () => {
    const made = staged(upload('${env.SFTP_PASSWORD}'));
    Object.assign(made.environment, { SFTP_PASSWORD: 'one', OTHER: 'two' });
    await made.apply();
    return made;
  };

  it('a swapped variable is planned and named where no secret is set, with the digest that apply finds', async () => {
    const made = await applied();
    made.files['schedules/all.yaml'] = { schedules: { s: upload('${env.OTHER}') } };
    made.environment = { OMNI_API_TOKEN: 'omni_osk_token' };
    const { changes, digest } = await made.plan();
    expect(changes).toMatchObject([
      {
        action: 'update',
        diff: [{ path: '/passwordUnencrypted', before: '${env.SFTP_PASSWORD}', after: '${env.OTHER}' }],
      },
    ]);
    Object.assign(made.environment, { SFTP_PASSWORD: 'one', OTHER: 'one' });
    expect((await made.plan()).digest).toBe(digest);
  });

  it('a reviewed plan with one variable does not apply another variable', async () => {
    const made = await applied();
    made.files['schedules/all.yaml'] = { schedules: { s: upload('${env.SFTP_PASSWORD}', { name: 'New' }) } };
    const { digest } = await made.plan();
    const saved = await made.save();
    made.files['schedules/all.yaml'] = { schedules: { s: upload('${env.OTHER}', { name: 'New' }) } };
    const sent = made.service.sent.length;
    expect((await failureOf(made.apply({ expect: digest }))).code).toBe('plan-stale');
    expect((await failureOf(made.apply({ saved }))).code).toBe('not-reviewed');
    expect(made.service.sent).toHaveLength(sent);
  });

  it('a saved plan that does not hold another variable does not send it', async () => {
    const made = await applied();
    const saved = await made.save();
    expect(saved.changes).toEqual([]);
    made.files['schedules/all.yaml'] = { schedules: { s: upload('${env.OTHER}') } };
    const sent = made.service.sent.length;
    expect((await made.apply({ saved })).document?.results).toEqual([]);
    expect(made.service.sent).toHaveLength(sent);
    expect(notesOf(made)).toContain('1 planned change is not in the saved plan, and not applied now: schedules.s.');
  });

  it('a password that moves from the file to the environment is planned, whatever is known', async () => {
    const made = staged(upload('in-the-file'));
    await made.apply();
    expect(JSON.stringify(made.store.stored)).not.toContain('in-the-file');
    made.files['schedules/all.yaml'] = { schedules: { s: upload('${env.SFTP_PASSWORD}') } };
    const diff = [{ before: '(sensitive)', after: '${env.SFTP_PASSWORD}', sensitive: true }];
    const { digest, changes } = await made.plan();
    expect(changes).toMatchObject([{ action: 'update', diff }]);
    made.environment['SFTP_PASSWORD'] = 'in-the-file';
    expect((await made.plan()).digest).toBe(digest);
  });
});
