// An adopt entry with a wrong id: a plan with --refresh and an apply report it.

import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/model/values/json.ts';
import { at, schedule, stateOf } from '../support/apply/declared.ts';
import { refusalOf } from '../support/apply/refusal-of.ts';
import { baseUrl, stage } from '../support/apply/stage.ts';
import { idOf, refusal } from '../support/emulator/service.ts';

const s = 'schedules.s';
const id = '2abba91d-9bec-41a0-8a8d-6f133b4ff0b7';
const other = 'b1f7a2c1-6f7f-4c60-9e0c-1f1f6d0a3b22';
const differing = (words: RegExp) =>
  expect.objectContaining({ code: 'adopted-as-is', address: s, message: expect.stringMatching(words) });
const refresh = { depth: 'list', only: false } as const;
const adopting = (resources: Record<string, JsonObject> = {}) =>
  stage(
    { schedules: { s: schedule('S'), t: schedule('T') }, adopt: [{ to: s, id }] },
    {
      state: stateOf({ 'schedules.t': { id: idOf('t'), attributes: schedule('T') }, ...resources }),
    },
  );

describe('the id of an adopt entry', () => {
  it('an adopt entry whose id does not exist is left, if the plan looks at Omni', async () => {
    const made = adopting();
    made.service.add(idOf('t'), schedule('T'), at);
    expect((await refusalOf(made, { refresh })).message).toContain(`no schedule with the id ${id}`);
    expect(made.store.stored.state?.resources[s]).toBeUndefined();
  });

  it('an adopt entry whose id the list shows is asked for once, by the apply that adopts it', async () => {
    const made = adopting();
    made.service.add(idOf('t'), schedule('T'), at);
    made.service.add(id, schedule('S'), at);
    const asked: string[] = [];
    made.service.instead = ({ getSchedule }) => ({
      getSchedule: (...of) => {
        asked.push(of[0]);
        return getSchedule(...of);
      },
    });
    await made.apply({ refresh });
    expect(asked).toEqual([id]);
  });

  it('an adopt entry whose id may not be seen is left, with the reason', async () => {
    const made = adopting();
    made.service.add(idOf('t'), schedule('T'), at);
    made.service.instead = ({ getSchedule }) => ({
      getSchedule: (asked: string) =>
        asked === id ? Promise.reject(refusal(403, 'api-unauthorized')) : getSchedule(asked),
    });
    const { plan, document } = await made.apply({ refresh });
    expect(plan.changes).toMatchObject([{ address: s, left: expect.stringContaining('Almanac cannot tell') }]);
    expect(document?.summary).toMatchObject({ applied: 0, skipped: 1 });
    expect(made.store.stored.state?.resources[s]).toBeUndefined();
  });

  it('an adopt entry whose schedule is not in Omni is left by an apply without a refresh', async () => {
    const made = adopting();
    expect((await refusalOf(made)).message).toContain(`no schedule with the id ${id}`);
    expect(made.store.stored.state?.resources[s]).toBeUndefined();
    expect(made.service.sent).toEqual([]);
  });

  it('an adopt entry is not looked up outside the targets, or after its adoption', async () => {
    const other = adopting();
    other.service.add(idOf('t'), schedule('T'), at);
    await other.apply({ refresh, targets: ['schedules.t'] });
    const again = adopting({ [s]: { id, attributes: schedule('S') } });
    again.service.add(idOf('t'), schedule('T'), at);
    again.service.add(id, schedule('S'), at);
    expect((await again.apply({ refresh })).plan.changes).toEqual([]);
  });
});

