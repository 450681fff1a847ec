import type { ExampleObject } from 'openapi3-ts/oas31';
export const answerExamples: Record<string, Record<string, ExampleObject>> = {};
export const bodyExamples: Record<string, Record<string, ExampleObject>> = {};
