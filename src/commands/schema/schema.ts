// `almanac schema [NAME]`: prints or writes the published schemas, and the schema that fits this workspace.

import { invalidWorkspace } from '../../engine/load/load.ts';
import { loadConfig } from '../../engine/load/load-config.ts';
import type { JsonObject } from '../../model/values/json.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { nothingDeclared } from '../../model/workspace/resource.ts';
import { publishedSchemas } from '../../published-schemas.ts';
import { schemaText } from '../../render/text/schema-text.ts';
import { didYouMean } from '../../validate/findings/suggest.ts';
import { workspaceSchema } from '../../validate/workspace-schema.ts';
import { fileOf, openWorkspace } from '../base/session.ts';
import type { World } from '../base/world.ts';
import type { SchemaOptions } from './command.ts';

export async function schema(world: World, options: SchemaOptions, given: string | undefined): Promise<number> {
  const name = given === undefined ? undefined : known(given);
  if (options.workspace && name !== undefined && name !== 'resources') {
    throw new Failure('usage', `--workspace applies only to the schema of source files, not to ${name}.`, {
      hint: 'Run almanac schema --workspace.',
    });
  }
  const chosen = await schemasNamed(world, options, name ?? (options.workspace ? 'resources' : undefined));
  if (options.out === undefined) print(world, chosen);
  else await write(world, options, options.out, chosen);
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

async function schemasNamed(world: World, options: SchemaOptions, name: string | undefined): Promise<Schemas> {
  if (name === undefined) return publishedSchemas;
  const published = publishedSchemas[name] ?? {};
  return { [name]: options.workspace ? await ofWorkspace(world, options, published) : published };
}

async function ofWorkspace(world: World, options: SchemaOptions, published: JsonObject): Promise<JsonObject> {
  const workspace = await openWorkspace(world, options);
  const { config, findings, file } = await loadConfig(workspace, world.environment, options.env);
  if (config !== undefined) return workspaceSchema(published, config);
  const source = { desired: nothingDeclared, fileNamed: () => file };
  throw invalidWorkspace('The configuration has errors, so its defaults are unknown.', findings, source);
}

/** One schema as it is; several as a list of their names. */
function print(world: World, schemas: Schemas): void {
  const [[, only] = [], ...others] = Object.entries(schemas);
  if (only !== undefined && others.length === 0) {
    world.stdout.data(schemaText(only));
    return;
  }
  const width = Math.max(...Object.keys(schemas).map((name) => name.length));
  for (const [name, { title }] of Object.entries(schemas))
    world.stdout.write(`${name.padEnd(width)} ${String(title)}\n`);
  if (world.stdout.isTerminal)
    world.stderr.write('\nPrint one with almanac schema NAME; write all of them with --out FOLDER.\n');
}

async function write(world: World, options: SchemaOptions, out: string, schemas: Schemas): Promise<void> {
  const isFile = out.endsWith('.json');
  if (isFile && Object.keys(schemas).length > 1) {
    throw new Failure('usage', `${out} is a single file, but there are several schemas.`, {
      hint: 'Name one schema, such as resources, or give --out a folder.',
    });
  }
  for (const [name, content] of Object.entries(schemas)) {
    const path = isFile ? out : `${out.replace(/\/+$/, '')}/${name}.schema.json`;
    await fileOf(world, options, path).write(schemaText(content));
    if (!options.quiet) world.stderr.write(`Wrote ${path}.\n`);
  }
}
