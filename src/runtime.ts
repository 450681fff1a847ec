// Imported before all other modules. Old versions of Node must be able to parse this file and its imports.
import * as nodeModule from 'node:module';
import { join } from 'node:path';

if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(`This program needs Node 24 or newer, and this is ${process.version}.`);
  process.exit(1);
}
// The compile cache halves the start time (NODE_COMPILE_CACHE sets its folder). Source maps fix stack traces.
nodeModule.enableCompileCache(join(import.meta.dirname, '../.compile-cache'));
nodeModule.setSourceMapsSupport(true);
