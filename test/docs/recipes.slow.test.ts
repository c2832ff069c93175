// The recipes of docs/status.md that are more than a command of Almanac: run by a shell, with what they send received.

import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { daily } from '../support/cli/open-stage.ts';
import { runLogged } from '../support/program.ts';
import { openApplied } from '../support/world.ts';

const page = readFileSync('docs/status.md', 'utf8');

/** The block of a shell that begins with this comment. */
function recipe(title: string): string {
  const [, script] = new RegExp(`\`\`\`sh\\n# ${title}\\n([\\s\\S]*?)\`\`\``).exec(page) ?? [];
  if (script === undefined) throw new Error(`no recipe ${title}`);
  return script;
}

/** A workspace in which one delivery has failed, and a shell there. */
async function openMorning(more: Readonly<Record<string, string>> = {}) {
  const world = await openApplied({ schedules: { a: daily } }, { faults: [{ fault: 'run-error' }] });
  world.until(1, 10);
  mkdirSync(join(world.path, 'bin'));
  symlinkSync(resolve('dist/cli.cjs'), join(world.path, 'bin', 'almanac'));
  const env = { ...world.environment, PATH: `${world.path}/bin:${process.env['PATH']}`, HOME: world.path, ...more };
  return {
    world,
    shell: (script: string) => runLogged(['bash', '-euo', 'pipefail', '-c', script], { cwd: world.path, env }),
  };
}

it('a failed delivery is sent to a channel, with the report as its text', async () => {
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    received.push(await text(request));
    response.end('ok');
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { shell } = await openMorning({ SLACK_WEBHOOK_URL: `http://127.0.0.1:${port}/hook` });
  const { code, log } = await shell(recipe('To a channel'));
  expect(code, log).toBe(0);
  expect(received).toHaveLength(1);
  expect(JSON.parse(received[0] ?? '').text).toContain('schedules.a');
});

it('the history prints each day on which something did not arrive', async () => {
  const { world, shell } = await openMorning();
  const { code, log } = await shell(recipe('A history'));
  expect(code, log).toBe(0);
  const today = new Date().toISOString().slice(0, 10);
  const document = JSON.parse(world.read(`history/${today}.json`));
  const fine = document.schedules.map((each: object) => ({ ...each, health: 'fine' }));
  writeFileSync(join(world.path, 'history/2026-01-01.json'), JSON.stringify({ ...document, schedules: fine }));
  expect((await shell(recipe('What did not arrive'))).log).toBe(`${today} schedules.a failed\n`);
});
