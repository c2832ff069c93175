// Selectors choose what a plan and an apply are about. The other commands are in the transcripts.

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

  it('a plan and an apply with selectors select the instances of a loop by what each of them declares', async () => {
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
    ['plan', 'Did you mean `schedules.plain`?'],
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
