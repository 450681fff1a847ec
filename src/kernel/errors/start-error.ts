/** A reason not to start that the operator can mend: printed as a sentence, without a stack. */
export class StartError extends Error {}
