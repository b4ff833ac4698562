// Converts a tree to the columns of a snapshot. Files get new numbers in walk order. Racy files are stored without
// their state, so that they are read again.
import type { Folder } from '../folder.ts'
import type { FolderTree } from '../tree/tree.ts'
import { FileFlag, FileKind, nowhere } from '../file-table.ts'
import { columnsBytes, columnsIn, FolderState, packTexts } from './columns.ts'
import type { ColumnLengths, Columns } from './columns.ts'

export interface Collected {
  lengths: ColumnLengths
  memory: SharedArrayBuffer
  files: number
}

/** Folders and files of a tree, by their new numbers. */
interface NumberedTree {
  folders: Folder[]
  states: number[]
  /** File ids in the index. */
  ids: number[]
  entries: number[]
  firstEntries: number[]
}

/** Names that are not valid UTF-8 are omitted; their folder is marked to be reread. */
const loneSurrogate = /\p{Surrogate}/u

/** `blockSizes` are the sizes of the store's blocks, in order. */
export function collect(tree: FolderTree, blockSizes: Uint8Array): Collected {
  const found = numberTree(tree.top)
  const { ids, folders } = found
  const names = packTexts(ids.map((id) => tree.table.names[id] as string))
  const folderNames = packTexts(folders.map(nameOf))
  const folderAccess = packTexts(folders.map((folder) => folder.access))
  const lengths: ColumnLengths = {
    folderMarks: folders.length * 3,
    ...{ modified: ids.length, changed: ids.length, inodes: ids.length },
    ...{ sizes: ids.length, chars: ids.length, lengths: ids.length },
    ...{ blocks: ids.length, places: ids.length, kinds: ids.length, flags: ids.length },
    entries: found.entries.length,
    firstEntries: found.firstEntries.length,
    folderStates: folders.length,
    blockSizes: blockSizes.length,
    names: names.length,
    folderNames: folderNames.length,
    folderAccess: folderAccess.length,
  }
  const memory = new SharedArrayBuffer(columnsBytes(lengths))
  const columns = columnsIn(memory, lengths)
  columns.entries.set(found.entries)
  columns.firstEntries.set(found.firstEntries)
  columns.folderStates.set(found.states)
  columns.blockSizes.set(blockSizes)
  columns.names.set(names)
  columns.folderNames.set(folderNames)
  columns.folderAccess.set(folderAccess)
  for (const [index, folder] of folders.entries()) {
    columns.folderMarks.set([folder.inode, folder.device, folder.changed], index * 3)
  }
  for (const [index, id] of ids.entries()) setFile(columns, index, tree.table, id)
  return { lengths, memory, files: ids.length }
}

function numberTree(top: Folder): NumberedTree {
  const found: NumberedTree = { folders: [], states: [], ids: [], entries: [], firstEntries: [] }
  found.folders.push(top)
  // Breadth first: folders are numbered on discovery, and entries follow in the order of the numbers.
  for (let number = 0; number < found.folders.length; number++) {
    const { names, values, isRacy } = found.folders[number] as Folder
    found.firstEntries.push(found.entries.length)
    let state: number = isRacy ? FolderState.racy : FolderState.read
    for (const [index, value] of values.entries()) {
      if (loneSurrogate.test(names?.[index] ?? '')) state = FolderState.racy
      else if (typeof value === 'number') found.entries.push(found.ids.push(value) - 1)
      else found.entries.push(-found.folders.push(value))
    }
    found.states.push(names === undefined ? FolderState.unread : state)
  }
  found.firstEntries.push(found.entries.length)
  return found
}

/** The last segment of the folder's path. */
function nameOf({ prefix, parent }: Folder): string {
  return prefix.slice(parent?.prefix.length ?? 0, -1)
}

function setFile(columns: Columns, index: number, table: FolderTree['table'], id: number): void {
  const kind = table.kinds[id] as number
  columns.kinds[index] = kind
  columns.blocks[index] = nowhere
  const flags = table.flags[id] as number
  if (kind !== FileKind.file) {
    columns.flags[index] = flags & FileFlag.toFolder
    return
  }
  if ((flags & FileFlag.known) === 0 || (flags & FileFlag.racy) !== 0) return
  columns.flags[index] = flags
  columns.sizes[index] = table.sizes[id] as number
  columns.chars[index] = table.chars[id] as number
  columns.lengths[index] = table.lengths[id] as number
  columns.blocks[index] = table.blocks[id] as number
  columns.places[index] = table.columns[id] as number
  columns.modified[index] = table.modified[id] as bigint
  columns.changed[index] = table.changed[id] as bigint
  columns.inodes[index] = table.inodes[id] as bigint
}
