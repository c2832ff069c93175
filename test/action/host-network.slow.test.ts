// What steps and jobs say where a code host cannot be reached. An authority of one's own is obeyed.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { runLogged } from '../support/program.ts';
import { listenOnLoopback } from '../support/state/loopback.ts';
import { makeFolder, openFolder } from '../support/workspace.ts';

const http = openFolder();
afterAll(() => http.remove());
beforeAll(async () => {
  const outfile = join(http.path, 'http.mjs');
  await build({
    entryPoints: ['src/commands/ci/runner/http.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
  });
});

/** What a request to an address of this machine says. */
async function ask(url: string, environment: Readonly<Record<string, string>> = {}): Promise<string> {
  const script = `const { requestJson } = await import(${JSON.stringify(join(http.path, 'http.mjs'))});
    const answer = await requestJson('GitLab', 'GET', ${JSON.stringify(url)}, { pause: 1 }).catch(({ message }) => message);
    console.log(JSON.stringify(answer));`;
  const env = { PATH: process.env['PATH'] ?? '', ...environment };
  const { log } = await runLogged([process.execPath, '--input-type=module', '-e', script], { cwd: '/', env });
  // Node warns that it may not always do what the variable says.
  return JSON.parse(/^["{].*$/m.exec(log)?.[0] ?? log);
}

it('a certificate that is not trusted is named at once, with the variable that trusts its authority', async () => {
  const { path } = makeFolder();
  const [key, certificate] = ['key.pem', 'certificate.pem'].map((name) => join(path, name));
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const files = ['-keyout', `${key}`, '-out', `${certificate}`];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...names, ...files], {
    stdio: 'pipe',
  });
  let refusals = 0;
  const server = createServer(
    { key: readFileSync(`${key}`), cert: readFileSync(`${certificate}`) },
    (_request, response) => void response.end('{"id":5}'),
  ).on('tlsClientError', () => {
    refusals += 1;
  });
  const { port, close } = await listenOnLoopback(server);
  onTestFinished(close);
  const url = `https://localhost:${port}/user`;
  expect(await ask(url)).toBe(
    'GitLab did not answer (GET, DEPTH_ZERO_SELF_SIGNED_CERT). Its certificate is not trusted: set NODE_EXTRA_CA_CERTS to the file of the authority that signed it.',
  );
  expect(refusals).toBe(1);
  expect(await ask(url, { NODE_EXTRA_CA_CERTS: `${certificate}` })).toEqual({ id: 5 });
});

it('a host that cannot be reached is named with the reason', async () => {
  expect(await ask('http://127.0.0.1:9/')).toMatch(/^GitLab did not answer \(GET, (?:ECONNREFUSED|bad port)\)\.$/);
  expect(await ask('https://nowhere.invalid/')).toMatch(/^GitLab did not answer \(GET, (?:ENOTFOUND|EAI_AGAIN)\)\.$/);
});

/** Since this version, Node's own requests obey a proxy. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
it.skipIf(major < 22 || (major === 22 && minor < 21))('a proxy is asked where NODE_USE_ENV_PROXY is set', async () => {
  const { createServer: createProxy } = await import('node:http');
  const asked: (string | undefined)[] = [];
  const proxy = createProxy().on('connect', (request, socket) => {
    asked.push(request.url);
    socket.end('HTTP/1.1 407 Denied\r\n\r\n');
  });
  const { port, close } = await listenOnLoopback(proxy);
  onTestFinished(close);
  const environment = { NODE_USE_ENV_PROXY: '1', HTTPS_PROXY: `http://127.0.0.1:${port}` };
  expect(await ask('https://gitlab.example/', environment)).toContain('GitLab did not answer (GET, ');
  expect(asked).toContain('gitlab.example:443');
});
