// Answers of a recorded trace by what was asked: several answers to one question come in their order,
// and the last of them again and again.

export class RecordedAnswers<Answer> {
  readonly #answers = new Map<string, Answer[]>()

  add(question: string, answer: Answer): void {
    const recorded = this.#answers.get(question)
    if (recorded === undefined) this.#answers.set(question, [answer])
    else recorded.push(answer)
  }

  /** Undefined when this was never asked. */
  next(question: string): Answer | undefined {
    const recorded = this.#answers.get(question)
    return recorded !== undefined && recorded.length > 1 ? recorded.shift() : recorded?.[0]
  }

  get size(): number {
    return this.#answers.size
  }
}
