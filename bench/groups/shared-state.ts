// An apply of 200 changes under the service's limit of 60 requests a minute, beside the time that the limit alone costs: on
// a state in a local file, and in each place that many can share. The places wait most of the time, so they run side by
// side.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createEmulator, type EmulatorOptions } from '../../src/emulator/emulator.ts';
import type { Figure } from '../figure.ts';
import type { Lab } from '../lab.ts';
import { timeOf } from '../measure.ts';
import { localFile, places } from '../state-places.ts';
import { writeWorkspace } from '../workspace.ts';

const changes = 200;
/** The service allows 60 requests in any minute: 60 go out at once, 60 after each minute, and the last 20 after three. */
const idealMs = 180_000;
const targets = { local: 1.02, shared: 1.1 };

type Kind = 'creates' | 'updates';

/** What must not get in the way of the limit: our own time. */
export async function measureApplyLimit(lab: Lab): Promise<readonly Figure[]> {
  return [await measureOne(lab, 'creates', localFile, targets.local)];
}

export async function measureSharedStates(lab: Lab): Promise<readonly Figure[]> {
  const shared = Object.keys(places).filter((name) => name !== localFile);
  const kinds = ['creates', 'updates'] as const;
  return Promise.all(shared.flatMap((name) => kinds.map((kind) => measureOne(lab, kind, name, targets.shared))));
}

async function measureOne(lab: Lab, kind: Kind, name: string, target: number): Promise<Figure> {
  const folder = await lab.makeFolder(`shared-${kind}`);
  const workspace = join(folder, 'workspace');
  await mkdir(workspace, { recursive: true });
  const place = await places[name]?.(folder);
  if (place === undefined) throw new Error(`no such place: ${name}`);
  const options: EmulatorOptions = { operations: 'full' };
  let emulator = createEmulator({ ...options, ...(kind === 'updates' ? { rateLimit: 0 } : {}) });
  const { baseUrl, organizationKey } = await emulator.listen();
  const configure = (rateLimit: number) =>
    writeFile(
      join(workspace, 'almanac.yaml'),
      `api:\n  baseUrl: ${baseUrl}\n  operations: full\n  rateLimit: ${rateLimit}\nstate: ${JSON.stringify(place.state)}\n`,
    );
  const run = { cwd: workspace, env: { OMNI_API_TOKEN: organizationKey, ...place.environment } };
  const applied = { ...run, args: ['apply', '--auto-approve'], mustPrint: `Applied ${changes} changes.` };
  const apply = await lab.almanac('cold', applied);
  await writeWorkspace(workspace, changes, { baseUrl });
  if (place.state['backend'] !== undefined) {
    await configure(60);
    await timeOf(await lab.almanac('cold', { ...run, args: ['state', 'init'], mustPrint: '' }));
  }
  if (kind === 'updates') {
    await configure(0);
    await timeOf(apply);
    const data = emulator.data();
    await emulator.close();
    emulator = createEmulator({ ...options, data });
    await emulator.listen(Number(new URL(baseUrl).port));
    await renameAll(workspace);
  }
  await configure(60);
  const before = await place.writes();
  const milliseconds = await timeOf(apply);
  const note = `${(await place.writes()) - before} writes`;
  await emulator.close();
  await place.end();
  const ideal = { unit: '×', to: 'wait for request 200', toMilliseconds: idealMs } as const;
  const value = milliseconds / idealMs;
  const figure: Figure = {
    name: `${name === localFile ? `apply of ${changes}` : `${changes} ${kind}`}, state in ${name}`,
    ...ideal,
    value,
    target,
    milliseconds,
  };
  return name === localFile ? figure : { ...figure, note };
}

async function renameAll(workspace: string): Promise<void> {
  for (let file = 0; file < changes / 10; file += 1) {
    const path = join(workspace, 'schedules', `team-${String(file).padStart(4, '0')}.yaml`);
    await writeFile(path, (await readFile(path, 'utf8')).replaceAll('name: Region', 'name: Regional'));
  }
}
