// `almanac drift --write` and loops: a value is edited in the item that gives it, or in the declaration if all
// changed alike. Anything else is refused, with the file and the way out.

import { describe, expect, it } from 'vitest';
import { all, edited, maps, renamed, rest, zoned } from '../support/cli/drift-loops.ts';
import { at, paused, stage, to } from '../support/cli/drift-stage.ts';

const single = `schedules:
  regional:
    forEach: { emea: Europe, amer: America }
    name: \${each.value}
    schedule: 0 8 ? * MON *
    timezone: Europe/London
    recipients: [ana@example.com]
${rest.replace('Hello', 'Hello ${each.key}')}`;

describe('the items of a map', () => {
  it('a value that is whole in the item is edited there, and nothing else changes', async () => {
    const { code, read, written, notWritten } = await edited(
      { [all]: maps },
      { 'Sales Europe': at('0 6 ? * WED *'), 'Sales America': to('bo@example.com', 'cy@example.com') },
    );
    expect([code, notWritten]).toEqual([0, []]);
    expect(read(all)).toBe(
      maps.replace('0 8 ? * MON *', '0 6 ? * WED *').replace('[bo@example.com]', '[bo@example.com, cy@example.com]'),
    );
    expect(written.map(({ address, path, line }) => [address, path, line])).toEqual([
      ['schedules.regional.amer', '/recipients', 6],
      ['schedules.regional.emea', '/schedule', 5],
    ]);
  });

  it.each([
    ['a value of the declaration', 'timezone', maps, zoned('Europe/Paris')],
    ['a text that is partly a reference', 'name', maps, renamed('Costs')],
    ['a field that the declaration leaves out', 'paused', maps, paused],
    [
      'a default',
      'timezone',
      `defaults: { schedules: { timezone: UTC } }\n${maps.replace('    timezone: Europe/London # for all\n', '')}`,
      zoned('Europe/Paris'),
    ],
  ])('%s is refused where only one instance changed, with the ways to write it', async (_, field, text, change) => {
    const staged = await stage({ [all]: text });
    await staged.apply();
    staged.change('Sales Europe', change);
    const { code, stdout } = await staged.workspace.run('drift', '--deep', '--write');
    expect([code, staged.workspace.read(all)]).toEqual([2, text]);
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      `One text gives \`${field}\` to all instances of \`schedules.regional\`, so it cannot hold what Omni has for one of them. Give every item in schedules/all.yaml a \`${field}\`, and write \`${field}: \${each.${field}}\` in schedules/all.yaml. Or declare this one outside of the loop: \`almanac show --resolved schedules.regional.emea\`.`,
    );
    const shown = await staged.workspace.run('show', '--resolved', 'schedules.regional.emea');
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('from: schedules.regional.emea')]);
  });

  it('what the declaration gives to all is refused where instances changed differently', async () => {
    const { code, read, written, notWritten } = await edited(
      { [all]: maps },
      { 'Sales Europe': zoned('UTC'), 'Sales America': zoned('Europe/Paris') },
    );
    expect([code, read(all), written]).toEqual([2, maps, []]);
    expect(notWritten.map(({ address, path, reason }) => [address, path, reason])).toEqual([
      ['schedules.regional.amer', '/timezone', 'items'],
      ['schedules.regional.emea', '/timezone', 'items'],
    ]);
  });

  it('what the declaration gives to all is edited there if all changed alike', async () => {
    const { code, read, notWritten } = await edited(
      { [all]: maps },
      { 'Sales Europe': zoned('UTC'), 'Sales America': zoned('UTC') },
    );
    expect([code, notWritten]).toEqual([0, []]);
    expect(read(all)).toBe(maps.replace('timezone: Europe/London', 'timezone: UTC'));
  });

  it('a list that means something else for each item is written as a whole if all changed alike', async () => {
    const text = maps.replace('recipients: ${each.to}', 'recipients: ["${each.to}", boss@example.com]');
    const all3 = to('ana@example.com', 'bo@example.com', 'cy@example.com');
    const { code, read, notWritten } = await edited({ [all]: text }, { 'Sales Europe': all3, 'Sales America': all3 });
    expect([code, notWritten]).toEqual([0, []]);
    expect(read(all)).toContain('[ana@example.com, bo@example.com, cy@example.com]');
  });

  it('a value of a list is edited in the item that gives this part of it', async () => {
    const text = maps.replace('recipients: ${each.to}', 'recipients: ["${each.to}", boss@example.com]');
    const { code, read, notWritten } = await edited(
      { [all]: text },
      { 'Sales Europe': to('ana@example.com', 'cy@example.com', 'boss@example.com') },
    );
    expect([code, notWritten]).toEqual([0, []]);
    expect(read(all)).toBe(text.replace('[ana@example.com]', '[ana@example.com, cy@example.com]'));
  });

  it('an item that refers to an audience of several gets a value of its own', async () => {
    const text = maps.replace('[ana@example.com]', '"${audience.sales}"');
    const other = `schedules:
  board:
    name: Board
    schedule: 0 8 ? * MON *
    timezone: UTC
    recipients: \${audience.sales}
${rest}audiences: { sales: { emails: [ana@example.com] } }
`;
    const { code, read, notWritten } = await edited(
      { [all]: text, 'schedules/board.yaml': other },
      { 'Sales Europe': to('cy@example.com') },
    );
    expect([code, notWritten]).toEqual([0, []]);
    expect(read(all)).toBe(maps.replace('[ana@example.com]', '["cy@example.com"]'));
    expect(read('schedules/board.yaml')).toBe(other);
  });

  it('an audience of one item is edited where it is declared', async () => {
    const text = `${maps.replace('[ana@example.com]', '"${audience.sales}"')}audiences: { sales: { emails: [ana@example.com] } }\n`;
    const { code, read, notWritten } = await edited(
      { [all]: text },
      { 'Sales Europe': to('ana@example.com', 'cy@example.com') },
    );
    expect([code, notWritten]).toEqual([0, []]);
    expect(read(all)).toBe(text.replace('emails: [ana@example.com]', 'emails: [ana@example.com, cy@example.com]'));
  });

  it('items that are one value each are refused with the way out', async () => {
    const { code, read, notWritten } = await edited({ [all]: single }, { Europe: zoned('Europe/Paris') });
    expect(code).toBe(2);
    expect(read(all)).toBe(single);
    expect(notWritten.map(({ address, reason }) => [address, reason])).toEqual([['schedules.regional.emea', 'items']]);
    expect(notWritten[0]?.message).toContain('Make every item in schedules/all.yaml a map with a `timezone`');
  });

  it('an item that is one value is edited if that is the whole field', async () => {
    const { code, read, notWritten } = await edited({ [all]: single }, { Europe: renamed('EMEA') });
    expect([code, notWritten]).toEqual([0, []]);
    expect(read(all)).toBe(single.replace('emea: Europe', 'emea: EMEA'));
  });
});

