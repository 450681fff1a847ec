import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { refusalOfRelease, release } from './released.ts';

// What is described now, in the folder given or else the current one, is what the next release is compared with; no exceptions
// are left.
const [folder = '.'] = process.argv.slice(2);
const refusal = refusalOfRelease(folder);
if (refusal === undefined) {
  release(folder);
  writeFileSync(join(folder, 'contract/exceptions.json'), '[]\n');
} else {
  console.error(refusal);
  process.exitCode = 1;
}
