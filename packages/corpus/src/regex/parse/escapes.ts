// Escapes of the pattern language, inside and outside a set.
import { pythonRepr } from '../../python-repr.ts'
import type { SetItem } from '../ast.ts'
import { codePointCount } from './source.ts'
import type { PatternSource } from './source.ts'

const controls: ReadonlyMap<string, number> = new Map([
  ['\\a', 7],
  ['\\f', 12],
  ['\\n', 10],
  ['\\r', 13],
  ['\\t', 9],
  ['\\v', 11],
  ['\\\\', 0x5c],
])

/** `\d \D \s \S \w \W` as a set item. */
export function classItem(token: string, ascii: boolean): SetItem | undefined {
  if (!/^\\[dDsSwW]$/.test(token)) return undefined
  const letter = token.charAt(1)
  const name = letter.toLowerCase() as 'd' | 's' | 'w'
  return { kind: 'class', name, negated: letter !== name, ascii }
}

/** The set item for an escape inside a set. */
export function setEscape(source: PatternSource, token: string, ascii: boolean): SetItem {
  const single = (code: number): SetItem => ({ kind: 'range', low: code, high: code })
  if (token === '\\b') return single(8)
  const charClass = classItem(token, ascii)
  if (charClass !== undefined) return charClass
  const char = token.slice(1)
  if (/^[0-7]$/.test(char)) return single(octal(source, char + source.takeWhile(2, /^[0-7]$/)))
  if (/^[89]$/.test(char)) throw source.error(`bad escape ${token}`, 2)
  return single(charEscape(source, token))
}

/**
 * The code point of a character escape: control letters, hexadecimal forms, escaped punctuation.
 */
export function charEscape(source: PatternSource, token: string): number {
  const control = controls.get(token)
  if (control !== undefined) return control
  const letter = token.slice(1)
  if (letter === 'x') return hexadecimal(source, token, 2)
  if (letter === 'u') return hexadecimal(source, token, 4)
  if (letter === 'U') return hexadecimal(source, token, 8)
  if (letter === 'N') throw namedCharacter(source)
  if (/^[a-zA-Z]$/.test(letter)) throw source.error(`bad escape ${token}`, 2)
  return letter.codePointAt(0) as number
}

/** The code point of an octal escape such as `\101`; `digits` have been read already. */
export function octal(source: PatternSource, digits: string): number {
  const code = Number.parseInt(digits, 8)
  if (code <= 0o377) return code
  const message = `octal escape value \\${digits} outside of range 0-0o377`
  throw source.error(message, digits.length + 1)
}

function hexadecimal(source: PatternSource, token: string, count: number): number {
  const digits = source.takeWhile(count, /^[0-9a-fA-F]$/)
  const escape = token + digits
  if (digits.length !== count) throw source.error(`incomplete escape ${escape}`, escape.length)
  const code = Number.parseInt(digits, 16)
  if (code > 0x10ffff) throw source.error(`bad escape ${escape}`, escape.length)
  return code
}

/** The error for `\N{...}`: character names are not supported. */
function namedCharacter(source: PatternSource): Error {
  if (!source.match('{')) return source.error('missing {')
  const name = source.takeUntil('}', 'character name')
  return source.error(`undefined character name ${pythonRepr(name)}`, codePointCount(name) + 4)
}
