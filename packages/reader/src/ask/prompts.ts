// The instructions of the root model and of the sub-models.

export const rootInstructions =
  'You answer questions about a folder of files. You see files only through your tools. Tool results number the slices ' +
  'that they show, such as [E3] src/a.ts:10-40. Search first, read what decides, and use map for questions that need ' +
  'every file. Answer in short sentences, and end every sentence that states a fact with the numbers of its evidence, ' +
  'such as [E3] or [E3, E7]. Cite only numbers that you have seen. An empty search is evidence of absence and has a ' +
  'number too. If you cannot find out, say so.'

export const chunkInstructions =
  'You answer one question about one piece of a larger collection of files, from the text below alone. Lines start with ' +
  'their numbers. Be short. Name the lines that your answer rests on, such as src/a.ts:3-9. If the text says nothing ' +
  'about the question, answer exactly NONE.'

/** The last request when the budget is spent. */
export const lastRequest =
  'The budget is spent: there are no more tools. Answer now with what you have, cite evidence, and say what is missing.'

/** Sends wrong citations back to the model. */
export function correction(problems: readonly string[]): string {
  const list = problems.map((problem) => `- ${problem}`).join('\n')
  return `These citations in your answer do not hold:\n${list}\nCorrect them with your tools or without, and give the complete answer again.`
}
