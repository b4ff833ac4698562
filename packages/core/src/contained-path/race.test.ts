import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { childProgram } from '../../../../test/support/paths.ts'
import { type TestRoot, makeRoot, read, readBelow } from './contained-path.fixtures.ts'
import { openFolder } from './contained-path.ts'

describe.each([true, false])('a name that is replaced in a loop, with /proc: %s', (hasProc) => {
  async function flip(mode: 'file' | 'folder', at: TestRoot): Promise<void> {
    const args = [childProgram('core', 'flip-names'), mode, at.inside, at.outside]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(async () => {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    })
    await once(child.stdout, 'data')
  }

  /** Reads at least 5,000 times and until both outcomes occurred; fails on content from outside. */
  function readMany(look: () => string): Map<string, number> {
    const seen = new Map<string, number>()
    const end = performance.now() + 30_000
    for (let tries = 0; performance.now() < end; tries++) {
      const what = look()
      expect(what).not.toContain('outside')
      const kind = what.startsWith('!') ? 'refused' : 'read'
      seen.set(kind, (seen.get(kind) ?? 0) + 1)
      if (tries >= 5000 && seen.size === 2) break
    }
    return seen
  }

  function contentOnly(text: string): string {
    return text === '! outside' ? '! refused' : text
  }

  it('never returns a byte from outside if a file alternates with a link out of the root', async () => {
    const at = makeRoot(hasProc)
    await flip('file', at)
    const seen = readMany(() => contentOnly(read(at.root, 'name')))
    expect([...seen.keys()].sort()).toEqual(['read', 'refused'])
  })

  it('never returns a byte from outside if a folder alternates with a link out of the root', async () => {
    const at = makeRoot(hasProc)
    await flip('folder', at)
    const seen = readMany(() => contentOnly(read(at.root, 'folder/secret.txt')))
    expect([...seen.keys()].sort()).toEqual(['read', 'refused'])
  })

  it('opens the folder inside the root or nothing', async () => {
    const at = makeRoot(hasProc)
    await flip('folder', at)
    const seen = readMany(() => {
      const folder = openFolder(at.root, 'folder')
      if (folder.failure !== undefined) return '! refused'
      try {
        return contentOnly(readBelow(folder, 'secret.txt'))
      } finally {
        closeSync(folder.fd)
      }
    })
    expect([...seen.keys()].sort()).toEqual(['read', 'refused'])
  })
})
