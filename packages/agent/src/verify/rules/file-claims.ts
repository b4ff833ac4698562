// Finds claims about files in a clause: created, edited, deleted, moved.
import type { Claim } from '../claims.ts'
import type { Clause } from '../clauses.ts'
import { findPaths, type PathToken } from '../paths.ts'
import { sourceOf } from '../wording/wording.ts'
import {
  adverbs,
  changes,
  describing,
  type FileKind,
  fileVerbs,
  listWords,
  objectWords,
  ownSubjects,
  targetWords,
} from './file-words.ts'

const subject = `(?:${sourceOf(ownSubjects)})`
const adverb = `(?:${sourceOf(adverbs)}) `
const changer = `(?:${sourceOf(changes)})`

/** The verbs of a kind at the beginning of a clause, after `I` or `we`, or after `this change`. */
const verbPatterns = fileVerbs.map(({ kind, past, present }) => ({
  kind,
  pattern: new RegExp(
    String.raw`^\W*(?:(?:${subject})[\s,:]+)*(?:${adverb})*(?:${sourceOf(past)})\b|\b(?:I|we)(?:'ve| have)? (?:${adverb})*(?:${sourceOf(past)})\b|^\W*${changer} (?:${adverb})*(?:${sourceOf(present)})\b`,
    'i',
  ),
}))

/** Any other verb in the past tense with a path as its object: `I streamlined a.ts`, `a.ts has been adapted`. */
const otherVerb = String.raw`(?!(?:${sourceOf(describing)})\b)[a-z]+ed`
const otherActive = new RegExp(
  String.raw`(?:\b(?:I|we)(?:'ve| have)? |^(?:and )?)(?:${adverb})*${otherVerb} (?:the )?(?:file |module )?$`,
  'i',
)
const otherPassive = new RegExp(
  String.raw`^\W{0,3}(?:was|were|has been|have been) (?:${adverb})*${otherVerb}\b(?!${String.raw` (?:by|in|on|from|at|as|with|for) `})`,
  'i',
)

function otherClaims(text: string, paths: readonly PathToken[]): Claim[] | undefined {
  const [first] = paths
  if (first === undefined) return undefined
  const isChanged =
    otherActive.test(text.slice(0, first.index)) ||
    (/^\W*$/.test(text.slice(0, first.index)) &&
      otherPassive.test(text.slice(first.index + first.length)))
  return isChanged ? [{ kind: 'edited', path: first.path }] : undefined
}

export function fileClaims(clause: string, { sentence }: Pick<Clause, 'sentence'>): Claim[] {
  const text = withAntecedent(clause, sentence)
  // `created a scratch file and removed it again`.
  if (/\b(?:removed|deleted|reverted|dropped) (?:it|them)\b/i.test(sentence)) return []
  const paths = findPaths(text).filter(
    ({ index, length }) => !testSucceeds.test(text.slice(index + length)),
  )
  if (paths.length === 0 || hasOtherSubject(text, sentence)) return []
  if (
    /^\W*(\d+ )?(files? (changed|modified|edited|updated|touched)|(changed|modified|edited|updated|touched) files?)\W*:/i.test(
      text,
    )
  ) {
    return paths.map(({ path }) => ({ kind: 'edited', path }))
  }
  return (
    fixIn(text, paths) ??
    stateClaims(text, paths) ??
    activeClaims(text, paths) ??
    passiveClaims(text, paths) ??
    listClaims(text, paths) ??
    otherClaims(text, paths) ??
    []
  )
}

/** `Fixed: a.test.ts passes` says that a test passes, not that its file was changed. */
const testSucceeds =
  /^\W{0,2} (?:now |also |again )*(?:pass(?:es|ed)|succeed(?:s|ed)|(?:is|are) (?:now )?(?:green|passing)|no longer fails?)\b/i

/** `a.ts, which I created`: the relative clause names the file that the sentence has named before. */
function withAntecedent(clause: string, sentence: string): string {
  const verb = /^\W*which ((?:I|we)\b.*)$/is.exec(clause)?.[1]
  if (verb === undefined || findPaths(clause).length > 0) return clause
  const before = findPaths(sentence.slice(0, Math.max(0, sentence.indexOf(clause)))).at(-1)
  return before === undefined ? clause : `${verb.replace(/[.!]+$/, '')} \`${before.path}\``
}

/** `The script reads the list and removed a.ts`: the verb of the second clause has the subject of the first. */
function hasOtherSubject(text: string, sentence: string): boolean {
  if (sentence.startsWith(text) || !bareVerb.test(text)) return false
  return otherSubject.test(sentence) && !/\b(I|we|I've|we've)\b/.test(sentence)
}

