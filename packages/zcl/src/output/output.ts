// Prints results: one JSON document for programs, aligned lines for people, `CODE: message` on stderr,
// and a progress line on terminals.
import { alignColumns, fitColumns } from '@zee/core/columns'
import type { WriteStream } from 'node:tty'
import { coloursFor, terminalSafeText, withoutControls } from '@zee/core/colour'
import { oneLine } from '@zee/core/errors'
import { fitLines } from '@zee/core/fit-lines'
import { displayWidth } from '@zee/core/styled-text'
import type { Host } from '@zee/core/exit'
import type { Code } from '../codes/codes.ts'

/** Prints `value` with two-space indent and a final newline; escapes control bytes on a terminal. */
export function printJson(host: Host, value: unknown): void {
  host.stdout.write(terminalSafeText(host.stdout)(`${JSON.stringify(value, undefined, 2)}\n`))
}

/** Prints lines for people. */
export function printLines(host: Host, lines: readonly string[]): void {
  if (lines.length > 0) host.stdout.write(`${fitLines(lines, host.stdout).join('\n')}\n`)
}

/** Prints `CODE: message` as one line on stderr; a terminal breaks it between words. */
export function complain(host: Host, code: Code, message: string): void {
  const lines = fitLines([`${code}: ${oneLine(message)}`], host.stderr)
  host.stderr.write(`${lines.join('\n')}\n`)
}

/** Recorded text on one line, without control characters. */
export function printable(text: string): string {
  return oneLine(withoutControls(text))
}

/** Rows padded to the widest cell of each column, without control characters. */
export function aligned(
  rows: readonly (readonly string[])[],
  right: readonly number[] = [],
): string[] {
  return alignColumns(
    rows.map((row) => row.map(printable)),
    right,
  )
}

/**
 * Aligned rows that fit into the terminal. While they are too wide, columns of `optional` are left out,
 * the last one first; then the widest cells are cut. A pipe gets all.
 */
export function alignedFor(
  host: Host,
  rows: readonly (readonly string[])[],
  optional: readonly number[] = [],
  indent = 0,
  right: readonly number[] = [],
): string[] {
  const all = aligned(rows, right)
  const width = (host.stdout.columns || 80) - indent
  if (!host.stdout.isTTY || all.every((line) => displayWidth(line) <= width)) return all
  const left = optional.at(-1)
  if (left === undefined)
    return (
      fitColumns(
        rows.map((row) => row.map(printable)),
        width,
        right,
      ) ?? all
    )
  const kept = rows.map((row) => row.filter((_, at) => at !== left))
  return alignedFor(host, kept, optional.slice(0, -1), indent, right)
}

/** A count with its noun: `1 mission`, `2 missions`. */
export function pluralize(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

export function colours(host: Host) {
  return coloursFor(host.stdout, host.env)
}

export function formatBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  let value = bytes
  let unit = 0
  for (; value >= 1024 && unit < units.length - 1; unit++) value /= 1024
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`
}

export function formatMilliseconds(ms: number): string {
  if (ms < 1000) return `${ms} ms`
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
  // Round before splitting, or 119.6 s would print as 1 min 60 s.
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

export { LiveLines } from './live-lines.ts'

/** A progress line on stderr that overwrites itself; silent unless stderr is a terminal. */
export class Progress {
  readonly #stream: WriteStream | NodeJS.WriteStream
  readonly #isShown: boolean
  #lastMs = 0

  constructor(host: Host) {
    this.#stream = host.stderr
    this.#isShown = host.stderr.isTTY === true
  }

  show(nowMs: number, text: string): void {
    if (!this.#isShown || nowMs - this.#lastMs < 100) return
    this.#lastMs = nowMs
    // A wrapped line could not be overwritten.
    const width = Math.max(20, (this.#stream.columns || 80) - 1)
    this.#stream.write(`\r\u001b[K${oneLine(text).slice(0, width)}`)
  }

  end(): void {
    if (this.#isShown && this.#lastMs > 0) this.#stream.write('\r\u001b[K')
    this.#lastMs = 0
  }
}
