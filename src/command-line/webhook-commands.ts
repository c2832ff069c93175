// `almanac webhook …`: receives and checks the events of AI jobs.

import { type Command, Option } from 'commander';
import { optionsOf, textOrJson, wholeNumber } from './option-values.ts';
import type { Run } from './run.ts';

export function addWebhookCommands(program: Command, run: Run): void {
  const webhook = program.command('webhook').description('receive and check the events of AI jobs');
  for (const add of [addListen, addVerify]) add(webhook, run);
}

const secretEnv = () =>
  new Option('--secret-env <name>', 'the environment variable that holds the signing secret').default(
    'OMNI_WEBHOOK_SECRET',
  );

function addListen(webhook: Command, { world, finish }: Run): void {
  webhook
    .command('listen')
    .description('receive events, check them and print them, until Ctrl-C')
    .option('--port <n>', 'the port; 0 is any free one', wholeNumber(0, 65535), 4020)
    .option('--host <host>', 'the address to listen at', '127.0.0.1')
    .addOption(secretEnv())
    .option('--insecure', 'without a secret: take events from anybody')
    .option('--forward <url>', 'send each request on to this address, as it came')
    .option('--tolerance <seconds>', 'how old a timestamp may be', wholeNumber(1), 300)
    .addOption(textOrJson())
    .action(async (_, command: Command) => {
      const { webhookListen } = await import('../commands/webhook/listen.ts');
      finish(await webhookListen(world, optionsOf(command)));
    });
}

function addVerify(webhook: Command, { world, finish }: Run): void {
  webhook
    .command('verify')
    .description('check a saved request')
    .argument('[file]', 'its body, byte for byte; the standard input where it is left out, or -')
    .requiredOption('--signature <text>', 'its header X-Omni-Signature')
    .requiredOption('--timestamp <text>', 'its header X-Omni-Signature-Timestamp')
    .addOption(secretEnv())
    .option('--tolerance <seconds>', 'how old a timestamp may be', wholeNumber(1), 300)
    .action(async (file: string | undefined, _, command: Command) => {
      const { webhookVerify } = await import('../commands/webhook/verify.ts');
      finish(await webhookVerify(world, optionsOf(command), file));
    });
}
