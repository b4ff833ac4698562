// The check of a folder that a program writes to: access and free space.
import { accessSync, constants, existsSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import path from 'node:path'
import { reasonOf } from '../errors/errors.ts'
import type { Check } from './checks.ts'

const minFreeBytes = 256 << 20

/** Whether the folder, or the one it would be created in, is writable and has space. */
export async function folderCheck(
  id: string,
  folder: string,
  { showsUse = false }: { showsUse?: boolean } = {},
): Promise<Check> {
  const existing = nearestFolder(folder)
  if (!statSync(existing).isDirectory()) {
    const message = `${folder}: ${existing} is not a folder`
    return { id, status: 'blocked', message, advice: `move ${existing} away` }
  }
  try {
    accessSync(existing, constants.W_OK)
    const { bavail, bsize } = await statfs(existing)
    const free = bavail * bsize
    const used = showsUse && existing === folder ? `, uses ${formatBytes(sizeOf(folder))}` : ''
    const message = `${folder}${used}, ${formatBytes(free)} free`
    if (free >= minFreeBytes) return { id, status: 'ok', message }
    return { id, status: 'blocked', message, advice: 'free some disk space' }
  } catch (error) {
    const message = `${folder}: ${reasonOf(error)}`
    return { id, status: 'blocked', message, advice: `make ${existing} writable` }
  }
}

function nearestFolder(target: string): string {
  let folder = target
  while (!existsSync(folder) && folder !== path.dirname(folder)) folder = path.dirname(folder)
  return folder
}

/** The bytes of the files in it. Links are not followed; folders that cannot be read count nothing. */
function sizeOf(folder: string): number {
  let bytes = 0
  for (const name of namesIn(folder)) {
    const file = path.join(folder, name)
    const stats = lstatSync(file, { throwIfNoEntry: false })
    if (stats?.isDirectory() === true) bytes += sizeOf(file)
    else if (stats?.isFile() === true) bytes += stats.size
  }
  return bytes
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  const units = ['KB', 'MB', 'GB', 'TB']
  let value = bytes / 1024
  let unit = 0
  for (; value >= 1000 && unit < units.length - 1; unit++) value /= 1024
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`
}
