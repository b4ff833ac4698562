// Recorded answers by request. Repeated requests get their answers in recorded order; the last answer
// then repeats.

export class RecordedAnswers<Answer> {
  readonly #answers = new Map<string, Answer[]>()

  add(question: string, answer: Answer): void {
    const recorded = this.#answers.get(question)
    if (recorded === undefined) this.#answers.set(question, [answer])
    else recorded.push(answer)
  }

  /** The next answer; undefined when the request was never recorded. */
  next(question: string): Answer | undefined {
    const recorded = this.#answers.get(question)
    return recorded !== undefined && recorded.length > 1 ? recorded.shift() : recorded?.[0]
  }

  get size(): number {
    return this.#answers.size
  }
}
