// The parts of safe writing that journals and locks are built from. Whole files, batches of them and
// folders have their own entries: `atomic-file`, `atomic-batch`, `folders`.

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
export { writeFully } from './write-fully.ts'
