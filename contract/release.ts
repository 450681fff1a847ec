import { copyFileSync, writeFileSync } from 'node:fs';

// What is described now is what the next release is compared with, and no exceptions are left.
copyFileSync('schema.graphql', 'contract/released/schema.graphql');
copyFileSync('openapi.json', 'contract/released/openapi.json');
writeFileSync('contract/exceptions.json', '[]\n');
