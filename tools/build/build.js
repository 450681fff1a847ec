// `npm start` runs this file first, so it uses only syntax that old versions of Node can parse.
const [major] = process.versions.node.split('.');
if (Number(major) < 24) {
  console.error(
    `This project needs Node 24 or newer, and this is ${process.version}. On Linux, Windows and macOS (arm64), npm ` +
      'ci installs one and npm scripts use it: run npm ci without --omit=optional. Elsewhere, install Node 24.',
  );
  process.exit(1);
}
import('./build.ts');
