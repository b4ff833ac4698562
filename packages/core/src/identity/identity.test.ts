import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { fingerprint } from '../ids/ids.ts'
import {
  currentProcess,
  hostName,
  isAlive,
  isZombie,
  pidScopeOf,
  processStat,
  processState,
} from './identity.ts'

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

describe.runIf(onLinux)('the identity of this process', () => {
  const text = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8').trim() : '')
  const fields = readFileSync('/proc/self/stat', 'latin1').split(') ').at(-1)?.split(' ') ?? []

  test('is that of the system', () => {
    expect(currentProcess()).toEqual({
      machine: fingerprint(text('/etc/machine-id') || hostname()),
      boot: text('/proc/sys/kernel/random/boot_id'),
      pidNamespace: readlinkSync('/proc/self/ns/pid'),
      pid: process.pid,
      started: fields[19],
    })
    expect(currentProcess()).toBe(currentProcess())
    expect(hostName()).toBe(hostname())
  })

  test('has a scope of 12 digits from its machine, boot and namespace', () => {
    const { machine, boot, pidNamespace } = currentProcess()
    const scope = fingerprint(`${machine} ${boot} ${pidNamespace}`).slice(0, 12)
    expect(pidScopeOf(currentProcess())).toBe(scope)
    expect(pidScopeOf({ ...currentProcess(), pid: 1, started: '' })).toBe(scope)
  })

  test('has the state, parent, group and session of its line in /proc', () => {
    const [state, parent, group, session] = fields
    expect(state).toMatch(/^[RS]$/)
    expect(processStat('self')).toEqual({
      state: expect.stringMatching(/^[RS]$/),
      parent: Number(parent),
      group: Number(group),
      session: Number(session),
      started: fields[19],
    })
    expect(processStat(process.pid)?.started).toBe(fields[19])
    expect(processStat(2 ** 30)).toBeUndefined()
  })

  test('is alive by its pid and start, and dead by another start', () => {
    const { pid, started } = currentProcess()
    expect(isAlive({ pid, started })).toBe(true)
    expect(isAlive({ pid, started: '' })).toBe(true)
    expect(isAlive({ pid, started: `${started}0` })).toBe(false)
    const parent = processStat(process.ppid)?.started ?? ''
    expect(isAlive({ pid: process.ppid, started: parent })).toBe(true)
    expect(isAlive({ pid: process.ppid, started })).toBe(started === parent)
    expect(isAlive({ pid: 2 ** 30, started: '' })).toBe(false)
  })
})

test.each([
  ['Z', true],
  ['X', true],
  ['R', false],
  ['', false],
])('a process in the state %j is a zombie: %s', (state, expected) => {
  expect(isZombie({ state, parent: 0, group: 0, session: 0, started: '' })).toBe(expected)
})
