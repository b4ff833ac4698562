// Where in a config file each key stands, so that a message can name the line.
// A scanner per format fills the map; on doubt a key is simply not in it.
import type { KeyPath } from './shape.ts'

/** From `pathKey` to the line (from 1) of the key, section header or list item. */
export type Positions = ReadonlyMap<string, number>

/** Nesting above this is not followed; no config is that deep. */
export const deepest = 200

export function pathKey(path: KeyPath): string {
  return JSON.stringify(path)
}

/** The line of a key, or of the closest thing around it when it is not in the file. */
export function lineOf(positions: Positions, path: KeyPath): number | undefined {
  for (let length = path.length; length > 0; length--) {
    const line = positions.get(pathKey(path.slice(0, length)))
    if (line !== undefined) return line
  }
  return undefined
}

/** A path as people write it: `redaction.extraRules[2].id`. */
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

/** Line numbers for offsets that only grow, without rescanning the text. */
export function lineCounter(text: string): (offset: number) => number {
  let line = 1
  let seen = 0
  return (offset) => {
    for (;;) {
      const next = text.indexOf('\n', seen)
      if (next === -1 || next >= offset) return line
      line++
      seen = next + 1
    }
  }
}
