// What the validators that scripts/generate.ts compiles report: the parts of an ajv error that are used, and the types of
// the validators.

export interface SchemaError {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The name that is wrong, when the schema is about names. */
  readonly propertyName?: string;
}

export type SchemaErrors = readonly SchemaError[] | null | undefined;

/** Tells whether a value that a program wrote is a T; reports the first error only. */
export interface DocumentValidator<T> {
  (value: unknown): value is T;
  errors?: SchemaErrors;
}
