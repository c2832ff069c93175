import { expect, test } from 'vitest';
import { maskState, renderStateRows, renderStateTable, renderWholeState } from '../../src/commands/base/show-state.ts';
import type { State } from '../../src/model/plan/state.ts';
import { renderJson } from '../../src/report/text/render-json.ts';
import { colourTheme, plainTheme } from '../../src/report/text/theme.ts';
import { hostileTexts } from '../support/report/hostile-text.ts';
import * as samples from '../support/report/plan-samples.ts';
import { obeyed, stripSgr } from '../support/report/strip-sgr.ts';

const at = { createdAt: '2026-11-01T09:00:00Z', updatedAt: '2026-11-02T09:00:00Z' };
const sftp = {
  id: samples.oldId,
  attributes: { path: '/in', identifier: '12db1a0a', passwordUnencrypted: { $secret: 'fingerprint' } },
  outputs: { externalId: '7f3c' },
  ...at,
};
const state: State = {
  version: 2,
  lineage: '0d2f4c5b-1111-4222-8333-444455556666',
  serial: 7,
  toolVersion: '0.1.0',
  baseUrl: 'https://acme.omniapp.co/api',
  salt: 'c2FsdA==',
  resources: {
    'schedules.to-sftp': sftp,
    'dashboards.sales': { attributes: { identifier: '12db1a0a', filterOrder: ['region'] }, ...at },
  },
  orphans: [samples.orphan],
  unresolved: [
    { address: 'schedules.y', action: 'create', since: at.createdAt, attributes: { url: { $secret: 'f2' } } },
  ],
};

test('the whole state is printed', () => {
  expect(`\n${renderWholeState(state)}`).toMatchInlineSnapshot(`
    "
    State of https://acme.omniapp.co/api
      lineage 0d2f4c5b-1111-4222-8333-444455556666, serial 7, by almanac 0.1.0
      2 resources, 1 orphan, 1 unresolved

    # dashboards.sales
    # created 2026-11-01T09:00:00Z, updated 2026-11-02T09:00:00Z
            identifier:  "12db1a0a"
            filterOrder: ["region"]

    # schedules.to-sftp
    # created 2026-11-01T09:00:00Z, updated 2026-11-02T09:00:00Z
            id:                  "2abba91d-9bec-41a0-8a8d-6f133b4ff0b7"
            identifier:          "12db1a0a"
            path:                "/in"
            passwordUnencrypted: (sensitive)
      given by the service:
            externalId: "7f3c"

    Unresolved: 1 change of an earlier apply ended before the outcome was known.

      ! schedules.y (create, since 2026-11-01T09:00:00Z)

    Check in Omni whether it was carried out, then record the answer with one of:
      almanac state resolve ADDRESS --id ID
      almanac state resolve ADDRESS --done
      almanac state resolve ADDRESS --retry

    Orphans: 1 schedule that Almanac created still runs in Omni, untracked.

      ! 0d2f4c5b-1111-4222-8333-444455556666
          "Legacy" on dashboard 12db1a0a, was schedules.legacy, since
          2026-11-01T09:00:00Z

    Remove it in Omni, then clear it from this list:
      almanac state orphans --clear ID
    "
  `);
  const coloured = renderWholeState(state, { theme: colourTheme, width: 80 });
  expect(stripSgr(coloured)).toBe(renderWholeState(state));
});

test('the printed state has no fingerprint and no salt', () => {
  for (const text of [renderJson(maskState(state)), renderWholeState(state)]) {
    expect(text).not.toMatch(/fingerprint|f2|c2FsdA|\$secret/);
  }
  expect(maskState(state).resources['schedules.to-sftp']?.attributes).toEqual({
    path: '/in',
    identifier: '12db1a0a',
    passwordUnencrypted: '(sensitive)',
  });
});

test.each(hostileTexts)('a state cannot control the terminal: %j', (text) => {
  const hostile = {
    id: text,
    attributes: { name: text, [text]: text },
    outputs: { [text]: text },
    createdAt: text,
    updatedAt: text,
  };
  const shown = { ...state, baseUrl: text, lineage: text, resources: { [`schedules.${text}`]: hostile } };
  expect(renderWholeState(shown)).not.toMatch(obeyed);
  const tracked = Object.entries(shown.resources);
  expect(renderStateRows(tracked)).not.toMatch(obeyed);
  expect(renderStateRows(tracked).split('\n')).toHaveLength(2);
  expect(renderStateTable({ theme: plainTheme, width: 80 }, tracked)).not.toMatch(obeyed);
  expect(renderStateTable({ theme: plainTheme, width: 80 }, tracked).split('\n')).toHaveLength(3);
});
