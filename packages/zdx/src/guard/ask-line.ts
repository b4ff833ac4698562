// Asks for permission by lines of text: prints the question and reads until an answer is understood.
import type { Ask } from './question.ts'
import { parseAnswer, questionText } from './question.ts'

/** Shows `text`, which may be empty, and reads a line; undefined after an interrupt. */
export type ReadAnswer = (text: string, signal: AbortSignal) => Promise<string | undefined>

export function lineAsk(readAnswer: ReadAnswer): Ask {
  return async (question, signal) => {
    let text = `\n${questionText(question)}`
    while (!signal.aborted) {
      const line = await readAnswer(text, signal)
      if (line === undefined) return undefined
      const answer = parseAnswer(line)
      if (answer !== undefined) return answer
      text = ''
    }
    return undefined
  }
}
