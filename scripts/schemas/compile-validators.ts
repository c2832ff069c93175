// Compiles the schemas of what people write into a module of validators. Nothing then compiles a schema when the
// program starts. The module also holds the notes of each schema: the code and words of every place that has some, by
// schema path.

import { Ajv, type Options } from 'ajv';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { kindOfSection, sections } from '../../src/model/values/address.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/model/values/json.ts';
import { pointerTo } from '../../src/model/values/pointer.ts';
import { configSchema } from './config-schema.ts';
import { resourceSchema } from './resource-schema.ts';
import { strict } from './shape-schema.ts';
import { audienceSchema, strictSourceSchema } from './source-schema.ts';

/** Keywords that editors know and ajv does not. */
export const editorVocabulary = [
  'defaultSnippets',
  'doNotSuggest',
  'errorMessage',
  'patternErrorMessage',
  'markdownDescription',
  'markdownEnumDescriptions',
  'x-code',
];

const ajvOptions = {
  allErrors: true,
  strict: true,
  strictRequired: false,
  strictTypes: false,
  allowUnionTypes: true,
  unicodeRegExp: true,
  validateFormats: false,
  // To optimize a validator takes longer than anything that asks it.
  code: { optimize: false },
} as const;

/** Compiles every schema of this repository; strict, except for the vocabulary of editors. */
export function makeAjv(options: Options = {}): Ajv {
  return new Ajv({ ...ajvOptions, ...options }).addVocabulary(editorVocabulary);
}

const sectionKinds = sections.map((section) => kindOfSection[section]);

/** The schemas that the program needs, by the name of the validator. */
export function strictSchemas(): Readonly<Record<string, JsonObject>> {
  return {
    source: strictSourceSchema(strict),
    ...Object.fromEntries(sectionKinds.map((kind) => [kind, resourceSchema(kind, strict)])),
    audience: audienceSchema(strict),
    config: configSchema(strict),
  };
}

/**
 * The source texts of src/declare/accepts.js, which answers yes or no, and of compiled.js beside it, which is loaded where
 * somebody has to be told why it is no: most of a validator is about its errors.
 */
export function compileValidators(): Readonly<Record<'accepts' | 'compiled', string>> {
  const schemas = strictSchemas();
  const ajv = makeAjv({ code: { source: true, esm: true, lines: true }, messages: false });
  const names = Object.entries(schemas).map(([name, schema]) => {
    const validator = validatorOf(name);
    ajv.addSchema(withoutWords(schema), validator);
    return [validator, validator] as const;
  });
  const generate = standaloneCode as unknown as { default: (ajv: Ajv, refs: Record<string, string>) => string };
  const code = `// Written by scripts/generate.ts.\n${withImports(generate.default(ajv, Object.fromEntries(names)))}`;
  const notes = Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, notesOf(schema, '#')]));
  const byName = `{ ${Object.keys(schemas)
    .map((name) => `${name}: ${validatorOf(name)}`)
    .join(', ')} };\n`;
  const whole = withShortErrors(withoutEmptyErrors(withSchemasAsTexts(code)));
  return {
    accepts: `${withoutErrors(whole)}export const accepts = ${byName}`,
    compiled: `${whole}${addError}const validators = ${byName}const notes = ${JSON.stringify(JSON.stringify(notes))};
export const errorsOf = (name, value) => (validators[name](value) ? [] : validators[name].errors);
export const notesOf = (name) => JSON.parse(notes)[name];
`,
  };
}

/** The types of these modules, for files beside them. */
export function validatorTypes(): Readonly<Record<'accepts' | 'compiled', string>> {
  const names = Object.keys(strictSchemas());
  return {
    accepts: `// Written by scripts/generate.ts.
export type SchemaName = '${names.join("' | '")}';
/** True for a value that the schema has nothing to say about. */
export const accepts: Readonly<Record<SchemaName, (value: unknown) => boolean>>;
`,
    compiled: `// Written by scripts/generate.ts.
import type { SchemaName } from './accepts.js';
import type { SchemaError, SchemaNote } from './findings/rule.ts';

export function errorsOf(name: SchemaName, value: unknown): readonly SchemaError[];
/** By schema path. They are read when there is an error to explain. */
export function notesOf(name: SchemaName): Readonly<Record<string, SchemaNote>>;
`,
  };
}

