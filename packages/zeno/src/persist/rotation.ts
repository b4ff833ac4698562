// Renames oversized files with a timestamp, such as `evidence.jsonl.20260104-181130`, and removes old ones.
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { errnoOf, fileError } from '@zee/core/errors'

const suffix = /^\.\d{8}-\d{6}(?:-\d+)?$/

/** Returns the new name, or undefined if the file is small enough or missing. */
export function rotateIfLarger(file: string, maxBytes: number, now: Date): string | undefined {
  try {
    if (statSync(file).size <= maxBytes) return undefined
    const target = freeName(file, now)
    renameSync(file, target)
    return target
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw fileError('rotate', file, error)
  }
}

/** Removes all but the newest `keep` rotated versions of `file`; returns the removed paths. */
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
