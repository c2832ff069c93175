import { itConverges } from '../../support/property/killed-worlds.ts';

itConverges('meddled', 1, 2);
