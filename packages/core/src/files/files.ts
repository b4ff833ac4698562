// File primitives for journals, locks and the write-ahead log. Atomic files, batches and folders have
// their own public entries: `atomic-file`, `atomic-batch`, `folders`, `prepared-file`.

export { AppendFile } from './append-file.ts'
export { assertRegularFile } from './regular-file.ts'
export { fsyncIfExists, fsyncFolderSync } from './fsync.ts'
export {
  isLinkUnsupported,
  siblingNames,
  removeQuietly,
  siblingPath,
  siblingSuffixes,
  sweepDeadTemps,
  tempPathFor,
} from './temp-file.ts'
export { writeFully, writeFullyAt } from './write-fully.ts'
