import { DockerfileParser, type Instruction } from 'dockerfile-ast';

/** An instruction of a Dockerfile that changes what is built, or says how it runs. */
export type Step =
  | { kind: 'copy'; from: string | undefined; owner: string | undefined; sources: string[]; target: string }
  | { kind: 'run'; command: string[] }
  | { kind: 'env'; values: Record<string, string> }
  | { kind: 'workdir'; folder: string }
  | { kind: 'user'; name: string }
  | { kind: 'expose'; port: string }
  | { kind: 'healthcheck'; command: string[] }
  | { kind: 'cmd'; command: string[] }
  | { kind: 'label' };

export interface Stage {
  /** What other stages call it; undefined for the last one. */
  name: string | undefined;
  /** The stage that it goes on from, or the image. */
  base: string;
  steps: Step[];
}

type Flagged = Instruction & { getFlags?(): { getName(): string; getValue(): string | null }[] };

/** The stages of a Dockerfile. Throws at an instruction that is none of the above, rather than leave it out. */
export function readStages(dockerfile: string): Stage[] {
  const stages: Stage[] = [];
  for (const instruction of DockerfileParser.parse(dockerfile).getInstructions()) {
    if (instruction.getKeyword() === 'FROM') {
      const [base = '', , name] = textOf(instruction).split(' ');
      stages.push({ base, name, steps: [] });
    } else {
      stages.at(-1)?.steps.push(stepOf(instruction));
    }
  }
  return stages;
}

function stepOf(instruction: Flagged): Step {
  const text = textOf(instruction);
  const words = text.split(/\s+/);
  const flag = (name: string) =>
    instruction
      .getFlags?.()
      .find((each) => each.getName() === name)
      ?.getValue() ?? undefined;
  switch (instruction.getKeyword()) {
    case 'COPY':
      return {
        kind: 'copy',
        from: flag('from'),
        owner: flag('chown'),
        sources: words.slice(0, -1),
        target: words.at(-1) ?? '',
      };
    case 'RUN':
      return { kind: 'run', command: commandOf(text) };
    case 'ENV':
      return { kind: 'env', values: Object.fromEntries(words.map((word) => word.split(/=(.*)/).slice(0, 2))) };
    case 'WORKDIR':
      return { kind: 'workdir', folder: text };
    case 'USER':
      return { kind: 'user', name: text };
    case 'EXPOSE':
      return { kind: 'expose', port: text };
    case 'HEALTHCHECK':
      return { kind: 'healthcheck', command: commandOf(text.replace(/^CMD\s+/, '')) };
    case 'CMD':
      return { kind: 'cmd', command: commandOf(text) };
    case 'LABEL':
      return { kind: 'label' };
    default:
      throw new Error(`the trial does not know ${instruction.getKeyword()}`);
  }
}

function textOf(instruction: Instruction): string {
  return instruction.getArgumentsContent()?.trim() ?? '';
}

// JSON is a program with its arguments, anything else a shell's.
function commandOf(text: string): string[] {
  return text.startsWith('[') ? JSON.parse(text) : ['/bin/sh', '-c', text];
}
