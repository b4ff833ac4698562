// Reads files and reports which of them contain a batch's needle. Texts are dropped at once, because few are needed
// again.
import { closeSync } from 'node:fs'
import { openFolderAt } from '@zee/core/contained-path-below'
import type { CorpusRoot } from '../../root/root.ts'
import { openEntry } from '../../walk/walk.ts'
import type { FileBatch } from '../file-batch.ts'
import { emptyPrefiltered, splitNames } from './jobs.ts'
import type { Prefiltered, PrefilterJob } from './jobs.ts'

/** Reads the files of a job, in as many batches as they need. */
export function prefilterJob(job: PrefilterJob, root: CorpusRoot, batch: FileBatch): Prefiltered {
  const filtered = emptyPrefiltered()
  for (const { prefix, names, special } of job.folders) {
    const folder = openFolderAt(root.folder, prefix === '' ? '.' : prefix.slice(0, -1))
    for (const name of splitNames(names)) {
      if (!batch.hasRoom) prefilterBatch(batch, filtered)
      batch.add(prefix, name, openEntry(root, folder, prefix + name, special?.get(name)))
    }
    if (folder !== undefined) closeSync(folder.fd)
  }
  prefilterBatch(batch, filtered)
  return filtered
}

/** Adds the files of a batch to `filtered`, and the paths of its candidates to `paths`. Clears the batch. */
export function prefilterBatch(batch: FileBatch, filtered: Prefiltered, paths?: string[]): void {
  const { allChars, allSkipped, files } = filtered
  let keptChars = 0
  while (batch.seek()) {
    const { index } = batch
    const before = batch.charsTo(index - 1)
    filtered.kept.push(files + index)
    filtered.chars.push(allChars + before - keptChars)
    filtered.skipped.push(allSkipped + batch.skippedTo(index - 1))
    keptChars += batch.charsTo(index) - before
    paths?.push(batch.path)
  }
  const last = batch.length - 1
  filtered.files += batch.length
  filtered.allChars += batch.charsTo(last) - keptChars
  filtered.allSkipped += batch.skippedTo(last)
  filtered.failed.push(...batch.failed)
  batch.clear()
}
