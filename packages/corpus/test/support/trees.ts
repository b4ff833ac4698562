// Temporary trees for tests, and corpora over them that are closed after their test. The hooks belong to a
// test, because test files share this module.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { childProgram } from '../../../../test/support/paths.ts'
import { openCorpus } from '../../src/corpus.ts'
import type { Corpus, CorpusOptions, WorkerName } from '../../src/corpus.ts'

/** Creates a folder with these files; it is removed after the test. */
export function tree(files: Record<string, string | Buffer> = {}): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'corpus-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  put(folder, files)
  return folder
}

export function put(folder: string, files: Record<string, string | Buffer>): void {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
}

/** Returns the bundled worker: Node 20 cannot run the TypeScript source. */
export function workerFile(name: WorkerName): string {
  return childProgram('corpus', name)
}

export function corpusOf(root: string, options: CorpusOptions = {}): Corpus {
  const corpus = openCorpus(root, {
    workerFile,
    ...options,
  })
  onTestFinished(() => corpus.close())
  return corpus
}

/** A corpus over a new tree. */
export function corpusWith(files: Record<string, string | Buffer>): Corpus {
  return corpusOf(tree(files))
}
