// The choices of `almanac init`: an option decides, else a question on a terminal, else the default.

import { nearest } from '../../declare/findings/suggest.ts';
import { normaliseBaseUrl } from '../../declare/parse-config.ts';
import { timeZoneFault } from '../../declare/rules/time-zones.ts';
import { destinations } from '../../model/fields/field.ts';
import { freeMailDomains } from '../../model/values/domains.ts';
import { baseUrlFault, isLoopback } from '../../model/values/urls.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { joined } from '../../report/doc.ts';
import { printText } from '../../report/print-text.ts';
import { inBrackets, isSafePlain } from '../../yaml/format/print-string.ts';
import type { Run } from '../base/run.ts';
import { ciSystems, editors, type InitOptions, starts, yesOrNo } from './init-command.ts';
import type { Choices } from './scaffold/workspace-files.ts';

interface Question<T> {
  /** The option's value. */
  readonly given: T | undefined;
  readonly words: string;
  /** The value for a plain Enter. */
  readonly otherwise: T;
  readonly read: (answer: string) => T;
}

/** `userEmail` suggests the internal domain, which is most likely its own. */
export async function choose(run: Run, options: InitOptions, userEmail: string | undefined): Promise<Choices> {
  const ask = <T>(question: Question<T>) => answerOf(run, options, question);
  refuseContradictions(options);
  const environments = readEnvironments(options.environments ?? []);
  const baseUrl = environments.length > 0 ? undefined : await ask(addressQuestion(run, options));
  const ownDomains = usable(userEmail, (address) => readDomains([address])) ?? [];
  const internalDomains = await ask({
    given: options.internalDomains && readDomains(options.internalDomains),
    words: `Your own mail domains${ownDomains.length === 0 ? ', like acme.com (Enter: later): ' : ` (Enter: ${ownDomains.join()}): `}`,
    otherwise: ownDomains,
    read: (answer) => readDomains([answer]),
  });
  const isColleague = internalDomains.some((domain) => userEmail?.toLowerCase().endsWith(`@${domain}`));
  const { timezone: givenZone, destination: givenDestinations, start: givenStart } = options;
  const zone = usable(run.timeZone(), readTimeZone) ?? 'UTC';
  const timezone = await ask({
    given: givenZone && readTimeZone(givenZone),
    words: `Time zone of the schedules (Enter: ${zone}): `,
    otherwise: zone,
    read: readTimeZone,
  });
  const start = await ask({
    given: givenStart ?? (givenDestinations && 'example'),
    words: 'Start with: 1 an example, 2 what is in Omni (Enter: 1): ',
    otherwise: 'example',
    read: (answer) => oneOf(answer, starts),
  });
  const chosen = await ask({
    given: start === 'omni' ? [] : givenDestinations && unique(givenDestinations),
    words: `Where do reports go? ${numbered(destinations)}\nOne or more, separated by spaces (Enter: email): `,
    otherwise: ['email'] as const,
    read: (answer) => choicesIn(answer, destinations),
  });
  const ci = await ask<Choices['ci']>({
    given: options.ci,
    words: `CI: ${numbered(ciSystems)} (Enter: none): `,
    otherwise: 'none',
    read: (answer) => oneOf(answer, ciSystems),
  });
  if (ci !== 'none' && options.backend === 'local') throw contradiction();
  const backend = options.backend ?? (ci === 'none' ? 'local' : 'git');
  const editor = await ask<Choices['editor']>({
    given: options.editor,
    words: `Settings for an editor: ${numbered(editors)}\n(Enter: none; any editor with the YAML language server works): `,
    otherwise: 'none',
    read: (answer) => oneOf(answer, editors),
  });
  const agents = await ask({
    given: options.agents === undefined ? undefined : options.agents ? 'yes' : 'no',
    words: 'Rules for coding agents, in AGENTS.md: 1 no, 2 yes (Enter: no): ',
    otherwise: 'no',
    read: (answer) => oneOf(answer, yesOrNo),
  });
  return {
    baseUrl,
    environments,
    internalDomains,
    recipient: isColleague ? userEmail : undefined,
    timezone,
    destinations: chosen,
    ci,
    backend,
    editor,
    agents: agents === 'yes',
  };
}

function contradiction(): Failure {
  return new Failure('usage', 'The jobs of `--ci` keep the state in a git branch, and `--backend local` in a file.', {
    hint: 'Leave out `--backend local`, or write the jobs yourself: the documentation (ci) shows them.',
  });
}

function addressQuestion(run: Run, options: InitOptions): Question<string | undefined> {
  const outside = usable(run.environment('OMNI_BASE_URL'), readBaseUrl);
  const example = outside === undefined ? ', like acme.omniapp.co' : '';
  return {
    given: options.baseUrl === undefined ? undefined : readBaseUrl(options.baseUrl),
    words: `Omni address${example} (Enter: ${outside ?? 'later'}): `,
    otherwise: outside,
    read: (answer) => {
      const url = readBaseUrl(answer);
      if (url !== answer) run.stderr.write(`  ${url}\n`);
      return url;
    },
  };
}

