// The options of `almanac schema`.

import type { Bare, OptionsOf, Run } from '../base/command.ts';

export type SchemaOptions = OptionsOf<typeof schemaCommand>;

function schemaCommand(command: Bare) {
  return command
    .argument('[name]', 'such as resources; without it they are listed, or all written')
    .option('--out <path>', 'write it to this file (.json), or to this folder')
    .option('--workspace', 'that of source files, without what the defaults in almanac.yaml give')
    .addHelpText(
      'after',
      `
Example: almanac schema --workspace --out .almanac/resources.schema.json
Next: name it in the first line of a file:
# yaml-language-server: $schema=../.almanac/resources.schema.json`,
    );
}

export function equipSchema(command: Bare, { world, finish }: Run): void {
  schemaCommand(command).action(async (name, _, self) => {
    const { schema } = await import('./schema.ts');
    finish(await schema(world, self.optsWithGlobals(), name));
  });
}
