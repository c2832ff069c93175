// Writes the drafts as files. Their adopt entries make them take effect; with --write-state the state is written
// instead.

import type { SchemaSettings } from '../../declare/workspace-schema.ts';
import type { State } from '../../model/plan/state.ts';
import { type Address, addressOf } from '../../model/values/address.ts';
import { Failure } from '../../model/workspace/failure.ts';
import type { SourceDraft } from '../../model/workspace/source-draft.ts';
import { renderSource } from '../../report/source-text.ts';
import type { Drafts } from './draft-sources.ts';
import type { ImportOptions } from './import-options.ts';
import { trackImported } from './track-imported.ts';

export async function writeSources(
  { sources, imported, guessed, values }: Drafts,
  options: ImportOptions & {
    readonly before: State | undefined;
    readonly schema: string | undefined;
    readonly settings: SchemaSettings;
  },
): Promise<void> {
  const { workspace, reporter } = options;
  if (sources.length === 0) return;
  const { schema, settings } = options;
  if (schema !== undefined) await workspace.write(schema, options.schemaText(settings));
  for (const draft of sources) await workspace.write(draft.path, renderSource(draft));
  // The state knows the secrets that Omni returned, whether or not their variables are set here.
  const loaded = await options.reload(values);
  const ids = new Map(imported.map(({ address, id }) => [address, id]));
  const tracked = new Map<Address, string | undefined>(
    sources.flatMap(addressesOf).map((address) => [address, ids.get(address)]),
  );
  const { resources, absent = [] } = loaded.desired;
  const seen = new Set([...resources, ...absent].map(({ address }) => address));
  const unseen = sources.filter((source) => addressesOf(source).some((address) => !seen.has(address)));
  const message = `${unseen.map(({ path }) => path).join(', ')} will not be read: no glob of \`sources\` matches.`;
  if (unseen.length > 0 && options.writeState) {
    throw new Failure('refused', `${message} The state was not written: its new entries would count as removed.`, {
      hint: 'Add the folder to `sources` in almanac.yaml, then continue with --write-state --resume --force.',
    });
  }
  if (unseen.length > 0) reporter.emit({ type: 'note', message });
  if (!options.writeState) return;
  const onNote = (text: string) => reporter.emit({ type: 'note', message: text });
  await trackImported({ ...options, loaded, imported: tracked, unread: guessed, onNote });
}

function addressesOf({ dashboards, schedules }: SourceDraft): readonly Address[] {
  return [
    ...dashboards.map(({ key }) => addressOf('dashboard', key)),
    ...schedules.map(({ key }) => addressOf('schedule', key)),
  ];
}
