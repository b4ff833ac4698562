// Compares files of a workspace with expected SHA-256 hashes. The agent made the workspace, so links
// out of it are refused.
import { createHash } from 'node:crypto'
import { closeSync, readSync } from 'node:fs'
import { openContained, openRoot, type ContainedRoot } from '@zee/core/contained-path'
import type { FileHashScore, Score } from '../suite/suite.ts'

/** Undefined if every file has its hash, else the names of the others. */
export function fileFindings(
  expected: NonNullable<Score['fileHash']>,
  workspace: string | undefined,
): string | undefined {
  if (workspace === undefined) return 'the attempt has no workspace'
  const root = openRoot(workspace)
  const wrong = hashExpectations(expected).filter(
    ({ path, sha256 }) => hashOf(root, path) !== sha256.replace(/^sha256:/, '').toLowerCase(),
  )
  if (wrong.length === 0) return undefined
  return `missing or with another hash: ${wrong.map(({ path }) => path).join(', ')}`
}

function hashExpectations(expected: NonNullable<Score['fileHash']>): FileHashScore[] {
  if (Array.isArray(expected)) return expected
  if ('path' in expected && 'sha256' in expected) return [expected as FileHashScore]
  return Object.entries(expected).map(([path, sha256]) => ({ path, sha256: String(sha256) }))
}

function hashOf(root: ContainedRoot, file: string): string | undefined {
  const opened = openContained(root, file)
  if (opened.failure !== undefined) return undefined
  const hash = createHash('sha256')
  const block = Buffer.alloc(1024 * 1024)
  try {
    for (;;) {
      const bytes = readSync(opened.fd, block)
      if (bytes === 0) return hash.digest('hex')
      hash.update(block.subarray(0, bytes))
    }
  } finally {
    closeSync(opened.fd)
  }
}
