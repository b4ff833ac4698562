import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { currentProcess, isAlive, pidScopeOf, processState } from './identity.ts'

const started: ChildProcess[] = []
const onLinux = process.platform === 'linux'

afterEach(async () => {
  for (const child of started.splice(0)) {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
})

describe('a process', () => {
  test('is alive when it is the current one', () => {
    expect(currentProcess().pid).toBe(process.pid)
    expect(processState(currentProcess())).toBe('alive')
  })

  test.each(['machine', 'boot', 'pidNamespace'] as const)('of another %s is elsewhere', (part) => {
    expect(processState({ ...currentProcess(), [part]: 'other' })).toBe('elsewhere')
    expect(pidScopeOf({ ...currentProcess(), [part]: 'other' })).not.toBe(
      pidScopeOf(currentProcess()),
    )
  })

  test.runIf(onLinux)('is dead when its pid was reused', () => {
    expect(processState({ ...currentProcess(), started: '1' })).toBe('dead')
  })

  test('is dead when it has ended', async () => {
    const child = run('sh', ['-c', 'exit 0'])
    await once(child, 'exit')
    expect(processState({ ...currentProcess(), pid: child.pid ?? 0, started: '' })).toBe('dead')
  })

  test.runIf(onLinux)('is dead when it is a zombie', async () => {
    // When the child ends, the shell has become `sleep`, which never reaps its children.
    const parent = run('sh', ['-c', 'sleep 0.3 & echo $!; exec sleep 60'])
    const pid = Number(await firstLine(parent))
    await vi.waitFor(() => expect(isAlive({ pid, started: '' })).toBe(false), { timeout: 10_000 })
    expect(() => process.kill(pid, 0)).not.toThrow()
  })

  test.runIf(onLinux)('is found when its name contains parentheses and spaces', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'zee-name-'))
    const program = path.join(folder, 'a) Z 1 (b')
    symlinkSync('/bin/sh', program)
    const child = run(program, ['-c', 'echo here; read line'])
    await firstLine(child)
    expect(isAlive({ pid: child.pid ?? 0, started: '' })).toBe(true)
    expect(isAlive({ pid: child.pid ?? 0, started: '1' })).toBe(false)
    rmSync(folder, { recursive: true })
  })
})

function run(command: string, args: string[]): ChildProcess {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  started.push(child)
  return child
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('no stdout')
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer]
  return chunk.toString().trim()
}
