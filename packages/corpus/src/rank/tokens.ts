// Splits text into terms: words and identifiers in lower case, and the parts of identifiers such as `camelCase` and
// `snake_case`. A light stemmer joins forms of English words.

export interface Term {
  text: string
  /** The word or part of a word as written, in lower case. */
  word: string
  /** A 32-bit hash (FNV-1a) that stands for the term in memory. */
  hash: number
}

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
/** Source code repeats its words, so most of them are split once. */
const maxKnownWords = 50_000
const knownWords = new Map<string, readonly Term[]>()

/** Calls `use` with every term of a text. */
export function eachTerm(text: string, use: (term: Term) => void): void {
  for (const found of text.match(word) ?? []) {
    for (const term of termsOfWord(found)) use(term)
  }
}

function termsOfWord(found: string): readonly Term[] {
  const known = knownWords.get(found)
  if (known !== undefined) return known
  const terms = splitWord(found).map((each) => {
    const text = stem(each)
    return { text, word: each, hash: hashOf(text) }
  })
  if (knownWords.size >= maxKnownWords) knownWords.clear()
  knownWords.set(found, terms)
  return terms
}

function splitWord(found: string): string[] {
  const lower = found.toLowerCase()
  if (found.length > maxTermChars || stopWords.has(lower)) return []
  const parts = found.match(part) ?? []
  const small = parts.length < 2 ? [] : parts.map((each) => each.toLowerCase())
  return [lower, ...small.filter((each) => each.length > 1 && !stopWords.has(each))]
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

export function hashOf(term: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < term.length; at++) {
    hash = Math.imul(hash ^ term.charCodeAt(at), 0x01000193)
  }
  return hash >>> 0
}
