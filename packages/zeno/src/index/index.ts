// Index settings of a service: memory limit, snapshot file and progress display.
import { oneLine, usageError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import type { Engine } from '../engine/engine.ts'

const units: Readonly<Record<string, number>> = { '': 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 }

/** A 32-bit WebAssembly memory addresses at most 4 GiB. */
const maxBytes = 4 * 2 ** 30 - 65_536
const minBytes = 16 * 2 ** 20
const maxDefaultBytes = 2 * 2 ** 30

/** Parses `512M`, `2G`, `1.5g` or a number of bytes. */
export function parseMemory(text: string): number {
  const [, number, unit] = /^(\d{1,15}(?:\.\d{1,6})?)([kmg]?)(?:i?b)?$/i.exec(text.trim()) ?? []
  const bytes = Number(number) * (units[unit?.toLowerCase() ?? ''] ?? Number.NaN)
  if (!Number.isFinite(bytes)) throw usageError(`'${text}' is not a size such as 512M or 2G`)
  if (bytes < minBytes) throw usageError(`'${text}' is too little memory: use at least 16M`)
  return Math.min(Math.floor(bytes), maxBytes)
}

/** Returns a quarter of the machine's memory, at most 2 GiB. */
export function defaultMemory(machineBytes: number): number {
  return Math.max(minBytes, Math.min(maxDefaultBytes, Math.floor(machineBytes / 4)))
}

/** Returns zeno's folder in the user's cache; undefined without an absolute XDG_CACHE_HOME or HOME. */
export async function cacheFolder({ env }: Host): Promise<string | undefined> {
  return (await import('./snapshot-path.ts')).snapshotFolder(env)
}

/** Returns the snapshot path of a root. If there can be none, logs why and returns undefined. */
export async function snapshotFileFor(root: string, host: Host): Promise<string | undefined> {
  const found = (await import('./snapshot-path.ts')).snapshotPath(root, host.env)
  if ('file' in found) return found.file
  host.stderr.write(`zeno: no snapshot: ${oneLine(found.reason)}\n`)
  return undefined
}

/** Shows progress if standard error is a terminal. Returns a function that ends it. */
export async function startProgress(engine: Engine, host: Host): Promise<(() => void) | undefined> {
  const { indexStats } = engine
  if (!host.stderr.isTTY || indexStats === undefined) return undefined
  return (await import('./progress.ts')).showProgress(host, indexStats)
}
