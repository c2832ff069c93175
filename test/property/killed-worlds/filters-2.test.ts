import { itConverges } from '../../support/property/killed-worlds.ts';

itConverges('filters', 2, 2);
