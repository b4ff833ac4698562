// The terminal of a person: a screen with a live region at its bottom, and the keys that are typed.
import type { Host } from '@zee/core/exit'
import { Screen } from './screen.ts'

export { fitRow } from './fit-row.ts'
export type { Key } from './keys.ts'
export { KeyDecoder } from './keys.ts'
export type { RegionPart } from './screen.ts'
export { Screen } from './screen.ts'

/** Terminals that wrap existing lines anew when their width changes. */
const reflowVariables = [
  'TMUX',
  'VTE_VERSION',
  'KITTY_WINDOW_ID',
  'ALACRITTY_WINDOW_ID',
  'KONSOLE_VERSION',
  'WT_SESSION',
  'TERM_PROGRAM',
]

/** Whether `stream` shows text to a person and can move its cursor. */
export function isScreen(stream: { isTTY?: boolean }, env: Host['env']): boolean {
  return stream.isTTY === true && env.TERM !== 'dumb'
}

/** The screen of the program; undefined if neither output is a terminal. */
export function openScreen(host: Host): Screen | undefined {
  const out = [host.stdout, host.stderr].find((stream) => isScreen(stream, host.env))
  if (out === undefined) return undefined
  const reflows = reflowVariables.some((name) => (host.env[name] ?? '') !== '')
  return new Screen(out, host.clock, reflows)
}
