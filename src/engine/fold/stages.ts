// What `almanac fold` does, in its order: shared values are looked for in what is left after the loops.

import type { FoldStage } from './fold-stage.ts';
import { foldLoops } from './loops/fold-loops.ts';

export const foldStages: readonly FoldStage[] = [foldLoops];
