// The requests that a plan announces, compared with what its apply asks over HTTP.

import { describe, expect, it } from 'vitest';
import { hook, mail } from '../support/vocabulary.ts';
import { openApplied, openWorld, type World } from '../support/world.ts';

const other = '3f9c2b71';
const region = (...values: string[]) => ({ filters: { region: { values } } });
const board = (more: object) => ({ dashboards: { sales: { identifier: '12db1a0a', ...more } } });

/** The number that the plan says, in its text and in its document, and what the apply asks and says. */
async function compared(world: World) {
  const { stdout } = await world.run('plan');
  const [, least = '', said = ''] = /(At least )?(\d+) requests?\./.exec(stdout) ?? [];
  const { requests } = await world.plan();
  expect((await world.plan('--refresh=deep')).requests).toBe(requests);
  world.asked();
  const ran = await world.run('apply', '--auto-approve');
  expect(ran.code, ran.stdout + ran.stderr).toBe(0);
  const asked = world.asked();
  const words =
    /^(\d+) requests? (?:to see what exists|for the changes, (\d+) to see what exists)/m.exec(ran.stdout) ?? [];
  expect(Number(words[1] ?? 0) + Number(words[2] ?? 0), ran.stdout).toBe(asked.length);
  expect(requests, stdout).toBe(Number(said));
  return { isLeast: least !== '', requests, asked };
}

type Sections = Parameters<typeof openWorld>[0];
const a = mail({ name: 'A' });
const three = (subject: string) => ({
  a: mail({ name: 'A', subject }),
  b: mail({ name: 'B', subject }),
  c: mail({ name: 'C', subject, identifier: other }),
});

/** By what changes: what is applied, what is declared then, and how many requests that takes. */
const changes: Readonly<Record<string, readonly [before: Sections, after: object, rest: object, requests: number]>> = {
  'an update of an e-mail': [{ schedules: { a } }, { a: { ...a, subject: 'Two' } }, {}, 4],
  'an update of a webhook': [{ schedules: { a: hook() } }, { a: hook({ timezone: 'Asia/Tokyo' }) }, {}, 5],
  'updates of three e-mails on two dashboards': [{ schedules: three('One') }, three('Two'), {}, 10],
  'a filter of a dashboard that two e-mails follow': [
    { schedules: { a, b: mail({ name: 'B' }) }, ...board(region('North')) },
    { a, b: mail({ name: 'B' }) },
    board(region('South')),
    5,
  ],
  'a create': [{ schedules: { a } }, { a, b: mail({ name: 'B' }) }, {}, 2],
  'a resume': [{ schedules: { a: { ...a, paused: true } } }, { a }, {}, 4],
  'a pause': [{ schedules: { a } }, { a: { ...a, paused: true } }, {}, 2],
  'a deletion': [{ schedules: { a, b: mail({ name: 'B' }) } }, { b: mail({ name: 'B' }) }, {}, 2],
};

describe('a plan says how many requests its apply takes', () => {
  it.each(Object.entries(changes))('for %s', async (_, [before, after, rest, requests]) => {
    const world = await openApplied(before);
    world.declare(after, rest);
    const { asked, ...said } = await compared(world);
    expect(said).toEqual({ isLeast: false, requests });
    expect(asked, asked.join('\n')).toHaveLength(requests);
  });

  it.each([
    ['as it is declared', {}, 3],
    ['to user groups as well', { userGroupIds: ['a1f0c6d2-7b34-4e59-8c1d-52e6f90b7a31'] }, 4],
  ])('at least, for the adoption of an e-mail that goes %s', async (_, more, asks) => {
    const world = await openWorld();
    const id = world.makeByHand(a, more);
    world.declare({ a }, { adopt: [{ to: 'schedules.a', id }] });
    const { asked, ...said } = await compared(world);
    expect(said).toEqual({ isLeast: true, requests: 3 });
    expect(asked).toHaveLength(asks);
  });

  it('at least, for the adoption of three schedules on two dashboards', async () => {
    const world = await openWorld();
    const declared = { a, b: mail({ name: 'B', identifier: other }), c: hook({ name: 'C' }) };
    const adopt = Object.entries(declared).map(([key, fields]) => ({
      to: `schedules.${key}`,
      id: world.makeByHand(fields),
    }));
    world.declare(declared, { adopt });
    const { asked, ...said } = await compared(world);
    // The lists, the filters, the details, and the receivers of the webhook.
    expect(said).toEqual({ isLeast: true, requests: 2 + 2 + 3 + 1 });
    expect(asked).toHaveLength(said.requests);
  });

  it('and counts one list for updates on more than five dashboards', async () => {
    const world = await openWorld();
    const identifiers = ['k1', 'k2', 'k3', 'k4', 'k5', 'k6'];
    world.emulator.edit(({ documents }) => {
      const [model] = documents;
      for (const identifier of identifiers)
        documents.push({ ...structuredClone(model), identifier, name: identifier } as (typeof documents)[number]);
    });
    const named = (subject: string) =>
      Object.fromEntries(
        identifiers.map((identifier) => [identifier, mail({ name: identifier, identifier, subject })]),
      );
    world.declare(named('One'));
    await world.apply();
    world.declare(named('Two'));
    const { asked, ...said } = await compared(world);
    expect(said).toEqual({ isLeast: false, requests: 1 + 6 + 6 + 6 });
    expect(asked).toHaveLength(said.requests);
  });

  it('and counts a schedule twice that is due more than ten minutes after its look', async () => {
    const named = (subject: string) =>
      Object.fromEntries(Array.from({ length: 14 }, (_, n) => [`s${n}`, mail({ name: `S${n}`, subject })]));
    const world = await openApplied({ schedules: named('One') }, { api: { rateLimit: 1, concurrency: 1 } });
    world.declare(named('Two'));
    const { asked, ...said } = await compared(world);
    // The list, the filters, the looks, what is sent, and four that are looked at again.
    expect(said).toEqual({ isLeast: false, requests: 1 + 1 + 14 + 14 + 4 });
    expect(asked).toHaveLength(said.requests);
  });
});
