import { AppError } from '../../../kernel/errors/app-error.ts';
import type { Expectation } from '../../../kernel/errors/catalog.ts';
import { type Refusal, refusalMessage } from '../../../kernel/errors/refusal.ts';
import { currentLocale } from '../../../kernel/request/scope.ts';
import { parameterError } from '../parameters.ts';
import { RefusedFieldsError } from '../refused-fields.ts';

/** Makes an error as a request could get it, in the current locale. */
export type ProblemSample = () => AppError | RefusedFieldsError;

/** An error of the request as a whole. */
export function failed(...error: ConstructorParameters<typeof AppError>): ProblemSample {
  return () => new AppError(...error);
}

/** A parameter that is refused. */
export function refusedParameter(name: string, expected: Expectation): ProblemSample {
  return () => parameterError([name], expected);
}

/** Fields that are refused. */
export function refused(...refusals: Refusal[]): ProblemSample {
  return () =>
    new RefusedFieldsError(
      refusals.map((refusal) => ({
        code: refusal.code,
        field: refusal.field,
        message: refusalMessage(refusal, currentLocale()),
      })),
    );
}