const validatorOf = (name: string) => `validate${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** ajv writes `require` for its runtime helpers even in an ES module. */
function withImports(code: string): string {
  const imports: string[] = [];
  const body = code.replaceAll(/const (\w+) = require\("([^"]+)"\)\.default;/g, (_, name: string, path: string) => {
    imports.push(`import ${name}Module from '${path}.js';\nconst ${name} = ${name}Module.default ?? ${name}Module;`);
    return '';
  });
  return `${imports.join('\n')}\n${body}`;
}

/** V8 takes longer for an object in the code than for a text of it. */
function withSchemasAsTexts(code: string): string {
  return code.replaceAll(
    /^const (schema\d+) = (\{.*\});$/gm,
    (_, name: string, json: string) => `const ${name} = JSON.parse(${JSON.stringify(json)});`,
  );
}

/** An `if` needs only the number of its errors. Creating them takes a third of the time of a valid resource. */
function withoutEmptyErrors(code: string): string {
  return code.replaceAll(
    /const (err\d+) = \{\};\nif\(vErrors === null\)\{\nvErrors = \[\1\];\n\}\nelse \{\nvErrors\.push\(\1\);\n\}\n/g,
    '',
  );
}

/** ajv spells out at each of hundreds of places how an error is added to the others. */
function withShortErrors(code: string): string {
  return code.replaceAll(
    /const (err\d+) = \{instancePath(?::(.+?))?,schemaPath:(".+?"),keyword:(".+?"),params:(.+)\};\nif\(vErrors === null\)\{\nvErrors = \[\1\];\n\}\nelse \{\nvErrors\.push\(\1\);\n\}\n/g,
    (_, __, instancePath = 'instancePath', schemaPath: string, keyword: string, params: string) =>
      `vErrors = withError(vErrors, ${instancePath}, ${schemaPath}, ${keyword}, ${params});\n`,
  );
}

const addError = `
function withError(vErrors, instancePath, schemaPath, keyword, params) {
  const error = { instancePath, schemaPath, keyword, params };
  if (vErrors === null) return [error];
  vErrors.push(error);
  return vErrors;
}
`;

/** The errors are counted all the same. */
function withoutErrors(code: string): string {
  const counting = code
    .replaceAll(/^vErrors = withError\(.*\);\n/gm, '')
    .replaceAll(
      /if\(vErrors !== null\)\{\nif\((_errs\d+)\)\{\nvErrors\.length = \1;\n\}\nelse \{\nvErrors = null;\n\}\n\}\n/g,
      '',
    )
    .replaceAll(/^(?:let vErrors = null|validate\d+\.errors = vErrors);\n/gm, '')
    .replaceAll(/^export const validate/gm, 'const validate');
  if (counting.includes('vErrors'))
    throw new Error('A validator does something with its errors that is not known here.');
  return counting.replaceAll(/^const ((?:schema|pattern)\d+) = .*;\n/gm, (line, name: string) =>
    counting.split(new RegExp(`\\b${name}\\b`)).length > 2 ? line : '',
  );
}

/** What is written for readers. ajv puts a schema into the code, as some errors name a part of it. */
const forReaders = ['$schema', 'title', 'description', 'examples', ...editorVocabulary];
const schemasByName = ['properties', 'patternProperties', 'definitions'];

function withoutWords(schema: JsonObject): JsonObject {
  const kept = Object.entries(schema).filter(([keyword]) => !forReaders.includes(keyword));
  return Object.fromEntries(
    kept.map(([keyword, value]) => [
      keyword,
      schemasByName.includes(keyword) && isJsonObject(value)
        ? Object.fromEntries(Object.entries(value).map(([name, below]) => [name, withoutWordsBelow(below)]))
        : withoutWordsBelow(value),
    ]),
  );
}

function withoutWordsBelow(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutWordsBelow);
  return isJsonObject(value) ? withoutWords(value) : value;
}

function notesOf(schema: Json, path: string): JsonObject {
  let notes: JsonObject = {};
  if (Array.isArray(schema)) {
    schema.forEach((entry: Json, index) => {
      notes = { ...notes, ...notesOf(entry, `${path}/${index}`) };
    });
    return notes;
  }
  if (!isJsonObject(schema)) return notes;
  const { 'x-code': code, errorMessage, patternErrorMessage } = schema;
  if (code !== undefined || errorMessage !== undefined || patternErrorMessage !== undefined) {
    notes = { [path]: { ...(code ? { code } : {}), ...saidOf(errorMessage ?? patternErrorMessage) } };
  }
  if (schema['additionalProperties'] === false && isJsonObject(schema['properties'])) {
    notes = { ...notes, [path]: { ...part(notes[path]), names: Object.keys(schema['properties']) } };
  }
  for (const [key, entry] of Object.entries(schema)) notes = { ...notes, ...notesOf(entry, path + pointerTo(key)) };
  return notes;
}

const part = (note: Json | undefined) => (isJsonObject(note) ? note : {});

function saidOf(message: Json | undefined): JsonObject {
  return isJsonObject(message ?? null) ? (message as JsonObject) : message === undefined ? {} : { message };
}
