// The form of a row in a table of fields. One table per kind of resource drives the JSON Schemas, the defaults,
// the diff, the request bodies and the field reference: a new field of the API is one row.

import type { Json } from '../values/json.ts';

export const destinations = ['webhook', 'email', 'sftp', 'slack', 's3'] as const;
export type Destination = (typeof destinations)[number];

export const formats = ['csv', 'link_only', 'json', 'pdf', 'png', 'xlsx'] as const;
export type Format = (typeof formats)[number];

export const backends = ['local', 'git', 's3', 'postgres'] as const;
export type Backend = (typeof backends)[number];

/** The form of a value, close to JSON Schema. `code` is the diagnostic for a string that violates `pattern` or a bound. */
export type Shape =
  | {
      readonly type: 'string';
      readonly minLength?: 1;
      readonly pattern?: string;
      readonly patternWords?: string;
      readonly code?: string;
      /** A rule in declare/rules checks the string and explains more than the pattern can; the pattern is for editors. */
      readonly explained?: true;
      /** Values that editors offer, each with its meaning. Others are allowed where the pattern allows them. */
      readonly suggested?: Readonly<Record<string, string>>;
    }
  | { readonly type: 'boolean' }
  | { readonly type: 'integer'; readonly minimum?: number; readonly maximum?: number; readonly code?: string }
  | { readonly type: 'choice'; readonly choices: Readonly<Record<string, string>> }
  | {
      readonly type: 'list';
      readonly items: Shape;
      readonly minItems?: number;
      readonly maxItems?: number;
      readonly uniqueItems?: true;
      readonly code?: string;
    }
  | {
      /** One string, or a list of strings. */
      readonly type: 'textOrList';
      readonly pattern: string;
      readonly patternWords: string;
      readonly maxItems?: number;
      readonly code?: string;
    }
  | {
      /** One text that is not empty, or a record that says more. */
      readonly type: 'textOrRecord';
      readonly fields: Fields;
    }
  | {
      readonly type: 'object';
      /** The form of every entry of a map. */
      readonly entries?: Shape;
      /** Null takes an entry away that a default gives. What else null means is for a rule in declare/rules; this is for editors. */
      readonly mayBeUnset?: true;
      /** The names that editors suggest for entries, each with its meaning. */
      readonly names?: Readonly<Record<string, string>>;
      /** The reason why editors accept no other name. A rule in declare/rules explains more. */
      readonly namesWords?: string;
      /** All accepted names, where editors accept more of them than they suggest. */
      readonly accepted?: readonly string[];
      /** The fields of a record; with `open`, other fields are allowed. */
      readonly fields?: Fields;
      readonly open?: true;
      /** A rule in declare/rules says what else than a map is wrong, and what to write; the type is for editors. */
      readonly explained?: true;
      /** The message for an open record without any of its fields in an editor. A rule in declare/rules explains more. */
      readonly needsFieldWords?: string;
      /** The least number of fields of a record. */
      readonly minFields?: 1;
      readonly words?: string;
    }
  | {
      /** One of several records: its field `by`, which all have and which is not interpolated, says which. */
      readonly type: 'oneOf';
      readonly by: string;
      /** The description of `by`. */
      readonly words: string;
      readonly records: Readonly<Record<string, { readonly words: string; readonly fields: Fields }>>;
    }
  | {
      readonly type: 'anything';
      /** The values that editors offer, with their meaning. Others are allowed. */
      readonly suggested?: Readonly<Record<string, string>> | undefined;
    };

export interface Field {
  readonly shape: Shape;
  /** A narrower shape for each destination, if the destination decides the form. */
  readonly shapeFor?: Readonly<Partial<Record<Destination, Shape>>>;
  /** Markdown, shown by editors on hover and in the field reference in docs. */
  readonly words: string;
  /** Required wherever the field applies. */
  readonly required?: true;
  /** The documented default: omitting the field means the same as writing it. */
  readonly default?: Json;
  /** The value that means none: an update sends it when the field was applied and is no longer declared. */
  readonly cleared?: Json;
  readonly destinations?: readonly Destination[];
  readonly formats?: readonly Format[];
  /** The backends of the state in almanac.yaml to which the field applies. */
  readonly backends?: readonly Backend[];
  /** A password or similar: never shown, kept only as a fingerprint. */
  readonly secret?: true;
  /** The parts of the value that an environment variable may fill in; none of them, unless the field is secret. */
  readonly secretsIn?: 'text' | 'path-and-query';
  /** A list whose order has no meaning. */
  readonly set?: true;
  /** A set in which texts that differ only in upper and lower case are different items. */
  readonly exact?: true;
  /** Texts that differ may mean the same: cron expressions, zones with the same clocks, SFTP servers, ids and e-mail addresses in other cases. */
  readonly meaning?: 'cron' | 'clocks' | 'server' | 'id';
  /** A map of conditions: each means the same with the keys that Almanac adds to it and without them. */
  readonly isConditions?: true;
  /** The way it reaches the service: in the body (the default), as the query parameter, in the path, or not at all. */
  readonly sent?: 'query' | 'path' | 'never';
  /** This is an option of the request: changing only this field changes nothing. */
  readonly requestOption?: true;
  /** An item of a loop may lack the value that gives all of it: its instance is declared without the field. */
  readonly mayLack?: true;
  /** Decides which other fields apply, so it can't be interpolated. */
  readonly literal?: true;
}

export type Fields = Readonly<Record<string, Field>>;

/**
 * A row in the table of a kind. The fields inside a record decide what the record decides, and are read where it is.
 *
 * `decides` is the part of a delivery that the field decides: when and whether it comes; who receives it, and where; which rows,
 * and what these mean; which columns, and what stands in a cell; with whose rights it is rendered; the form and the name of the
 * file; what people read beside the data. It is one of them: where several are true, the one that must be reviewed most.
 */
export type ResourceField = ResourceFieldRow &
  (
    | {
        readonly decides: 'when' | 'file' | 'text' | 'nothing';
        /** `lifecycle.ignoreChanges` may name it. What decides who receives which rows and columns, and with whose rights, it never may. */
        readonly ignorable?: true;
      }
    | { readonly decides: 'who' | 'rows' | 'columns' | 'rights'; readonly ignorable?: never }
  );

interface ResourceFieldRow extends Field {
  /**
   * The change that shows more than before, whatever the field decides: any one, switched on or off, a higher limit, a value
   * that is taken away, or a fuller form (a link, a picture, a table). Any other change of what decides rows or columns shows
   * them otherwise; of a field with this row it narrows them, and is no danger.
   */
  readonly widens?: 'any' | 'on' | 'off' | 'higher' | 'removed' | 'fuller';
  /** Where Omni shows it first: in the list, in the answers about the one resource, or in its `metadata`, not that of a destination. */
  readonly read: 'list' | 'details' | 'metadata' | 'never';
  /** Omni may show another form or value than was sent, so it has a reader of its own; no look compares it as it is. */
  readonly readApart?: true;
}

export type ResourceFields = Readonly<Record<string, ResourceField>>;

export function requiredNames(fields: Fields): readonly string[] {
  return Object.keys(fields).filter((name) => fields[name]?.required);
}
