/** A start failure that the operator can fix: printed as a sentence, without a stack trace. */
export class StartError extends Error {}
