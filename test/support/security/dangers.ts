// What a plan says must be looked at first.

import type { Danger } from '../../../src/model/plan/danger.ts';
import type { Observed } from '../../../src/model/plan/observation.ts';
import type { State } from '../../../src/model/plan/state.ts';
import type { JsonObject } from '../../../src/model/values/json.ts';
import { findDangers } from '../../../src/plan/dangers/find-dangers.ts';
import type { DangerContext } from '../../../src/plan/dangers/world.ts';
import { declare, type Entries, plan, stateOf } from '../plan/planning.ts';
import { sftp } from '../vocabulary.ts';

export const internalDomains = ['acme.com'];

type Resources = Readonly<Record<string, JsonObject>>;

export interface Asked {
  readonly targets?: readonly string[];
  readonly domains?: readonly string[];
  readonly entries?: Entries;
  readonly operations?: 'core' | 'full';
  readonly replace?: readonly string[];
  /** What a look at Omni found. */
  readonly observed?: Observed;
  readonly rows?: DangerContext['rows'];
  readonly baseRows?: DangerContext['baseRows'];
}

export function dangersOf(
  after: Resources,
  before: Resources | State = {},
  {
    targets,
    domains = internalDomains,
    entries = {},
    operations = 'full',
    replace,
    observed,
    rows,
    baseRows,
  }: Asked = {},
): readonly Danger[] {
  const desired = declare(after, entries);
  const state = 'lineage' in before ? (before as State) : stateOf(before as Resources);
  const planned = plan(desired, state, { operations, targets, replace }, observed);
  return findDangers(planned, { state, internalDomains: domains, rows, baseRows });
}

/** `reaches-outside domain: evil.example`, one for each item; of what has no kind of receiver in its title, the code alone. */
export function found(dangers: readonly Danger[]): readonly string[] {
  return dangers.flatMap(({ code, title, items }) =>
    items.map(({ subject }) => `${withKind({ code, title })}: ${subject}`),
  );
}

export function withKind({ code, title }: Pick<Danger, 'code' | 'title'>): string {
  const [, kind] = ofReceivers.has(code) ? (/^\d+ (.*?)s? (?:receives?|gets?|is|are) /.exec(title) ?? []) : [];
  return kind === undefined ? code : `${code} ${kind}`;
}

const ofReceivers: ReadonlySet<string> = new Set(['reaches-outside', 'new-receiver']);

/** An SFTP server, of whose password a test may say something. */
export const server = (address: string, fields: JsonObject = {}) =>
  sftp({ address, passwordUnencrypted: undefined, ...fields });
