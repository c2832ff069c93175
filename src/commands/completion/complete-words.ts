// What shells complete from the workspace: the addresses that are declared or in the state, environments, and the names of
// the schemas. It reads without validating, because a person is waiting, and prints no errors.

import { loadConfig } from '../../engine/load/load-config.ts';
import { addressOf, kindOfSection, sections } from '../../model/values/address.ts';
import { isJsonObject } from '../../model/values/json.ts';
import { environmentsOf } from '../../parse/parse-config.ts';
import { entriesOf, parseSource } from '../../parse/parse-source.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { publishedSchemas } from '../../published-schemas.ts';
import type { AskedWords } from '../../render/completion/command-tree.ts';
import type { GlobalOptions } from '../base/command.ts';
import { readState } from '../base/read-state.ts';
import { openWorkspace } from '../base/session.ts';
import type { World } from '../base/world.ts';

export async function completeWords(world: World, options: GlobalOptions, asked: AskedWords): Promise<number> {
  const words = await wordsOf(world, options, asked).catch(() => []);
  world.stdout.data(words.map((word) => `${word}\n`).join(''));
  return 0;
}

async function wordsOf(world: World, options: GlobalOptions, asked: AskedWords): Promise<readonly string[]> {
  switch (asked) {
    case 'schemas':
      return Object.keys(publishedSchemas);
    case 'environments':
      return environments(await openWorkspace(world, options));
    case 'addresses':
      return addresses(world, options);
    case 'schedules':
    case 'aiJobs':
      return (await addresses(world, options)).filter((address) => address.startsWith(`${asked}.`));
  }
}

function environments(workspace: Workspace): readonly string[] {
  const { configFile: path } = workspace;
  const read = path === undefined ? undefined : workspace.read(path);
  if (path === undefined || read === undefined || 'finding' in read) return [];
  return parseSource({ path, text: read.text }).value.flatMap(({ value }) => environmentsOf(value));
}

async function addresses(world: World, options: GlobalOptions): Promise<readonly string[]> {
  const [declared, tracked] = await Promise.all([
    declaredAddresses(world, options).catch(() => []),
    trackedAddresses(world, options).catch(() => []),
  ]);
  return [...new Set([...declared, ...tracked])].sort();
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
  return parseSource({ path, text: read.text }).value.flatMap(({ value }) =>
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
