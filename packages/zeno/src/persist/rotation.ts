// Moves a file that has grown too large out of the way: `evidence.jsonl.20260104-181130`.
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { errnoOf, fileError } from '@zee/core/errors'

const suffix = /^\.\d{8}-\d{6}(?:-\d+)?$/

/** The new name, or undefined when the file is small enough or not there. */
export function rotateIfLarger(file: string, mostBytes: number, now: Date): string | undefined {
  try {
    if (statSync(file).size <= mostBytes) return undefined
    const target = freeName(file, now)
    renameSync(file, target)
    return target
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw fileError('rotate', file, error)
  }
}

/** Rotated files of `file` beyond the newest `keep`, removed; returns their names. */
export function dropOldRotations(file: string, keep: number): string[] {
  const folder = path.dirname(file)
  const base = path.basename(file)
  try {
    const rotated = readdirSync(folder)
      .filter((name) => name.startsWith(base) && suffix.test(name.slice(base.length)))
      .sort()
    const old = rotated.slice(0, Math.max(0, rotated.length - keep))
    for (const name of old) rmSync(path.join(folder, name), { force: true })
    return old.map((name) => path.join(folder, name))
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return []
    throw fileError('clean up', folder, error)
  }
}

function freeName(file: string, now: Date): string {
  const [day = '', time = ''] = now.toISOString().replace(/[-:]/g, '').split('T')
  const name = `${file}.${day}-${time.slice(0, 6)}`
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name}-${number}`
    if (!existsSync(candidate)) return candidate
  }
}
