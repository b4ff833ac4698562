import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { writeStartFiles } from './start-files.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'zcl-start-files-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function tool(place: string, name: string, text: string): string {
  const bin = path.join(folder, place)
  mkdirSync(bin, { recursive: true })
  writeFileSync(path.join(bin, name), `#!/bin/sh\necho ${text}\n`, { mode: 0o755 })
  return bin
}

test('a login shell finds the shims first and then the tools of the harness', async () => {
  const home = path.join(folder, 'home')
  const shims = tool("it's shims", 'tally', 'the shim')
  const others = tool('bin', 'tally', 'the tool')
  tool('bin', 'other', 'another tool')
  mkdirSync(home)
  const searchPath = `${others}:/usr/bin:/bin`
  await writeStartFiles({ home, shims, searchPath, inheritFrom: undefined })
  const run = (script: string) =>
    execFileSync('bash', ['-lc', script], {
      env: { HOME: home, PATH: `${shims}:${searchPath}` },
      encoding: 'utf8',
    })
  expect(run('tally; other')).toBe('the shim\nanother tool\n')
  // A login shell inside of a login shell adds nothing.
  expect(run('bash -lc \'echo "$PATH"\'')).toBe(run('echo "$PATH"'))
})
