// Selectors choose what plan, apply, drift, next, who, status and trigger are about.

import { describe, expect, it } from 'vitest';
import { daily } from '../support/cli/open-stage.ts';
import { says } from '../support/vocabulary.ts';
import { openApplied } from '../support/world.ts';

const mail = (name: string, more: object = {}) => ({
  ...{ identifier: '12db1a0a', name, schedule: '0 9 * * ? *', timezone: 'UTC', format: 'pdf' },
  ...{ destinationType: 'email', recipients: [`${name.toLowerCase()}@example.com`], subject: name },
  ...more,
});
const finance = { meta: { owner: '@acme/finance', tags: ['board', 'month-end'] } };
const sales = { meta: { owner: '@acme/sales', tags: ['board'] } };

const declared = {
  'fin-close': mail('Close', finance),
  'fin-open': mail('Open', { ...finance, paused: true }),
  pipeline: mail('Pipeline', sales),
  plain: daily,
};
const later = Object.fromEntries(
  Object.entries(declared).map(([key, each]) => [key, { ...each, timezone: 'Europe/London' }]),
);

async function changed() {
  const stage = await openApplied({ schedules: declared });
  stage.write({ 'schedules/all.yaml': { schedules: later } });
  const planned = async (...argv: readonly string[]) =>
    (await stage.plan(...argv)).changes.map(({ address }) => address);
  return { stage, planned };
}

describe('a plan and an apply with selectors', () => {
  it.each([
    [['tag:month-end'], ['schedules.fin-close', 'schedules.fin-open']],
    [['owner:@acme/sales'], ['schedules.pipeline']],
    [['owner:@acme/*'], ['schedules.fin-close', 'schedules.fin-open', 'schedules.pipeline']],
    [['schedules.fin-*'], ['schedules.fin-close', 'schedules.fin-open']],
    [
      ['schedules.plain', 'schedules.pipe*'],
      ['schedules.pipeline', 'schedules.plain'],
    ],
    [['tag:board', 'owner:@acme/sales'], ['schedules.pipeline']],
    [['schedules.fin-*', 'to:CLOSE@example.com'], ['schedules.fin-close']],
    [
      ['via:email', '--target', 'tag:month-end'],
      ['schedules.fin-close', 'schedules.fin-open'],
    ],
  ])('--target %j is about what its selectors choose', async (argv, addresses) => {
    const { planned } = await changed();
    expect(await planned('--target', ...argv)).toEqual(addresses);
  });

  it('an apply changes only what is selected, and the rest is still to do', async () => {
    const { stage, planned } = await changed();
    expect((await stage.apply('--target', 'tag:board')).summary).toMatchObject({ applied: 3 });
    expect(await planned()).toEqual(['schedules.plain']);
  });

  it('a plan that was saved keeps the selection, and --target cannot change it', async () => {
    const { stage, planned } = await changed();
    await stage.run('plan', '--target', 'owner:@acme/sales', '--out', 'almanac.plan.json');
    const refused = await stage.run('apply', 'almanac.plan.json', '--auto-approve', '--target', 'tag:board');
    expect(refused.stderr).toEqual(says('A saved plan is applied as it is, so --target cannot change it.'));
    const { code } = await stage.run('apply', 'almanac.plan.json', '--auto-approve');
    expect(code).toBe(0);
    expect(await planned()).toEqual(['schedules.fin-close', 'schedules.fin-open', 'schedules.plain']);
  });

  it('what is no longer declared is selected by what was applied, and its deletion with it', async () => {
    const stage = await openApplied({ schedules: declared });
    const { pipeline: _, ...rest } = declared;
    stage.write({ 'schedules/all.yaml': { schedules: rest } });
    for (const selector of ['tag:board', 'owner:@acme/sales', 'to:pipeline@example.com', 'schedules.pipe*']) {
      const { changes } = await stage.plan('--target', selector);
      expect(changes, selector).toMatchObject([{ address: 'schedules.pipeline', action: 'delete' }]);
    }
  });

  it('it selects the instances of a loop by what each of them declares', async () => {
    const stage = await openApplied({ schedules: { plain: daily } });
    stage.write({
      'schedules/all.yaml': {
        schedules: {
          region: {
            ...mail('Region', { name: '${each.key}', meta: { owner: '@acme/${each.key}', tags: ['${each.tag}'] } }),
            forEach: { emea: { tag: 'board' }, apac: { tag: 'none' } },
          },
          plain: daily,
        },
      },
    });
    const planned = async (selector: string) =>
      (await stage.plan('--target', selector)).changes.map(({ address }) => address);
    expect(await planned('tag:board')).toEqual(['schedules.region.emea']);
    expect(await planned('owner:@acme/apac')).toEqual(['schedules.region.apac']);
    expect(await planned('schedules.region')).toEqual(['schedules.region.apac', 'schedules.region.emea']);
  });

  it.each([
    ['tag:bord', 'Did you mean `tag:board`?'],
    ['owner:@acme/finances', 'Did you mean `owner:@acme/finance`?'],
    ['schedules.plane', 'Did you mean `schedules.plain`?'],
    ['plain', 'Did you mean `schedules.plain`?'],
    ['board', 'Did you mean `tag:board`?'],
    ['tags:board', 'Did you mean `tag:board`?'],
    ['label:none', 'A selector is an address such as schedules.fin-*, or tag:'],
    ['tag:', 'Declare it in `meta: { tags: […] }`.'],
  ])('the selector %s, which matches nothing, is refused although another one matches', async (selector, hint) => {
    const { stage } = await changed();
    const { code, stderr } = await stage.run('apply', '--auto-approve', '--target', 'tag:board', selector);
    expect(code).toBe(1);
    expect(stderr).toEqual(says(`\`${selector}\` matches nothing.`));
    expect(stderr).toEqual(says(hint));
    expect(stage.sent()).toEqual([]);
  });
});

