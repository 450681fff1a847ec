import { ApolloSandbox } from '@apollo/sandbox';

// As Apollo's own build for script elements has it.
Object.assign(globalThis, { EmbeddedSandbox: ApolloSandbox });
