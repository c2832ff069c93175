// The cases for every log, on a state branch. The branch is in a folder, and behind a server.

import { systemClock } from '../../src/files/system.ts';
import { openGitLog } from '../../src/state/git/git-log.ts';
import { makeInstantClock } from '../support/fake-clock.ts';
import { runs } from '../support/runs/runs.ts';
import { makeGitStage } from '../support/state/git-remote.ts';
import { startGitServer } from '../support/state/git-server.ts';
import { placeOf } from '../support/state/place-of.ts';
import { conformance } from '../support/state/state-log-conformance.ts';

const races = runs(12);
const place = placeOf({ backend: 'git' });

conformance('a branch in a folder', () => {
  const stage = makeGitStage();
  let clones = 0;
  const open = () => {
    clones += 1;
    return openGitLog({
      place,
      root: stage.clone(`clone-${clones}`),
      clock: systemClock,
      environment: stage.environment,
    });
  };
  return { open, again: open, races, close: async () => stage.remove() };
});

conformance('a branch on a server', async () => {
  const stage = makeGitStage();
  stage.git(stage.remote, 'config', 'http.receivepack', 'true');
  const server = await startGitServer({
    root: stage.folder,
    repository: 'remote.git',
    user: 'x-access-token',
    password: 'pa55 w@rd',
    environment: stage.environment,
  });
  const clone = stage.clone('clone', server.url);
  const header = Buffer.from('x-access-token:pa55 w@rd').toString('base64');
  stage.git(clone, 'config', `http.${server.origin}/.extraheader`, `AUTHORIZATION: basic ${header}`);
  const open = () => openGitLog({ place, root: clone, clock: makeInstantClock(), environment: stage.environment });
  const once = (kind: 'lose-answer' | 'lose-request') => () => {
    server.fault = ({ isPush }) => {
      if (!isPush) return undefined;
      server.fault = () => undefined;
      return { kind };
    };
  };
  return {
    open,
    again: open,
    races,
    faults: { loseAnswer: once('lose-answer'), loseRequest: once('lose-request') },
    close: async () => {
      await server.close();
      stage.remove();
    },
  };
});
