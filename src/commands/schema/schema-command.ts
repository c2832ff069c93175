// The options of `almanac schema`.

import type { EmptyCommand, OptionsOf } from '../base/command.ts';
import { defining } from '../base/define-command.ts';

export type SchemaOptions = OptionsOf<typeof schemaCommand>;

function schemaCommand(command: EmptyCommand) {
  return command
    .argument('[name]', 'such as resources; without a name, lists all schemas, or writes all with --out')
    .option('--out <path>', 'write to this file (.json) or folder')
    .option('--workspace', 'for the editors of this workspace: fields with defaults in almanac.yaml are optional')
    .withExample(`
Example: almanac schema --workspace --out .almanac
Next: name it in the first line of a file:
# yaml-language-server: $schema=../.almanac/resources.schema.json`);
}

export const defineSchema = defining(schemaCommand, async () => (await import('./schema.ts')).schema);
