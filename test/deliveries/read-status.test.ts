// The list of ten thousand schedules: what it costs is said before, and the terminal shows the beginning of what fails.

import { expect, it } from 'vitest';
import { renderStatusMarkdown, renderStatusText } from '../../src/commands/status/status.ts';
import { readStatus } from '../../src/deliveries/read-status.ts';
import { noNeighbours } from '../../src/model/plan/neighbours.ts';
import type { State } from '../../src/model/plan/state.ts';
import type { ListedSchedule } from '../../src/model/service/remote.ts';
import type { Config } from '../../src/model/workspace/config.ts';
import { plainTheme } from '../../src/report/text/theme.ts';

const now = Date.parse('2026-11-22T12:00:00Z');
const old = '2026-01-01T00:00:00.000Z';

function rows(count: number, more: Partial<ListedSchedule> = {}): readonly ListedSchedule[] {
  return Array.from({ length: count }, (_, index) => ({
    ...{ id: `id-${index}`, identifier: '12db1a0a', name: `Report ${index}`, format: 'pdf', destinationType: 'email' },
    ...{ schedule: '*/5 * * * ? *', timezone: 'Europe/London', paused: false, lastStatus: 'COMPLETE' },
    lastCompletedAt: '2026-11-20T09:00:00.000Z',
    ...more,
  }));
}

async function read(listed: readonly ListedSchedule[], isManaged = true, baseUrl?: string) {
  const events: object[] = [];
  const resource = ({ id }: ListedSchedule) => ({ id, attributes: {}, createdAt: old, updatedAt: old });
  const resources = listed.map((row, index) => [`schedules.r${index}`, resource(row)]);
  const state = { resources: isManaged ? Object.fromEntries(resources) : {} } as unknown as State;
  const config = { api: { operations: 'full', baseUrl }, ignore: [] } as unknown as Config;
  const service = {
    ...{ token: () => 'token', rateLimit: 60, sent: () => 0, sentLately: () => 0, concurrency: 1, call: {} },
    names: () => ({}),
    members: () => new Map(),
    api: async () => ({ listSchedules: async () => listed, clockDifference: () => 0 }) as never,
  };
  const question = { config, state, neighbours: noNeighbours, all: true, only: undefined, tolerance: 30 * 60_000 };
  const ports = { clock: { now: () => now }, reporter: { emit: (event: object) => events.push(event) } } as never;
  return { ...(await readStatus(question, service, ports)), events };
}

it('of ten thousand schedules the requests and their time are said, and the report folds', async () => {
  const { document, events } = await read(rows(10_000));
  expect(events).toEqual([{ type: 'expected', isLeast: true, requests: 100, sent: 0, seconds: 60 }]);
  expect(document.summary.missed).toBe(10_000);
  const lines = renderStatusText(document, { theme: plainTheme, width: 80 }).split('\n');
  expect(lines.length).toBeLessThan(25);
  expect(lines.join('\n')).toContain('and 9,995 more (-v lists all)');
  const markdown = renderStatusMarkdown(document);
  expect(markdown.length).toBeLessThan(60_000);
  expect(markdown).toMatch(/Left out because of its length: 9\d\d\d rows\./);
  // Whoever reads an issue does not know on which day "today" was.
  expect(markdown).toContain('due 2026-11-22 11&#58;30, last completed 2026-11-20 09&#58;00');
});

it('the Markdown links a schedule to its page in Omni, and a terminal shows no link', async () => {
  const { document } = await read(rows(1), true, 'https://acme.omniapp.co/api');
  const url = 'https://acme.omniapp.co/dashboards/12db1a0a/schedules/id-0';
  expect(document.schedules).toMatchObject([{ url }]);
  expect(renderStatusMarkdown(document)).toContain(`[\`schedules.r0\`](${url})`);
  expect(renderStatusText(document, { theme: plainTheme, width: 80 })).not.toContain(url);
});

it('a list that says nothing about runs is no reason for an alarm', async () => {
  const { lastStatus: _, lastCompletedAt: __, ...bare } = rows(1)[0] as ListedSchedule;
  await expect(read([{ ...bare, runsUntold: true }])).rejects.toThrow('does not say how their last runs ended');
  expect((await read([])).events).toEqual([]);
});
