// Stops an attempt that fills the disk: measures its folders while the runner works, and aborts the
// runner when they hold more than allowed.
import { promises } from 'node:fs'
import path from 'node:path'
import { zclError } from '../../errors/errors.ts'

export interface DiskGuard {
  /** Aborts with ZCL_E_DISK_LIMIT. */
  signal: AbortSignal
  /** Measures once more; true if the limit was exceeded. */
  end(): Promise<boolean>
}

const minIntervalMs = 500
/** At most a twentieth of the time is spent measuring. */
const idleShare = 20

export function startDiskGuard(folders: readonly string[], maxBytes: number): DiskGuard {
  const abort = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let isEnded = false
  const measure = async (): Promise<void> => {
    const start = performance.now()
    const bytes = await bytesIn(folders, maxBytes)
    if (bytes > maxBytes) {
      abort.abort(zclError('ZCL_E_DISK_LIMIT', `the attempt wrote more than ${maxBytes} bytes`))
    } else if (!isEnded) {
      schedule(Math.max(minIntervalMs, (performance.now() - start) * idleShare))
    }
  }
  const schedule = (ms: number): void => {
    timer = setTimeout(() => void measure(), ms)
    timer.unref()
  }
  schedule(minIntervalMs)
  return {
    signal: abort.signal,
    end: async () => {
      isEnded = true
      clearTimeout(timer)
      if (!abort.signal.aborted) await measure()
      return abort.signal.aborted
    },
  }
}

/** The bytes on disk; stops counting above `enough`. */
async function bytesIn(roots: readonly string[], enough: number): Promise<number> {
  let bytes = 0
  const folders = [...roots]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await promises.readdir(folder, { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      const file = path.join(folder, entry.name)
      if (entry.isDirectory()) folders.push(file)
      else bytes += await diskBytes(file)
      if (bytes > enough) return bytes
    }
  }
  return bytes
}

/** Sparse files count by their blocks. */
async function diskBytes(file: string): Promise<number> {
  try {
    const { size, blocks } = await promises.lstat(file)
    return Math.min(size, blocks * 512) || size
  } catch {
    return 0
  }
}
