// Inserts a value into the text of a JSON file and takes it out again. Both are edits of the text, so that the
// rest of the file keeps its bytes.
import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../json/json.ts'
import { withoutComments } from './json-comments.ts'

export interface Insertion {
  /** The keys from the top to the container. Missing objects on the way are created. */
  keys: readonly string[]
  /** The key of the value in its object; undefined for an element of an array. */
  name?: string
  value: unknown
  /** The program allows comments and trailing commas in its file. */
  allowsComments?: boolean
}

/** The new text, or why there is none. */
export type JsonEdit = { text: string } | { unchanged: string }

/** Adds the value at the start of its container. */
export function insertJson(text: string, insertion: Insertion): JsonEdit {
  const { keys, name } = insertion
  const json = jsonOf(text, insertion)
  if (!isObject(parse(json))) return { unchanged: 'is not a JSON object' }
  if (findMember(json, insertion) !== undefined) return { unchanged: 'already has it' }
  let at = json.indexOf('{')
  let depth = 0
  for (const key of keys) {
    const member = membersOf(json, at).find((each) => each.key === key)
    if (member === undefined) break
    if (json[member.valueStart] !== containerMark(keys, depth + 1, name)) {
      return { unchanged: `has another kind of ${keys.slice(0, depth + 1).join('.')}` }
    }
    at = member.valueStart
    depth++
  }
  if (depth === keys.length && name !== undefined) {
    if (membersOf(json, at).some(({ key }) => key === name)) return { unchanged: `has ${name}` }
  }
  const isEmpty = membersOf(json, at).length === 0
  const { alone, apart, first } = snippetsOf(insertion, depth)
  const texts = (isEmpty ? [alone, apart] : [first])
    .map((snippet) => text.slice(0, at + 1) + snippet + text.slice(at + 1))
    .filter((edited) => isObject(parse(jsonOf(edited, insertion))))
  const restored = texts.find((edited) =>
    isDeepStrictEqual(removeJson(edited, insertion), { text }),
  )
  const edited = restored ?? texts[0]
  return edited === undefined ? { unchanged: 'cannot be edited' } : { text: edited }
}

/** Takes the value out. Text that was inserted is removed exactly; a reformatted value is cut out. */
export function removeJson(text: string, insertion: Insertion): JsonEdit {
  if (!hasJson(text, insertion)) return { unchanged: 'does not have it' }
  for (let depth = 0; depth <= insertion.keys.length; depth++) {
    for (const snippet of Object.values(snippetsOf(insertion, depth))) {
      if (!text.includes(snippet)) continue
      const edited = text.replace(snippet, () => '')
      const json = jsonOf(edited, insertion)
      const isGone = isObject(parse(json)) && findMember(json, insertion) === undefined
      if (isGone) return { text: edited }
    }
  }
  return cutOut(text, insertion)
}

/** Whether the container has a value that is equal to the inserted one. */
export function hasJson(text: string, insertion: Insertion): boolean {
  const json = jsonOf(text, insertion)
  return isObject(parse(json)) && findMember(json, insertion) !== undefined
}

/** The text as JSON, without a byte order mark; every offset is the same in both. */
function jsonOf(text: string, { allowsComments }: Insertion): string {
  const bare = text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text
  return allowsComments === true ? withoutComments(bare) : bare
}

interface Member {
  key: string | undefined
  start: number
  valueStart: number
  end: number
}

function findMember(text: string, { keys, name, value }: Insertion): Member | undefined {
  let at = text.indexOf('{')
  for (const key of keys) {
    const member = membersOf(text, at).find((each) => each.key === key)
    if (member === undefined) return undefined
    at = member.valueStart
  }
  return membersOf(text, at).find(
    ({ key, valueStart, end }) =>
      key === name && isDeepStrictEqual(JSON.parse(text.slice(valueStart, end)), value),
  )
}

