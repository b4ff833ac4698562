// Answers of a recorded trace by what was asked: several answers to one question come in their order,
// and the last of them again and again.

export class RecordedAnswers<Answer> {
  readonly #answers = new Map<string, Answer[]>()

  add(question: string, answer: Answer): void {
    const known = this.#answers.get(question)
    if (known === undefined) this.#answers.set(question, [answer])
    else known.push(answer)
  }

  /** Undefined when this was never asked. */
  next(question: string): Answer | undefined {
    const known = this.#answers.get(question)
    return known !== undefined && known.length > 1 ? known.shift() : known?.[0]
  }

  get size(): number {
    return this.#answers.size
  }
}
