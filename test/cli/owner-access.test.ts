// `validate --online` and owners who may not see their dashboard: one request for each restricted dashboard of a schedule
// with a declared owner, and silence wherever the answer leaves room for doubt.

import { describe, expect, it } from 'vitest';
import { readAccessPage } from '../../src/adapters/answers/read-access-list.ts';
import { checkAccess } from '../../src/engine/owners/check-access.ts';
import type { AccessList, Principal } from '../../src/model/service/access-list.ts';
import type { RemoteUser } from '../../src/model/service/remote.ts';
import type { Resource } from '../../src/model/workspace/resource.ts';
import type { ValidateDocument } from '../../src/model/workspace/validate-document.ts';
import { daily, openRunningStage } from '../support/cli/running-stage.ts';
import { ids, startFull } from '../support/emulator/start-full.ts';
