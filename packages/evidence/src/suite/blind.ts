// Blind missions: a prompt that names the harness tells the agent that it is being measured.

export const defaultBlindTerms: readonly string[] = [
  'zcl',
  'zcl feedback',
  'feedback.json',
  'tool.calls.jsonl',
  'funnel',
  'attempt start',
  'attempt finish',
  'suite run',
  'trace',
]

/** The terms that stand in the prompt as words, in any case, one or several; sorted. */
export function harnessTermsIn(
  prompt: string,
  terms: readonly string[] = defaultBlindTerms,
): string[] {
  const text = prompt.toLowerCase()
  const found = new Set(terms.map((term) => term.trim().toLowerCase()).filter((t) => t !== ''))
  return [...found].filter((term) => containsWord(text, term)).sort()
}

function containsWord(text: string, term: string): boolean {
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1)) {
    const end = at + term.length
    const isWhole = !isWordPart(text[end]) || (text[end] === 's' && !isWordPart(text[end + 1]))
    if (!isWordPart(text[at - 1]) && isWhole) return true
  }
  return false
}

function isWordPart(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character)
}
