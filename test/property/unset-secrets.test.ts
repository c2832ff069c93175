// Secrets that are unset, empty or rotated between applies. Meanwhile declarations change, answers are lost, and plans
// are saved. An apply without a secret sends no part of it and forgets nothing of it, and once all secrets are there,
// one apply makes Omni hold what is declared.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { State } from '../../src/model/plan/state.ts';
import { isSealedSecret, type Secret, secretKey } from '../../src/model/values/secret.ts';
import { Failure } from '../../src/model/workspace/failure.ts';
import { makeFingerprint } from '../../src/plan/fingerprints.ts';
import { schedule } from '../support/apply/declared.ts';
import { type ApplyOptions, baseUrl, type Stage, stage } from '../support/apply/stage.ts';
import { answerLost } from '../support/emulator/service.ts';
import { runs } from '../support/runs/runs.ts';

const almanac = { api: { baseUrl, rateLimit: 0, operations: 'full' } };
const names = ['a', 'b', 'c'] as const;
const variables = ['FIRST', 'SECOND'] as const;
const fingerprint = makeFingerprint('c2FsdA==');

interface Declared {
  readonly variable: (typeof variables)[number];
  readonly format: 'pdf' | 'png';
  readonly paused: boolean;
  readonly board: boolean;
}

interface Turn {
  /** By name; undefined for what is not declared, and `as before` for what nobody edits. */
  readonly declared: readonly (Declared | 'as before' | undefined)[];
  readonly moves: boolean;
  /** By variable; the empty text counts as unset. */
  readonly values: readonly (string | undefined)[];
  readonly valuesOfPlan: readonly (string | undefined)[] | undefined;
  readonly targets: readonly string[] | undefined;
  readonly replaces: boolean;
  /** Which request is lost, before or after it is carried out. */
  readonly lost: { readonly nth: number; readonly when: 'before' | 'after' } | undefined;
}

const values = fc.tuple(...variables.map(() => fc.constantFrom(undefined, '', 'value-one', 'value-one', 'value-two')));
const declaration = fc.record<Declared>({
  variable: fc.constantFrom(...variables),
  format: fc.constantFrom('pdf', 'png'),
  paused: fc.boolean(),
  board: fc.boolean(),
});
const turn = fc.record<Turn>({
  declared: fc.tuple(
    ...names.map(() =>
      fc.oneof(
        { weight: 6, arbitrary: fc.constant('as before' as const) },
        { weight: 4, arbitrary: declaration },
        { weight: 1, arbitrary: fc.constant(undefined) },
      ),
    ),
  ),
  moves: fc.boolean(),
  values,
  valuesOfPlan: fc.option(values, { nil: undefined, freq: 1 }),
  targets: fc.option(fc.constantFrom(['schedules.a'], ['schedules.b', 'schedules.c']), { nil: undefined, freq: 1 }),
  replaces: fc.boolean(),
  lost: fc.option(fc.record({ nth: fc.nat(2), when: fc.constantFrom('before' as const, 'after' as const) }), {
    nil: undefined,
    freq: 2,
  }),
});

function set(made: Stage, given: Turn['values']) {
  variables.forEach((name, at) => {
    const value = given[at];
    if (value === undefined) delete made.environment[name];
    else made.environment[name] = value;
  });
}

/** The address of `a` is another one where it has moved. */
function declare(made: Stage, declared: readonly (Declared | undefined)[], moves: boolean) {
  const declaredOnes = names.flatMap((name, at) => {
    const one = declared[at];
    if (one === undefined) return [];
    const { variable, format, paused, board } = one;
    const url = `https://hooks.example.com/${name}/\${env.${variable}}`;
    const more = { ...(paused ? { paused } : {}), ...(board ? { meta: { tags: ['board'] } } : {}) };
    return [[moves && name === 'a' ? 'moved' : name, schedule(name, { url, format, ...more })]];
  });
  made.files['schedules/all.yaml'] = { schedules: Object.fromEntries(declaredOnes) };
}

