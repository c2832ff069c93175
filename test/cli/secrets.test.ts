// Recognizable secrets pass through everything the program does: afterwards no file, stream or error contains them, in
// any spelling.

import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openWorld } from '../support/world.ts';

const password = 's3cr3t-Kr0k0dil/"pass';
const signing = 's3cr3t-Pingu1n-signing';
const hook = 's3cr3t-Wald3sel';
const literal = 's3cr3t-L1teral-Igel';
const secrets = [password, signing, hook, literal];
const source = 'schedules/all.yaml';

const declarations = `
schedules:
  export:
    identifier: 12db1a0a
    name: Export
    schedule: 30 6 * * ? *
    timezone: UTC
    format: csv
    destinationType: sftp
    address: sftp.example.com
    port: 22
    username: almanac
    path: /in
    passwordUnencrypted: \${env.SFTP_PASSWORD}
  feed:
    identifier: 12db1a0a
    name: Feed
    schedule: 30 6 * * ? *
    timezone: UTC
    format: json
    destinationType: webhook
    url: https://hooks.example.com/\${env.HOOK}/stock
  old-way:
    identifier: 12db1a0a
    name: Old way
    schedule: 30 6 * * ? *
    timezone: UTC
    format: csv
    destinationType: sftp
    address: sftp.example.com
    port: 22
    username: almanac
    path: /in
    passwordUnencrypted: ${literal}
aiJobs:
  job:
    modelId: 770e8400-e29b-41d4-a716-446655440002
    prompt: Count.
    webhookUrl: https://hooks.example.com/job
    webhookSigningSecret: \${env.SIGNING}
`;

/** The spellings in which a secret could come out. */
function spellings(secret: string): readonly string[] {
  const base64 = Buffer.from(secret).toString('base64').replace(/=+$/, '');
  return [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    JSON.stringify(JSON.stringify(secret)).slice(3, -3),
    base64,
  ];
}

function leaks(text: string, hidden: readonly string[]): readonly string[] {
  return hidden.flatMap(spellings).filter((spelling) => text.includes(spelling));
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** A service that refuses everything and quotes what it was sent. */
async function echoingService() {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ detail: `Bad Request: ${request.headers.authorization} sent ${body}`, status: 400 }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`, close: () => server.close() };
}

test('no secret is printed or written by any command', async () => {
  const { baseUrl, organizationKey, ...folder } = await openWorld(
    { [source]: declarations },
    { operations: 'core', config: null },
  );
  const echo = await echoingService();
  const environment = { SFTP_PASSWORD: password, HOOK: hook, SIGNING: signing, OMNI_API_TOKEN: organizationKey };
  const seen: { command: string; text: string }[] = [];
  const run = async (argv: string, extra: Record<string, string> = {}, expected = 0) => {
    const almanac = folder.beside({}, { ...environment, OMNI_BASE_URL: baseUrl, ...extra });
    const finished = await almanac.run(...argv.split(' '));
    expect(finished.code, `${argv}: ${finished.stderr}`).toBe(expected);
    seen.push({ command: argv, text: finished.stdout + finished.stderr });
    return finished;
  };

  await run('validate');
  await run('validate --format json');
  await run('validate --strict', {}, 1);
  await run('plan --out first.plan.json');
  await run('plan --format json -v');
  for (const format of ['text', 'json'])
    await run(
      `apply --auto-approve --state other-${format}.json --format ${format}`,
      { OMNI_BASE_URL: echo.baseUrl },
      1,
    );
  await run('apply --auto-approve first.plan.json');
  await run('show');
  await run('show --format json');
  await run('show first.plan.json');
  await run('state show schedules.export');
  await run('state pull');

  // With operations core a new secret alone sends nothing: a note names the variables.
  const changed = await run('plan --format json', { SFTP_PASSWORD: `${password}2`, HOOK: `${hook}2` });
  const { changes, diagnostics } = JSON.parse(changed.stdout) as {
    changes: readonly unknown[];
    diagnostics: readonly { readonly code: string; readonly message: string }[];
  };
  expect(changes).toEqual([]);
  const waiting = diagnostics.filter(({ code }) => code === 'secret-waits').map(({ message }) => message);
  expect(waiting.join(' ')).toMatch(/SFTP_PASSWORD.*HOOK|HOOK.*SFTP_PASSWORD/);

  // Errors next to the literal, in YAML that can and cannot be parsed.
  folder.write({
    [source]: declarations.replace(
      `passwordUnencrypted: ${literal}`,
      `passwordUnencrypted: ${literal}\n    pasword: [${literal}`,
    ),
  });
  await run('validate', {}, 1);
  folder.write({
    [source]: declarations.replace(`passwordUnencrypted: ${literal}`, `passwordUnencrypted: "${literal}`),
  });
  await run('validate', {}, 1);
  await run('plan --format json', {}, 1);
  folder.write({
    [source]: declarations.replace(`passwordUnencrypted: ${literal}`, `passwordUnencrypted: [${literal}]`),
  });
  await run('validate', {}, 1);
  // A URL that the environment makes invalid.
  folder.write({ [source]: declarations.replace('https://hooks', 'htp://hooks') });
  await run('validate', {}, 1);

  for (const { command, text } of seen) expect(leaks(text, [...secrets, organizationKey]), command).toEqual([]);
  for (const file of filesBelow(folder.path)) {
    const hidden = file.endsWith(source) ? [password, signing, hook, organizationKey] : [...secrets, organizationKey];
    expect(leaks(readFileSync(file, 'utf8'), hidden), file).toEqual([]);
  }
  echo.close();
});
