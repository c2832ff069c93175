import { itConverges } from '../../support/property/killed-worlds.ts';

itConverges('meddled', 2, 2);
