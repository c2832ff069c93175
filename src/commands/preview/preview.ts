// `almanac preview SELECTOR...`: files of deliveries, rendered by Omni. Nobody receives anything.

import { basename, dirname, join } from 'node:path';
import type { Loaded } from '../../declare/load/load.ts';
import type { OpenOutput } from '../../model/outside.ts';
import type { State } from '../../model/plan/state.ts';
import { type Address, type Kind, kindAt, kinds, kindsInOrder } from '../../model/values/address.ts';
import { groupBy } from '../../model/values/collections.ts';
import { countOf } from '../../model/values/words.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { DeclaredObject, Resource } from '../../model/workspace/resource.ts';
import { extensionsOf, judgeFile } from '../../observe/downloads/file-type.ts';
import { pauseSeconds, render } from '../../observe/downloads/render.ts';
import { openRights, type Rights, requestsForRights } from '../../observe/downloads/rights.ts';
import { inParallel } from '../../observe/sending.ts';
import { requireFullOperations, type Service } from '../../observe/service.ts';
import { choiceAmong, resolve } from '../../plan/select.ts';
import { progressReporter } from '../base/progress.ts';
import { stateForKeys } from '../base/read-applied.ts';
import type { Run } from '../base/run.ts';
import type { PreviewOptions } from './preview-command.ts';

export async function preview(run: Run, options: PreviewOptions, selectors: readonly string[]): Promise<number> {
  if (selectors.length === 0)
    throw new Failure('usage', 'Nothing says what to render; nothing was sent.', {
      hint: 'Name schedules, such as schedules.weekly-sales, or select them: tag:NAME.',
    });
  const session = await run.declared('nothing was sent');
  const { loaded, shown } = session;
  requireFullOperations(loaded.config, 'to render a dashboard');
  const { wanted, notes } = choosePreviews(loaded, await stateForKeys(run, session, selectors), selectors);
  const output = await openPreviewOutput(run, options, wanted);
  try {
    return await run.asking({ loaded, reporter: progressReporter(run, shown) }, async (service) => {
      for (const note of [costWords(wanted, options.wait, service.token()), ...notes])
        if (!options.quiet) run.say(note, run.stderr);
      return renderAll(run, options, { wanted, output, service });
    });
  } finally {
    await output.close();
  }
}

function costWords(wanted: readonly Resource[], wait: number, token: string): string {
  const rights = requestsForRights(wanted, token);
  const most = wanted.length * (1 + Math.ceil(wait / pauseSeconds));
  return `${countOf(wanted.length, 'preview')}: at least ${rights.least + 2 * wanted.length} requests, at most ${rights.most + most}.`;
}

interface Work {
  readonly wanted: readonly Resource[];
  readonly output: PreviewOutput;
  readonly service: Service;
}

/** Renders one dashboard and user at a time, because Omni makes one file of them at once. Returns the exit code. */
async function renderAll(run: Run, options: PreviewOptions, { wanted, output, service }: Work): Promise<number> {
  const rightsOf = openRights(service);
  const started = new Set<string>();
  let failed = 0;
  const attempt = async <T>({ address }: Resource, work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      if (run.signal.aborted || !(error instanceof Failure)) throw error;
      failed += 1;
      run.say(`${address}: ${error.message}${error.hint === undefined ? '' : `\n  hint: ${error.hint}`}`, run.stderr);
      return undefined;
    }
  };
  const known = new Map<Resource, Rights>();
  const one = async (resource: Resource, rights: Rights) => {
    if (run.signal.aborted) return;
    const { address } = resource;
    await attempt(resource, () => save(run, options, { resource, rights, output, service, started }));
    started.delete(address);
  };
  try {
    for (const resource of wanted) {
      const rights = await attempt(resource, () => rightsOf(resource));
      if (rights !== undefined) known.set(resource, rights);
    }
    const groups = groupBy([...known], ([{ attributes }, { userId }]) =>
      JSON.stringify([attributes['identifier'], userId]),
    );
    await inParallel(groups.values(), service.concurrency, async (group) => {
      for (const [resource, rights] of group) await one(resource, rights);
    });
  } catch (error) {
    if (!run.signal.aborted) throw error;
  }
  if (run.signal.aborted) throw interruptedWith([...started]);
  return failed === 0 ? 0 : 1;
}

