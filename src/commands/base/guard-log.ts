// Makes of the two streams of the process the ways out of a command. In GitHub Actions, what is printed for people is made
// harmless for the runner that reads the log. A document for programs leaves as it is, annotations among it: their
// renderer escapes what they hold.

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
