// How many fingerprints of secrets the built program makes: one for each distinct text that is compared with something or
// recorded. One takes some 40 ms of processor time.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openWorld } from '../support/world.ts';

const counting = `const crypto = require('node:crypto');
const { scrypt } = crypto;
let made = 0;
crypto.scrypt = (...given) => { made += 1; return scrypt(...given); };
require('node:module').syncBuiltinESMExports();
process.on('exit', () => process._rawDebug('made ' + made));`;

function hook(name: string, variable: string) {
  return {
    identifier: '12db1a0a',
    name,
    schedule: '0 9 * * ? *',
    timezone: 'UTC',
    format: 'csv',
    destinationType: 'webhook',
    url: `https://hooks.example.com/\${env.${variable}}`,
  };
}

test('a plan makes a fingerprint for each distinct secret that was applied, and who, next, page and show make none', async () => {
  const secrets = { ONE: 'secret-one', TWO: 'secret-two', SAME: 'secret-two' };
  const world = await openWorld(
    { schedules: { a: hook('A', 'ONE'), b: hook('B', 'TWO'), c: hook('C', 'SAME') } },
    {
      environment: secrets,
    },
  );
  world.write({ 'counting.cjs': counting });
  const made = async (line: string) => {
    const environment = {
      ...secrets,
      OMNI_API_TOKEN: world.organizationKey,
      NODE_OPTIONS: `--require ${join(world.path, 'counting.cjs')}`,
    };
    const { code, stderr } = await world.spawn(line, { environment });
    return [code, Number(/made (\d+)/.exec(stderr)?.[1])];
  };
  expect(await made('plan')).toEqual([0, 0]);
  expect(await made('apply --auto-approve')).toEqual([0, 2]);
  expect(await made('plan')).toEqual([0, 2]);
  for (const line of ['who', 'next', 'page', 'show --resolved'])
    expect([line, await made(line)]).toEqual([line, [0, 0]]);
});
