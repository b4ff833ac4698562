// A text in natural language as a question to the ranking. Its first line is the title, as in an issue or a commit.
import { eachTerm, hashOf, stem } from './tokens.ts'
import type { Term } from './tokens.ts'

export interface Question {
  text: string
  /** Distinct, those of the title first. */
  terms: readonly string[]
  /** The word of each term as the text spells it, in lower case. */
  spellings: readonly string[]
  hashes: readonly number[]
  /** By term. */
  weights: readonly number[]
  /** Number of terms in the title. */
  titleTerms: number
  /** Terms of the part before the colon: `parser: ...` or `fix(parser): ...`. */
  scope: readonly number[]
  /** Hashes of whole identifiers such as `camelCase` and `snake_case`. */
  identifiers: readonly number[]
  /** Words as written, with dots and slashes. */
  words: ReadonlySet<string>
}

const bodyWeight = 0.3
/** Further terms of a long text say nothing about single files. */
const maxTerms = 300
/** Lines that git and its hosts add to messages; they name people. */
const trailers =
  /^(?:(?:signed-off|co-authored|reviewed|acked|tested|reported|suggested)-by|change-id|git-svn-id|cc):.*$/gim
const conventional = /^[a-z]+\(([^)]+)\)!?:\s/i
const prefixed = /^([\w./@{},| -]{2,40}):\s/
const kinds = new Set(
  'fix feat feature chore doc docs test tests refactor perf style ci build revert'.split(' '),
)

export function questionOf(text: string): Question {
  const [title, body] = titleAndBody(text)
  const inTitle = distinctTerms(title)
  const all = new Map([...inTitle, ...distinctTerms(body), ...inTitle])
  const found = [...all.values()].slice(0, maxTerms)
  return {
    text,
    terms: found.map((term) => term.text),
    spellings: found.map((term) => term.word),
    hashes: found.map((term) => term.hash),
    weights: found.map((_, at) => (at < inTitle.size ? 1 : bodyWeight)),
    titleTerms: Math.min(inTitle.size, maxTerms),
    scope: scopeOf(title),
    identifiers: identifiersIn(text),
    words: new Set(text.match(/[\w./-]*\w/g)),
  }
}

/** Without trailers. */
export function titleAndBody(text: string): [title: string, body: string] {
  const clean = text.replace(trailers, '').trim()
  const end = clean.indexOf('\n')
  return end === -1 ? [clean, ''] : [clean.slice(0, end), clean.slice(end + 1)]
}

function scopeOf(title: string): number[] {
  const scope = conventional.exec(title)?.[1] ?? prefixed.exec(title)?.[1] ?? ''
  const terms = [...distinctTerms(scope).values()]
  return terms.filter(({ text }) => !kinds.has(text)).map(({ hash }) => hash)
}

function distinctTerms(text: string): Map<string, Term> {
  const terms = new Map<string, Term>()
  eachTerm(text, (term) => {
    if (!terms.has(term.text)) terms.set(term.text, term)
  })
  return terms
}

function identifiersIn(text: string): number[] {
  const names = new Set<string>()
  for (const [word] of text.matchAll(/[A-Za-z_$][\w$]*/g)) {
    if (/[a-z][A-Z]|\w_\w/.test(word)) names.add(stem(word.toLowerCase()))
  }
  return [...names].slice(0, maxTerms).map(hashOf)
}
