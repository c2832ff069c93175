// The options of `almanac webhook listen|verify`.

import { Option } from '@commander-js/extra-typings';
import { type EmptyCommand, type OptionsOf, textOrJson } from '../base/command.ts';
import { defining, grouping } from '../base/define-command.ts';
import { listed, wholeNumber } from '../base/option-values.ts';

export type WebhookListenOptions = OptionsOf<typeof listenCommand>;
export type WebhookVerifyOptions = OptionsOf<typeof verifyCommand>;

export const defineWebhook = grouping(
  `
Example: almanac webhook listen --port 4020
Next: run almanac apply with an AI job whose webhookUrl leads there.`,
  {
    listen: defining(listenCommand, async () => (await import('./listen.ts')).webhookListen),
    verify: defining(verifyCommand, async () => (await import('./verify.ts')).webhookVerify),
  },
);

const secretEnv = () =>
  new Option('--secret-env <name>', 'the environment variable that holds the signing secret').default(
    'OMNI_WEBHOOK_SECRET',
  );

function listenCommand(command: EmptyCommand) {
  return command
    .description('receive, verify and print events until Ctrl-C')
    .option('--port <n>', 'the port; 0 takes any free one', wholeNumber(0, 65535), 4020)
    .option('--host <host>', 'the address to listen on', '127.0.0.1')
    .option('--public-host <name>', 'the host name of a tunnel or proxy in front; may be repeated', listed)
    .addOption(secretEnv())
    .option('--insecure', 'accept events from anyone, without a secret')
    .option('--tolerance <seconds>', 'how old a timestamp may be', wholeNumber(1), 300)
    .addOption(textOrJson())
    .withExample(`
Example: almanac webhook listen --port 4020
Next: run almanac apply with an AI job whose webhookUrl leads there.`);
}

function verifyCommand(command: EmptyCommand) {
  return command
    .description('verify a saved request')
    .argument('[file]', 'the body, byte for byte; - or no file reads standard input')
    .requiredOption('--signature <text>', 'the X-Omni-Signature header')
    .requiredOption('--timestamp <text>', 'the X-Omni-Signature-Timestamp header')
    .addOption(secretEnv())
    .option('--tolerance <seconds>', 'how old a timestamp may be', wholeNumber(1), 300)
    .withExample(`
Example: almanac webhook verify body.json --signature HEX --timestamp 1760000000
Next: verifyWebhook of the package does the same in your own handler.`);
}