describe('what an apply adopts', () => {
  it('an adopted schedule is recorded as it is in Omni, so that what was never applied is planned next', async () => {
    const made = adopting();
    made.files['schedules/all.yaml'] = {
      schedules: { s: schedule('S', { paused: true, schedule: '0 8 ? * TUE *' }), t: schedule('T') },
      adopt: [{ to: s, id }],
    };
    made.service.add(id, schedule('S'), at);
    const { plan, document } = await made.apply();
    expect(plan.changes).toMatchObject([{ address: s, action: 'adopt' }]);
    expect(document?.summary).toMatchObject({ applied: 1 });
    expect(made.service.sent).toEqual([]);
    expect(plan.diagnostics).toContainEqual(differing(/\(schedule, paused\)/));
    await made.apply();
    expect(made.service.schedules().get(id)).toMatchObject({
      disabledAt: expect.any(String),
      fields: { schedule: '0 8 ? * TUE *' },
    });
    expect((await made.plan()).changes).toEqual([]);
  });

  it('an adopted schedule that goes to other people than are declared is recorded so, and the next plan changes that', async () => {
    const mailTo = (who: string) => {
      const { url: _, ...mail } = schedule('S', { destinationType: 'email', recipients: [who], subject: 'S' });
      return mail;
    };
    const made = adopting();
    made.files['schedules/all.yaml'] = {
      schedules: { r: mailTo('ana@example.com'), s: mailTo('new@example.com'), t: schedule('T') },
      adopt: [
        { to: 'schedules.r', id: other },
        { to: s, id },
      ],
    };
    made.service.add(other, mailTo('ana@example.com'), at);
    made.service.add(id, mailTo('old@example.com'), at);
    made.service.add(idOf('t'), schedule('T'), at);
    const { plan } = await made.apply();
    expect(made.service.sent).toEqual([]);
    expect(plan.diagnostics).toContainEqual(
      differing(/^schedules\.s is adopted as it is in Omni, which differs from its declaration \(recipients\)/),
    );
    expect((await made.plan()).changes).toMatchObject([
      { address: s, action: 'update', diff: [{ before: 'old@example.com' }, { after: 'new@example.com' }] },
    ]);
  });

  it('an adopted schedule whose receivers are refused is left', async () => {
    const made = adopting();
    made.service.add(id, schedule('S'), at);
    made.service.add(idOf('t'), schedule('T'), at);
    made.service.instead = () => ({ getRecipients: () => Promise.reject(refusal(403, 'api-unauthorized')) });
    const { plan } = await made.apply();
    expect(plan.changes).toMatchObject([{ address: s, left: expect.stringContaining('Almanac cannot tell') }]);
    expect(made.store.stored.state?.resources[s]).toBeUndefined();
  });

  it('a required field that the details of an adopted schedule lack is a danger until an update has sent it', async () => {
    const email = { destinationType: 'email', recipients: ['ana@example.com'], subject: 'S' };
    const declared = (fields: JsonObject) => {
      const { url: _, ...mail } = schedule('S', { ...email, ...fields });
      return { schedules: { s: mail, t: schedule('T') }, adopt: [{ to: s, id }] };
    };
    const made = adopting();
    made.files['schedules/all.yaml'] = declared({});
    made.service.add(id, schedule('S', { destinationType: 'email' }), at);
    made.service.add(idOf('t'), schedule('T'), at);
    const recipients = { type: 'email', emails: email.recipients, settings: {} };
    made.service.instead = ({ listSchedules }) => ({
      getRecipients: async () => recipients,
      // The list differs from the declaration, so the details are read.
      listSchedules: async (...asked) => (await listSchedules(...asked)).map((row) => ({ ...row, recipientCount: 2 })),
    });
    const unread = () => made.store.stored.state?.resources[s]?.unread;
    await made.apply();
    expect(unread()).toEqual(['subject']);
    expect((await made.plan()).changes).toEqual([]);

    made.files['schedules/all.yaml'] = declared({ paused: true });
    await made.apply();
    expect(unread(), 'a pause sends no subject').toEqual(['subject']);
    made.files['schedules/all.yaml'] = declared({ paused: true, lifecycle: { preventDestroy: true } });
    await made.apply();
    expect(unread(), 'a change of the state alone sends nothing').toEqual(['subject']);

    made.files['schedules/all.yaml'] = declared({ paused: true, schedule: '0 8 ? * TUE *' });
    expect((await made.plan()).dangers).toContainEqual(
      expect.objectContaining({
        code: 'unread',
        items: [{ subject: 'subject', detail: '`schedules.s`: sets subject, which Omni does not return, to `S`' }],
      }),
    );
    await made.apply();
    expect(unread()).toBeUndefined();
  });

  it('a variable that holds another URL than Omni has is planned as a change after the adoption', async () => {
    const made = adopting();
    made.files['schedules/all.yaml'] = {
      schedules: { s: schedule('S', { url: 'https://hooks.example.com/${env.HOOK}' }), t: schedule('T') },
      adopt: [{ to: s, id }],
    };
    made.service.add(id, schedule('S', { url: 'https://hooks.example.com/right' }), at);
    made.service.add(idOf('t'), schedule('T'), at);
    made.environment['HOOK'] = 'wrong';
    const { plan } = await made.apply();
    expect(made.service.sent).toEqual([]);
    expect(plan.diagnostics).toContainEqual(differing(/\(url\)/));
    expect((await made.plan()).changes).toMatchObject([
      { address: s, action: 'update', diff: [{ path: '/url', before: 'https://hooks.example.com/(sensitive)' }] },
    ]);
  });

  it('an adopted SFTP schedule without a password may have one until an update has sent it without', async () => {
    const { url: _, ...rest } = schedule('S');
    const target = { destinationType: 'sftp', address: 'sftp.example.com', port: 22, username: 'u', path: '/in' };
    const declared = (fields: JsonObject) => ({
      schedules: { s: { ...rest, ...target, ...fields }, t: schedule('T') },
      adopt: [{ to: s, id }],
    });
    const made = adopting();
    made.files['schedules/all.yaml'] = declared({});
    made.service.add(id, { ...rest, ...target }, at);
    made.service.add(idOf('t'), schedule('T'), at);
    await made.apply();
    expect(made.store.stored.state?.resources[s]?.unread).toEqual(['passwordUnencrypted']);
    expect((await made.plan()).changes).toEqual([]);

    made.files['schedules/all.yaml'] = declared({ path: '/out' });
    expect((await made.plan()).dangers).toEqual([
      {
        code: 'password-removed',
        gravity: 'caution',
        title: '1 change may remove the password',
        items: [{ subject: 'sftp.example.com', detail: '`schedules.s`' }],
      },
    ]);
    await made.apply();
    expect(made.store.stored.state?.resources[s]?.unread).toBeUndefined();
    expect((await made.plan()).changes).toEqual([]);
  });

  describe('the filters of an adopted schedule', () => {
    const [region, other] = [{ values: ['Europe'] }, { values: ['Asia'] }];
    const looking = (effective: JsonObject | undefined, dashboard: JsonObject | number) => {
      const made = adopting();
      const declared = schedule('S', { filterConfig: { region, status: other } });
      made.files['schedules/all.yaml'] = {
        schedules: { s: declared, t: schedule('T') },
        adopt: [{ to: s, id }],
      };
      made.service.add(id, declared, at);
      made.service.add(idOf('t'), schedule('T'), at);
      const asked: string[] = [];
      made.service.instead = ({ getSchedule }) => ({
        getSchedule: async (of: string, ...rest: []) => {
          asked.push('schedule');
          return { ...(await getSchedule(of, ...rest)), filterConfig: effective };
        },
        getFilters: async (identifier: string) => {
          asked.push('filters');
          if (typeof dashboard === 'number') throw refusal(dashboard);
          return { identifier, filters: dashboard, controls: {}, filterOrder: [] };
        },
      });
      const unread = () => made.store.stored.state?.resources[s]?.unread;
      return { ...made, asked, unread };
    };
    const both = ['/filterConfig/region', '/filterConfig/status'];

    it.each<[string, JsonObject, JsonObject | undefined, readonly string[] | undefined, readonly string[]]>([
      ['both are those of the dashboard', { region, status: other }, {}, both, ['filters', 'schedule']],
      ['both are its own', {}, { region, status: other }, undefined, ['filters', 'schedule']],
      ['one is its own', { region }, { region, status: other }, both.slice(0, 1), ['filters', 'schedule']],
      [
        'the dashboard has changed since they were declared',
        { region: other, status: region },
        { region: other, status: region },
        both,
        ['filters', 'schedule'],
      ],
      ['the answer has no filters', { region }, undefined, both, ['filters', 'schedule']],
    ])(
      'are unread as far as they may be those of the dashboard, where %s',
      async (_, dashboard, effective, unread, asked) => {
        const stage = looking(effective, dashboard);
        await stage.apply();
        expect(stage.unread()).toEqual(unread);
        expect(stage.asked).toEqual(asked);
        expect((await stage.plan()).changes).toEqual([]);
      },
    );

    it('the filters of an adopted schedule are planned where neither the schedule nor its dashboard has them', async () => {
      const stage = looking({ region }, { region });
      await stage.apply();
      expect(stage.unread()).toEqual(both.slice(0, 1));
      // What is sent for one of them completes the other.
      expect((await stage.plan()).changes).toMatchObject([
        {
          diff: [
            { path: '/filterConfig/region/kind', op: 'add' },
            { path: '/filterConfig/region/type', op: 'add' },
            { path: '/filterConfig/status', op: 'add' },
          ],
        },
      ]);
    });

    it.each([403, 404, 422, 500])(
      'are unread where the filters of the dashboard are refused with %i',
      async (status) => {
        const stage = looking({ region, status: other }, status);
        await stage.apply();
        expect(stage.unread()).toEqual(both);
        expect(stage.asked.filter((each) => each === 'schedule')).toEqual(['schedule']);
      },
    );

    it('the filters of an adopted schedule are compared with the dashboard as it was before and after the schedule was read', async () => {
      const stage = looking({ region: { values: ['Africa'] }, status: other }, {});
      const readings = [{ region: { values: ['Oceania'] } }, { region: { values: ['Africa'] } }];
      const { instead } = stage.service;
      stage.service.instead = (real) => ({
        ...instead(real),
        getFilters: async (identifier: string) => ({
          identifier,
          filters: readings.shift() ?? {},
          controls: {},
          filterOrder: [],
        }),
      });
      const { plan } = await stage.apply();
      expect(stage.unread()).toEqual(both.slice(0, 1));
      expect(plan.diagnostics).toEqual([]);
    });

    it.each([401, 429])(
      'the filters of an adopted schedule are not guessed where the service answers %i: nothing is adopted',
      async (status) => {
        const stage = looking({}, status);
        await expect(stage.apply()).rejects.toMatchObject({ message: expect.stringContaining(String(status)) });
        expect(stage.store.stored.state?.resources[s]).toBeUndefined();
      },
    );

    it('the filters of an adopted schedule are recorded as they are in Omni where neither the declaration nor the dashboard has them so', async () => {
      const stage = looking({ region: { values: ['Africa'], label: 'Region' }, status: other }, {});
      const { plan } = await stage.apply();
      expect(stage.store.stored.state?.resources[s]?.attributes['filterConfig']).toEqual({
        region: { values: ['Africa'] },
        status: other,
      });
      expect(plan.diagnostics).toContainEqual(differing(/\(filterConfig\)/));
      expect((await stage.plan()).changes).toMatchObject([{ address: s, action: 'update' }]);
    });
  });

  it('with operations core an adopted schedule is taken on trust, because it cannot be looked at', async () => {
    const made = adopting();
    made.files['almanac.yaml'] = { api: { baseUrl, rateLimit: 0 } };
    await made.apply();
    expect(made.connections).toEqual([]);
    expect(made.store.stored.state?.resources[s]?.id).toBe(id);
  });
});