describe('items that share what an anchor gives', () => {
  const text = `x-base: &base { at: 0 8 ? * MON *, to: [ana@example.com] }\n${maps
    .replace('region: Europe, at: 0 8 ? * MON *, to: [ana@example.com]', '<<: *base, region: Europe')
    .replace("region: America, at: '0 9 ? * MON *', to: [bo@example.com]", '<<: *base, region: America')}`;

  it('only one of them changed: it gets a value of its own, and the anchor stays', async () => {
    const { code, read, notWritten } = await edited({ [all]: text }, { 'Sales Europe': at('0 6 ? * WED *') });
    expect([code, notWritten]).toEqual([0, []]);
    expect(read(all)).toBe(text.replace('region: Europe }', 'region: Europe, at: 0 6 ? * WED * }'));
  });

  it('all of them changed alike: what the anchor gives is edited', async () => {
    const changes = { 'Sales Europe': at('0 6 ? * WED *'), 'Sales America': at('0 6 ? * WED *') };
    const { code, read, notWritten } = await edited({ [all]: text }, changes);
    expect([code, notWritten]).toEqual([0, []]);
    expect(read(all)).toBe(text.replace('0 8 ? * MON *', '0 6 ? * WED *'));
  });
});

describe('an address', () => {
  it('that is a loop means all its instances, and that of an instance only this one', async () => {
    const { apply, change, write, workspace, drift } = await stage({ [all]: maps });
    await apply();
    change('Sales Europe', at('0 6 ? * WED *'));
    change('Sales America', at('0 7 ? * WED *'));
    const one = await write('schedules.regional.amer');
    expect(one.document.written?.map(({ address }) => address)).toEqual(['schedules.regional.amer']);
    expect(workspace.read(all)).toMatch(/emea: .*at: 0 8 .*\n.*amer: .*at: '?0 7 /);
    const { code, document } = await write('schedules.regional', '--target', 'schedules.regional');
    expect([code, document.written?.map(({ address }) => address)]).toEqual([0, ['schedules.regional.emea']]);
    expect(workspace.read(all)).toMatch(/emea: .*at: 0 6 /);
    await apply('--refresh=deep');
    change('Sales Europe', at('0 5 ? * WED *'));
    expect((await write('schedules.regional.emea', '--target', 'schedules.regional')).code).toBe(0);
    expect((await drift('--deep')).code).toBe(0);
  });
});

it('what a sink replaced is written into no item', async () => {
  const more = 'environments: { test: { deliver: { email: [qa@example.com] } } }\n';
  const { code, read, notWritten } = await edited({ [all]: maps }, { 'Sales Europe': to('zed@example.com') }, more, [
    '--env',
    'test',
  ]);
  expect(code).toBe(2);
  expect(read(all)).toBe(maps);
  expect(notWritten.map(({ reason }) => reason)).toEqual(['sink']);
});
