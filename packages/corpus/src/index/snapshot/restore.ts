// Rebuilds a tree from the columns of a snapshot. verify.ts then checks whether it is current.
import { newFolder } from '../folder.ts'
import type { Folder } from '../folder.ts'
import { FileFlag, FileKind } from '../file-table.ts'
import type { FolderTree } from '../tree/tree.ts'
import { FolderState, unpackTexts } from './columns.ts'
import type { Columns } from './columns.ts'

/** Fills an empty tree. Returns its folders by their numbers in the snapshot. */
export function restoreTree(tree: FolderTree, columns: Columns): Folder[] {
  const names = unpackTexts(columns.names)
  const folderNames = unpackTexts(columns.folderNames)
  const access = unpackTexts(columns.folderAccess)
  const folders: Folder[] = [newFolder('', undefined)]
  const homes = Array.from({ length: names.length }) as Folder[]
  // A parent always precedes its folders.
  for (let number = 0; number < folderNames.length; number++) {
    const folder = folders[number] as Folder
    folder.inode = columns.folderMarks[number * 3] as bigint
    folder.device = columns.folderMarks[number * 3 + 1] as bigint
    folder.changed = columns.folderMarks[number * 3 + 2] as bigint
    folder.access = access[number] as string
    if (columns.folderStates[number] === FolderState.unread) continue
    folder.isRacy = columns.folderStates[number] === FolderState.racy
    const first = columns.firstEntries[number] as number
    const count = (columns.firstEntries[number + 1] as number) - first
    folder.names = Array.from({ length: count })
    folder.values = Array.from({ length: count })
    for (let index = 0; index < count; index++) {
      const entry = columns.entries[first + index] as number
      if (entry >= 0) {
        homes[entry] = folder
        folder.names[index] = names[entry] as string
        folder.values[index] = entry
        continue
      }
      const name = `${folderNames[-entry - 1] as string}/`
      const inner = newFolder(folder.prefix + name, folder)
      folders[-entry - 1] = inner
      folder.names[index] = name
      folder.values[index] = inner
    }
  }
  tree.table.adopt(names, homes, columns)
  tree.top = folders[0] as Folder
  for (let id = 0; id < names.length; id++) {
    if (columns.kinds[id] === FileKind.link) tree.links.add(id)
    else if (columns.kinds[id] === FileKind.file && !tree.table.has(id, FileFlag.known)) {
      tree.pending.add(id)
    }
  }
  tree.epoch++
  tree.version++
  return folders
}
