// `meta`: what people write about a resource stays with them. Nothing of it is sent, reviewed or seen as drift, and no
// command that writes files loses it.

import { describe, expect, it } from 'vitest';
import { daily, sales } from '../support/cli/open-stage.ts';
import { openApplied } from '../support/world.ts';

const meta = { owner: '@acme/finance', tags: ['board', 'daily'], ticket: 'BI-42', note: 'The CFO reads it.' };
const job = { modelId: '770e8400-e29b-41d4-a716-446655440002', prompt: 'Summarise sales.' };

const write = (stage: { write(files: object): void }, source: unknown) => stage.write({ 'schedules/all.yaml': source });

describe('meta and the service', () => {
  it('meta on every kind of resource is in no request, and in the state', async () => {
    const stage = await openApplied();
    const before = stage.emulator.requests().length;
    write(stage, {
      schedules: { a: { ...daily, meta } },
      dashboards: { d: { ...sales, meta } },
      aiJobs: { j: { ...job, meta } },
    });
    expect((await stage.apply()).summary.applied).toBe(3);
    const bodies = JSON.stringify(stage.emulator.requests().slice(before));
    expect(bodies).not.toMatch(/meta"|finance|BI-42|CFO/);
    for (const { attributes } of Object.values(stage.state().resources)) expect(attributes['meta']).toEqual(meta);
  });

  it('meta is no drift, and what drift --write edits keeps it', async () => {
    const stage = await openApplied();
    const source = `schedules:
  a:
    identifier: 3f9c2b71
    name: Stock feed
    schedule: 0 9 * * ? *
    timezone: UTC
    format: json
    destinationType: webhook
    url: https://hooks.example.com/stock
    meta: { owner: "@acme/finance", tags: [board] } # ask before you change it
`;
    write(stage, source);
    await stage.apply();
    expect((await stage.run('drift', '--deep')).code).toBe(0);
    stage.emulator.edit(({ schedules }) => {
      for (const { fields } of schedules) fields['timezone'] = 'Asia/Tokyo';
    });
    const place = '(schedules/all.yaml:2, owner @acme/finance)';
    expect((await stage.run('drift')).stdout).toContain(`  schedules.a ${place}\n`);
    expect((await stage.run('drift', '--write')).code).toBe(0);
    expect(stage.read('schedules/all.yaml')).toBe(source.replace('timezone: UTC', 'timezone: Asia/Tokyo'));
    expect((await stage.plan('--refresh')).changes).toMatchObject([{ reason: 'as-declared' }]);
  });
});

describe('meta in files', () => {
  it('fmt puts meta and what is in it into the order of the tables, and comments stay', async () => {
    const stage = await openApplied();
    const fields = Object.entries(daily).map(([name, value]) => `    ${name}: ${value}\n`);
    const source = `schedules:
  a:
    extra: { later: 1 }
    meta: # who to ask
      note: Read by the board
      tags: [board]
      owner: "@acme/finance" # not ana
    accept: { cron-too-frequent: agreed }
${fields.join('')}`;
    write(stage, source);
    expect((await stage.run('fmt')).code).toBe(0);
    const formatted = stage.read('schedules/all.yaml');
    expect(formatted).toContain(`    accept: { cron-too-frequent: agreed }
    meta: # who to ask
      owner: "@acme/finance" # not ana
      tags: [board]
      note: Read by the board
    extra: { later: 1 }
`);
    expect((await stage.run('fmt', '--check')).code).toBe(0);
  });
});

describe('the owner of what changes', () => {
  const declare = (owners: readonly (string | undefined)[], more: object = {}) =>
    Object.fromEntries(
      owners.map((owner, index) => [`s${index}`, { ...daily, name: `S ${index}`, meta: owner && { owner }, ...more }]),
    );
  const reports = async (owners: readonly (string | undefined)[]) => {
    const stage = await openApplied({ schedules: declare(owners) });
    write(stage, { schedules: declare(owners, { timezone: 'Asia/Tokyo' }) });
    const { stdout: text } = await stage.run('plan');
    const { stdout: markdown } = await stage.run('plan', '--format', 'markdown');
    const { stdout: html } = await stage.run('plan', '--format', 'html');
    return { stage, text, html, rows: markdown.split('\n').filter((line) => line.startsWith('| ')) };
  };

  it('every report names the owners of many equal changes, of most of them first, and as code so that nobody is mentioned', async () => {
    const { text, html, rows } = await reports(['@acme/a', '@acme/<b>', '@acme/<b>', '@acme/c', '@acme/d', undefined]);
    expect(text.replace(/\s+/g, ' ')).toContain('owners @acme/<b>, @acme/a, @acme/c and 1 more)');
    expect(html).toContain('owner <code>@acme/&lt;b&gt;</code>, <code>@acme/a</code>, <code>@acme/c</code> and 1 more');
    expect(rows).toHaveLength(2);
    expect(rows[0]).toBe('| | resource | what | owner | declared in |');
    expect(rows[1]).toContain(' | `@acme/<b>`, `@acme/a`, `@acme/c` and 1 more | ');
  });

  it('a deletion names the owner that was applied last, and without meta no report speaks of owners', async () => {
    const { stage, text, html, rows } = await reports([undefined]);
    expect(rows[0]).toBe('| | resource | what | declared in |');
    expect(text + html).not.toContain('owner');
    write(stage, { schedules: declare(['@acme/a']) });
    await stage.apply();
    write(stage, { schedules: declare([]) });
    const { stdout } = await stage.run('plan', '--allow-empty', '--format', 'markdown');
    expect(stdout).toContain(' | `@acme/a` | ');
  });

  it('what moves is listed with its owner', async () => {
    const stage = await openApplied({ schedules: declare(['@acme/a']) });
    const [[key = '', declared] = []] = Object.entries(declare(['@acme/a']));
    const moved = [{ from: `schedules.${key}`, to: 'schedules.moved' }];
    write(stage, { schedules: { moved: declared }, moved });
    const text = (await stage.run('plan')).stdout.replace(/\s+/g, ' ');
    expect(text).toContain(`from schedules.${key} (schedules/all.yaml:3, owner @acme/a)`);
  });
});
