// Writes the results of an import. These are the sources, the adopt entries of the pairs, the codes that almanac.yaml
// must allow, and the schema for editors. Then plans the remaining changes.

import { type Loaded, load } from '../../declare/load/load.ts';
import { deliveryFilters, isFilter } from '../../declare/rules/filter-shape.ts';
import type { PlanDocument } from '../../model/plan/plan.ts';
import type { State } from '../../model/plan/state.ts';
import { type Address, addressOf, kinds, kindsInOrder } from '../../model/values/address.ts';
import { isJsonObject } from '../../model/values/json.ts';
import { countOf, nameSome } from '../../model/values/words.ts';
import type { Config } from '../../model/workspace/config.ts';
import { hasErrors } from '../../model/workspace/diagnostic.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { ResourceDraft, SourceDraft } from '../../model/workspace/source-draft.ts';
import { makeInputs } from '../../plan/inputs.ts';
import { planOf } from '../../plan/proposal.ts';
import { renderSource } from '../../report/source-text.ts';
import { editorSchemaText } from '../../report/text/editor-schema.ts';
import { editYaml } from '../../yaml/edit/edit-yaml.ts';
import { configOrder } from '../../yaml/format/source-order.ts';
import type { Drafts } from './draft-sources.ts';
import type { ImportRun, PlannedImport } from './import-run.ts';
import { trackImported } from './track-imported.ts';

export type NextPlan = Pick<PlanDocument, 'summary'>;

/**
 * Writes the drafts as files. Their adopt entries make them take effect; with --write-state the state is written
 * instead. Returns the next plan's changes; undefined if the declarations have errors.
 */
export async function writeSources(
  { sources, imported, values, ...drafts }: Drafts,
  importing: PlannedImport,
): Promise<NextPlan | undefined> {
  const { workspace, note, options, environment, clock, schema } = importing;
  const { pairs, routines } = importing.pairing;
  const isPaired = pairs.length + routines.length > 0;
  if (sources.length === 0 && !isPaired) return await nextPlan(importing.loaded, importing.state, importing);
  for (const draft of sources) await workspace.write(draft.path, renderSource(draft));
  const entries = !isPaired || options.writeState ? undefined : adoptionsOf(importing);
  if (entries !== undefined) await workspace.write(entries.path, renderSource(entries));
  // These files stay unchanged if a file above could not be written.
  const settings = await allowFilters(sources, importing);
  if (schema !== undefined && sources.length > 0 && !workspace.exists(schema))
    await workspace.write(schema, editorSchemaText('resources', settings));
  // The state knows the secrets that Omni returned, whether or not their variables are set here.
  const loaded = await load({
    workspace,
    environment: (name) => values.get(name) ?? environment(name),
    clock,
    environmentName: options.env,
  });
  const ids = new Map(imported.map(({ address, id }) => [address, id]));
  const tracked = new Map<Address, string | undefined>(
    sources.flatMap(addressesOf).map((address) => [address, ids.get(address)]),
  );
  const { resources, absent = [] } = loaded.desired;
  const foundAddresses = new Set([...resources, ...absent].map(({ address }) => address));
  const unseen = [
    ...sources.filter((source) => addressesOf(source).some((address) => !foundAddresses.has(address))),
    ...(entries === undefined || loaded.fileNamed(entries.path) !== undefined ? [] : [entries]),
  ];
  const message = `${nameSome(unseen.map(({ path }) => path))} will not be read: no glob of \`sources\` matches.`;
  if (unseen.length > 0 && options.writeState) {
    throw new Failure('refused', `${message} The state was not written: its new entries would count as removed.`, {
      hint: 'Add the folder to `sources` in almanac.yaml, then continue with --write-state --resume.',
    });
  }
  if (unseen.length > 0) note(message);
  if (!options.writeState) return await nextPlan(loaded, importing.state, importing);
  const state = await trackImported({ ...importing, loaded, imported: tracked, ...drafts });
  return await nextPlan(loaded, state, importing);
}

async function nextPlan(loaded: Loaded, state: State | undefined, importing: ImportRun): Promise<NextPlan | undefined> {
  return hasErrors(loaded.findings) ? undefined : planOf(await makeInputs(loaded, state, importing)).value.plan;
}

/** A file with only the entries for resources that are declared elsewhere. */
function adoptionsOf({
  pairing: { pairs, routines },
  targets: { adopt },
  schema,
  schemaFor,
  only,
}: PlannedImport): SourceDraft {
  return {
    path: adopt,
    schema: schema === undefined ? schemaFor(adopt) : undefined,
    comments: ['Declarations that nothing tracked, and what almanac import found for them in Omni.'],
    resources: {},
    adoptions: [...pairs, ...routines].map(({ declared: { address }, row: { id } }) => ({
      to: address,
      id,
      in: only.entries,
    })),
  };
}

function addressesOf({ resources }: SourceDraft): readonly Address[] {
  return kindsInOrder.flatMap((kind) => (resources[kinds[kind].section] ?? []).map(({ key }) => addressOf(kind, key)));
}

/**
 * Omni may have filter values that are not in the form of a filter: an example of its API is one. They are declared
 * unchanged, so the error about them is lowered in almanac.yaml. Returns the configuration with the new settings of
 * almanac.yaml.
 */
async function allowFilters(
  sources: readonly SourceDraft[],
  { config, loaded, workspace, note }: ImportRun,
): Promise<Config> {
  const withOddFilter = sources.flatMap(({ resources: { schedules = [] } }) => schedules).filter(hasOddFilter);
  if (withOddFilter.length === 0 || config.checks['filter-shape'] !== undefined) return config;
  // An import needs operations full, which only a file can set.
  const { path, text: before } = loaded.fileNamed(config.file ?? '') ?? { path: 'almanac.yaml', text: '' };
  const edits = [{ document: 0, pointer: '/checks/filter-shape', value: 'warning' }];
  const after = editYaml(before, edits, configOrder);
  const found = `${countOf(withOddFilter.length, 'schedule')}, such as ${withOddFilter[0]?.key}, ${withOddFilter.length === 1 ? 'has' : 'have'} a filter value that is not in the form of a filter. It is declared as Omni has it.`;
  const line = '`checks: { filter-shape: warning }`';
  if (after === undefined) {
    note(`${found} To allow that, write ${line} in ${path}.`);
    return config;
  }
  await workspace.replace(path, before, after);
  note(`${found} To allow that, ${path} now says ${line}.`);
  return { ...config, checks: { ...config.checks, 'filter-shape': 'warning' } };
}

function hasOddFilter({ fields }: ResourceDraft): boolean {
  const filters = fields.find(({ name }) => name === 'filterConfig')?.value;
  return isJsonObject(filters) && !Object.values(filters).every((filter) => isFilter(filter, deliveryFilters));
}
