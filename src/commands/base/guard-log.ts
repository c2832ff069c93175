// Gives a command its ways to print. The runner of GitHub Actions obeys commands that it finds in the log, so there text
// for people is made harmless. A document for programs is written unchanged, annotations included: their renderer
// escapes what users wrote.

import { withoutWorkflowCommands } from '../../render/text/workflow-commands.ts';
import type { Output, Outside, World } from './world.ts';

export function guardLog(outside: Outside): World {
  const { stdout, stderr } = outside;
  const isLogObeyed = outside.environment('GITHUB_ACTIONS') === 'true';
  const forPeople = (output: Output): Output => withWrite(output, isLogObeyed ? guarded(output) : output.write);
  return {
    ...outside,
    stdout: Object.assign(forPeople(stdout), { data: stdout.write }),
    stderr: forPeople(stderr),
  };
}

const guarded = (output: Output) => (text: string) => output.write(withoutWorkflowCommands(text));

/** Does not ask for the width yet, because that opens the stream. */
function withWrite(output: Output, write: Output['write']): Output {
  return {
    write,
    get isTerminal() {
      return output.isTerminal;
    },
    get width() {
      return output.width;
    },
    ...(output.closed === undefined ? {} : { closed: output.closed }),
  };
}
