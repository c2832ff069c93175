// The options of `almanac webhook listen|verify`.

import { Option } from '@commander-js/extra-typings';
import { type Bare, type OptionsOf, type Run, textOrJson } from '../base/command.ts';
import { wholeNumber } from '../base/option-values.ts';

export type WebhookListenOptions = OptionsOf<typeof listenCommand>;
export type WebhookVerifyOptions = OptionsOf<typeof verifyCommand>;

export function equipWebhook(group: Bare, run: Run): void {
  group.addHelpText(
    'after',
    `
Example: almanac webhook listen --port 4020
Next: almanac apply, with an AI job whose webhookUrl leads there.`,
  );
  equipListen(group.command('listen'), run);
  equipVerify(group.command('verify'), run);
}

const secretEnv = () =>
  new Option('--secret-env <name>', 'the environment variable that holds the signing secret').default(
    'OMNI_WEBHOOK_SECRET',
  );

function listenCommand(command: Bare) {
  return command
    .description('receive events, check them and print them, until Ctrl-C')
    .option('--port <n>', 'the port; 0 is any free one', wholeNumber(0, 65535), 4020)
    .option('--host <host>', 'the address to listen at', '127.0.0.1')
    .addOption(secretEnv())
    .option('--insecure', 'without a secret: take events from anybody')
    .option('--forward <url>', 'send each request on to this address, as it came')
    .option('--tolerance <seconds>', 'how old a timestamp may be', wholeNumber(1), 300)
    .addOption(textOrJson())
    .addHelpText(
      'after',
      `
Example: almanac webhook listen --port 4020 --forward http://127.0.0.1:3000/omni
Next: almanac apply, with an AI job whose webhookUrl leads there.`,
    );
}

function equipListen(command: Bare, { world, finish }: Run): void {
  listenCommand(command).action(async (_, self) => {
    const { webhookListen } = await import('./listen.ts');
    finish(await webhookListen(world, self.optsWithGlobals()));
  });
}

function verifyCommand(command: Bare) {
  return command
    .description('check a saved request')
    .argument('[file]', 'its body, byte for byte; the standard input where it is left out, or -')
    .requiredOption('--signature <text>', 'its header X-Omni-Signature')
    .requiredOption('--timestamp <text>', 'its header X-Omni-Signature-Timestamp')
    .addOption(secretEnv())
    .option('--tolerance <seconds>', 'how old a timestamp may be', wholeNumber(1), 300)
    .addHelpText(
      'after',
      `
Example: almanac webhook verify body.json --signature HEX --timestamp 1760000000
Next: verifyWebhook of the package does the same in a handler of yours.`,
    );
}

function equipVerify(command: Bare, { world, finish }: Run): void {
  verifyCommand(command).action(async (file, _, self) => {
    const { webhookVerify } = await import('./verify.ts');
    finish(await webhookVerify(world, self.optsWithGlobals(), file));
  });
}
