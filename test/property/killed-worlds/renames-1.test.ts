import { itConverges } from '../../support/property/killed-worlds.ts';

itConverges('renames', 1, 2);
