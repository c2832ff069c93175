// In an environment with sinks nothing reaches those who are declared: whatever is declared, adopted, ignored or was
// applied before, no recipient, channel or host outside of the sinks is in any request, and a second plan is empty.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createEmulator } from '../../src/emulator/emulator.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { openGateway } from '../support/emulator/gateway.ts';
import { runs } from '../support/runs/runs.ts';
import { openFolder, workspaceIn } from '../support/workspace.ts';

/**
 * Whoever must not receive anything has this in the name; nothing else has. Digits, so that it may be a part of an address,
 * a host and the id of a Slack user.
 */
const victim = '4815162342';
const allSinks = { email: ['qa@sink.example'], slack: 'C0SINK0000', webhook: 'https://sink.example/in' };

const common = { schedule: '0 9 ? * MON *', timezone: 'Europe/London', format: 'csv', identifier: '12db1a0a' };
const people = fc.uniqueArray(fc.constantFrom('ana', 'bo', 'cleo'), { minLength: 1, maxLength: 3 });

/** How a value is written: by itself, or through a variable, a default or a file. */
const written = fc.constantFrom('plain', 'variable', 'default');

const destination: fc.Arbitrary<JsonObject> = fc.oneof(
  people.map((names) => ({
    destinationType: 'email',
    recipients: names.map((name) => `${name}@${victim}.example`),
    subject: 'Numbers',
  })),
  people.map((names) => ({
    destinationType: 'slack',
    slackRecipientType: 'users',
    recipients: names.map((name) => `U${victim}${name.toUpperCase()}`),
  })),
  fc.constant({ destinationType: 'slack', slackRecipientType: 'channel', recipients: `C${victim}` }),
  fc.constantFrom(`https://${victim}.example/hook`, `https://${victim}.example/\${env.VICTIM_KEY}`).map((url) => ({
    destinationType: 'webhook',
    url,
  })),
  // Those that declare the sink themselves.
  fc.constant({ destinationType: 'email', recipients: allSinks.email, subject: 'Numbers' }),
);

const ignored = fc.subarray(['subject', 'name', 'textBody', 'schedule', 'timezone', 'paused'], { minLength: 1 });

const schedule = fc.record({
  destination,
  written,
  ignored: fc.option(ignored, { nil: undefined }),
  paused: fc.boolean(),
  /** What was there before the sinks: applied through this state, made by hand and adopted, or nothing. */
  before: fc.constantFrom('applied', 'adopted', 'new'),
  renamed: fc.boolean(),
  limited: fc.boolean(),
});

const job = fc.record({
  webhookUrl: fc.option(
    fc.constantFrom(`https://${victim}.example/jobs`, `https://${victim}.example/\${env.VICTIM_KEY}`),
    {
      nil: undefined,
    },
  ),
  before: fc.boolean(),
});

const workspace = fc.record({
  schedules: fc.array(schedule, { minLength: 1, maxLength: 5 }),
  jobs: fc.array(job, { maxLength: 2 }),
  /** What delivers there does not exist in the environment. */
  skipped: fc.subarray(['email', 'slack', 'webhook'], { maxLength: 2 }),
  refresh: fc.constantFrom([], ['--refresh'], ['--refresh=deep']),
});
type Given = typeof workspace extends fc.Arbitrary<infer T> ? T : never;
type Schedule = Given['schedules'][number];

/** The declaration, and the variables that it reads. */
function declarationOf(
  given: Schedule,
  index: number,
  isLater: boolean,
): { fields: JsonObject; variables: JsonObject } {
  const { destination: to, ignored: names, paused, renamed, limited } = given;
  const { recipients } = to;
  const isVariable = given.written === 'variable' && recipients !== undefined;
  return {
    fields: {
      ...common,
      ...to,
      ...(isVariable ? { recipients: `\${var.team-${index}}` } : {}),
      name: `Schedule ${index}${isLater && renamed ? ' again' : ''}`,
      ...(paused ? { paused } : {}),
      ...(names === undefined ? {} : { lifecycle: { ignoreChanges: names } }),
      ...(limited ? { in: ['staging', 'production'] } : {}),
    },
    variables: isVariable ? { [`team-${index}`]: recipients } : {},
  };
}

