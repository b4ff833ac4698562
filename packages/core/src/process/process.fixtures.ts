// Shared by the tests of child processes: a shell, process states, waiting for a condition.
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

/** Runs a script in another Node process. */
export function node(script: string, more: Partial<ProcessSpec> = {}): Promise<ProcessResult> {
  const command = process.execPath
  return runProcess({ command, args: ['-e', script], env: testEnvironment, ...more })
}

/** True if the process is gone or a zombie. */
export function isDead(pid: number): boolean {
  const stat = processStat(pid)
  return stat === undefined || isZombie(stat)
}

/** Polls until `look` returns a value; throws after `waitMs`. */
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

/** A folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'zee-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Returns a function that reads a pid from a file; undefined until the child has written it. */
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

/** Kills a process that outlives the code under test. */
export function killAfterTest(pid: number): void {
  onTestFinished(() => {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // The process has exited.
    }
  })
}
