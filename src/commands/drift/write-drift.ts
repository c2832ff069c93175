// `almanac drift --write`: proves the edits, then writes the files, each as a whole and only if nobody changed it since it
// was read.

import { type AcceptedDrift, acceptDrift } from '../../engine/drift/accept-drift.ts';
import { environmentNames } from '../../engine/load/load-config.ts';
import { secretsOf } from '../../engine/propose/fingerprint-secrets.ts';
import type { Proposal } from '../../engine/propose/propose.ts';
import { tokensOf } from '../../engine/service/tokens.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { mostSingle, nameSome } from '../../render/text/more-words.ts';
import type { GlobalOptions } from '../base/command.ts';
import { loadWorkspace, type Session } from '../base/session.ts';
import type { World } from '../base/world.ts';

export interface DriftToWrite {
  readonly session: Session;
  readonly proposal: Proposal;
  /** Undefined for all that drifted. */
  readonly addresses: readonly string[] | undefined;
}

export async function writeDrift(
  world: World,
  options: GlobalOptions,
  { session, proposal, addresses }: DriftToWrite,
): Promise<AcceptedDrift> {
  const { workspace } = session;
  const { basis, observation } = proposal;
  if (observation === undefined) throw new Error('drift was written without a look at the service');
  const accepted = await acceptDrift({
    workspace,
    basis,
    observation,
    addresses,
    environmentName: options.env,
    environments: environmentNames(workspace),
    load: (edited) => loadWorkspace(world, options, edited),
    secrets: secretTexts(session, world),
  });
  if (world.signal.aborted) throw interrupted(accepted.files, 0);
  // Looked at together first: half of the files would be a change that nobody proved.
  for (const { path, before } of accepted.files) {
    const read = workspace.read(path);
    if (!('text' in read) || read.text !== before) throw changedMeanwhile(path);
  }
  for (const [index, { path, before, after }] of accepted.files.entries()) {
    if (world.signal.aborted) throw interrupted(accepted.files, index);
    await workspace.replace(path, before, after);
  }
  return accepted;
}

/** The tokens, and every secret that is declared. */
function secretTexts({ loaded: { config, desired } }: Session, { environment }: World): readonly string[] {
  const tokens = config === undefined ? [] : tokensOf(config, environment);
  const declared = secretsOf(desired).flatMap((secret) => secret.revealAll());
  return [...tokens, ...declared].filter(({ length }) => length >= shortestSecret);
}

/** Shorter ones are parts of many words. */
const shortestSecret = 4;

/** Before the file with this index; those before it are complete. */
function interrupted(files: AcceptedDrift['files'], index: number): Failure {
  if (index === 0) return new Failure('interrupted', 'Interrupted; no file was changed.');
  const [written, left] = [files.slice(0, index), files.slice(index)].map((some) =>
    nameSome(
      some.map(({ path }) => path),
      some.length,
      mostSingle,
    ),
  );
  return new Failure('interrupted', `Interrupted; written: ${written}. Not written: ${left}.`, {
    hint: 'Every file is whole. Run the command again to write the rest, or put the files back with git.',
  });
}

function changedMeanwhile(path: string): Failure {
  return new Failure('refused', `${path} was changed while drift looked at Omni; no file was written.`, {
    hint: 'Run the command again.',
  });
}
