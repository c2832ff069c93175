// The schemas of what is printed about people: who receives what.

import {
  type Delivery,
  type DeliveryVia,
  type Recipient,
  recipientKinds,
  type WhoDocument,
} from '../../src/model/people/who-document.ts';
import type { JsonObject } from '../../src/model/values/json.ts';
import { documentSchema } from './state-schemas.ts';
import { constant, described, flag, listOf, oneOf, positive, record, text } from './typed-schema.ts';

const formatVersion = described(
  constant(1),
  'Increases when a field changes its meaning or is removed; new fields do not increase it.',
);

const via = described(
  record<DeliveryVia>({
    kind: oneOf('resource', 'anchor', 'default', 'variable', 'audience', 'item', 'row', 'text-file', 'sink'),
    'name?': described(text, 'Of an audience or a variable; of an item or a row its key.'),
  }),
  'What names the recipient.',
);

const place = { file: text, 'line?': positive };

const delivery = record<Delivery>({
  address: text,
  'id?': described(text, 'Where the state knows it.'),
  'name?': text,
  'identifier?': text,
  'format?': text,
  'schedule?': text,
  'timezone?': text,
  paused: flag,
  managed: described(flag, 'Whether it is declared here.'),
  'sink?': described(text, 'The environment whose sink receives it instead.'),
  via,
  ...place,
});

export const peopleSchemas: Readonly<Record<string, JsonObject>> = {
  'who.schema.json': documentSchema(
    'What almanac who --format json prints',
    record<WhoDocument>({
      formatVersion,
      recipients: listOf(
        record<Recipient>({
          recipient: described(text, 'E-mail addresses and hosts are in lower case.'),
          kind: oneOf(...recipientKinds),
          deliveries: described(listOf(delivery), 'By address.'),
        }),
      ),
    }),
  ),
};
