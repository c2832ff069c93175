// Two environments over the same declarations: staging, which may have sinks and whose requests are recorded, and
// production, each with an emulator and a state of its own.

import { onTestFinished } from 'vitest';
import type { Emulator } from '../../../src/emulator/emulator.ts';
import type { State } from '../../../src/model/plan/state.ts';
import { type Gateway, openGateway } from '../emulator/gateway.ts';
import { openWorld, type World } from '../world.ts';

const common = { identifier: '12db1a0a', schedule: '0 9 ? * MON *', timezone: 'Europe/London', format: 'csv' };
export const mail = {
  ...common,
  name: 'Mail',
  destinationType: 'email',
  recipients: ['cleo@customer.example', 'dan@customer.example'],
  subject: 'Numbers',
};
export const bucket = {
  ...common,
  name: 'Bucket',
  destinationType: 's3',
  bucketName: 'customer-reports',
  region: 'eu-west-1',
  roleArn: 'arn:aws:iam::123456789012:role/omni',
};
export const job = {
  modelId: '770e8400-e29b-41d4-a716-446655440002',
  prompt: 'Sum up the week.',
  webhookUrl: 'https://customer.example/jobs',
  webhookSigningSecret: '${env.SIGNING_SECRET}',
};
export const sinks = { email: ['qa@acme.com'], slack: 'C0TEST0000', webhook: 'http://127.0.0.1:9/sink' };

/** That of staging. */
export interface Stage extends World {
  readonly production: Emulator;
  /** In front of staging. */
  readonly proxy: Gateway;
  readonly settings: (deliver?: object, more?: object) => object;
  stateOf(environment: string): State;
}

export async function openStage(
  declared: object,
  deliver?: object,
  more: { readonly core?: true } = {},
): Promise<Stage> {
  const operations = more.core ? 'core' : 'full';
  const other = await openWorld({}, { config: null });
  const environment = { HOOK_KEY: 'a-secret-value', SIGNING_SECRET: 'another-secret' };
  const world = await openWorld({ 'schedules/all.yaml': declared }, { environment });
  const proxy = await openGateway(world.baseUrl);
  onTestFinished(() => proxy.close());
  const settings = (given?: object, rest: object = {}) => ({
    api: { baseUrl: proxy.baseUrl, operations, rateLimit: 0 },
    environments: {
      staging: { state: { path: 'staging.state.json' }, deliver: given },
      production: { state: { path: 'production.state.json' }, api: { baseUrl: other.baseUrl } },
    },
    ...rest,
  });
  world.write({ 'almanac.yaml': settings(deliver) });
  const stateOf = (name: string) => JSON.parse(world.read(`${name}.state.json`)) as State;
  return { ...world, production: other.emulator, proxy, settings, stateOf };
}

export const staging = ['--env', 'staging'] as const;
export const production = ['--env', 'production'] as const;

/** The fields of the schedules that the service holds, by name. */
export function stored({ emulator }: Stage): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  return Object.fromEntries(emulator.data().schedules.map(({ fields }) => [String(fields['name']), fields]));
}

export function bodiesOf({ proxy }: Stage): string {
  return proxy.sent.map(({ body }) => body).join('\n');
}

/** Made in Omni by hand, as `mail` is declared. */
export async function existing(stage: Stage, resource: object = mail): Promise<string> {
  return (await send(stage, 'POST', '/v1/schedules', resource)).id;
}

export async function send(stage: Stage, method: string, path: string, body: object): Promise<{ readonly id: string }> {
  const { proxy, environment } = stage;
  const headers = { Authorization: `Bearer ${environment['OMNI_API_TOKEN']}`, 'Content-Type': 'application/json' };
  const answer = await fetch(proxy.baseUrl + path, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
  const made = (await answer.json()) as { readonly id: string };
  proxy.sent.length = 0;
  return made;
}
