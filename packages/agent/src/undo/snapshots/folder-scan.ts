// Lists the files and folders below a folder with their stats, up to a limit.
import type { Stats } from 'node:fs'
import { readdirSync } from 'node:fs'
import type { RawPath } from './raw-path.ts'
import { joinRaw, pathBuffer } from './raw-path.ts'
import { lstatOrNull } from './state.ts'

export interface FolderScan {
  /** Files and links. */
  files: Map<RawPath, Stats>
  /** Modes of the folders. */
  folders: Map<RawPath, number>
}

export interface ScanLimits {
  files: number
  bytes: number
}

/** Lists everything below a folder. */
export function scanFolder(
  root: RawPath,
  limits: ScanLimits,
  isExcluded: (path: RawPath) => boolean,
): FolderScan | { tooLarge: string } {
  const files = new Map<RawPath, Stats>()
  const folders = new Map<RawPath, number>()
  let bytes = 0
  const open: RawPath[] = ['']
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const name of namesIn(joinRaw(root, folder))) {
      const path = folder === '' ? name : `${folder}/${name}`
      if (isExcluded(path)) continue
      const stats = lstatOrNull(joinRaw(root, path))
      if (stats === null) continue
      if (stats.isDirectory()) {
        folders.set(path, stats.mode & 0o7777)
        open.push(path)
        continue
      }
      files.set(path, stats)
      if (stats.isFile()) bytes += stats.size
      if (files.size > limits.files || bytes > limits.bytes) {
        return { tooLarge: tooLargeText(files.size, bytes, limits, 'files') }
      }
    }
  }
  return { files, folders }
}

/** Empty for a folder that cannot be read: its contents cannot be restored. */
function namesIn(raw: RawPath): RawPath[] {
  try {
    return readdirSync(pathBuffer(raw), { encoding: 'buffer' }).map((name) =>
      name.toString('latin1'),
    )
  } catch {
    return []
  }
}

export function tooLargeText(
  files: number,
  bytes: number,
  limits: ScanLimits,
  what: string,
): string {
  if (files > limits.files) return `the project has more than ${limits.files} ${what}`
  return `the ${what} of the project need more than ${Math.round(limits.bytes / 1024 / 1024)} MiB`
}
