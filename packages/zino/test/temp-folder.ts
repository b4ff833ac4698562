// A temporary folder for one test, with a short path because socket paths are limited.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'

export function tempFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'zn-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