interface PreviewToSave extends Omit<Work, 'wanted'> {
  readonly resource: Resource;
  readonly rights: Rights;
  /** The addresses that Omni works on. */
  readonly started: Set<string>;
}

async function save(
  run: Run,
  { wait, quiet }: PreviewOptions,
  { resource, rights, output, service, started }: PreviewToSave,
): Promise<void> {
  const { address, attributes } = resource;
  if (!quiet) run.say(`${address} is rendered with the rights of ${rights.words}.`, run.stderr);
  const file = await output.create();
  try {
    const api = await service.api();
    const ports = { api, clock: run.clock, call: service.call, wait, onStarted: () => void started.add(address) };
    const downloaded = await render(attributes, rights.userId, file, ports);
    const judged = judgeFile(String(attributes['format']), downloaded, { size: file.size(), head: file.head() });
    if ('why' in judged)
      throw new Failure('api-rejected', `What Omni sent ${judged.why}, so nothing was saved.`, {
        hint: 'Run the command again. If that does not help, download the dashboard in Omni.',
      });
    if (output.nameOf === undefined) return await file.copyOut();
    const name = output.nameOf(address, judged.extension);
    await file.put(name);
    run.say(`${output.shown}${name}`);
  } finally {
    await file.drop();
  }
}

function interruptedWith(started: readonly string[]): Failure {
  const goesOn = started.length === 0 ? '' : ` Omni goes on rendering ${started.join(', ')}, and nobody receives it.`;
  return new Failure('interrupted', `Interrupted.${goesOn}`, { hint: 'Run the command again.' });
}

/** From the root of the workspace. */
const previews = '.almanac/previews';

interface PreviewOutput extends OpenOutput {
  /** Undefined for the standard output. */
  readonly nameOf: ((address: Address, extension: string) => string) | undefined;
  /** As people know it, before the name. */
  readonly shown: string;
}

/** Throws Failure usage, and refused for files that are there and must not be replaced. */
async function openPreviewOutput(
  run: Run,
  { out, force }: PreviewOptions,
  wanted: readonly Resource[],
): Promise<PreviewOutput> {
  const { root } = await run.workspace();
  if (out === '-') {
    if (wanted.length > 1)
      throw new Failure('usage', `--out - takes one preview, and ${wanted.length} schedules were selected.`, {
        hint: 'Name one schedule, or a folder: --out FOLDER.',
      });
    const system = await run.openOutput({ path: undefined, overwrites: false });
    return { ...system, nameOf: undefined, shown: '' };
  }
  if (out === undefined) {
    const path = join(root, previews);
    const folder = await run.openOutput({ path, within: root, ignored: true, overwrites: true });
    return { ...folder, nameOf: fileName, shown: `${previews}/` };
  }
  const path = run.path(out);
  if (wanted.length === 1 && !/[/\\]$/.test(out) && !(await run.isFolder(path))) {
    await run.checkFiles([path]);
    const folder = await run.openOutput({ path: dirname(path), overwrites: force === true });
    const name = basename(path);
    return refuseThere(
      { ...folder, nameOf: () => name, shown: out.slice(0, out.length - name.length) },
      wanted,
      force === true,
    );
  }
  const within = path.startsWith(`${root}/`) ? root : undefined;
  const folder = await run.openOutput({ path, within, overwrites: force === true });
  return refuseThere({ ...folder, nameOf: fileName, shown: out.replace(/[/\\]?$/, '/') }, wanted, force === true);
}

function fileName(address: Address, extension: string): string {
  return `${address}.${extension}`;
}

