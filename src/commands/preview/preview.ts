// `almanac preview SELECTOR...`: files of what schedules would deliver, rendered by Omni. Nobody receives anything.

import { groupBy } from '../../model/values/collections.ts';
import { countOf } from '../../model/values/words.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { Resource } from '../../model/workspace/resource.ts';
import { judgeFile } from '../../observe/downloads/file-type.ts';
import { pauseSeconds, render } from '../../observe/downloads/render.ts';
import { openRights, type Rights, requestsForRights } from '../../observe/downloads/rights.ts';
import { inParallel } from '../../observe/sending.ts';
import { requireFullOperations, type Service } from '../../observe/service.ts';
import { progressReporter } from '../base/progress.ts';
import type { Run } from '../base/run.ts';
import { stateForKeys } from '../base/state-for-keys.ts';
import { choosePreviews } from './choose-previews.ts';
import { openPreviewOutput, type PreviewOutput } from './output.ts';
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

/** Those of one dashboard and user one after the other: Omni makes one file at a time of them. Returns the exit code. */
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
