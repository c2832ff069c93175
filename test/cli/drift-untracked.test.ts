// The document of `almanac drift --untracked`. What it says of schedules that nobody declared, the transcript drift/untracked
// shows.

import { expect, it } from 'vitest';
import type { DriftDocument } from '../../src/model/plan/drift-document.ts';
import { expectDocument } from '../support/schemas.ts';
import { hook } from '../support/vocabulary.ts';
import { openApplied } from '../support/world.ts';

it('drift names untracked schedules in its document, which is the same in a file, and only where it is asked', async () => {
  const world = await openApplied({ schedules: { a: hook({ name: 'A' }) } });
  world.makeByHand(hook({ name: 'Made by hand' }));
  const { code, stdout } = await world.run('drift --untracked --format json --report json=d.json');
  expect(code).toBe(0);
  const document = expectDocument<DriftDocument>('plan', stdout);
  expect(document).toMatchObject({ drift: [], untracked: [{ name: 'Made by hand' }] });
  expect(JSON.parse(world.read('d.json'))).toEqual(document);
  expect((await world.drift()).document.untracked).toBeUndefined();
});
