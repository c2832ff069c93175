import { itConverges } from '../../support/property/killed-worlds.ts';

itConverges('renames', 2, 2);
