import { execFile } from 'node:child_process';
import { chown, cp, mkdir, readdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { readStages, type Stage, type Step } from './dockerfile.ts';

/** What an image is made of, in a folder that stands for its root. */
export interface Image {
  root: string;
  workdir: string;
  env: Record<string, string>;
  /** Whether it runs as another than root. */
  hasUser: boolean;
  command: string[];
  healthcheck: string[];
}

export interface Builder {
  /** Takes the place of the user that an image names. */
  user: { uid: number; gid: number } | undefined;
  /** Whether the build context has a file, by .dockerignore. */
  isInContext(path: string): boolean;
  context: string;
  /** Where the stages are made, a folder each. */
  folder: string;
  /** Folder of the node that stands for the one of the base image. */
  path: string;
}

/** Carries out the instructions of a Dockerfile without a container: its paths lie in a folder, its commands run there. */
export async function buildImage(dockerfile: string, builder: Builder): Promise<Image> {
  const images = new Map<string, Image>();
  let last: Image | undefined;
  for (const [index, stage] of readStages(dockerfile).entries()) {
    last = await buildStage(stage, images, join(builder.folder, String(index)), builder);
    images.set(stage.name ?? '', last);
  }
  if (last === undefined) throw new Error('the Dockerfile has no stage');
  return last;
}

async function buildStage(stage: Stage, images: Map<string, Image>, root: string, builder: Builder): Promise<Image> {
  await mkdir(root);
  const base = images.get(stage.base);
  if (base !== undefined) await cp(base.root, root, { recursive: true, verbatimSymlinks: true });
  const image: Image = {
    ...(base ?? { workdir: '/', env: {}, hasUser: false, command: [], healthcheck: [] }),
    root,
  };
  for (const step of stage.steps) await carryOut(step, image, images, builder);
  return image;
}

async function carryOut(step: Step, image: Image, images: Map<string, Image>, builder: Builder): Promise<void> {
  switch (step.kind) {
    case 'workdir':
      image.workdir = step.folder;
      await mkdir(inRoot(image, '.'), { recursive: true });
      return;
    case 'env':
      image.env = { ...image.env, ...step.values };
      return;
    case 'user':
      image.hasUser = true;
      return;
    case 'copy':
      for (const source of step.sources) await copy(source, step, image, images, builder);
      return;
    case 'run':
      console.log(`   ${step.command.at(-1)}`);
      await run(step.command, image, builder);
      return;
    case 'cmd':
      image.command = step.command;
      return;
    case 'healthcheck':
      image.healthcheck = step.command;
  }
}

async function copy(
  source: string,
  { from, owner, target }: Extract<Step, { kind: 'copy' }>,
  image: Image,
  images: Map<string, Image>,
  builder: Builder,
): Promise<void> {
  const stage = from === undefined ? undefined : images.get(from);
  if (from !== undefined && stage === undefined) throw new Error(`there is no stage ${from}`);
  if (stage === undefined && !builder.isInContext(source)) throw new Error(`.dockerignore leaves ${source} out`);
  const path = stage === undefined ? join(builder.context, source) : inRoot(stage, source);
  const to = inRoot(image, target.endsWith('/') ? join(target, basename(source)) : target);
  await cp(path, to, { recursive: true, verbatimSymlinks: true });
  if (owner === undefined || builder.user === undefined) return;
  const { uid, gid } = builder.user;
  for (const name of ['.', ...(await readdir(to, { recursive: true }))]) await chown(join(to, name), uid, gid);
}

async function run(command: string[], image: Image, builder: Builder): Promise<void> {
  const [program = '', ...args] = command;
  await promisify(execFile)(program, args, {
    cwd: inRoot(image, '.'),
    // Packages that the checkout's own install has fetched need not be asked for again.
    env: { ...environmentOf(image, builder), HOME: process.env.HOME, npm_config_prefer_offline: 'true' },
    maxBuffer: 100 * 1024 * 1024,
    ...(image.hasUser && builder.user),
  });
}

/** The environment of a process of the image. */
export function environmentOf(image: Image, { path }: Pick<Builder, 'path'>): NodeJS.ProcessEnv {
  const values = Object.entries(image.env).map(([name, value]) => [
    name,
    value.startsWith(`${image.workdir}/`) ? inRoot(image, value) : value,
  ]);
  return { PATH: `${path}:${process.env.PATH}`, ...Object.fromEntries(values) };
}

/** Where a path of the image is. */
export function inRoot(image: Image, path: string): string {
  return join(image.root, resolve(image.workdir, path));
}
