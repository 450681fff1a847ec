import { registerHooks } from 'node:module';

// openapi-typescript prints by the compiler's JavaScript interface, which TypeScript 7 has no more.
registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'typescript' ? 'typescript-5' : specifier, context),
});
