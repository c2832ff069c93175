// Ctrl-C while something does not answer: whatever a command waits for, it ends at once and says that it was interrupted.

import { expect, it } from 'vitest';
import { interrupt, type Waiting } from '../support/cli/interrupted-wait.ts';
import { pairsOf } from '../support/runs/runs.ts';

const api = { baseUrl: 'http://127.0.0.1:9/api', operations: 'full', rateLimit: 0 };
const token = { OMNI_API_TOKEN: 'omni_osk_x' };

const places: Readonly<Record<string, (port: number) => Waiting>> = {
  S3: (port) => ({
    settings: {
      api,
      state: { backend: 's3', bucket: 'acme-state', region: 'eu-west-1', endpoint: `http://127.0.0.1:${port}` },
    },
    environment: { ...token, AWS_ACCESS_KEY_ID: 'AKIAX', AWS_SECRET_ACCESS_KEY: 'a-secret-key' },
  }),
  PostgreSQL: (port) => ({
    settings: { api, state: { backend: 'postgres' } },
    environment: { ...token, ALMANAC_STATE_URL: `postgresql://almanac:secret@127.0.0.1:${port}/almanac` },
  }),
};

const ofState = [
  ...['plan', 'drift', 'status', 'state list', 'state pull', 'state history', 'state unlock --auto-approve'],
  ...['import', 'doctor', 'state check', 'apply --auto-approve', 'trigger schedules.s --auto-approve'],
];

it.each(pairsOf(ofState, Object.keys(places)))(
  'an interruption ends %s while %s does not answer',
  async (line, place) => {
    expect(await interrupt(line.split(' '), places[place] as never)).toMatch(/interrupted/i);
  },
);

it.each([
  ...['status', 'drift', 'import', 'who --online', 'validate --online', 'preview schedules.s', 'plan --refresh'],
  ...[
    'list documents',
    'list models',
    'doctor',
    'apply --auto-approve --refresh',
    'trigger schedules.s --auto-approve',
  ],
])('an interruption ends %s while Omni does not answer', async (line) => {
  const waiting = (port: number) => ({
    settings: { api: { ...api, baseUrl: `http://127.0.0.1:${port}/api` } },
    environment: token,
  });
  expect(await interrupt(line.split(' '), waiting)).toMatch(/interrupted/i);
});
