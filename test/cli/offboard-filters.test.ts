// `almanac offboard --write` and the filters of reports: who leaves takes no filter off a report, and changes none.

import { expect, it } from 'vitest';
import type { OffboardDocument } from '../../src/commands/offboard/offboard-document.ts';
import { openWorld } from '../support/world.ts';

const filter = (value: string) => `{ type: string, kind: EQUALS, values: [${value}] }`;
const config = `defaults:
  schedules:
    identifier: 12db1a0a
    schedule: 0 9 ? * MON *
    timezone: UTC
    format: pdf
    destinationType: email
    subject: Sales
    filterConfig: { region: ${filter('EU')} }
`;
const declared = `audiences:
  team: { emails: [ana@example.com, bo@example.com] }
schedules:
  inherits: { name: A, recipients: [ana@example.com, bo@example.com] }
  joins: { name: B, recipients: ["\${audience.team}"], filterConfig: { order_status: ${filter('shipped')} } }
  takes-away: { name: C, recipients: [ana@example.com, cy@example.com], filterConfig: { region: null, order_status: ${filter('shipped')} } }
  theirs:
    forEach:
      ana: { mail: ana@example.com }
      bo: { mail: bo@example.com }
    name: Orders of \${each.key}
    recipients: ["\${each.mail}"]
    filterConfig: { order_status: ${filter('"${each.mail}"')} }
`;

it.each(['', ' --to cy@example.com'])(
  'offboard%s leaves every filter as it was, and an item that a filter reads as well is for people to change',
  async (to) => {
    const world = await openWorld(declared, { config });
    const filtersOf = async () => {
      const { changes } = await world.plan();
      return changes.map(({ address, after }) => [address, after?.['filterConfig']]);
    };
    const before = await filtersOf();
    const { stdout } = await world.run(`offboard ana@example.com --write --format json${to}`);
    const { edits, blocked } = JSON.parse(stdout) as OffboardDocument;
    expect(edits.map(({ path }) => path)).toEqual([
      expect.stringContaining('/audiences/team/emails'),
      expect.stringContaining('/schedules/inherits/recipients'),
      expect.stringContaining('/schedules/takes-away/recipients'),
    ]);
    expect(blocked.map(({ address }) => address)).toEqual(['schedules.theirs.ana']);
    expect(world.read('schedules/all.yaml')).toContain('filterConfig: { region: null, order_status: ');
    expect(await filtersOf()).toEqual(before);
    expect(before).toHaveLength(5);
  },
);
