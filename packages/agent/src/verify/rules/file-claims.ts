// Finds claims about files in a clause: created, edited, deleted, moved.
import type { Claim } from '../claims.ts'
import { findPaths, type PathToken } from '../paths.ts'

type FileKind = 'created' | 'edited' | 'deleted' | 'written' | 'moved'

/** Verbs by what they claim. `written`: the file may be new or not. */
const verbs: readonly { kind: FileKind; active: string; present: string }[] = [
  { kind: 'created', active: 'created|generated|introduced', present: 'creates|introduces' },
  { kind: 'written', active: 'added|wrote|written|put', present: 'adds|writes' },
  {
    kind: 'deleted',
    active: 'deleted|removed|dropped|got rid of|purged',
    present: 'deletes|removes|drops',
  },
  { kind: 'moved', active: 'moved|renamed', present: 'moves|renames' },
  {
    kind: 'edited',
    active:
      'edited|updated|modified|changed|refactored|rewrote|rewritten|adjusted|patched|fixed|extended|corrected|replaced|simplified|cleaned up|touched|tweaked|amended|reworked|implemented|converted|migrated|switched|moved|documented|inlined|extracted|formatted|reformatted|bumped',
    present: 'edits|updates|modifies|changes|fixes|refactors|rewrites|adjusts|extends|replaces',
  },
]

const subject = String.raw`(?:(?:I|we)(?:'ve| have| also| then| just| now| first| finally)*|I've|we've|also|then|finally|now|next|first|and|so I|done:?|summary:|what (?:I|changed):?|✅|✓|✔|\*\*|_)`
const adverb = String.raw`(?:also|then|just|now|finally|successfully|carefully|manually|safely|simply|completely|quickly|further|first) `
const changer = String.raw`(?:(?:this|the|that|my|our) (?:change|commit|patch|fix|edit|refactor|update|PR|diff)|it)`

export function fileClaims(text: string): Claim[] {
  const paths = findPaths(text)
  if (paths.length === 0) return []
  if (
    /^\W*(\d+ )?(files? (changed|modified|edited|updated|touched)|(changed|modified|edited|updated|touched) files?)\W*:/i.test(
      text,
    )
  ) {
    return paths.map(({ path }) => ({ kind: 'edited', path }))
  }
  return activeClaims(text, paths) ?? passiveClaims(text, paths) ?? listClaims(text, paths) ?? []
}

function activeClaims(text: string, paths: readonly PathToken[]): Claim[] | undefined {
  for (const { kind, active, present } of verbs) {
    const pattern = new RegExp(
      String.raw`^\W*(?:(?:${subject})[\s,:]+)*(?:${adverb})*(?:${active})\b|\b(?:I|we)(?:'ve| have)? (?:${adverb})*(?:${active})\b|^\W*${changer} (?:${adverb})*(?:${present})\b`,
      'i',
    )
    const found = pattern.exec(text)
    if (found === null) continue
    const end = found.index + found[0].length
    const objects = paths.filter(({ index }) => index >= end)
    if (objects.length === 0) continue
    return claimsOf(kind, text, end, objects)
  }
  return undefined
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
      .map(({ path }) => ({ kind: 'edited', path }))
  }
  const claims: Claim[] = []
  let last = first
  for (const path of objects) {
    const gap = path === first ? '' : text.slice(last.index + last.length, path.index)
    if (
      path !== first &&
      !/^\s*(,|and|&|,\s*and|as well as|plus|\/|\+)?\s*(the |also )?(new )?(file |module |test )?$/i.test(
        gap,
      )
    ) {
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

/** Longer texts are no noun phrase, and would make the pattern slow. */
const maxGapLength = 60

/** Only articles and nouns such as `file` stand between the verb and the path. */
function isDirectObject(gap: string): boolean {
  if (gap.length > maxGapLength) return false
  return /^\W*((the|a|an|new|old|now|no|longer|needed|redundant|corresponding|missing|empty|outdated|deprecated|orphaned|small|separate|dedicated|required|whole|entire|\w+-\w+|unused|obsolete|stale|dead|existing|file|files|module|script|helper|component|test|tests|folder|directory|config|both|two|three|four|five|\d+|temporary|duplicate|legacy|following|utility|class|in|configuration|test file|source|sources|documentation|docs|page)\W+)*$/i.test(
    gap.replace(/\bin\W+$/i, (word) => (/^\W*in\W+$/i.test(gap) ? '' : `${word}x`)),
  )
}

/** Whether the words before a path say that the change is in it. */
function isTarget(text: string, { index }: PathToken, withFrom: boolean): boolean {
  const before = text.slice(0, index).replace(/[`"'*(\s]+$/, '')
  const word = /(\w+)$/
    .exec(
      before.replace(
        /\s+(the|a|an|new|file|both|each of|existing|module|lines? \d+(-\d+)? of)$/i,
        '',
      ),
    )?.[1]
    ?.toLowerCase()
  if (word === undefined) return /[,:→]$/.test(before)
  if (withFrom && word === 'from') return true
  return [
    'in',
    'to',
    'into',
    'inside',
    'within',
    'and',
    'at',
    'across',
    'under',
    'throughout',
  ].includes(word)
}

function passiveClaims(text: string, paths: readonly PathToken[]): Claim[] | undefined {
  for (const { kind, active } of verbs) {
    const pattern = new RegExp(
      String.raw`^\W{0,3}(?:was|were|has been|have been|is now|are now|got|has now been|have now been)\s+(?:${adverb})*(?:${active})\b`,
      'i',
    )
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

/** `src/a.ts: fixed the rounding`, `src/b.ts (new)`, `src/c.ts - new helper` */
function listClaims(text: string, [first, ...more]: readonly PathToken[]): Claim[] | undefined {
  if (first === undefined || !/^\W*$/.test(text.slice(0, first.index))) return undefined
  const rest = text.slice(first.index + first.length)
  const note = /^\W*[:(–—-]\W*(.*)$/s.exec(rest)?.[1]
  if (note === undefined) return undefined
  const arrow = /^\s*(→|->|=>)\s*/.exec(rest)
  if (arrow !== null && more[0] !== undefined) return undefined
  if (/^(new|created|new file|a new)\b/i.test(note)) return [{ kind: 'created', path: first.path }]
  if (
    /^(deleted|removed|gone)\b/i.test(note) &&
    !/^removed (the|a|an|an?|unused|dead|`)/i.test(note)
  ) {
    return [{ kind: 'deleted', path: first.path }]
  }
  const isChange = new RegExp(
    `^(?:${verbs.map(({ active }) => active).join('|')}|now|uses)\\b`,
    'i',
  ).test(note)
  return isChange ? [{ kind: 'edited', path: first.path }] : undefined
}
