// `almanac drift --write`: proves the edits, then writes the files, each as a whole and only if nobody changed it since it
// was read.

import { secretsOf } from '../../apply/propose/fingerprint-secrets.ts';
import type { Proposal } from '../../apply/propose/propose.ts';
import { tokensIn } from '../../service/service.ts';
import type { Run, Session } from '../base/run.ts';
import { writeFiles } from '../base/write-files.ts';
import { type AcceptedDrift, acceptDrift } from './prove-edits.ts';

export interface DriftToWrite {
  readonly session: Session;
  readonly proposal: Proposal;
  /** Undefined for all that drifted. */
  readonly addresses: readonly string[] | undefined;
}

export async function writeDrift(run: Run, { session, proposal, addresses }: DriftToWrite): Promise<AcceptedDrift> {
  const { workspace } = session;
  const { basis, observation } = proposal;
  if (observation === undefined) throw new Error('drift was written without a look at the service');
  const accepted = await acceptDrift({
    workspace,
    basis,
    observation,
    addresses,
    load: (edited) => run.loadFrom(edited),
    secrets: secretTexts(session, run),
  });
  await writeFiles(run, workspace, accepted.files, { meanwhile: 'drift looked at Omni', isOneChange: false });
  return accepted;
}

/** The tokens that are set, and every secret that is declared. */
function secretTexts({ loaded: { config, desired } }: Session, { environment }: Run): readonly string[] {
  const tokens = config === undefined ? [] : tokensIn(config, environment);
  const declared = secretsOf(desired).flatMap((secret) => secret.revealAll());
  return [...tokens, ...declared].filter(({ length }) => length >= shortestSecret);
}

/** Shorter ones are parts of many words. */
const shortestSecret = 4;
