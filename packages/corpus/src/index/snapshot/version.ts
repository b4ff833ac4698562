// The version of the snapshot format, and the names of snapshot files.
import { checksumOf } from './checksum.ts'

/** Increment with every change of the format, or of the meaning of flags and signatures. */
export const snapshotVersion = 3

/** The file name for the canonical path of a root. Uses our checksum, because loading crypto slows the start. */
export function snapshotName(root: string): string {
  return `${rootMark(root)}-v${snapshotVersion}.snapshot`
}

/** Whether a file name is that of a snapshot of any version, of this root or, without one, of any root. */
export function isSnapshotName(name: string, root?: string): boolean {
  const [, mark] = /^([0-9a-f]{32})-v\d+\.snapshot$/.exec(name) ?? []
  return mark !== undefined && (root === undefined || mark === rootMark(root))
}

/** Every lane of the checksum covers every byte of the path. */
function rootMark(root: string): string {
  const text = Buffer.from(root)
  const words = new Int32Array(Math.max(1, text.length) * 4)
  for (let at = 0; at < words.length; at++) words[at] = (text[at >> 2] ?? 0) + (at & 3) * 256
  return checksumOf(words)
}
