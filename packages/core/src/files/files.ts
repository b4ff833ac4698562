// The parts of safe writing that journals and locks are built from. Whole files, batches of them and
// folders have their own entries: `atomic-file`, `atomic-batch`, `folders`.

export { AppendFile } from './append-file.ts'
export { refuseIrregular } from './regular-file.ts'
export { fsyncIfExists, fsyncFolderSync } from './sync-folder.ts'
export {
  cannotLink,
  namesBeside,
  removeQuietly,
  siblingPath,
  siblingSuffixes,
  sweepDeadTemps,
  tempPathFor,
} from './temp-file.ts'
export { writeWhole } from './write-whole.ts'
