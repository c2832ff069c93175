import { itConverges } from '../../support/property/killed-worlds.ts';

itConverges('filters', 1, 2);
