// The line of each key in a config file, for messages. One scanner per format fills the map; a key that
// it cannot locate is missing.
import type { KeyPath } from './shape.ts'

/** Maps a `pathKey` to the line (from 1) of the key, section header or list item. */
export type Positions = ReadonlyMap<string, number>

/** Deeper nesting is refused. */
export const maxNesting = 200

export function pathKey(path: KeyPath): string {
  return JSON.stringify(path)
}

/** The line of a key, or of the closest key around it if it is not in the file. */
export function lineOf(positions: Positions, path: KeyPath): number | undefined {
  for (let length = path.length; length > 0; length--) {
    const line = positions.get(pathKey(path.slice(0, length)))
    if (line !== undefined) return line
  }
  return undefined
}

/** A path as text: `redaction.extraRules[2].id`. */
export function pathText(path: KeyPath): string {
  let text = ''
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`
    else text += (text === '' ? '' : '.') + nameText(step)
  }
  return text
}

function nameText(name: string): string {
  if (/^[\w-]{1,80}$/.test(name)) return name
  return JSON.stringify(name.length > 80 ? `${name.slice(0, 79)}…` : name)
}

/** Returns line numbers for rising offsets without rescanning the text. */
export function lineCounter(text: string): (offset: number) => number {
  let line = 1
  let lineStart = 0
  return (offset) => {
    for (;;) {
      const next = text.indexOf('\n', lineStart)
      if (next === -1 || next >= offset) return line
      line++
      lineStart = next + 1
    }
  }
}
