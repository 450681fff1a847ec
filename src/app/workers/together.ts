/**
 * A function that answers one question at a time, of one that answers several: what is asked in one turn of the event loop, or
 * while others are answered, is asked together.
 */
export function together<Question, Answer>(
  askAll: (questions: Question[]) => Promise<Answer[]>,
): (question: Question) => Promise<Answer> {
  interface Waiting extends PromiseWithResolvers<Answer> {
    question: Question;
  }
  let waiting: Waiting[] = [];
  let isAsking = false;

  const askNext = async () => {
    const asked = waiting;
    waiting = [];
    isAsking = asked.length > 0;
    if (!isAsking) return;
    try {
      const answers = await askAll(asked.map(({ question }) => question));
      for (const [index, { resolve }] of asked.entries()) resolve(answers[index] as Answer);
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
    setImmediate(askNext);
  };
  return (question) => {
    const answer = Promise.withResolvers<Answer>();
    waiting.push({ question, ...answer });
    if (!isAsking) setImmediate(askNext);
    isAsking = true;
    return answer.promise;
  };
}