async function answerOf<T>(run: Run, { yes }: InitOptions, question: Question<T>): Promise<T> {
  const { given, words, otherwise, read } = question;
  if (given !== undefined) return given;
  const ask = yes ? undefined : run.asker();
  if (ask === undefined) return otherwise;
  for (;;) {
    const answer = await ask(words);
    if (answer === undefined || run.signal.aborted)
      throw new Failure('interrupted', 'Interrupted; nothing was written.');
    if (answer.trim() === '') return otherwise;
    try {
      return read(answer.trim());
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      run.stderr.write(printText([joined([error.message, error.hint], ' ')], run.page(run.stderr)));
    }
  }
}

function refuseContradictions({ environments, baseUrl, start, destination }: InitOptions): void {
  if (start === 'omni' && destination !== undefined)
    throw new Failure('usage', '`--destination` chooses the schedules of an example, and `--start omni` writes none.');
  if (environments !== undefined && baseUrl !== undefined)
    throw new Failure('usage', '`--base-url` names one organization, and each environment has its own.', {
      hint: 'Leave it out, and write the addresses into almanac.yaml.',
    });
}

/** A default is only offered if it would be accepted. */
function usable<T>(text: string | undefined, read: (text: string) => T): T | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  try {
    return read(text.trim());
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

// Parses the answers and options of `almanac init`. Throws a Failure with the reason if one is not accepted.

/** A host alone is enough: nobody types https:// in front of it. */
function readBaseUrl(text: string): string {
  const isHost = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}(?::\d+)?(?:\/.*)?$/i.test(text.trim());
  const url = normaliseBaseUrl(isHost ? `https://${text.trim()}` : text);
  const fault = baseUrlFault(url) ?? clearTextFault(new URL(url));
  if (fault === undefined) return url;
  const hint = fault.includes('; write') ? undefined : 'Write it like acme.omniapp.co.';
  throw new Failure('usage', `The Omni address ${fault}`, { hint });
}

/** Every command but `apply --allow http` refuses such an address, so a new workspace does not begin with it. */
function clearTextFault({ protocol, hostname }: URL): string | undefined {
  return protocol === 'http:' && !isLoopback(hostname)
    ? 'is not HTTPS: the token would travel unencrypted.'
    : undefined;
}

function readTimeZone(name: string): string {
  const fault = timeZoneFault(name);
  if (fault === undefined) return name;
  throw new Failure('usage', fault.message, { hint: fault.hint });
}

/** Each domain once, also from an address; one where anybody may have a mailbox would make strangers colleagues. */
function readDomains(given: readonly string[]): readonly string[] {
  const domains = given.flatMap(splitWords).map((word) => word.slice(word.lastIndexOf('@') + 1).toLowerCase());
  for (const name of domains) {
    if (freeMailDomains.has(name) || /(?:^|[.])noreply[.]/.test(name))
      throw new Failure('usage', `Anybody can have an address at ${name}, so it is not a domain of your own.`);
    if (!/^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+\p{L}[\p{L}\p{N}-]*$/u.test(name))
      throw new Failure('usage', `\`${name}\` is not a domain.`, { hint: 'Write it like acme.com.' });
  }
  return unique(domains);
}

/** `1 github, 2 gitlab, 3 none`. */
function numbered(choices: readonly string[]): string {
  return choices.map((choice, index) => `${index + 1} ${choice}`).join(', ');
}

/** Chosen by its number or by itself. */
function oneOf<T extends string>(word: string, choices: readonly T[]): T {
  const found = choices.find((choice, index) => choice === word.toLowerCase() || word === String(index + 1));
  if (found !== undefined) return found;
  const near = nearest(word, choices);
  const hint = near && `Did you mean \`${near}\`?`;
  throw new Failure('usage', `\`${word}\` is not one of ${choices.join(', ')}.`, { hint });
}

/** Each once, separated by spaces or commas. */
function choicesIn<T extends string>(text: string, choices: readonly T[]): readonly T[] {
  return unique(splitWords(text).map((word) => oneOf(word, choices)));
}

/** The names become parts of file names and of variables, in which upper and lower case or - and _ are the same. */
function readEnvironments(given: readonly string[]): readonly string[] {
  const names = unique(given.flatMap(splitWords));
  for (const name of names) {
    // almanac.yaml and the files of jobs name it without quotes.
    if (!isSafePlain(name, inBrackets) || !/^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(name))
      throw new Failure('usage', `\`${name}\` cannot be the name of an environment.`, {
        hint: 'Begin with a letter, and go on with letters, digits, `-` or `_`: `dev`, `prod-eu`.',
      });
    const same = names.find((other) => other !== name && folded(other) === folded(name));
    if (same !== undefined)
      throw new Failure(
        'usage',
        `\`${name}\` and \`${same}\` cannot both be environments: only spelling tells them apart.`,
      );
  }
  return names;
}

function unique<T>(values: readonly T[]): readonly T[] {
  return [...new Set(values)];
}

function splitWords(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}

function folded(name: string): string {
  return name.toLowerCase().replaceAll('-', '_');
}
