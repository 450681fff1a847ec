import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './contract.ts';
import { Process } from './process.ts';

const files = [
  'schema.graphql',
  'openapi.json',
  'package.json',
  'CHANGELOG.md',
  'contract/released',
  'contract/exceptions.json',
];

/** A copy of what the contract is made of, to change, check and release. */
export class ContractCopy implements AsyncDisposable {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async create(): Promise<ContractCopy> {
    const folder = await mkdtemp(join(tmpdir(), 'partner-gateway-contract-'));
    await mkdir(join(folder, 'contract'));
    for (const file of files) await cp(join(root, file), join(folder, file), { recursive: true });
    return new ContractCopy(folder);
  }

  read(file: string): Promise<string> {
    return readFile(join(this.folder, file), 'utf8');
  }

  /** Replaces what must be there. */
  async replace(file: string, pattern: string | RegExp, text: string): Promise<void> {
    const before = await this.read(file);
    const after = before.replace(pattern, text);
    if (after === before) throw new Error(`There is no ${pattern} in ${file}.`);
    await writeFile(join(this.folder, file), after);
  }

  async run(script: 'check' | 'release'): Promise<{ code: number | null; stderr: string }> {
    await using child = new Process(`contract/${script}.ts`, [this.folder], {});
    return { code: await child.exited, stderr: child.stderr };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true });
  }
}