describe('the questions with selectors', () => {
  it('next shows the runs of what is selected', async () => {
    const stage = await openApplied({ schedules: declared });
    const shown = async (...argv: readonly string[]) => {
      const { stdout } = await stage.run('next', '--format', 'json', ...argv);
      return JSON.parse(stdout).schedules.map(({ address }: { address: string }) => address);
    };
    expect(await shown('tag:board')).toEqual(['schedules.fin-close', 'schedules.pipeline']);
    expect(await shown('tag:board', 'to:close@example.com')).toEqual(['schedules.fin-close']);
    expect(await shown('schedules.plain', 'schedules.fin-*')).toEqual(['schedules.fin-close', 'schedules.plain']);
    expect((await stage.run('next', 'tag:none')).code).toBe(1);
  });

  it('drift looks at what is selected, and writes what is selected among that', async () => {
    const stage = await openApplied({ schedules: declared });
    for (const name of ['Close', 'Pipeline']) stage.change(name, (fields) => (fields['timezone'] = 'Asia/Tokyo'));
    const found = async (...argv: readonly string[]) =>
      JSON.parse((await stage.run('drift', '--format', 'json', ...argv)).stdout);
    const { drift } = await found('--target', 'owner:@acme/sales');
    expect(drift).toMatchObject([{ address: 'schedules.pipeline' }]);
    const other = await found('--target', 'owner:@acme/sales', '--write', 'tag:month-end');
    expect(other.error.message).toBe('--write schedules.fin-close is not among the resources of --target.');
    const { written } = await found('--write', 'to:close@*');
    expect(written).toMatchObject([{ address: 'schedules.fin-close', path: '/timezone' }]);
  });

  it('who names those who receive what is selected', async () => {
    const stage = await openApplied({ schedules: declared });
    const shown = async (...argv: readonly string[]) => {
      const { stdout } = await stage.run('who', ...argv, '--format', 'json');
      const { recipients } = JSON.parse(stdout) as { recipients: { recipient: string }[] };
      return recipients.map(({ recipient }) => recipient);
    };
    expect(await shown('owner:@acme/sales')).toEqual(['pipeline@example.com']);
    expect(await shown('tag:board', '*cl*@example.com')).toEqual(['close@example.com']);
    expect(await shown('schedules.fin-*')).toEqual(['close@example.com', 'open@example.com']);
    stage.write({ 'schedules/all.yaml': { schedules: { ...declared, pipeline: mail('Pipeline') } } });
    expect(await shown('owner:@acme/sales')).toEqual(['pipeline@example.com']);
  });

  it('status judges what is selected, and what fails elsewhere does not count', async () => {
    const stage = await openApplied({ schedules: declared }, { faults: [{ fault: 'run-error', at: 3 }] });
    stage.until(1, 10);
    expect((await stage.run('status')).code).toBe(2);
    const { code, stdout } = await stage.run('status', 'tag:month-end', '--format', 'json');
    const { schedules, summary } = JSON.parse(stdout);
    expect(schedules.map(({ address }: { address: string }) => address)).toEqual([
      'schedules.fin-close',
      'schedules.fin-open',
    ]);
    expect(summary).toMatchObject({ paused: 1, notManaged: { count: 0, failing: 0 } });
    expect(code).toBe(0);
    expect((await stage.run('status', 'tag:board', '--all')).stderr).toContain('Leave out --all, or tag:board.');
  });

  it('status and trigger refuse a label where a file that cannot be read may hide one', async () => {
    const stage = await openApplied({ schedules: declared });
    stage.write({ 'schedules/more.yaml': 'schedules: [' });
    for (const argv of [['status'], ['trigger', '--auto-approve']]) {
      const { code, stderr } = await stage.run(...argv, 'tag:board');
      expect(code).toBe(1);
      expect(stderr).toEqual(says('The declarations have errors, so a label cannot know everything that it matches.'));
    }
    expect(stage.sent()).toEqual([]);
  });

  it('trigger delivers what is selected, and leaves out what is paused', async () => {
    const stage = await openApplied({ schedules: declared });
    const { code, stdout } = await stage.run('trigger', '--auto-approve', 'tag:board');
    expect(code).toBe(0);
    expect(stdout).toBe(
      'schedules.fin-close: Omni was asked to deliver it.\nschedules.pipeline: Omni was asked to deliver it.\n',
    );
    expect(stage.sent()).toHaveLength(2);
    const paused = await stage.run('trigger', '--auto-approve', 'schedules.fin-op*');
    expect(paused.stderr).toEqual(says('Everything that was selected is paused'));
    const nothing = await stage.run('trigger', '--auto-approve');
    expect(nothing.stderr).toEqual(says('Nothing says what to deliver; nothing was sent.'));
    expect(stage.sent()).toEqual([]);
  });

  it('trigger delivers only what was applied, and follows a move that is still to be applied', async () => {
    const stage = await openApplied({ schedules: declared });
    const { pipeline, ...rest } = declared;
    stage.write({
      'schedules/all.yaml': {
        schedules: { ...rest, funnel: pipeline, extra: mail('Extra', sales) },
        moved: [{ from: 'schedules.pipeline', to: 'schedules.funnel' }],
      },
    });
    const { code, stdout } = await stage.run('trigger', '--auto-approve', 'owner:@acme/sales');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'schedules.pipeline: Omni was asked to deliver it.\n' });
  });
});

