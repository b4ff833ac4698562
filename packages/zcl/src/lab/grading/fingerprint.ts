// The fingerprint of a file or a folder: names, modes, sizes and times. A program can set the mtime back,
// but not the ctime.
import { createHash } from 'node:crypto'
import { lstatSync, readdirSync } from 'node:fs'
import path from 'node:path'

export function fingerprintOf(source: string): string {
  const lines: string[] = []
  const add = (absolute: string): void => {
    const stats = lstatSync(absolute)
    if (stats.isDirectory()) {
      for (const name of readdirSync(absolute).sort()) add(path.join(absolute, name))
    } else {
      const { mode, size, mtimeMs, ctimeMs } = stats
      lines.push([path.relative(source, absolute), mode, size, mtimeMs, ctimeMs].join('\0'))
    }
  }
  add(source)
  return createHash('sha256').update(lines.join('\n')).digest('hex')
}
