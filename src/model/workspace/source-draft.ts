// A source file that has not been written yet: what it declares, and the comments that go with it.

import type { Section } from '../values/address.ts';
import type { Json } from '../values/json.ts';
import type { Adoption } from './resource.ts';

/** The folder of the schemas for editors, which point to one another. */
export const editorFolder = '.almanac';

/** The schema of source files, for editors and the defaults of a workspace: what its files name in their first lines. */
export const resourcesSchemaFile = '.almanac/resources.schema.json';

/** The schema of almanac.yaml, for editors. */
export const configSchemaFile = '.almanac/almanac.schema.json';

export interface FieldDraft {
  readonly name: string;
  /** The value as the file holds it: a literal `${` escaped, references as they are. */
  readonly value: Json;
  /** A comment above the field. */
  readonly comment?: string;
}

export interface ResourceDraft {
  readonly key: string;
  /** Comment lines above its key. */
  readonly comments: readonly string[];
  readonly fields: readonly FieldDraft[];
}

export interface SourceDraft {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  /** The path of the schema for editors, relative to the file; undefined: no schema line. */
  readonly schema?: string | undefined;
  /** Comment lines at the top of the file. */
  readonly comments: readonly string[];
  readonly resources: Readonly<Partial<Record<Section, readonly ResourceDraft[]>>>;
  readonly adoptions: readonly Pick<Adoption, 'to' | 'id' | 'in'>[];
}
