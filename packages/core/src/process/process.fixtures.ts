// What the tests of child processes share: a shell, a look at process states, waiting for a fact.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { isZombie, processStat } from '../identity/identity.ts'
import { type ProcessResult, type ProcessSpec, runProcess } from './process.ts'

export const testEnvironment = { PATH: process.env.PATH ?? '/usr/bin:/bin' }

/** Runs a line of shell. */
export function sh(script: string, more: Partial<ProcessSpec> = {}): Promise<ProcessResult> {
  return runProcess({ command: 'sh', args: ['-c', script], env: testEnvironment, ...more })
}

/** Runs a piece of JavaScript in another Node. */
export function node(script: string, more: Partial<ProcessSpec> = {}): Promise<ProcessResult> {
  const command = process.execPath
  return runProcess({ command, args: ['-e', script], env: testEnvironment, ...more })
}

/** Gone, or a zombie that nobody has reaped yet. */
export function isDead(pid: number): boolean {
  const stat = processStat(pid)
  return stat === undefined || isZombie(stat)
}

/** Waits for a fact, and fails the test when it does not come. */
export async function eventually<Fact>(
  look: () => Fact | undefined | false,
  what: string,
  waitMs = 20_000,
): Promise<Fact> {
  const end = performance.now() + waitMs
  for (;;) {
    const fact = look()
    if (fact !== undefined && fact !== false) return fact
    if (performance.now() > end) throw new Error(`did not happen within ${waitMs} ms: ${what}`)
    await pause(5)
  }
}

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'zee-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The number in a file that a child writes once it is there. */
export function pidIn(file: string): () => number | undefined {
  return () => {
    try {
      const pid = Number(readFileSync(file, 'utf8').trim())
      return pid > 0 ? pid : undefined
    } catch {
      return undefined
    }
  }
}

/** For processes that a test leaves behind on purpose. */
export function killAfterTest(pid: number): void {
  onTestFinished(() => {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It is gone already.
    }
  })
}
