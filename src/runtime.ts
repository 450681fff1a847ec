// Imported before all other modules. Old versions of Node must be able to parse it.
import * as nodeModule from 'node:module';
import { join } from 'node:path';

if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(`Node 24 or newer is required; this is ${process.version}.`);
  process.exit(1);
}
// Halves the start time. NODE_COMPILE_CACHE overrides the folder.
nodeModule.enableCompileCache(join(import.meta.dirname, '../.compile-cache'));
nodeModule.setSourceMapsSupport(true);
