import { itConverges } from '../../support/property/killed-worlds.ts';

itConverges('plain');
itConverges('core');
