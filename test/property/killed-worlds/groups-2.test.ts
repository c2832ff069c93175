import { itConverges } from '../../support/property/killed-worlds.ts';

itConverges('groups', 2, 2);
