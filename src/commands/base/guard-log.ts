// In GitHub Actions, what is printed for people is made harmless for the runner that reads the log. What programs read
// leaves as it is, annotations among it: their renderer escapes what they hold.

import { withoutWorkflowCommands } from '../../render/text/workflow-commands.ts';
import type { Output, World } from './world.ts';

const formatsForPeople = ['text', 'table'];
/** They print data without being asked for a format. */
const printers = ['completion', 'emulator', 'listen', 'pull', 'schema', 'verify'];

export function guardLog(world: World, argv: readonly string[]): World {
  if (world.environment('GITHUB_ACTIONS') !== 'true') return world;
  return {
    ...world,
    stdout: printsData(argv) ? world.stdout : guarded(world.stdout),
    stderr: guarded(world.stderr),
  };
}

function guarded(output: Output): Output {
  return { ...output, write: (text) => output.write(withoutWorkflowCommands(text)) };
}

function printsData(argv: readonly string[]): boolean {
  const formats = argv.flatMap((argument, index) => {
    if (argument === '--format') return [argv[index + 1] ?? ''];
    return argument.startsWith('--format=') ? [argument.slice('--format='.length)] : [];
  });
  return formats.some((format) => !formatsForPeople.includes(format)) || argv.some((word) => printers.includes(word));
}
