import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const descriptions = ['schema.graphql', 'openapi.json'] as const;

/** Of which release the released descriptions are, and what they were when it was made. */
interface Release {
  version: string;
  sha256: Record<(typeof descriptions)[number], string>;
}

/** The version of the last release in a changelog: the first heading that is not marked as unreleased. */
export function lastRelease(changelog: string): string {
  const headings = [...changelog.matchAll(/^## (\d\S*)(.*)$/gm)];
  return headings.find(([, , rest]) => !/unreleased/i.test(rest ?? ''))?.[1] ?? '0.0.0';
}

/** What is wrong with the released descriptions themselves: they are those of the last release, and nobody edits them. */
export function complaintsAboutReleased(folder: string): string[] {
  const { version, sha256 } = readRelease(folder);
  const last = lastRelease(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8'));
  const edited = descriptions.filter((file) => digest(join(folder, 'contract/released', file)) !== sha256[file]);
  return [
    ...(version === last ? [] : [`contract/released is of ${version}, the last release in CHANGELOG.md is ${last}.`]),
    ...edited.map(
      (file) => `contract/released/${file} is not what ${version} had: npm run contract:release alone writes it.`,
    ),
  ];
}

/** Why what is described now cannot be released; undefined when it can. */
export function refusalOfRelease(folder: string): string | undefined {
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  const { version } = JSON.parse(read('package.json'));
  if (readRelease(folder).version === version) {
    return `${version} is released, and stays what it was: the next release needs a new version in package.json.`;
  }
  if (lastRelease(read('CHANGELOG.md')) !== version) {
    return `CHANGELOG.md does not say that ${version} is released: its first heading is to be "## ${version} (the date)".`;
  }
  if (JSON.parse(read('openapi.json')).info.version !== version) return 'openapi.json is stale: run npm run generate.';
  return undefined;
}

/** Makes what is described now the released descriptions, of the version in package.json. */
export function release(folder: string): void {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const sha256 = Object.fromEntries(descriptions.map((file) => [file, digest(join(folder, file))]));
  for (const file of descriptions) copyFileSync(join(folder, file), join(folder, 'contract/released', file));
  writeFileSync(join(folder, 'contract/released/release.json'), `${JSON.stringify({ version, sha256 }, null, 2)}\n`);
}

function readRelease(folder: string): Release {
  return JSON.parse(readFileSync(join(folder, 'contract/released/release.json'), 'utf8'));
}

function digest(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
