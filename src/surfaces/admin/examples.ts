import type { AddHelpTextContext, CommandUnknownOpts } from '@commander-js/extra-typings';

/** Help that shows how a command is called, given its arguments alone. */
export function examples(...lines: string[]): (context: AddHelpTextContext) => string {
  return ({ command }) => `\nExamples:\n${lines.map((line) => `  ${pathOf(command)} ${line}`.trimEnd()).join('\n')}`;
}

function pathOf(command: CommandUnknownOpts): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}
