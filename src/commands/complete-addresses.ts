// What shells complete addresses from: those that are declared and those that the state holds. Reads without checking,
// since a person waits for it, and is silent about everything that goes wrong.

import { loadConfig } from '../engine/load-config.ts';
import { addressOf, kindOfSection, sections } from '../model/address.ts';
import { isJsonObject } from '../model/json.ts';
import { entriesOf, parseSource } from '../parse/parse-source.ts';
import type { Workspace } from '../ports/workspace.ts';
import type { GlobalOptions } from './options.ts';
import { readState } from './read-state.ts';
import { openWorkspace } from './session.ts';
import type { World } from './world.ts';

export async function completeAddresses(world: World, options: GlobalOptions): Promise<number> {
  const [declared, tracked] = await Promise.all([
    declaredAddresses(world, options).catch(() => []),
    trackedAddresses(world, options).catch(() => []),
  ]);
  const addresses = [...new Set([...declared, ...tracked])].sort();
  world.stdout.write(addresses.map((address) => `${address}\n`).join(''));
  return 0;
}

async function declaredAddresses(world: World, options: GlobalOptions): Promise<readonly string[]> {
  const workspace = await openWorkspace(world, options);
  const { usable } = loadConfig(workspace, world.environment, options.env);
  const paths = await workspace.list(usable.sources);
  return paths.flatMap((path) => addressesIn(workspace, path));
}

function addressesIn(workspace: Workspace, path: string): readonly string[] {
  const read = workspace.read(path);
  if ('finding' in read) return [];
  return parseSource({ path, text: read.text }).documents.flatMap(({ value }) =>
    sections.flatMap((section) =>
      entriesOf(isJsonObject(value) ? value[section] : undefined).map(([key]) =>
        addressOf(kindOfSection[section], key),
      ),
    ),
  );
}

async function trackedAddresses(world: World, options: GlobalOptions): Promise<readonly string[]> {
  const { state } = await readState(world, options);
  return Object.keys(state?.resources ?? {});
}
