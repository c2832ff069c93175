// How the scripts of the jobs run git.

import { expect, test } from 'vitest';
import { settingsAfter } from '../../src/files/git.ts';

test('settings for git are added to those that the variables of a job hold already', () => {
  const own = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: '*' };
  expect({ ...own, ...settingsAfter(own, [{ key: 'remote.origin.pushurl', value: 'https://git.example' }]) }).toEqual({
    GIT_CONFIG_COUNT: '2',
    GIT_CONFIG_KEY_0: 'safe.directory',
    GIT_CONFIG_VALUE_0: '*',
    GIT_CONFIG_KEY_1: 'remote.origin.pushurl',
    GIT_CONFIG_VALUE_1: 'https://git.example',
  });
  expect(settingsAfter({}, [{ key: 'a.b', value: 'c' }])).toEqual({
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'a.b',
    GIT_CONFIG_VALUE_0: 'c',
  });
});
