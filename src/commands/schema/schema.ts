// `almanac schema [NAME]`: prints or writes the published schemas, and the schema for this workspace.

import { didYouMean } from '../../declare/findings/suggest.ts';
import { invalidWorkspace } from '../../declare/load/refuse-errors.ts';
import { workspaceSchema } from '../../declare/workspace-schema.ts';
import { largest } from '../../model/values/collections.ts';
import { command } from '../../model/values/command.ts';
import type { JsonObject } from '../../model/values/json.ts';
import { trimEndOf } from '../../model/values/words.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { nothingDeclared } from '../../model/workspace/resource.ts';
import { publishedSchemas } from '../../published-schemas.ts';
import { renderJson } from '../../report/text/render-json.ts';
import type { Run } from '../base/run.ts';
import type { SchemaOptions } from './schema-command.ts';

export async function schema(run: Run, options: SchemaOptions, given: string | undefined): Promise<number> {
  const name = given === undefined ? undefined : known(given);
  if (options.workspace && name !== undefined && name !== 'resources') {
    throw new Failure('usage', `--workspace applies only to the schema of source files, not to ${name}.`, {
      hint: `Run ${command('schema', '--workspace')}.`,
    });
  }
  const chosen = await schemasNamed(run, options, name ?? (options.workspace ? 'resources' : undefined));
  if (options.out === undefined) print(run, chosen);
  else await write(run, options, options.out, chosen);
  return 0;
}

type Schemas = Readonly<Record<string, JsonObject>>;

function known(given: string): string {
  const name = given.replace(/^.*\//, '').replace(/(\.schema)?\.json$/, '');
  if (Object.hasOwn(publishedSchemas, name)) return name;
  const names = Object.keys(publishedSchemas);
  throw new Failure('usage', `There is no schema \`${given}\`.`, {
    hint: didYouMean(name, names) ?? `The schemas are: ${names.join(', ')}.`,
  });
}

async function schemasNamed(run: Run, options: SchemaOptions, name: string | undefined): Promise<Schemas> {
  if (name === undefined) return publishedSchemas;
  const published = publishedSchemas[name] ?? {};
  return { [name]: options.workspace ? await ofWorkspace(run, published) : published };
}

async function ofWorkspace(run: Run, published: JsonObject): Promise<JsonObject> {
  const { config, findings, file } = await run.settings();
  if (config !== undefined) return workspaceSchema(published, config);
  const source = { desired: nothingDeclared, fileNamed: () => file };
  throw invalidWorkspace('The configuration has errors, so its defaults are unknown.', findings, source);
}

/** One schema as it is; several as a list of their names. */
function print(run: Run, schemas: Schemas): void {
  const [[, only] = [], ...others] = Object.entries(schemas);
  if (only !== undefined && others.length === 0) {
    run.stdout.data(renderJson(only));
    return;
  }
  const width = largest(
    0,
    Object.keys(schemas).map((name) => name.length),
  );
  for (const [name, { title }] of Object.entries(schemas)) run.stdout.write(`${name.padEnd(width)} ${String(title)}\n`);
  if (!run.stdout.isTerminal) return;
  run.stderr.write('\n');
  run.say(`Print one with ${command('schema', 'NAME')}; write all of them with --out FOLDER.`, run.stderr);
}

async function write(run: Run, options: SchemaOptions, out: string, schemas: Schemas): Promise<void> {
  const isFile = out.endsWith('.json');
  if (isFile && Object.keys(schemas).length > 1) {
    throw new Failure('usage', `${out} is a single file, but there are several schemas.`, {
      hint: 'Name one schema, such as resources, or give --out a folder.',
    });
  }
  for (const [name, content] of Object.entries(schemas)) {
    const path = isFile ? out : `${trimEndOf(out, /\//)}/${name}.schema.json`;
    await run.openDataFile(run.path(path)).write(renderJson(content));
    if (!options.quiet) run.stderr.write(`Wrote ${path}.\n`);
  }
}