describe('an option that is gone', () => {
  it.each([
    ['plan --select tag:board,owner:@acme/*', "Write --target tag:board 'owner:@acme/*'. Labels of one kind add up"],
    ['apply --select=tag:board', 'Write --target tag:board.'],
    ['next --recipient *@partner.com --dashboard 12db1a0a', "Write 'to:*@partner.com' dashboard:12db1a0a. Labels"],
    ['next --destination slack,sftp', 'Write via:slack via:sftp. Labels'],
    ['state list --kind dashboard', 'Write kind:dashboard.'],
    ['state show --recipient ana@example.com', 'Write to:ana@example.com.'],
    ['who --select owner:@acme/sales', 'Write owner:@acme/sales.'],
    ['trigger --select tag:board', 'Write tag:board.'],
    ['status --select tag:board', 'Write tag:board.'],
    ['apply --wait --wait-timeout 60', 'Write --wait=60.'],
    ['apply --wait-timeout=', 'Write --wait=SECONDS.'],
    ['state show --dashboard', 'Write dashboard:VALUE.'],
    ['plan --select --out almanac.plan.json', 'Write --target SELECTOR.'],
    ["plan --select owner:o'hara,", "Write --target 'owner:o'\\''hara'."],
  ])('%s is refused with its translation', async (argv, words) => {
    const stage = await openApplied({ schedules: declared });
    const { code, stderr } = await stage.run(...argv.split(' '));
    expect(code).toBe(1);
    expect(stderr).toEqual(says(words));
    expect(stage.sent()).toEqual([]);
  });

  it('an option of that name that a command never had is unknown as any other', async () => {
    const stage = await openApplied({ schedules: declared });
    expect((await stage.run('validate', '--select', 'tag:board')).stderr).not.toContain('Write');
  });
});
