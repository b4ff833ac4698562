// Finds terms in a prompt that reveal the harness to the agent of a blind mission.

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

/** The terms that occur in the prompt as words, in any case, singular or plural; sorted. */
export function harnessTermsIn(
  prompt: string,
  terms: readonly string[] = defaultBlindTerms,
): string[] {
  const text = prompt.toLowerCase()
  const found = new Set(terms.map((term) => term.trim().toLowerCase()).filter((t) => t !== ''))
  return [...found].filter((term) => containsWord(text, term)).sort()
}

function containsWord(text: string, term: string): boolean {
  for (let start = text.indexOf(term); start >= 0; start = text.indexOf(term, start + 1)) {
    const end = start + term.length
    const endsWord = !isWordPart(text[end]) || (text[end] === 's' && !isWordPart(text[end + 1]))
    if (!isWordPart(text[start - 1]) && endsWord) return true
  }
  return false
}

function isWordPart(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character)
}
