// Gives a command its ways to print. The runner of GitHub Actions obeys commands that it finds in the log, so there text
// for people is made harmless. A document for programs is written unchanged, annotations included: their renderer
// escapes what users wrote.

import { withoutWorkflowCommands } from '../../render/text/workflow-commands.ts';
import type { Output, Outside, World } from './world.ts';

export function guardLog(outside: Outside): World {
  const { stdout, stderr } = outside;
  const isLogObeyed = outside.environment('GITHUB_ACTIONS') === 'true';
  const forPeople = (output: Output): Output => (isLogObeyed ? guarded(output) : output);
  return {
    ...outside,
    stdout: { ...forPeople(stdout), data: (text) => stdout.write(text) },
    stderr: forPeople(stderr),
  };
}

function guarded(output: Output): Output {
  return { ...output, write: (text) => output.write(withoutWorkflowCommands(text)) };
}
