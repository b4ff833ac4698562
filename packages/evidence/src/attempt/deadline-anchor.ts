// The start of a deadline on the clock of the kernel, which a step of the wall clock does not move. The
// processes of an attempt share it through a file in its folder. Loads Node built-ins only.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { systemClock } from '@zee/core/clock'
import { currentProcess } from '@zee/core/identity'

/** Not an artifact: it means nothing on another machine. */
export const anchorName = '.deadline.json'

interface Anchor {
  /** The time in attempt.json that the deadline counts from. */
  startedAt: string
  /** Uptimes of different boots and machines cannot be compared. */
  boot: string
  uptimeMs: number
}

/** A fixed clock (`ZCL_NOW`) differs from the real one by more than this. */
const maxDelayMs = 5000

/** The content of the file for a deadline that starts now; undefined if `startedAt` is not the real time. */
export function deadlineAnchor(startedAt: Date, text: string): string | undefined {
  const delayMs = +systemClock.now() - +startedAt
  const { boot } = currentProcess()
  if (boot === '' || Math.abs(delayMs) > maxDelayMs) return undefined
  const anchor: Anchor = { startedAt: text, boot, uptimeMs: systemClock.uptimeMs() - delayMs }
  return `${JSON.stringify(anchor)}\n`
}

/** Time since the start; undefined without the file of this boot and this start. */
export function elapsedSince(startedAt: string, folder: string): number | undefined {
  try {
    const text = readFileSync(path.join(folder, anchorName), 'utf8')
    const anchor = JSON.parse(text) as Partial<Anchor> | null
    const uptimeMs = Number(anchor?.uptimeMs ?? NaN)
    if (anchor?.startedAt !== startedAt || anchor.boot !== currentProcess().boot) return undefined
    return Number.isFinite(uptimeMs) ? systemClock.uptimeMs() - uptimeMs : undefined
  } catch {
    return undefined
  }
}
