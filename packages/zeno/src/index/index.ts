// How much memory an index may take: as the command line says it, and what is usual.
import { usageError } from '@zee/core/errors'

const units: Readonly<Record<string, number>> = { '': 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 }

/** WebAssembly reaches no further. */
const mostBytes = 4 * 2 ** 30 - 65_536
const leastBytes = 16 * 2 ** 20
const usualMostBytes = 2 * 2 ** 30

/** `512M`, `2G`, `1.5g` or bytes. */
export function parseMemory(text: string): number {
  const [, number, unit] = /^(\d{1,15}(?:\.\d{1,6})?)([kmg]?)(?:i?b)?$/i.exec(text.trim()) ?? []
  const bytes = Number(number) * (units[unit?.toLowerCase() ?? ''] ?? Number.NaN)
  if (!Number.isFinite(bytes)) throw usageError(`'${text}' is not a size such as 512M or 2G`)
  if (bytes < leastBytes) throw usageError(`'${text}' is too little memory: 16M at least`)
  return Math.min(Math.floor(bytes), mostBytes)
}

/** A quarter of what the machine has, at most 2 GiB. */
export function usualMemory(machineBytes: number): number {
  return Math.max(leastBytes, Math.min(usualMostBytes, Math.floor(machineBytes / 4)))
}
