// `--select`: tags, owners and patterns of addresses choose what plan, apply, next, who, status and trigger are about.

import { describe, expect, it } from 'vitest';
import { daily } from '../support/cli/open-stage.ts';
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

const flat = (text: string) => text.replace(/\s+/g, ' ');

describe('a plan and an apply with --select', () => {
  it.each([
    [
      ['--select', 'tag:month-end'],
      ['schedules.fin-close', 'schedules.fin-open'],
    ],
    [['--select', 'owner:@acme/sales'], ['schedules.pipeline']],
    [
      ['--select', 'owner:@acme/*'],
      ['schedules.fin-close', 'schedules.fin-open', 'schedules.pipeline'],
    ],
    [
      ['--select', 'schedules.fin-*'],
      ['schedules.fin-close', 'schedules.fin-open'],
    ],
    [
      ['--select', 'schedules.plain,owner:@acme/sales'],
      ['schedules.pipeline', 'schedules.plain'],
    ],
    [
      ['--select', 'schedules.plain', '--select', 'owner:@acme/sales'],
      ['schedules.pipeline', 'schedules.plain'],
    ],
    [
      ['--target', 'schedules.plain', '--select', 'owner:@acme/sales'],
      ['schedules.pipeline', 'schedules.plain'],
    ],
  ])('%j is about what any of its selectors matches', async (argv, addresses) => {
    const { planned } = await changed();
    expect(await planned(...argv)).toEqual(addresses);
  });

  it('an apply changes only what is selected, and the rest is still to do', async () => {
    const { stage, planned } = await changed();
    expect((await stage.apply('--select', 'tag:board')).summary).toMatchObject({ applied: 3 });
    expect(await planned()).toEqual(['schedules.plain']);
  });

  it('a plan that was saved keeps the selection, and --select cannot change it', async () => {
    const { stage, planned } = await changed();
    await stage.run('plan', '--select', 'owner:@acme/sales', '--out', 'almanac.plan.json');
    const refused = await stage.run('apply', 'almanac.plan.json', '--select', 'tag:board', '--auto-approve');
    expect(flat(refused.stderr)).toContain('A saved plan is applied as it is, so --select cannot change it.');
    const { code } = await stage.run('apply', 'almanac.plan.json', '--auto-approve');
    expect(code).toBe(0);
    expect(await planned()).toEqual(['schedules.fin-close', 'schedules.fin-open', 'schedules.plain']);
  });

  it('what is no longer declared has no tags, so only its address selects its deletion', async () => {
    const stage = await openApplied({ schedules: declared });
    const { pipeline: _, ...rest } = declared;
    stage.write({ 'schedules/all.yaml': { schedules: rest } });
    expect((await stage.plan('--select', 'tag:board')).changes).toEqual([]);
    const gone = await stage.run('plan', '--select', 'owner:@acme/sales');
    expect(gone.code).toBe(1);
    expect(flat(gone.stderr)).toContain('What is no longer declared has no owner: use its address.');
    const { changes } = await stage.plan('--select', 'schedules.pipe*');
    expect(changes).toMatchObject([{ address: 'schedules.pipeline', action: 'delete' }]);
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
      (await stage.plan('--select', selector)).changes.map(({ address }) => address);
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
    ['label:none', 'A selector is `tag:NAME`, `owner:NAME` or an address'],
    ['tag:', 'Declare it in `meta: { tags: […] }`.'],
  ])('the selector %s, which matches nothing, is refused although another one matches', async (selector, hint) => {
    const { stage } = await changed();
    const { code, stderr } = await stage.run('apply', '--auto-approve', '--select', `tag:board,${selector}`);
    expect(code).toBe(1);
    expect(flat(stderr)).toContain(`\`${selector}\` matches nothing.`);
    expect(flat(stderr)).toContain(hint);
    expect(stage.sent()).toEqual([]);
  });
});

describe('the questions with --select', () => {
  it('next shows the runs of what is selected, and its filters narrow that', async () => {
    const stage = await openApplied({ schedules: declared });
    const shown = async (...argv: readonly string[]) => {
      const { stdout } = await stage.run('next', '--format', 'json', ...argv);
      return JSON.parse(stdout).schedules.map(({ address }: { address: string }) => address);
    };
    expect(await shown('--select', 'tag:board')).toEqual(['schedules.fin-close', 'schedules.pipeline']);
    expect(await shown('--select', 'tag:board', '--recipient', 'close@example.com')).toEqual(['schedules.fin-close']);
    expect(await shown('schedules.plain', '--select', 'tag:month-end')).toEqual([
      'schedules.fin-close',
      'schedules.plain',
    ]);
    expect((await stage.run('next', '--select', 'tag:none')).code).toBe(1);
  });

  it('who names those who receive what is selected', async () => {
    const stage = await openApplied({ schedules: declared });
    const { stdout } = await stage.run('who', '--select', 'owner:@acme/sales', '--format', 'json');
    const { recipients } = JSON.parse(stdout) as { recipients: { recipient: string }[] };
    expect(recipients.map(({ recipient }) => recipient)).toEqual(['pipeline@example.com']);
  });

  it('status judges what is selected, and what fails elsewhere does not count', async () => {
    const stage = await openApplied({ schedules: declared }, { faults: [{ fault: 'run-error', at: 3 }] });
    stage.until(1, 10);
    expect((await stage.run('status')).code).toBe(2);
    const { code, stdout } = await stage.run('status', '--select', 'tag:month-end', '--format', 'json');
    const { schedules, summary } = JSON.parse(stdout);
    expect(schedules.map(({ address }: { address: string }) => address)).toEqual([
      'schedules.fin-close',
      'schedules.fin-open',
    ]);
    expect(summary).toMatchObject({ paused: 1, notManaged: { count: 0, failing: 0 } });
    expect(code).toBe(0);
    expect((await stage.run('status', '--select', 'tag:board', '--all')).stderr).toContain('cannot be used with');
  });

  it('status and trigger refuse a selection where a file that cannot be read may hide tags', async () => {
    const stage = await openApplied({ schedules: declared });
    stage.write({ 'schedules/more.yaml': 'schedules: [' });
    for (const argv of [['status'], ['trigger', '--auto-approve']]) {
      const { code, stderr } = await stage.run(...argv, '--select', 'tag:board');
      expect(code).toBe(1);
      expect(flat(stderr)).toContain('The declarations have errors, so --select cannot know everything it matches.');
    }
    expect(stage.sent()).toEqual([]);
  });

  it('trigger delivers what is selected, and leaves out what is paused', async () => {
    const stage = await openApplied({ schedules: declared });
    const { code, stdout } = await stage.run('trigger', '--auto-approve', '--select', 'tag:board');
    expect(code).toBe(0);
    expect(stdout).toBe(
      'schedules.fin-close: Omni was asked to deliver it.\nschedules.pipeline: Omni was asked to deliver it.\n',
    );
    expect(stage.sent()).toHaveLength(2);
    const paused = await stage.run('trigger', '--auto-approve', '--select', 'schedules.fin-open');
    expect(flat(paused.stderr)).toContain('Everything that --select matches is paused');
    const nothing = await stage.run('trigger', '--auto-approve');
    expect(flat(nothing.stderr)).toContain('Nothing says what to deliver; nothing was sent.');
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
    const { code, stdout } = await stage.run('trigger', '--auto-approve', '--select', 'owner:@acme/sales');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'schedules.pipeline: Omni was asked to deliver it.\n' });
  });
});
