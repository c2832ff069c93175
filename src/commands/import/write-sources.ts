// Writes what was imported: the sources, the adopt entries of the pairs, what almanac.yaml must allow, and the schema for
// editors.

import { load } from '../../declare/load/load.ts';
import { workspaceSchema } from '../../declare/workspace-schema.ts';
import { type Address, addressOf, kinds, kindsInOrder } from '../../model/values/address.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { SourceDraft } from '../../model/workspace/source-draft.ts';
import { publishedSchemas } from '../../published-schemas.ts';
import { renderSource } from '../../report/source-text.ts';
import { schemaText } from '../../report/text/schema-text.ts';
import { allowFilters } from './allow-filters.ts';
import type { Drafts } from './draft-sources.ts';
import type { Targets } from './files.ts';
import type { Pairing } from './find-pairs.ts';
import type { Importing } from './import.ts';
import { trackImported } from './track-imported.ts';

/**
 * Writes the drafts as files. Their adopt entries make them take effect; with --write-state the state is written
 * instead.
 */
export async function writeSources(
  { sources, imported, unread, madeBy, values }: Drafts,
  importing: Importing & Written,
): Promise<void> {
  const { workspace, reporter, options, environment, clock, schema } = importing;
  const { pairs } = importing.pairing;
  if (sources.length + pairs.length === 0) return;
  for (const draft of sources) await workspace.write(draft.path, renderSource(draft));
  const entries = pairs.length === 0 || options.writeState ? undefined : adoptionsOf(importing);
  if (entries !== undefined) await workspace.write(entries.path, renderSource(entries));
  // What is there already stays as it is if a file above could not be written.
  const settings = await allowFilters(sources, importing);
  if (schema !== undefined && sources.length > 0 && !workspace.exists(schema))
    await workspace.write(schema, schemaText(workspaceSchema(publishedSchemas['resources'] ?? {}, settings)));
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
  const seen = new Set([...resources, ...absent].map(({ address }) => address));
  const unseen = [
    ...sources.filter((source) => addressesOf(source).some((address) => !seen.has(address))),
    ...(entries === undefined || loaded.fileNamed(entries.path) !== undefined ? [] : [entries]),
  ];
  const message = `${unseen.map(({ path }) => path).join(', ')} will not be read: no glob of \`sources\` matches.`;
  if (unseen.length > 0 && options.writeState) {
    throw new Failure('refused', `${message} The state was not written: its new entries would count as removed.`, {
      hint: 'Add the folder to `sources` in almanac.yaml, then continue with --write-state --resume.',
    });
  }
  if (unseen.length > 0) reporter.emit({ type: 'note', message });
  if (!options.writeState) return;
  const onNote = (text: string) => reporter.emit({ type: 'note', message: text });
  const imports = { imported: tracked, unread, madeBy, pairs };
  await trackImported({ ...importing, loaded, before: importing.state, ...imports, onNote });
}

interface Written {
  readonly schema: string | undefined;
  readonly schemaFor: (path: string) => string | undefined;
  readonly pairing: Pairing;
  readonly targets: Targets;
}

/** A file of nothing but the entries for what is declared elsewhere. */
function adoptionsOf({ pairing: { pairs }, targets: { adopt }, schema, schemaFor }: Written): SourceDraft {
  return {
    path: adopt,
    schema: schema === undefined ? schemaFor(adopt) : undefined,
    comments: ['Declarations that nothing tracked, and the schedules that almanac import found for them.'],
    resources: {},
    adoptions: pairs.map(({ declared: { address }, row: { id } }) => ({ to: address, id })),
  };
}

function addressesOf({ resources }: SourceDraft): readonly Address[] {
  return kindsInOrder.flatMap((kind) => (resources[kinds[kind].section] ?? []).map(({ key }) => addressOf(kind, key)));
}
