// What shells complete from the workspace: the addresses that are declared or in the state, tags and owners, environments,
// and the names of the schemas. It reads without validating, because a person is waiting, and prints no errors. Nobody has checked what the
// files hold, so only words that mean nothing to a shell are printed.

import { environmentsOf } from '../../declare/parse-config.ts';
import type { Workspace } from '../../declare/workspace.ts';
import { ownerInMeta, tagsInMeta } from '../../model/fields/common-fields.ts';
import { addressOf, type Kind, kindOf, kindOfSection, kindWords, sections } from '../../model/values/address.ts';
import { byCodeUnit, isJsonObject, type JsonObject } from '../../model/values/json.ts';
import { publishedSchemas } from '../../published-schemas.ts';
import { safeText, truncate } from '../../report/text/terminal-text.ts';
import { parseSource } from '../../yaml/parse-source.ts';
import { entriesOf } from '../../yaml/raw-document.ts';
import type { Run } from '../base/run.ts';

export type Asked = 'addresses' | 'selectors' | 'schedules' | 'aiJobs' | 'environments' | 'schemas';

export interface Word {
  readonly word: string;
  /** For people, behind the word in shells that show one. */
  readonly words?: string;
}

/** Shells expand some of what they are offered. */
const harmless = /^[A-Za-z0-9_][A-Za-z0-9_.:@/-]*$/;
const longestWords = 60;

export async function wordsOf(run: Run, asked: Asked): Promise<readonly Word[]> {
  const words = await readWords(run, asked);
  return words
    .filter(({ word }) => harmless.test(word))
    .map(({ word, words: about = '' }) => ({ word, words: truncate(safeText(about).trim(), longestWords) }));
}

async function readWords(run: Run, asked: Asked): Promise<readonly Word[]> {
  switch (asked) {
    case 'schemas':
      return Object.keys(publishedSchemas).map((word) => ({ word }));
    case 'environments':
      return environments(await run.workspace()).map((word) => ({ word }));
    case 'addresses':
      return addresses(run);
    case 'selectors':
      return [...(await labels(run).catch(() => [])), ...(await addresses(run))];
    case 'schedules':
    case 'aiJobs':
      return (await addresses(run)).filter(({ word }) => word.startsWith(`${asked}.`));
  }
}

function environments(workspace: Workspace): readonly string[] {
  return configIn(workspace).flatMap(environmentsOf);
}

/** Sorted. What is declared says more about an address than what was applied. */
async function addresses(run: Run): Promise<readonly Word[]> {
  const [declared, tracked] = await Promise.all([
    declaredAddresses(run).catch(() => []),
    trackedAddresses(run).catch(() => []),
  ]);
  const words = new Map([...tracked, ...declared].map((each) => [each.word, each]));
  return [...words.values()].sort((a, b) => byCodeUnit(a.word, b.word));
}

async function declaredAddresses(run: Run): Promise<readonly Word[]> {
  const sources = await sourcesIn(await run.workspace(), run);
  return sources.flatMap((source) =>
    declarationsIn(source).flatMap(({ kind, key, declared }) => wordsOfDeclaration(kind, key, declared)),
  );
}

/** `tag:board` and `owner:@acme/finance`, as far as they stand in a file as they are. Sorted. */
async function labels(run: Run): Promise<readonly Word[]> {
  const workspace = await run.workspace();
  const read = [...(await sourcesIn(workspace, run)), ...configIn(workspace)];
  const described = read.flatMap((source) => [
    ...declarationsIn(source).map(({ declared }) => declared),
    ...entriesOf(source['defaults']).flatMap(([, defaults]) => (isJsonObject(defaults) ? [defaults] : [])),
  ]);
  const words = described.flatMap((attributes) => {
    const owner = ownerInMeta(attributes);
    return [...tagsInMeta(attributes).map((tag) => `tag:${tag}`), ...(owner === undefined ? [] : [`owner:${owner}`])];
  });
  return [...new Set(words)].sort(byCodeUnit).map((word) => ({ word }));
}

function configIn(workspace: Workspace): readonly JsonObject[] {
  const { configFile } = workspace;
  return configFile === undefined ? [] : documentsIn(workspace, configFile);
}

async function sourcesIn(workspace: Workspace, run: Run): Promise<readonly JsonObject[]> {
  const { usable } = await run.settings();
  const paths = await workspace.list(usable.sources);
  return paths.flatMap((path) => documentsIn(workspace, path));
}

function documentsIn(workspace: Workspace, path: string): readonly JsonObject[] {
  const read = workspace.read(path);
  if ('finding' in read) return [];
  return parseSource({ path, text: read.text }).value.flatMap(({ value }) => (isJsonObject(value) ? [value] : []));
}

function declarationsIn(source: JsonObject) {
  return sections.flatMap((section) =>
    entriesOf(source[section]).map(([key, declared]) => ({
      kind: kindOfSection[section],
      key,
      declared: isJsonObject(declared) ? declared : {},
    })),
  );
}

/** Of a loop also its instances, as far as they stand there. Rows of a file and variables are known from the state. */
function wordsOfDeclaration(kind: Kind, key: string, declared: JsonObject): readonly Word[] {
  const items = Object.keys(isJsonObject(declared['forEach']) ? declared['forEach'] : {});
  const own = described(addressOf(kind, key), declared);
  return [own, ...items.map((item) => ({ ...own, word: addressOf(kind, key, item) }))];
}

async function trackedAddresses(run: Run): Promise<readonly Word[]> {
  const state = await run.recorded(await run.storeAlone());
  return Object.entries(state?.resources ?? {}).map(([address, { attributes }]) => described(address, attributes));
}

/** By its name; a resource without one by what it is about. */
function described(address: string, { name, identifier }: JsonObject): Word {
  if (typeof name === 'string') return { word: address, words: name };
  const kind = kindOf(address);
  if (kind === undefined) return { word: address };
  return {
    word: address,
    words: typeof identifier === 'string' ? `${kindWords[kind]} ${identifier}` : kindWords[kind],
  };
}
