// `only`, `except` and `empty` of `forEachRow`: which rows a loop takes, which two loops share none, and what is wrong.

import { expect, test } from 'vitest';
import { areSplit } from '../../src/declare/expand/choose-rows.ts';
import type { Json, JsonObject } from '../../src/model/values/json.ts';
import { diagnosticsOf, loadingOf } from '../support/apply/loading.ts';
import { mail } from '../support/vocabulary.ts';
