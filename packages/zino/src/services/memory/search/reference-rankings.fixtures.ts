// Brute-force reference implementations of both rankings: they compare every memory with the query.
import { isStopWord } from './words/stop-words.ts'
import { stemOf } from './words/stem.ts'
import { numberWords, splitWords, timeWords } from './words/words.ts'

/** Undefined for a forgotten memory. */
export type Text = { content: string; tag: string } | undefined

interface Memory {
  id: number
  words: string[]
  tag: string
  lead: string | undefined
  isQuestion: boolean
  hasTime: boolean
  hasNumber: boolean
}

type Scores = Map<number, number>

const units = ['day', 'date', 'week', 'month', 'year', 'time']
const timeOpenings = [
  ...['when', 'how long'],
  ...units.flatMap((unit) => [`what ${unit}`, `which ${unit}`]),
]
const numberOpenings = ['how many', 'how much', 'how old', 'how often']

export function recallScores(texts: readonly Text[], query: string, depth: number): Scores {
  const memories = read(texts, formOf)
  const asked = splitWords(query)
  const telling = asked.filter((word) => !isStopWord(word))
  const used = telling.length > 0 ? telling : asked
  const counted = used.map(formOf)
  const holders = holdersIn(memories)
  const known = [...new Set(counted)].filter((word) => holders(word) > 0)
  const rare = known.filter((word) => holders(word) <= memories.length / 10)
  const chosen = memories.length > 5000 && rare.length > 0 ? rare : known
  const terms = new Set(chosen.sort((a, b) => holders(a) - holders(b)).slice(0, 30))
  const size = Math.max(memories.length, 100)
  const weight = (word: string) =>
    Math.log(1 + (size - holders(word) + 0.5) / (holders(word) + 0.5))
  const average = memories.reduce((sum, { words }) => sum + words.length, 0) / memories.length
  const saturated = (count: number, { words }: Memory) =>
    (1.9 * count) / (count + 0.9 * (0.7 + (0.3 * words.length) / average))
  const own = new Map<number, number>()
  for (const memory of memories) {
    let score = 0
    for (const term of terms) {
      const count = Math.min(15, memory.words.filter((word) => word === term).length)
      if (count > 0) score += weight(term) * saturated(count, memory)
    }
    for (const [one, other] of pairsOf(counted, terms)) {
      const content = memory.words.filter((word) => terms.has(word) || !isStopWord(word))
      const follows = (distance: number) =>
        content.some((word, at) => word === one && content[at + distance] === other)
      const closeness = follows(1) ? 0.5 : follows(2) ? 0.25 : 0
      score += closeness * (weight(one) + weight(other)) * saturated(1, memory)
    }
    if (score > 0) own.set(memory.id, score)
  }
  const byId = new Map(memories.map((memory) => [memory.id, memory]))
  const kin = (memory: Memory, distance: number) => {
    const other = byId.get(memory.id + distance)
    return other !== undefined && other.tag === memory.tag ? other : undefined
  }
  const fullWeight = [...new Set(used)].reduce((sum, word) => sum + weight(formOf(word)), 0)
  const sessionFactor = sessionFactors(texts, memories, terms, weight)
  const full: Scores = new Map()
  for (const memory of memories) {
    const before = kin(memory, -1)
    const isAnswer = before?.isQuestion === true && own.has(before.id)
    if (!own.has(memory.id) && !isAnswer) continue
    let score = own.get(memory.id) ?? 0
    for (let distance = -6; distance <= 6; distance += 1) {
      const other = kin(memory, distance)
      if (distance === 0 || other === undefined) continue
      if (memory.words.length > 80 || other.words.length > 80) continue
      if (other.words.join(' ') === memory.words.join(' ')) continue
      const theirs = own.get(other.id) ?? 0
      const lent = (distance < 0 ? 0.42 : 0.25) * 0.65 ** (Math.abs(distance) - 1) * theirs
      score += distance === -1 && other.isQuestion ? lent * 2.5 : lent
      const isSameSpeaker = memory.lead !== undefined && memory.lead === other.lead
      if (Math.abs(distance) === 2 && isSameSpeaker) score += 0.12 * theirs
    }
    if (!own.has(memory.id)) score *= 0.9
    if (memory.lead !== undefined && counted.includes(memory.lead)) score *= 1.35
    if (memory.isQuestion) score *= 0.7
    score *= 1 + (0.2 * Math.min(memory.words.length, 40)) / 40
    const opening = ` ${asked.slice(0, 3).join(' ')} `
    if (timeOpenings.some((each) => opening.includes(` ${each} `)) && memory.hasTime) score *= 1.3
    if (numberOpenings.some((each) => opening.includes(` ${each} `)) && memory.hasNumber) {
      score *= 1.2
    }
    const near = [memory, kin(memory, -1), kin(memory, 1)]
    const around = new Set(near.flatMap((each) => each?.words ?? []))
    const covered = [...terms].filter((term) => around.has(term))
    const coverage = covered.reduce((sum, term) => sum + weight(term), 0) / fullWeight
    full.set(memory.id, score * (1 + 0.5 * coverage) * sessionFactor(memory.id))
  }
  const ranked = best(full, depth).filter(([, score]) => score > 0)
  return withFeedback(ranked, byId, terms, weight, saturated)
}