/** Removes the member with its comma, and containers that become empty. */
function cutOut(text: string, insertion: Insertion): JsonEdit {
  const { keys } = insertion
  const json = jsonOf(text, insertion)
  const member = findMember(json, insertion)
  if (member === undefined) return { unchanged: 'does not have it' }
  const without = (container: number, cut: Member): JsonEdit => {
    const edited = withoutMember(text, membersOf(json, container), container, cut)
    return isObject(parse(jsonOf(edited, insertion)))
      ? { text: edited }
      : { unchanged: 'cannot be edited' }
  }
  for (let depth = keys.length; depth > 0; depth--) {
    const holder = memberAt(json, keys.slice(0, depth))
    if (holder === undefined || membersOf(json, holder.valueStart).length > 1) break
    if (depth === 1) return without(json.indexOf('{'), holder)
    const outer = memberAt(json, keys.slice(0, depth - 1))
    if (outer === undefined || membersOf(json, outer.valueStart).length > 1) {
      return without(outer?.valueStart ?? json.indexOf('{'), holder)
    }
  }
  const container = memberAt(json, keys)
  return without(container?.valueStart ?? json.indexOf('{'), member)
}

function withoutMember(
  text: string,
  members: readonly Member[],
  container: number,
  { start, end }: Member,
): string {
  const index = members.findIndex((each) => each.start === start)
  const next = members[index + 1]
  const before = members[index - 1]
  return next !== undefined
    ? text.slice(0, start) + text.slice(next.start)
    : text.slice(0, before?.end ?? container + 1) + text.slice(end)
}

function memberAt(text: string, keys: readonly string[]): Member | undefined {
  let at = text.indexOf('{')
  let found: Member | undefined
  for (const key of keys) {
    found = membersOf(text, at).find((each) => each.key === key)
    if (found === undefined) return undefined
    at = found.valueStart
  }
  return found
}

/** The bracket that opens the container at this depth. */
function containerMark(keys: readonly string[], depth: number, name: string | undefined): string {
  return depth === keys.length && name === undefined ? '[' : '{'
}

/**
 * What is inserted into the container at `depth`, where deeper ones are missing: into an empty one and before
 * other members. `apart` is for an empty container whose line ends make `alone` look as if the container was
 * inserted, too. `last` is `first` after a member was inserted before it and what followed it was removed.
 */
function snippetsOf(
  { keys, name, value }: Insertion,
  depth: number,
): { apart: string; alone: string; first: string; last: string } {
  const leaf = name === undefined ? [value] : { [name]: value }
  const missing = keys.slice(depth)
  const whole = missing.reduceRight<unknown>((inner, key) => ({ [key]: inner }), leaf)
  const indent = '  '.repeat(depth + 1)
  const inner =
    depth === keys.length && name === undefined ? value : Object.values(whole as object)[0]
  const key = depth === keys.length ? name : missing[0]
  const json = JSON.stringify(inner, null, 2).replaceAll('\n', `\n${indent}`)
  const member = `\n${indent}${key === undefined ? '' : `${JSON.stringify(key)}: `}${json}`
  // Without a newline, an existing empty container differs from one that was created on the way.
  const alone = depth === 0 ? `${member}\n` : member
  return { apart: `\n${alone}`, alone, first: `${member},`, last: `,${member}` }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The members of the object or array that opens at `at`; none for another value. The text is valid JSON. */
function membersOf(text: string, at: number): Member[] {
  const members: Member[] = []
  const isObjectStart = text[at] === '{'
  if (!isObjectStart && text[at] !== '[') return members
  let here = skipSpace(text, at + 1)
  while (text[here] !== '}' && text[here] !== ']') {
    const start = here
    let key: string | undefined
    if (isObjectStart) {
      const end = stringEnd(text, here)
      key = JSON.parse(text.slice(here, end)) as string
      here = skipSpace(text, skipSpace(text, end) + 1)
    }
    const end = valueEnd(text, here)
    members.push({ key, start, valueStart: here, end })
    here = skipSpace(text, end)
    if (text[here] === ',') here = skipSpace(text, here + 1)
  }
  return members
}

function valueEnd(text: string, at: number): number {
  if (text[at] === '"') return stringEnd(text, at)
  if (text[at] !== '{' && text[at] !== '[') {
    const length = text.slice(at).search(/[\s,\]}]/)
    return length < 0 ? text.length : at + length
  }
  const last = membersOf(text, at).at(-1)
  return skipSpace(text, last === undefined ? at + 1 : last.end) + 1
}

function skipSpace(text: string, at: number): number {
  let here = at
  while (/\s/.test(text[here] ?? '')) here++
  return here
}

/** The offset after the string that starts at `at`. */
function stringEnd(text: string, at: number): number {
  for (let end = at + 1; ; end++) {
    if (text[end] === '\\') end++
    else if (text[end] === '"') return end + 1
  }
}
