// Credentials of a profile in the files of the AWS command line: keys that are written there, or the program that
// `credential_process` names. Other profiles, such as those of single sign-on, are left to the packages of AWS.

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseJson } from '../../http/service-text.ts';
import { type Environment, environmentForPrograms } from '../host.ts';
import { validateCredentials } from './credential-document.compiled.js';
import { type CredentialSource, type Credentials, credentialsOf, noCredentials } from './credential-sources.ts';

type Settings = ReadonlyMap<string, string>;

const processTimeoutMs = 60_000;

export const fromProfile: CredentialSource = async ({ environment, signal }) => {
  const name = environment['AWS_PROFILE'] || 'default';
  const home = environment['HOME'] || homedir();
  const [config, credentials] = await Promise.all([
    readProfile(environment['AWS_CONFIG_FILE'] || join(home, '.aws', 'config'), configSections(name)),
    readProfile(environment['AWS_SHARED_CREDENTIALS_FILE'] || join(home, '.aws', 'credentials'), [name]),
  ]);
  const settings = new Map([...config, ...credentials]);
  // A role of a profile is assumed with its keys, which by themselves may be allowed something else.
  if (settings.has('role_arn')) return undefined;
  const [id, secret] = [settings.get('aws_access_key_id'), settings.get('aws_secret_access_key')];
  const token = settings.get('aws_session_token');
  if (id && secret) return { accessKeyId: id, secretAccessKey: secret, sessionToken: token || undefined };
  const command = settings.get('credential_process');
  return command ? await fromProcess(command, name, environment, signal) : undefined;
};

function configSections(name: string): readonly string[] {
  return name === 'default' ? ['default', 'profile default'] : [`profile ${name}`];
}

/** The settings of a section; empty if the file does not exist. */
async function readProfile(path: string, sections: readonly string[]): Promise<Settings> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const settings = new Map<string, string>();
  let isOurs = false;
  for (const line of text.split(/\r?\n/)) {
    const section = /^\s*\[([^\]]*)\]/.exec(line)?.[1];
    if (section !== undefined) isOurs = sections.includes(sectionName(section));
    // What is indented belongs to a setting that holds others, such as `s3 =`.
    const [, name, value] = /^([A-Za-z_][\w.-]*)\s*=\s*(.*)$/.exec(line) ?? [];
    if (isOurs && name !== undefined) settings.set(name.toLowerCase(), withoutComment(value ?? ''));
  }
  return settings;
}

/** Names may be quoted, and words separated by several spaces. */
function sectionName(text: string): string {
  return text.trim().replace(/\s+/g, ' ').replace(/["']/g, '');
}

function withoutComment(value: string): string {
  return value.replace(/\s[#;].*$/, '').trim();
}

async function fromProcess(
  command: string,
  profile: string,
  environment: Environment,
  signal: AbortSignal | undefined,
): Promise<Credentials> {
  const what = `The credential_process of the AWS profile ${JSON.stringify(profile)}`;
  const hint = 'Run that program by hand to see what is wrong.';
  const [program, ...words] = wordsOf(command) ?? [];
  if (program === undefined) throw noCredentials(`${what} has a quote that is never closed, or is empty.`, hint);
  const ended = await run(program, words, environment, signal);
  signal?.throwIfAborted();
  // Not what it printed: that may hold the keys.
  if (ended.why !== undefined) throw noCredentials(`${what} failed: ${ended.why}.`, hint);
  const document: unknown = parseJson(ended.output);
  if (!validateCredentials(document) || !isOfVersion1(document))
    throw noCredentials(`${what} printed something else than credentials of version 1.`, hint);
  return credentialsOf(document);
}

function isOfVersion1(document: object): boolean {
  return 'Version' in document && document.Version === 1;
}

interface Ended {
  readonly output: string;
  readonly why?: string;
}

function run(
  program: string,
  words: readonly string[],
  environment: Environment,
  signal: AbortSignal | undefined,
): Promise<Ended> {
  const env = { ...environmentForPrograms(environment) };
  const options = { env, timeout: processTimeoutMs, maxBuffer: 1_000_000, windowsHide: true, signal };
  return new Promise((resolve) => {
    execFile(program, [...words], options, (error, output) => {
      if (error === null) resolve({ output });
      else if (error.killed === true) resolve({ output, why: 'it did not end within a minute' });
      else if (typeof error.code === 'number') resolve({ output, why: `it ended with exit code ${error.code}` });
      else resolve({ output, why: `it cannot be run (${error.code ?? 'unknown error'})` });
    });
  });
}

/** The words of a command, with quotes as a shell has them, and nothing else of a shell. */
export function wordsOf(command: string): readonly string[] | undefined {
  const words: string[] = [];
  // On Windows a backslash separates the parts of a path.
  const part =
    process.platform === 'win32'
      ? /\s+|"([^"]*)"|'([^']*)'|([^\s"']+)/y
      : /\s+|"((?:[^"\\]|\\.)*)"|'([^']*)'|((?:[^\s"'\\]|\\.)+)/y;
  let word: string | undefined;
  let place = 0;
  while (place < command.length) {
    part.lastIndex = place;
    const found = part.exec(command);
    if (found === null) return undefined;
    place = part.lastIndex;
    const [, double, single, plain] = found;
    const text = double?.replace(/\\(["\\$`])/g, '$1') ?? single ?? plain?.replace(/\\(.)/g, '$1');
    if (text !== undefined) word = (word ?? '') + text;
    else if (word !== undefined) words.push(word);
    if (text === undefined) word = undefined;
  }
  return word === undefined ? words : [...words, word];
}