function refuseThere(output: PreviewOutput, wanted: readonly Resource[], force: boolean): PreviewOutput {
  const names = wanted.flatMap(({ address, attributes }) =>
    extensionsOf(String(attributes['format'])).map((extension) => output.nameOf?.(address, extension) ?? ''),
  );
  const there = force ? undefined : names.find((name) => output.isThere(name));
  if (there === undefined) return output;
  throw new Failure('refused', `${output.shown}${there} is there already; nothing was sent.`, {
    hint: 'Choose another place with --out, or replace it with --force.',
  });
}

/** The kinds with a report that Omni can render on request. */
const previewed: Readonly<Record<Kind, boolean>> = {
  dashboard: false,
  schedule: true,
  aiJob: false,
  routine: false,
};

interface PreviewChoice {
  /** In the order of the selectors. */
  readonly wanted: readonly Resource[];
  /** Whole sentences. */
  readonly notes: readonly string[];
}

/** Throws Failure usage for what has nothing to render and is named, and where nothing is left. */
function choosePreviews(loaded: Loaded, state: State | undefined, selectors: readonly string[]): PreviewChoice {
  const { desired } = loaded;
  const unfit = selectors.find((selector) =>
    kindsInOrder.some((kind) => selector === `kind:${kind}` && !previewed[kind]),
  );
  if (unfit !== undefined)
    throw new Failure('usage', `\`${unfit}\` selects nothing here: only schedules can be rendered.`, {
      hint: 'Leave it out. Nothing was sent.',
    });
  const rendered = desired.resources.filter(({ kind }) => previewed[kind]);
  const whyNot = (address: Address) => {
    const kind = kindAt(address);
    if (previewed[kind]) return { why: 'is no longer declared' };
    return { why: `is of the kind ${kinds[kind].words}, and only schedules can be rendered` };
  };
  const declared = rendered.map(({ address }) => address);
  const choice = choiceAmong(declared, { loaded, state, whyNot });
  const { addresses: selected, isNamed } = resolve(selectors, choice);
  const byAddress = new Map(rendered.map((resource) => [resource.address, resource]));
  const all = [...selected].flatMap((address) => byAddress.get(address) ?? []);
  const withoutFile = all.flatMap((resource) => {
    const why = reasonNoFile(resource.attributes);
    return why === undefined ? [] : [{ resource, why }];
  });
  const refused = withoutFile.find(({ resource }) => isNamed(resource.address) || withoutFile.length === all.length);
  if (refused !== undefined)
    throw new Failure('usage', `${refused.resource.address} ${refused.why}.`, { hint: 'Nothing was sent.' });
  const without = new Set(withoutFile.map(({ resource }) => resource));
  const wanted = all.filter((resource) => !without.has(resource));
  const leftOut = withoutFile.map(({ resource, why }) => `${resource.address} is left out: it ${why}.`);
  return { wanted, notes: [...leftOut, ...lackingNote(wanted)] };
}

function reasonNoFile({ format, queryIdentifierMapKey }: DeclaredObject): string | undefined {
  if (format === 'link_only') return 'delivers only a link (format: link_only), and Omni renders no file of that';
  if (format === 'json' && queryIdentifierMapKey === undefined)
    return 'has format: json, which Omni renders only of one tile (queryIdentifierMapKey)';
  return undefined;
}

/** The parts of a delivery that a download lacks, keyed by the field that declares them. */
const lacking: Readonly<Record<string, string>> = {
  textBody: 'the text of the message',
  conditionType: 'the condition of an alert',
  timezoneOverride: 'the time zone of the queries',
  fanOut: 'what each recipient may see (fanOut)',
};

function lackingNote(wanted: readonly Resource[]): readonly string[] {
  const has = (field: string) => wanted.some(({ attributes: { [field]: value } }) => Boolean(value));
  const names = Object.entries(lacking).flatMap(([field, words]) => (has(field) ? [words] : []));
  return names.length === 0 ? [] : [`A preview does not show ${names.join(', ')}.`];
}
