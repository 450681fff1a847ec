import { copyFileSync } from 'node:fs';
import { join } from 'node:path';

// Makes the present contract of the given or current folder the released one.
const [folder = '.'] = process.argv.slice(2);
for (const file of ['schema.graphql', 'openapi.yaml']) {
  copyFileSync(join(folder, file), join(folder, 'contract/released', file));
}
