/** An error that the operator can fix: printed as a sentence, without a stack trace. */
export class OperatorError extends Error {}
