// What a service decides about its index: the memory it may take, where its snapshot lies, who sees how far it is.
import { oneLine, usageError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import type { Engine } from '../engine/engine.ts'

const units: Readonly<Record<string, number>> = { '': 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 }

/** WebAssembly reaches no further. */
const maxBytes = 4 * 2 ** 30 - 65_536
const minBytes = 16 * 2 ** 20
const maxDefaultBytes = 2 * 2 ** 30

/** `512M`, `2G`, `1.5g` or bytes. */
export function parseMemory(text: string): number {
  const [, number, unit] = /^(\d{1,15}(?:\.\d{1,6})?)([kmg]?)(?:i?b)?$/i.exec(text.trim()) ?? []
  const bytes = Number(number) * (units[unit?.toLowerCase() ?? ''] ?? Number.NaN)
  if (!Number.isFinite(bytes)) throw usageError(`'${text}' is not a size such as 512M or 2G`)
  if (bytes < minBytes) throw usageError(`'${text}' is too little memory: 16M at least`)
  return Math.min(Math.floor(bytes), maxBytes)
}

/** A quarter of what the machine has, at most 2 GiB. */
export function defaultMemory(machineBytes: number): number {
  return Math.max(minBytes, Math.min(maxDefaultBytes, Math.floor(machineBytes / 4)))
}

/** Where there can be none, that is said, and everything goes on without. */
export async function snapshotFileFor(root: string, host: Host): Promise<string | undefined> {
  const place = (await import('./snapshot-path.ts')).snapshotPath(root, host.env)
  if ('file' in place) return place.file
  host.stderr.write(`zeno: no snapshot: ${oneLine(place.reason)}\n`)
  return undefined
}

/** Only people want to see it: on a terminal. */
export async function startProgress(engine: Engine, host: Host): Promise<(() => void) | undefined> {
  const { indexStats } = engine
  if (!host.stderr.isTTY || indexStats === undefined) return undefined
  return (await import('./progress.ts')).showProgress(host, indexStats)
}