const bareVerb = new RegExp(
  String.raw`^\W*(?:and )?(?:${adverb})*(?:${sourceOf(fileVerbs.flatMap(({ past }) => past))})\b`,
  'i',
)
const otherSubject = new RegExp(
  String.raw`^\W*(?!${changer}\b)(?:the|that|a|an|your|his|her|their|its) \w+ (?!is\b|are\b|was\b|were\b|now\b|pass)`,
  'i',
)

function activeClaims(text: string, paths: readonly PathToken[]): Claim[] | undefined {
  for (const { kind, pattern } of verbPatterns) {
    const found = pattern.exec(text)
    if (found === null) continue
    const end = found.index + found[0].length
    const objects = paths.filter(({ index }) => index >= end)
    if (objects.length > 0) return claimsOf(kind, text, end, objects)
    const place = placeBefore(text, paths)
    if (place !== undefined) return [{ kind: 'edited', path: place }]
  }
  return undefined
}

/** `The fix is in a.ts`, `the changes are in a.ts and b.ts`. */
function fixIn(text: string, paths: readonly PathToken[]): Claim[] | undefined {
  const [first] = paths
  if (first === undefined || !fixPlace.test(text.slice(0, first.index))) return undefined
  const claims: Claim[] = []
  let end = first.index
  for (const { path, index, length } of paths) {
    if (!listGap.test(text.slice(end, index))) break
    claims.push({ kind: 'edited', path })
    end = index + length
  }
  return claims
}

const fixPlace =
  /^\W*(the|my) (\w+ )?(fix|changes?|patch|edit) (is|are|was|were) (?:(all )?in|an? ([\w-]+ ){0,2}(change|edit|tweak|fix|patch|tweak) (in|to))\W+$/i

/** `In a.ts, I replaced the loop`. */
function placeBefore(text: string, [first]: readonly PathToken[]): string | undefined {
  if (first === undefined || !/^\W*(in|inside|within)\W+(the )?$/i.test(text.slice(0, first.index)))
    return undefined
  return /^\W*(I|we)\b/i.test(text.slice(first.index + first.length)) ? first.path : undefined
}

function claimsOf(
  kind: FileKind,
  text: string,
  verbEnd: number,
  objects: readonly PathToken[],
): Claim[] {
  const [first, second] = objects
  const isDirect = first !== undefined && isDirectObject(text.slice(verbEnd, first.index))
  if (kind === 'moved') {
    const between = first && second ? text.slice(first.index + first.length, second.index) : ''
    if (isDirect && second && /^\s*(to|→|->|=>|into|as)\s*(the |a )?$/i.test(between)) {
      return [{ kind: 'moved', from: first.path, to: second.path }]
    }
    return objects
      .filter((path) => isTarget(text, path, true))
      .map(({ path }) => ({ kind: 'edited', path }))
  }
  if (!isDirect) {
    // The object is something else: the paths after `in`, `to` or `from` are the changed files.
    const isRemoval = kind === 'deleted'
    return objects
      .filter((path) => isTarget(text, path, isRemoval))
      .map(({ path }) => ({ kind: 'edited', path, ...(isRemoval && { mayBeGone: true }) }))
  }
  const claims: Claim[] = []
  let last = first
  for (const path of objects) {
    const gap = path === first ? '' : text.slice(last.index + last.length, path.index)
    if (path !== first && !listGap.test(gap)) {
      // Further files: only those that a preposition names as changed too.
      if (kind !== 'deleted' && /\b(in|to|into)\s+(the )?$/i.test(gap) && kind !== 'created') {
        claims.push({ kind: 'edited', path: path.path })
      }
      continue
    }
    claims.push({ kind, path: path.path })
    last = path
  }
  return claims
}

const listGap = new RegExp(
  String.raw`^\s*(,|and|&|,\s*and|as well as|plus|\/|\+)?\s*((${sourceOf(listWords)}) )*$`,
  'i',
)

/** Longer texts are no noun phrase, and would make the pattern slow. */
const maxGapLength = 60

const directGap = new RegExp(String.raw`^\W*((${sourceOf(objectWords)})\W+)*$`, 'i')
/** `the old seed file`: any noun before the kind of the file. */
const namedFileGap =
  /^ (?:the|a|an|our|my)(?: (?!(?:of|in|from|to|for|into|by|on|at|with|and)\b)[\w-]+){0,3} (?:file|script|module|folder|directory|helper|component|class|page)\W*$/i

