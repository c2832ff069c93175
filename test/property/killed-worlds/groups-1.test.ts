import { itConverges } from '../../support/property/killed-worlds.ts';

itConverges('groups', 1, 2);
