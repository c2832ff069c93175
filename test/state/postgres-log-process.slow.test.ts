// The PostgreSQL log in processes of its own, with and without package `pg`.

import { execFile } from 'node:child_process';
import { copyFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Variables } from '../../src/model/outside.ts';
import { isWithoutPostgres } from '../support/state/postgres-server.ts';
import { openPostgresStage, type PostgresStage } from '../support/state/postgres-stage.ts';
import { newEntry } from '../support/state/state-log-conformance.ts';
import { makeFolder } from '../support/workspace.ts';

const run = promisify(execFile);
let log: string;
let clock: string;

beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: ['src/state/postgres/postgres-log.ts', 'src/files/system.ts'],
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['pg'],
    outdir: 'out',
    write: false,
  });
  [log = '', clock = ''] = outputFiles.map(({ text }) => text);
});

/** Runs the script in a folder that has the log, and the package if it is `installed`. */
async function runScript(
  stage: Pick<PostgresStage, 'place'>,
  url: string,
  script: string,
  { installed = true, environment = {} }: { readonly installed?: boolean; readonly environment?: Variables } = {},
) {
  const folder = makeFolder().path;
  if (installed) symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'log.mjs'), log);
  writeFileSync(join(folder, 'clock.mjs'), clock);
  const head = `import { openPostgresLog } from './log.mjs';
    import { systemClock as clock } from './clock.mjs';
    const options = { place: ${JSON.stringify(stage.place)}, root: '/', clock, environment: process.env };`;
  writeFileSync(join(folder, 'script.mjs'), `${head}\n${script}\n`);
  const env = { PATH: process.env['PATH'], ALMANAC_STATE_URL: url, ...environment };
  return run(process.execPath, ['script.mjs'], { cwd: folder, env, timeout: 30_000 });
}

describe.skipIf(isWithoutPostgres())('a process with a log in PostgreSQL', () => {
  test.each(['disable', 'require'])(
    'an open connection with sslmode %s does not keep the process alive',
    async (sslmode) => {
      const stage = await openPostgresStage();
      const { server, role } = stage;
      const script = `const log = await openPostgresLog(options);
        await log.append(1, ${JSON.stringify({ ...newEntry(), bytes: [123, 125] }).replace(
          '[123,125]',
          'new Uint8Array([123, 125])',
        )});
        console.log((await log.read(0)).length);`;
      const { stdout, stderr } = await runScript(stage, server.url(role, server.port, sslmode), script);
      expect([stdout, stderr]).toEqual(['1\n', '']);
    },
  );

  test('the authority of a certificate is named in NODE_EXTRA_CA_CERTS, and the host is compared', async () => {
    const stage = await openPostgresStage();
    const { server, role } = stage;
    const script = `const log = await openPostgresLog(options);
      console.log(await log.read(0).then(({ length }) => length, ({ message }) => message));`;
    const authority = join(server.folder, 'root.crt');
    copyFileSync(server.certificate, authority);
    const named = { environment: { NODE_EXTRA_CA_CERTS: authority } };
    const url = server.url(role, server.port, 'verify-full');
    expect((await runScript(stage, url, script, named)).stdout).toBe('0\n');
    const elsewhere = await runScript(stage, url.replace('localhost', '127.0.0.1'), script, named);
    expect(elsewhere.stdout).toContain('the certificate of the server was not accepted (ERR_TLS_CERT_ALTNAME_INVALID)');
    const unsafe = await runScript(stage, url, script, { environment: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } });
    expect(unsafe.stdout).toContain('the certificate of the server was not accepted (DEPTH_ZERO_SELF_SIGNED_CERT)');
  });
});