/** Only articles and nouns such as `file` stand between the verb and the path. */
function isDirectObject(gap: string): boolean {
  if (gap.length > maxGapLength) return false
  if (namedFileGap.test(gap)) return true
  return directGap.test(
    gap.replace(/\bin\W+$/i, (word) => (/^\W*in\W+$/i.test(gap) ? '' : `${word}x`)),
  )
}

/** Words between a preposition and its path: `in the new file`, `on lines 3-9 of`. */
const nounPhrase =
  /(\s+(the|a|an|new|file|both|each of|existing|module|called|named|separate|own|lines? \d+(-\d+)? of))+$/i

/** Whether the words before a path say that the change is in it. */
function isTarget(text: string, { index }: PathToken, withFrom: boolean): boolean {
  const before = text.slice(0, index).replace(/[`"'*(\s]+$/, '')
  const word = /(\w+)$/.exec(before.replace(nounPhrase, ''))?.[1]?.toLowerCase()
  if (word === undefined) return /[,:→]$/.test(before)
  // `a unit test for it (a.test.ts)`.
  if (
    /\(\W{0,2}$/.test(text.slice(0, index)) &&
    /^\W{0,3}\)/.test(text.slice(index).replace(/^`?[^`)]*`?/, ''))
  )
    return true
  if (withFrom && word === 'from') return true
  return targetWords.includes(word)
}

/** `was written by Ada`. */
const byOthers = String.raw` by (?!me\b|us\b|hand\b|this\b|my\b|running\b|mistake\b)`

const passivePatterns = fileVerbs.map(({ kind, past }) => ({
  kind,
  pattern: new RegExp(
    String.raw`^\W{0,3}(?:was|were|has been|have been|is now|are now|got|has now been|have now been)\s+(?:${adverb})*(?:${sourceOf(past)})\b(?!${byOthers})`,
    'i',
  ),
}))

function passiveClaims(text: string, paths: readonly PathToken[]): Claim[] | undefined {
  for (const { kind, pattern } of passivePatterns) {
    const claims: Claim[] = []
    for (const [position, path] of paths.entries()) {
      const after = text.slice(path.index + path.length)
      // In a list, the verb follows the last path.
      const last = paths.at(-1)
      const tail = last === undefined ? after : text.slice(last.index + last.length)
      const isListed =
        position < paths.length - 1 &&
        /^\s*(,|and|,\s*and)\s*$/i.test(
          text.slice(path.index + path.length, paths[position + 1]?.index),
        )
      if (!pattern.test(isListed ? tail : after)) continue
      const second = paths[position + 1]
      if (kind === 'moved' && second !== undefined) {
        return [{ kind: 'moved', from: path.path, to: second.path }]
      }
      if (kind !== 'moved') claims.push({ kind, path: path.path })
    }
    if (claims.length > 0) return claims
  }
  return undefined
}

