import { variables } from '../src/app/config.ts';
import { write } from './write.ts';

const described = Object.entries(variables).map(([name, variable]) => ({
  name,
  description: variable.description ?? '',
  default: String(variable.parse(undefined) ?? ''),
}));

// Writes .env.example and docs/operations/configuration.md from the descriptions of the variables.
const head = `# Every variable of the service, with its default. The service reads the process environment; to use a file:
# cp .env.example .env && export $(grep -v '^#' .env | xargs) && npm start

`;
const examples = described.map(
  (each) => `${each.description.replace(/(.{1,118})(?: |$)/g, '# $1\n')}${each.name}=${each.default}\n`,
);
write('.env.example', head + examples.join(''));

const introduction = `# Configuration

The service reads environment variables. It does not start with an invalid value, and reports all of them at once. An empty variable counts as
not set. [.env.example](../../.env.example) has the same list as a file.

| variable | default | description |
| --- | --- | --- |
`;
// Names, URLs and stars, which Markdown would read as marks.
const code = /[\w.,:*/@-]*(?:\*|:\/\/|_)(?:[\w.,:*/@=-]*[\w*])?/g;
const rows = described.map((each) => {
  const value = each.default && `\`${each.default}\` `;
  return `| \`${each.name}\` | ${value}| ${each.description.replace(code, '`$&`')} |\n`;
});
write('docs/operations/configuration.md', introduction + rows.join(''));
