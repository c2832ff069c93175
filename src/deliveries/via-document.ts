// The reasons why somebody receives something, as documents show them.

import { described, oneOf, record, type TypeOf, text } from '../model/values/schema.ts';
import type { Via } from '../model/workspace/origins.ts';

const declaredBy = ['resource', 'anchor', 'default', 'variable', 'audience', 'item', 'row', 'text-file', 'sink'];
/** The kinds that only the state names. */
const stateKinds = ['applied', 'unresolved'] as const;

export const viaSchema = described(
  record({
    kind: described(
      oneOf(...(declaredBy as readonly (Via['kind'] | 'row')[]), 'group', ...stateKinds),
      'applied: no declaration names them, and they still receive it, because the change is not applied. unresolved: they may receive it by a change whose outcome is unknown.',
    ),
    'name?': described(text, 'Of an audience, a variable or a user group; of an item or a row its key.'),
  }),
  'What names the recipient.',
);
export type DeliveryVia = TypeOf<typeof viaSchema>;