/** States that a change leaves: words before the path, words after it, and the kind of the change. */
const states: readonly (readonly [before: RegExp, after: RegExp, kind: FileKind])[] = [
  [
    /^\W*(?:there is |there's )?(?:a |the |one )?new (?:file|module|script|helper|test file)\W*(?:called |named )?\W*$/i,
    /^/,
    'created',
  ],
  [/^\W*new\W*:\W*$/i, /^/, 'created'],
  [/\b(?:in|into) (?:a|the|its own) new (?:file|module)(?: called| named)?\W*$/i, /^/, 'created'],
  [/^\W*changes? (?:in|to)\W*$/i, /^\W{0,3}:/, 'edited'],
  [/\bnewly (?:created|added)\W+(?:file |module )?\W*$/i, /^/, 'created'],
  [/^\W*$/, /^\W{0,3}(?:is|are) (?:brand[- ])?new\b(?! to\b)/i, 'created'],
  [
    /^\W*(?:the (?:\w+ ){0,2})?\W*$/i,
    /^\W{0,3}(?:is|are) (?:now )?(?:gone|deleted|removed)\b/i,
    'deleted',
  ],
  [/\bby (?:deleting|removing)\W+(?:the )?\W*$/i, /^/, 'deleted'],
  [/^\W*(?:the (?:\w+ ){0,2})?\W*$/i, /^\W{0,3}no longer exists?\b/i, 'deleted'],
  [
    /^\W*$/,
    /^\W{0,3}(?:is|are) (?:now )?(?:updated|fixed)\b(?! (?:by|when|on|every|if|each))/i,
    'edited',
  ],
  [
    /^\W*the (?:bug|issue|problem|typo|crash|leak) in\W*$/i,
    /^\W{0,3}(?:is|was) (?:now )?(?:fixed|gone)\b/i,
    'edited',
  ],
  // `the constants now live in a.ts`.
  [/\bnow (?:lives?|sits?|resides?) (?:in|at|under)\W+(?:the )?$/i, /^/, 'edited'],
  // `a.ts now uses the helper`.
  [
    /^\W*$/,
    /^\W{0,3}now (?!(?:pass|work|fail|compile|build|live|exist|run|need|require|ha[sd]|look)\w*\b)[a-z]+s\b/i,
    'edited',
  ],
  // `tests were added in a.test.ts`, `the fix has been applied to a.ts`.
  [
    /\b(?:was|were|has been|have been) (?:now |also |only )?(?:added|applied|made|implemented|written|placed|put|inserted)\W+(?:in|to|into|inside|at)\W+(?:the |a |new |file )*\W*$/i,
    /^/,
    'edited',
  ],
]

/** `the tokens are in a.ts (new)`. */
function markedKind(rest: string): 'created' | 'deleted' | 'edited' | undefined {
  const mark =
    /^\W{0,2} ?\((new|new file|created|deleted|removed|modified|updated|edited|changed)\)/i.exec(
      rest,
    )
  const word = mark?.[1]?.toLowerCase()
  if (word === undefined) return undefined
  if (word.startsWith('new') || word === 'created') return 'created'
  return word === 'deleted' || word === 'removed' ? 'deleted' : 'edited'
}

/** `a.ts is now b.ts`, `a.ts now lives at b.ts`. */
const movedGap =
  /^\W{0,3}(?:is now(?: (?:called|named|at))?|now lives (?:at|in|under)|lives (?:at|in) |became|(?:was |has been |were )?(?:renamed|moved) (?:to|into|as))\W+$/i

function stateClaims(text: string, paths: readonly PathToken[]): Claim[] | undefined {
  const [first, second] = paths
  if (first === undefined) return undefined
  const [before, end] = [text.slice(0, first.index), first.index + first.length]
  if (second !== undefined && movedGap.test(text.slice(end, second.index))) {
    return [{ kind: 'moved', from: first.path, to: second.path }]
  }
  if (
    second !== undefined &&
    /\b(?:was |were |has been |have been |has )?(?:moved|renamed) from\W+$/i.test(before) &&
    /^\W*(?:to|into)\W+$/i.test(text.slice(end, second.index))
  ) {
    return [{ kind: 'moved', from: first.path, to: second.path }]
  }
  const marked = markedKind(text.slice(end))
  if (marked !== undefined) return [{ kind: marked, path: first.path }]
  const found = states.find(([start, rest]) => start.test(before) && rest.test(text.slice(end)))
  if (found === undefined || found[2] === 'moved') return undefined
  return [{ kind: found[2], path: first.path }]
}

/** `src/a.ts: fixed the rounding`, `src/b.ts (new)`, `src/c.ts - new helper` */
function listClaims(text: string, [first, ...more]: readonly PathToken[]): Claim[] | undefined {
  if (first === undefined || !/^\W*$/.test(text.slice(0, first.index))) return undefined
  const rest = text.slice(first.index + first.length)
  const [second] = more
  if (second !== undefined && /^\s*(→|->|=>)\s*/.test(rest)) {
    return /\b(renamed|moved)\b/i.test(text)
      ? [{ kind: 'moved', from: first.path, to: second.path }]
      : undefined
  }
  const note = /^\W*[:(–—-]\W*(.*)$/s.exec(rest)?.[1]
  if (note === undefined) return undefined
  if (/^(new|created|new file|a new)\b/i.test(note)) return [{ kind: 'created', path: first.path }]
  if (
    /^(deleted|removed|gone)\b/i.test(note) &&
    !/^removed (the|a|an|an?|unused|dead|`)/i.test(note)
  ) {
    return [{ kind: 'deleted', path: first.path }]
  }
  return changeNote.test(note) ? [{ kind: 'edited', path: first.path }] : undefined
}

const changeNote = new RegExp(
  [
    `^(?:${sourceOf(fileVerbs.flatMap(({ past }) => past))}|now|uses|made|gave)\\b`,
    `^(?!(?:${sourceOf(describing)})\\b)[a-z]+ed (?:(?:the|an?|two|three|all|its|\\d+|\\w+)\\b|\`)`,
  ].join('|'),
  'i',
)