/** One schedule of each destination may leave the fields that say who receives it to the defaults of its file. */
function filesOf(
  schedules: readonly (readonly [index: number, given: Schedule])[],
  isLater: boolean,
  jobs: JsonObject,
) {
  const files: Record<string, unknown> = {};
  for (const [index, given] of schedules) {
    const { fields } = declarationOf(given, index, isLater);
    const { recipients, url, ...rest } = fields;
    files[`schedules/s${index}.yaml`] =
      given.written === 'default'
        ? { defaults: { schedules: { recipients, url } }, schedules: { [`s${index}`]: rest } }
        : { schedules: { [`s${index}`]: fields } };
  }
  files['schedules/jobs.yaml'] = { aiJobs: jobs };
  return files;
}

async function play({ schedules, jobs, skipped, refresh }: Given): Promise<void> {
  const emulator = createEmulator({ rateLimit: 0, operations: 'full' });
  const { baseUrl, organizationKey } = await emulator.listen();
  const proxy = await openGateway(baseUrl);
  const folder = openFolder();
  try {
    const numbered = schedules.map((given, index) => [index, given] as const);
    const variables = Object.assign(
      {},
      ...numbered.map(([index, given]) => declarationOf(given, index, true).variables),
    );
    const sinks = { ...allSinks, ...Object.fromEntries(skipped.map((name) => [name, 'skip'])) };
    const settings = (deliver: object | undefined) => ({
      api: { baseUrl: proxy.baseUrl, operations: 'full', rateLimit: 0 },
      safety: { maxDeletePercent: 100 },
      variables,
      environments: { staging: deliver === undefined ? {} : { deliver }, production: {} },
    });
    const jobOf = ({ webhookUrl }: Given['jobs'][number], index: number) => ({
      modelId: '770e8400-e29b-41d4-a716-446655440002',
      prompt: `Sum up ${index}.`,
      ...(webhookUrl === undefined ? {} : { webhookUrl, webhookSigningSecret: '${env.VICTIM_KEY}' }),
    });
    const jobsOf = (chosen: Given['jobs']) =>
      Object.fromEntries(chosen.map((given) => [`j${jobs.indexOf(given)}`, jobOf(given, jobs.indexOf(given))]));
    const almanac = workspaceIn(folder, { OMNI_API_TOKEN: organizationKey, VICTIM_KEY: 'a-secret-value' });
    const env = ['--env', 'staging'];
    const adopt: JsonObject[] = [];
    for (const [index] of numbered.filter(([, { before }]) => before === 'adopted')) {
      const made = await fetch(`${baseUrl}/v1/schedules`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${organizationKey}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({
          ...common,
          name: `Schedule ${index}`,
          destinationType: 'email',
          recipients: [`x@${victim}.example`],
          subject: 'x',
        }),
      });
      adopt.push({ to: `schedules.s${index}`, id: ((await made.json()) as { readonly id: string }).id });
    }
    const earlier = numbered.filter(([, { before }]) => before !== 'new');
    folder.write({
      'almanac.yaml': settings(undefined),
      ...filesOf(earlier, false, jobsOf(jobs.filter(({ before }) => before))),
      'schedules/adopt.yaml': { adopt },
    });
    await almanac.apply('--allow', 'empty', ...env);
    folder.write({ 'almanac.yaml': settings(sinks), ...filesOf(numbered, true, jobsOf(jobs)) });
    proxy.sent.length = 0;
    const plan = await almanac.plan('--allow', 'empty', ...refresh, ...env);
    expect(JSON.stringify(plan.changes.map(({ after }) => after))).not.toContain(victim);
    await almanac.apply('--allow', 'empty', ...refresh, ...env);
    for (const [index] of numbered) await almanac.run('test', `schedules.s${index}`, '--auto-approve', ...env);
    await almanac.run('drift', '--deep', '--write', ...env);
    expect(proxy.sent.filter(({ body }) => body.includes(victim))).toEqual([]);
    for (const { fields } of emulator.data().schedules)
      if (/^Schedule \d/.test(String(fields['name']))) expect(JSON.stringify(fields)).not.toContain(victim);
    expect((await almanac.plan('--allow', 'empty', ...env)).changes).toEqual([]);
    // A schedule that was adopted takes over what it delivers to by then.
    expect((await almanac.plan('--allow', 'empty', '--refresh=deep', ...env)).changes).toEqual([]);
  } finally {
    folder.remove();
    await proxy.close();
    await emulator.close();
  }
}

it('no request holds a recipient, a channel or a host outside of the sinks', { timeout: 300_000 }, async () => {
  await fc.assert(fc.asyncProperty(workspace, play), { numRuns: runs(40) });
});
