// A folder for one test, removed afterwards. Short, because socket paths must be.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'

export function tempFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'zn-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
