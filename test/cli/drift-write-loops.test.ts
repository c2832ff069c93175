// `almanac drift --write` and loops: a value is edited in the item that gives it, or moves from the declaration into every
// item. What the items cannot hold is refused, with the file and the way out.

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

  it('what the declaration gives to all moves into every item if only one changed', async () => {
    const { code, read, written, notWritten } = await edited(
      { [all]: maps },
      { 'Sales Europe': zoned('Europe/Paris') },
    );
    expect([code, notWritten]).toEqual([0, []]);
    expect(read(all)).toBe(
      maps
        .replace('[ana@example.com] }', '[ana@example.com], timezone: Europe/Paris }')
        .replace('[bo@example.com] }', '[bo@example.com], timezone: Europe/London }')
        .replace('timezone: Europe/London #', 'timezone: ${each.timezone} #'),
    );
    expect(written).toEqual([{ address: 'schedules.regional.emea', path: '/timezone', file: all, line: 5 }]);
  });

  it('the report says that every item has the value, and how to take one out of the loop', async () => {
    const staged = await stage({ [all]: maps });
    await staged.apply();
    staged.change('Sales Europe', zoned('Europe/Paris'));
    const { stdout } = await staged.workspace.run('drift', '--deep', '--write');
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'All 2 items of `schedules.regional` have `timezone` now. To declare one outside of the loop instead: `almanac show --resolved schedules.regional.emea`.',
    );
  });

  it('what the declaration gives to all is edited there if all changed alike', async () => {
    const { code, read, notWritten } = await edited(
      { [all]: maps },
      { 'Sales Europe': zoned('UTC'), 'Sales America': zoned('UTC') },
    );
    expect([code, notWritten]).toEqual([0, []]);
    expect(read(all)).toBe(maps.replace('timezone: Europe/London', 'timezone: UTC'));
  });

  it('different values of several instances are written at once', async () => {
    const { code, read, notWritten } = await edited(
      { [all]: maps },
      { 'Sales Europe': zoned('UTC'), 'Sales America': zoned('Europe/Paris') },
    );
    expect([code, notWritten]).toEqual([0, []]);
    expect(read(all)).toMatch(/emea: .*timezone: UTC \}.*\n.*amer: .*timezone: Europe\/Paris \}/);
  });

  it('a text that is partly a reference becomes one value of every item', async () => {
    const { code, read, notWritten } = await edited({ [all]: maps }, { 'Sales Europe': renamed('Costs in ${EUR}') });
    expect([code, notWritten]).toEqual([0, []]);
    expect(read(all)).toContain('name: ${each.name}');
    expect(read(all)).toMatch(/emea: .*name: "Costs in \$\$\{EUR\}" \}.*\n.*amer: .*name: Sales America \}/);
  });

  it('a paused instance is the only one whose item says so', async () => {
    const { code, read, notWritten } = await edited({ [all]: maps }, { 'Sales Europe': paused });
    expect([code, notWritten]).toEqual([0, []]);
    expect(read(all)).toContain('paused: ${each.paused}');
    expect(read(all)).toMatch(/emea: .*paused: true \}.*\n.*amer: .*paused: false \}/);
  });

  it('a value that other fields use as well gets a name that no item has', async () => {
    const text = maps
      .replace('name: Sales ${each.region}', 'name: ${each.name}')
      .replaceAll('region:', 'name:')
      .replace('subject: Hello', 'subject: ${each.name}');
    const { code, read, notWritten } = await edited({ [all]: text }, { Europe: renamed('EMEA') });
    expect([code, notWritten]).toEqual([0, []]);
    expect(read(all)).toContain('name: ${each.name-2}');
    expect(read(all)).toMatch(
      /emea: \{ name: Europe, .*name-2: EMEA \}.*\n.*amer: \{ name: America, .*name-2: America/,
    );
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

  it('a default that others have as well stays, and the items get the value', async () => {
    const text = `defaults: { schedules: { timezone: UTC } }\n${maps.replace('    timezone: Europe/London # for all\n', '')}`;
    const { code, read, notWritten } = await edited({ [all]: text }, { 'Sales Europe': zoned('Europe/Paris') });
    expect([code, notWritten]).toEqual([0, []]);
    expect(read(all)).toContain('schedules: { timezone: UTC }');
    expect(read(all)).toMatch(/emea: .*timezone: Europe\/Paris \}.*\n.*amer: .*timezone: UTC \}/);
  });

  it('items that are one value each are refused with the way out', async () => {
    const { code, read, notWritten } = await edited({ [all]: single }, { Europe: zoned('Europe/Paris') });
    expect(code).toBe(2);
    expect(read(all)).toBe(single);
    expect(notWritten.map(({ address, reason }) => [address, reason])).toEqual([['schedules.regional.emea', 'items']]);
    expect(notWritten[0]?.message).toContain('The item `emea` in schedules/all.yaml is one value');
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

it('a default that differs between environments is given to no item', async () => {
  const text = maps.replace('    timezone: Europe/London # for all\n', '');
  const zone = (name: string) => `{ defaults: { schedules: { timezone: ${name} } } }`;
  const more = `environments: { prod: ${zone('UTC')}, test: ${zone('Europe/Paris')} }\n`;
  const { code, read, notWritten } = await edited({ [all]: text }, { 'Sales Europe': zoned('Europe/Rome') }, more, [
    '--env',
    'prod',
  ]);
  expect([code, read(all)]).toEqual([2, text]);
  expect(notWritten.map(({ reason }) => reason)).toEqual(['used-elsewhere']);
  expect(notWritten[0]?.message).toContain('The defaults of almanac.yaml give `timezone`');
});

describe('an address', () => {
  it('that is a loop means all its instances, and that of an instance only this one', async () => {
    const { apply, change, write, workspace, drift } = await stage({ [all]: maps });
    await apply();
    change('Sales Europe', zoned('UTC'));
    change('Sales America', zoned('Europe/Paris'));
    const one = await write('schedules.regional.amer');
    expect(one.document.written?.map(({ address }) => address)).toEqual(['schedules.regional.amer']);
    expect(workspace.read(all)).toMatch(/emea: .*timezone: Europe\/London \}.*\n.*amer: .*timezone: Europe\/Paris \}/);
    const { code, document } = await write('schedules.regional', '--target', 'schedules.regional');
    expect([code, document.written?.map(({ address }) => address)]).toEqual([0, ['schedules.regional.emea']]);
    expect(workspace.read(all)).toMatch(/emea: .*timezone: UTC \}/);
    await apply('--refresh=deep');
    change('Sales Europe', zoned('Europe/Rome'));
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
