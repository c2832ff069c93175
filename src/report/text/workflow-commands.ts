// Commands that CI runners obey in a log, and texts without them. GitHub's are a line that begins with `::`, with or
// without space before it, and `##[` anywhere in a line (https://github.com/actions/runner, ActionCommand.cs); the
// agent of Azure DevOps obeys `##vso[` anywhere in a line (https://github.com/microsoft/azure-pipelines-agent,
// Command.cs). Names and texts come from files and from the service, so all are broken up by a space of no width, which
// a reader doesn't see.

const zeroWidthSpace = '\u200b';

export function withoutWorkflowCommands(text: string): string {
  return text
    .replace(/^([^\S\r\n\u2028\u2029]*):(?=:)/gm, `$1:${zeroWidthSpace}`)
    .replace(/##(?=(?:vso)?\[)/gi, `##${zeroWidthSpace}`);
}
