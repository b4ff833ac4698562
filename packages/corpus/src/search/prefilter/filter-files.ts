// Reads files and says which of them may hold what a batch looks for. Texts are given up at once: few are needed again.
import { closeSync } from 'node:fs'
import { openFolderAt } from '@zee/core/contained-path-below'
import type { CorpusRoot } from '../../root/root.ts'
import { openEntry } from '../../walk/walk.ts'
import type { FileBatch } from '../file-batch.ts'
import { emptyPrefiltered, namesIn } from './jobs.ts'
import type { Prefiltered, PrefilterJob } from './jobs.ts'

/** Reads the files of a job, in as many batches as they take. */
export function prefilterJob(job: PrefilterJob, root: CorpusRoot, batch: FileBatch): Prefiltered {
  const sifted = emptyPrefiltered()
  for (const { prefix, names, special } of job.folders) {
    const folder = openFolderAt(root.folder, prefix === '' ? '.' : prefix.slice(0, -1))
    for (const name of namesIn(names)) {
      if (!batch.hasRoom) prefilterBatch(batch, sifted)
      batch.add(prefix, name, openEntry(root, folder, prefix + name, special?.get(name)))
    }
    if (folder !== undefined) closeSync(folder.fd)
  }
  prefilterBatch(batch, sifted)
  return sifted
}

/** Adds what a batch holds, and clears it; gives the paths of what was kept to who wants them. */
export function prefilterBatch(batch: FileBatch, sifted: Prefiltered, paths?: string[]): void {
  const { allChars, allSkipped, files } = sifted
  let keptChars = 0
  while (batch.seek()) {
    const { at } = batch
    const before = batch.charsTo(at - 1)
    sifted.kept.push(files + at)
    sifted.chars.push(allChars + before - keptChars)
    sifted.skipped.push(allSkipped + batch.skippedTo(at - 1))
    keptChars += batch.charsTo(at) - before
    paths?.push(batch.path)
  }
  const last = batch.length - 1
  sifted.files += batch.length
  sifted.allChars += batch.charsTo(last) - keptChars
  sifted.allSkipped += batch.skippedTo(last)
  batch.clear()
}
