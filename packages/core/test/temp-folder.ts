// A folder for one test, removed when the test ends.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'

export function tempFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'zee-core-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