/** Sessions are runs of at most 24 memories with one tag; each is ranked as one text. */
function sessionFactors(
  texts: readonly Text[],
  memories: readonly Memory[],
  terms: ReadonlySet<string>,
  weight: (word: string) => number,
): (id: number) => number {
  const sessionOf: number[] = []
  let held = 0
  for (const [id, text] of texts.entries()) {
    const isNew = id === 0 || (text?.tag ?? '') !== (texts[id - 1]?.tag ?? '') || held >= 24
    sessionOf.push((sessionOf.at(-1) ?? -1) + (isNew ? 1 : 0))
    held = isNew ? 1 : held + 1
  }
  const sessions = (sessionOf.at(-1) ?? 0) + 1
  const words = Array.from({ length: sessions }, () => [] as string[])
  for (const { id, words: own } of memories) words[sessionOf[id] as number]?.push(...own)
  const total = memories.reduce((sum, memory) => sum + memory.words.length, 0)
  const scores = words.map((own) => {
    let score = 0
    for (const term of terms) {
      const count = own.filter((word) => word === term).length
      const norm = 0.9 * (0.7 + (0.3 * own.length * sessions) / total)
      if (count > 0) score += (weight(term) * 1.9 * count) / (count + norm)
    }
    return score
  })
  const most = Math.max(...scores)
  return (id) => (most === 0 ? 1 : 1 + (0.6 * (scores[sessionOf[id] as number] as number)) / most)
}

function holdersIn(memories: readonly Memory[]): (word: string) => number {
  const counts = new Map<string, number>()
  for (const { words } of memories) {
    for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return (word) => counts.get(word) ?? 0
}

/** Adjacent words of the query, each at its first occurrence. */
function pairsOf(counted: readonly string[], terms: ReadonlySet<string>): [string, string][] {
  const first = counted.map((word, at) => counted.indexOf(word) === at && terms.has(word))
  return counted.flatMap((word, at): [string, string][] =>
    at > 0 && first[at] === true && first[at - 1] === true
      ? [[counted[at - 1] as string, word]]
      : [],
  )
}

function withFeedback(
  ranked: readonly [number, number][],
  byId: ReadonlyMap<number, Memory>,
  terms: ReadonlySet<string>,
  weight: (word: string) => number,
  saturated: (count: number, memory: Memory) => number,
): Scores {
  // Which of two equal memories is among the best three depends on rounding; such cases are skipped.
  const [third, fourth] = [ranked[2], ranked[3]]
  if (third !== undefined && fourth !== undefined && third[1] - fourth[1] < 1e-9) return new Map()
  const top = ranked.slice(0, 3).map(([id, score]) => ({ memory: byId.get(id) as Memory, score }))
  const words = new Set(top.flatMap(({ memory }) => memory.words))
  const shared = [...words]
    .filter((word) => !terms.has(word) && !isStopWord(word))
    .map((word) => ({ word, holders: top.filter(({ memory }) => memory.words.includes(word)) }))
    .filter(({ holders }) => holders.length > 1)
    .map(({ word, holders }) => {
      const votes = holders.reduce((sum, { score }) => sum + score / (top[0]?.score ?? 1), 0)
      return { word, worth: 0.1 * votes * weight(word) }
    })
    .sort((one, other) => other.worth - one.worth)
  // Ties at the cut-off depend on word numbers, which do not exist here; such cases are skipped.
  const [last, next] = [shared[4], shared[5]]
  if (last !== undefined && next !== undefined && last.worth - next.worth < 1e-9) return new Map()
  return new Map(
    ranked.map(([id, score]) => {
      const memory = byId.get(id) as Memory
      const held = shared.slice(0, 5).filter(({ word }) => memory.words.includes(word))
      const sum = held.reduce((total, { worth }) => total + worth, 0)
      return [id, score + sum * saturated(1, memory)]
    }),
  )
}

export function cosines(texts: readonly Text[], query: string): Scores {
  const memories = read(texts, (word) => word)
  const holders = holdersIn(memories)
  const vector = (words: readonly string[]) =>
    new Map(
      [...new Set(words)].map((word) => {
        const count = Math.min(15, words.filter((other) => other === word).length)
        return [word, count * (Math.log((1 + memories.length) / (1 + holders(word))) + 1)]
      }),
    )
  const length = (values: Iterable<number>) =>
    Math.sqrt([...values].reduce((sum, value) => sum + value * value, 0))
  const asked = vector(splitWords(query))
  const scores: Scores = new Map()
  for (const { id, words } of memories) {
    const own = vector(words)
    let product = 0
    for (const [word, value] of asked) product += value * (own.get(word) ?? 0)
    if (product > 0) scores.set(id, product / (length(asked.values()) * length(own.values())))
  }
  return scores
}

/** The best scores first, newer memories first among equals. */
export function best(scores: Scores, count: number): [number, number][] {
  return [...scores].sort((one, other) => other[1] - one[1] || other[0] - one[0]).slice(0, count)
}

function formOf(word: string): string {
  if (isStopWord(word)) return word
  const stem = stemOf(word)
  return isStopWord(stem) ? word : stem
}

function read(texts: readonly Text[], form: (word: string) => string): Memory[] {
  const times = new Set(timeWords.map(form))
  const numbers = new Set(numberWords.map(form))
  return texts.flatMap((text, id) => {
    if (text === undefined) return []
    const words = [...splitWords(text.content), ...splitWords(text.tag)].map(form)
    const lead = /^\s*[\p{L}\p{N}]+(?:[ '.-]+[\p{L}\p{N}]+){0,2}:/u.test(text.content)
      ? words[0]
      : undefined
    const isQuestion = text.content.trimEnd().endsWith('?')
    const hasDigits = words.some((word) => /^[0-9]/.test(word))
    const hasTime = hasDigits || words.some((word) => times.has(word))
    const hasNumber = hasDigits || words.some((word) => numbers.has(word))
    return words.length === 0
      ? []
      : [{ id, words, tag: text.tag, lead, isQuestion, hasTime, hasNumber }]
  })
}
