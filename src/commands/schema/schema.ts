// `almanac schema [NAME]`: prints or writes the published schemas, and the schema that fits this workspace.

import { didYouMean } from '../../declare/findings/suggest.ts';
import { invalidWorkspace } from '../../declare/load/refuse-errors.ts';
import { schemasOfWorkspace } from '../../declare/workspace-schema.ts';
import { largest } from '../../model/values/collections.ts';
import { command } from '../../model/values/command.ts';
import { trimEndOf } from '../../model/values/words.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { nothingDeclared } from '../../model/workspace/resource.ts';
import { publishedSchemas } from '../../published-schemas.ts';
import { type EditorSchema, editorSchemaText } from '../../report/text/editor-schema.ts';
import { schemaText } from '../../report/text/render-json.ts';
import type { Run } from '../base/run.ts';
import type { SchemaOptions } from './schema-command.ts';

export async function schema(run: Run, options: SchemaOptions, given: string | undefined): Promise<number> {
  const name = given === undefined ? undefined : known(given);
  const texts = options.workspace ? await textsOfWorkspace(run, options, name) : textsOf(name);
  if (options.out !== undefined) await write(run, options, options.out, texts);
  else if (name === undefined && !options.workspace) list(run);
  else run.stdout.data(Object.values(texts).join(''));
  return 0;
}

type Texts = Readonly<Record<string, string>>;

function known(given: string): string {
  const name = given.replace(/^.*\//, '').replace(/(\.schema)?\.json$/, '');
  if (Object.hasOwn(publishedSchemas, name)) return name;
  const names = Object.keys(publishedSchemas);
  throw new Failure('usage', `There is no schema \`${given}\`.`, {
    hint: didYouMean(name, names) ?? `The schemas are: ${names.join(', ')}.`,
  });
}

function textsOf(name: string | undefined): Texts {
  const chosen = Object.entries(publishedSchemas).filter(([each]) => name === undefined || each === name);
  return Object.fromEntries(chosen.map(([each, content]) => [each, schemaText(content)]));
}

/** Without a name, a folder gets both schemas, and a file or the terminal that of source files. */
async function textsOfWorkspace(run: Run, { out }: SchemaOptions, name: string | undefined): Promise<Texts> {
  if (name !== undefined && !isForEditors(name)) {
    throw new Failure('usage', `--workspace applies only to the schemas of what people write, not to ${name}.`, {
      hint: `Run ${command('schema', '--workspace')}.`,
    });
  }
  const { config, findings, file } = await run.settings();
  if (config === undefined) {
    const source = { desired: nothingDeclared, fileNamed: () => file };
    throw invalidWorkspace('The configuration has errors, so its defaults are unknown.', findings, source);
  }
  const isFolder = out !== undefined && !out.endsWith('.json');
  const unnamed: readonly EditorSchema[] = isFolder ? ['resources', 'almanac'] : ['resources'];
  const chosen = name === undefined ? unnamed : [name];
  return Object.fromEntries(chosen.map((each) => [each, editorSchemaText(each, config)]));
}

function isForEditors(name: string): name is EditorSchema {
  return Object.hasOwn(schemasOfWorkspace, name);
}

function list(run: Run): void {
  const width = largest(Object.keys(publishedSchemas).map((name) => name.length));
  for (const [name, { title }] of Object.entries(publishedSchemas))
    run.stdout.write(`${name.padEnd(width)} ${String(title)}\n`);
  if (!run.stdout.isTerminal) return;
  run.stderr.write('\n');
  run.say(`Print one with ${command('schema', 'NAME')}; write all of them with --out FOLDER.`, run.stderr);
}

async function write(run: Run, options: SchemaOptions, out: string, texts: Texts): Promise<void> {
  const isFile = out.endsWith('.json');
  if (isFile && Object.keys(texts).length > 1) {
    throw new Failure('usage', `${out} is a single file, but there are several schemas.`, {
      hint: 'Name one schema, such as resources, or give --out a folder.',
    });
  }
  for (const [name, text] of Object.entries(texts)) {
    const path = isFile ? out : `${trimEndOf(out, /\//)}/${name}.schema.json`;
    await run.openDataFile(run.path(path)).write(text);
    if (!options.quiet) run.stderr.write(`Wrote ${path}.\n`);
  }
}
