// Parses trees: the names of a folder with their kind and object, in git's order, which is the byte order of paths.
import { nameText } from '@zee/core/contained-path'
import { gitError } from './failure.ts'

export type EntryKind = 'file' | 'link' | 'folder' | 'submodule'

export interface TreeEntry {
  name: string
  kind: EntryKind
  isExecutable: boolean
  object: string
}

export function parseTree(name: string, bytes: Buffer, nameBytes: number): TreeEntry[] {
  const entries: TreeEntry[] = []
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(0x20, at)
    const end = bytes.indexOf(0, space)
    if (space === -1 || end === -1 || end + 1 + nameBytes > bytes.length) {
      throw gitError(`the tree ${name} is damaged`)
    }
    const mode = Number.parseInt(bytes.toString('latin1', at, space), 8)
    const object = bytes.toString('hex', end + 1, end + 1 + nameBytes)
    const entryName = nameText(bytes.subarray(space + 1, end))
    // A name with a slash, or one that leads elsewhere, is an attack on programs that check files out.
    if (entryName !== '' && entryName !== '.' && entryName !== '..' && !entryName.includes('/')) {
      const isExecutable = (mode & 0o100) !== 0
      entries.push({ name: entryName, kind: kindOf(mode), isExecutable, object })
    }
    at = end + 1 + nameBytes
  }
  return entries
}

function kindOf(mode: number): EntryKind {
  switch (mode & 0o170000) {
    case 0o040000:
      return 'folder'
    case 0o120000:
      return 'link'
    case 0o160000:
      return 'submodule'
    default:
      return 'file'
  }
}
