// The refusal of a word after a command that takes none: it was nearly always meant for a selecting option.

import { command } from '../../model/values/command.ts';
import { codeList } from '../../model/values/words.ts';
import { Failure } from '../../model/workspace/failure.ts';
import { knownAddresses } from '../../plan/match.ts';
import { choiceAmong, likelySelectors } from '../../plan/select.ts';
import type { Run } from './run.ts';

interface RefusedWords {
  readonly name: string;
  /** The command that was meant, with its options up to the word. */
  readonly lead?: string;
  readonly selecting: readonly string[];
  /** The advice if the word selects nothing and resembles nothing. */
  readonly otherwise: string;
}

/** Throws Failure usage for a word, with the command that was probably meant. */
export async function refuseWords(run: Run, words: readonly string[], refused: RefusedWords): Promise<void> {
  const { name, lead = 'To choose only this resource, write', selecting, otherwise } = refused;
  const [word] = words;
  if (word === undefined) return;
  const commands = (await meantBy(run, word)).map((each) => command(name, ...selecting, each));
  throw new Failure('usage', `\`almanac ${name}\` takes no arguments, and \`${word}\` is one.`, {
    hint: commands.length === 0 ? otherwise : `${lead} ${codeList(commands, 'or')}.`,
  });
}

/** The selectors that a word was probably meant for; empty if the workspace offers no match. */
export async function meantBy(run: Run, word: string): Promise<readonly string[]> {
  try {
    const { loaded } = await run.load();
    const state = await run.readState(await run.store({ loaded }));
    return likelySelectors(word, choiceAmong(knownAddresses(loaded.desired, state), { loaded, state }));
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'interrupted') throw error;
    return [];
  }
}
