// The choices of `almanac init`: an option decides, else a question on a terminal, else the default.

import { destinations } from '../../model/fields/field.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { joined } from '../../report/doc.ts';
import { printText } from '../../report/print-text.ts';
import type { Run } from '../base/run.ts';
import {
  choicesIn,
  numbered,
  oneOf,
  readBaseUrl,
  readDomains,
  readEnvironments,
  readTimeZone,
  unique,
} from './accepted-answers.ts';
import { ciSystems, editors, starts, yesOrNo } from './choices.ts';
import type { Choices } from './scaffold/workspace-files.ts';

interface CommandLineChoices {
  readonly baseUrl?: string | undefined;
  readonly environments?: readonly string[] | undefined;
  readonly internalDomains?: readonly string[] | undefined;
  readonly timezone?: string | undefined;
  readonly start?: (typeof starts)[number] | undefined;
  readonly destination?: readonly (typeof destinations)[number][] | undefined;
  readonly ci?: Choices['ci'] | undefined;
  readonly backend?: Choices['backend'] | undefined;
  readonly editor?: Choices['editor'] | undefined;
  readonly agents?: boolean | undefined;
  /** True if no question is asked. */
  readonly yes?: boolean | undefined;
}

interface Question<T> {
  /** The option's value. */
  readonly given: T | undefined;
  readonly words: string;
  /** The value for a plain Enter. */
  readonly otherwise: T;
  readonly read: (answer: string) => T;
}

/** `userEmail` suggests the internal domain, which is most likely its own. */
export async function choose(run: Run, options: CommandLineChoices, userEmail: string | undefined): Promise<Choices> {
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

function addressQuestion(run: Run, options: CommandLineChoices): Question<string | undefined> {
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

async function answerOf<T>(run: Run, { yes }: CommandLineChoices, question: Question<T>): Promise<T> {
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

function refuseContradictions({ environments, baseUrl, start, destination }: CommandLineChoices): void {
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
