import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { childProgram } from '../../../../test/support/paths.ts'
import { type Place, place, read, readBelow } from './contained-path.fixtures.ts'
import { openFolder } from './contained-path.ts'

describe.each([true, false])('names that change while opened, /proc there: %s', (hasProc) => {
  async function flip(mode: 'file' | 'folder', at: Place): Promise<void> {
    const args = [childProgram('core', 'flip-names'), mode, at.inside, at.outside]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(async () => {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    })
    await once(child.stdout, 'data')
  }

  /** Reads until there were thousands of tries and both outcomes; never anything from outside. */
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

  it('a file that flips to a link that leaves the root never gives a byte from outside', async () => {
    const at = place(hasProc)
    await flip('file', at)
    const seen = readMany(() => contentOnly(read(at.root, 'name')))
    expect([...seen.keys()].sort()).toEqual(['read', 'refused'])
  })

  it('a folder that flips to a link that leaves the root never gives a byte from outside', async () => {
    const at = place(hasProc)
    await flip('folder', at)
    const seen = readMany(() => contentOnly(read(at.root, 'folder/secret.txt')))
    expect([...seen.keys()].sort()).toEqual(['read', 'refused'])
  })

  it('a folder that flips is inside whenever it can be opened', async () => {
    const at = place(hasProc)
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
