// Splits text into terms: words and identifiers in lower case, and the parts of identifiers such as `camelCase` and
// `snake_case`. A light stemmer joins forms of English words.

const stopWords: ReadonlySet<string> = new Set(
  (
    'a an and are as at be been but by can could did do does for from had has have if in into is it its ' +
    'more no not now of on only or our should so some such than that the their them then there these they ' +
    'this those to too up use used uses using was we were when where which while will with would you your'
  ).split(' '),
)

const word = /[A-Za-z\u00c0-\u024f0-9_$]+/g
const part = /[A-Z]+(?![a-z])|[A-Z]?[a-z\u00c0-\u024f]+|[0-9]+/g
const maxTermChars = 64

/** Calls `use` with every term of a text. */
export function eachTerm(text: string, use: (term: string) => void): void {
  for (const [found] of text.matchAll(word)) {
    if (found.length > maxTermChars) continue
    const lower = found.toLowerCase()
    if (stopWords.has(lower)) continue
    use(stem(lower))
    const parts = found.match(part)
    if (parts === null || parts.length < 2) continue
    for (const each of parts) {
      const small = each.toLowerCase()
      if (small.length > 1 && !stopWords.has(small)) use(stem(small))
    }
  }
}

/** Distinct terms in order of appearance. */
export function termsOf(text: string): string[] {
  const terms = new Set<string>()
  eachTerm(text, (term) => terms.add(term))
  return [...terms]
}

/** Removes endings of plurals and verbs from words of letters. */
export function stem(term: string): string {
  if (term.length < 4 || !/^[a-z]+$/.test(term)) return term
  let root = term
  if (root.endsWith('ies') && root.length > 4) root = `${root.slice(0, -3)}y`
  else if (/(?:ss|sh|ch|x|z)es$/.test(root)) root = root.slice(0, -2)
  else if (root.endsWith('s') && !/(?:ss|us|is)$/.test(root)) root = root.slice(0, -1)
  const verb = /^(.{3,})(?:ing|ed)$/.exec(root)?.[1]
  if (verb !== undefined && /[aeiouy]/.test(verb)) {
    root = /([^aeiouslz])\1$/.test(verb) ? verb.slice(0, -1) : verb
  }
  return root.length > 4 && root.endsWith('e') ? root.slice(0, -1) : root
}

/** A 32-bit hash (FNV-1a) that stands for a term in memory. */
export function hashOf(term: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < term.length; at++) {
    hash = Math.imul(hash ^ term.charCodeAt(at), 0x01000193)
  }
  return hash >>> 0
}
