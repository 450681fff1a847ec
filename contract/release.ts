import { writeFileSync } from 'node:fs';
import { readContract, releasedFile } from './contract.ts';

// Makes the present contract of the given or current folder the released one.
const [folder = '.'] = process.argv.slice(2);
writeFileSync(releasedFile(folder), `${JSON.stringify(readContract(folder), null, 1)}\n`);
