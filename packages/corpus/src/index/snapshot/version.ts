// Which form of snapshot this code writes and understands, and what its files are called.
import { sumOf } from './sum.ts'

/** Goes up with every change of what is written, or of what flags and signatures mean. */
export const snapshotVersion = 2

/** The name of the file for a root, by its real path. A hash that needs no library: a start pays for it. */
export function snapshotName(root: string): string {
  return `${rootMark(root)}-v${snapshotVersion}.snapshot`
}

/** Whether a file is a snapshot of this root, made by whatever version; without a root, of any. */
export function isSnapshotName(name: string, root?: string): boolean {
  const [, mark] = /^([0-9a-f]{32})-v\d+\.snapshot$/.exec(name) ?? []
  return mark !== undefined && (root === undefined || mark === rootMark(root))
}

/** Each quarter of the sum has seen every part of the path. */
function rootMark(root: string): string {
  const text = Buffer.from(root)
  const words = new Int32Array(Math.max(1, text.length) * 4)
  for (let at = 0; at < words.length; at++) words[at] = (text[at >> 2] ?? 0) + (at & 3) * 256
  return sumOf(words)
}
