// Finds a key that an object of a JSON text has twice. The JSON parser keeps the last value and drops
// the others without an error.

export interface RepeatedKey {
  key: string
  /** 1-based. */
  line: number
}

/** The first repeated key; `text` is valid JSON. */
export function findRepeatedKey(text: string): RepeatedKey | undefined {
  const objects: Set<string>[] = []
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '{') objects.push(new Set())
    else if (text[at] === '}') objects.pop()
    if (text[at] !== '"') continue
    const start = at
    at = endOfString(text, start)
    if (!isFollowedByColon(text, at)) continue
    const key = JSON.parse(text.slice(start, at + 1)) as string
    const keys = objects.at(-1)
    if (keys?.has(key) === true) return { key, line: text.slice(0, start).split('\n').length }
    keys?.add(key)
  }
  return undefined
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

function isFollowedByColon(text: string, end: number): boolean {
  let at = end + 1
  while (/\s/.test(text[at] ?? '')) at++
  return text[at] === ':'
}
