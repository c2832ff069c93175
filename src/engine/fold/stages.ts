// What `almanac fold` does, in its order: shared values are looked for in what is left after the loops.

import { foldAudiences } from './fold-audiences.ts';
import { foldDefaults } from './fold-defaults.ts';
import type { FoldStage } from './fold-stage.ts';
import { foldLoops } from './loops/fold-loops.ts';

export const foldStages: readonly FoldStage[] = [foldLoops, foldAudiences, foldDefaults];