/** By id, of what is not open, what the state knows of its secret. */
function recorded(state: State | undefined): ReadonlyMap<string, unknown> {
  const open = new Set(state?.unresolved.map(({ address }) => address));
  const known = Object.entries(state?.resources ?? {}).filter(([address]) => !open.has(address));
  return new Map(known.map(([, { id = '', attributes }]) => [id, attributes['url']]));
}

async function attempt(made: Stage, { targets, replaces, lost, valuesOfPlan, values: given }: Turn) {
  const known = new Set(Object.keys(made.store.stored.state?.resources ?? {}));
  const asked = targets?.filter((address) => known.has(address));
  const options: ApplyOptions = {
    force: true,
    allow: { empty: true, orphans: true },
    targets: asked?.length === 0 ? undefined : asked,
    replace: replaces && known.has('schedules.b') && asked === undefined ? ['schedules.b'] : [],
  };
  let count = 0;
  made.service.reach = (point) => {
    if (!point.startsWith(`${lost?.when} `)) return;
    if (count === lost?.nth) throw answerLost();
    count += 1;
  };
  try {
    if (valuesOfPlan !== undefined) {
      set(made, valuesOfPlan);
      const saved = await made.save();
      set(made, given);
      return await made.apply({ force: true, allow: { empty: true }, saved });
    }
    set(made, given);
    return await made.apply(options);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error;
  } finally {
    made.service.reach = () => undefined;
  }
}

async function check(made: Stage, before: ReadonlyMap<string, unknown>) {
  const { sent } = made.service;
  const schedules = made.service.schedules();
  for (const { fields } of schedules.values())
    expect(fields['url']).toMatch(/^https:\/\/hooks\.example\.com\/[abc]\/value-(?:one|two)$/);
  for (const [id, url] of recorded(made.store.stored.state)) {
    const isSent = sent.includes(`PUT ${id}`);
    if (!isSent && before.has(id))
      expect(url, `what the state knows of ${id}, to which no secret was sent`).toEqual(before.get(id));
    if (!isSealedSecret(url) || url[secretKey] === null) continue;
    const there = schedules.get(id)?.fields['url'];
    if (there === undefined) continue;
    expect(url[secretKey]).toBe(await fingerprint(String(there)));
  }
}

it('an apply without a secret sends and forgets nothing of it, whatever else is applied, lost, saved and rotated', async () => {
  let [refused, applied] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: 2, maxLength: 5 }), values, async (turns, last) => {
      const made = stage({}, { almanac });
      const first = { variable: 'FIRST', format: 'pdf', paused: false, board: false } as const;
      let declared: readonly (Declared | undefined)[] = [first, { ...first, variable: 'SECOND' }, first];
      declare(made, declared, false);
      set(made, ['value-one', 'value-one']);
      await made.apply();
      for (const each of turns) {
        const before = recorded(made.store.stored.state);
        made.service.sent.length = 0;
        declared = each.declared.map((edited, at) => (edited === 'as before' ? declared[at] : edited));
        declare(made, declared, each.moves);
        const ended = await attempt(made, each);
        if (ended instanceof Failure && ended.code === 'missing-secret') refused += 1;
        if (!(ended instanceof Failure)) applied += 1;
        await check(made, before);
      }
      set(
        made,
        last.map((value) => value || 'value-two'),
      );
      for (let more = 0; more < 3; more += 1) await made.apply({ force: true, allow: { empty: true } });
      expect((await made.plan()).changes).toEqual([]);
      for (const { id = '', attributes } of Object.values(made.store.stored.state?.resources ?? {})) {
        const url = attributes['url'];
        const there = made.service.schedules().get(id)?.fields['url'];
        if (!isSealedSecret(url)) throw new Error('The state holds no secret.');
        expect(url[secretKey]).toBe(await fingerprint(String(there)));
        const sent = made.service.bodies.map((body) => body['url'] as Secret).filter((each) => each.reveal() === there);
        expect(sent.at(-1)?.shown).toBe(url.text);
      }
    }),
    { numRuns: runs(60) },
  );
  expect([refused >= runs(20), applied > runs(20)]).toEqual([true, true]);
}, 120_000);
