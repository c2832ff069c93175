import { itConverges } from '../../support/property/killed-worlds.ts';

itConverges('log');
itConverges('core-log');
