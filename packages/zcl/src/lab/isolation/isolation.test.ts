import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isolationTool, openSandbox } from './isolation.ts'
import { viewOf } from './view.ts'

let base: string
beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'zcl-isolation-')))
  for (const name of ['ws', 'attempt', 'scratch', 'bin', 'suite/verifier', 'out'])
    mkdirSync(path.join(base, name), { recursive: true })
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const at = (name: string) => path.join(base, name)

/** A program on PATH that exits with this code. */
function program(name: string, body: string): void {
  writeFileSync(at(`bin/${name}`), `#!/bin/sh\n${body}\n`)
  chmodSync(at(`bin/${name}`), 0o755)
}

const launcher = { node: process.execPath, script: process.execPath }
const request = (exam: object, tool: 'docker' | 'bwrap' | 'unshare' | undefined) => ({
  exam,
  tool,
  writable: [at('ws'), at('attempt')] as [string, string],
  scratch: at('scratch'),
  hidden: [at('suite/verifier')],
  private: [at('out'), at('suite')],
  baseFolder: at('suite'),
  readable: [],
  launcher,
  env: { PATH: `${at('bin')}:${at('suite')}:/usr/bin` },
})

describe('what an isolated attempt sees', () => {
  test('are its own folders and the folders of programs, without private ones on PATH', () => {
    const { mounts } = viewOf({ ...request({}, undefined), expose: [], command: ['sh', at('ws')] })
    const shown = (name: string) => mounts.find((each) => each.path === at(name))
    expect(shown('ws')).toMatchObject({ isWritable: true })
    expect(shown('bin')).toMatchObject({ isWritable: false })
    expect(shown('suite')).toBeUndefined()
    expect(shown('out')).toBeUndefined()
  })

  test('includes the script of the runner, and refuses to expose a verifier', async () => {
    writeFileSync(at('suite/agent.sh'), '')
    writeFileSync(at('suite/verifier/check.sh'), '')
    const sandbox = await openSandbox(request({}, 'bwrap'))
    const line = sandbox.wrap(['sh', at('suite/agent.sh'), at('suite/verifier/check.sh')], {})
    const mounts = line.slice(0, line.indexOf('--')).join(' ')
    expect(mounts).toContain(`--ro-bind ${at('suite/agent.sh')} `)
    expect(mounts).not.toContain('verifier')
    const exposing = await openSandbox(request({ expose: ['.'] }, 'bwrap'))
    expect(() => exposing.wrap(['true'], {})).toThrow('contains files of a verifier')
  })
})

describe('the network of an isolated attempt', () => {
  test.each([
    ['host', false],
    ['none', true],
    ['loopback', true],
  ])('%s has a namespace of its own: %s', async (network, expected) => {
    for (const tool of ['bwrap', 'unshare'] as const) {
      const sandbox = await openSandbox(request({ network }, tool))
      const line = sandbox.wrap(['true'], {})
      expect(line.includes(tool === 'bwrap' ? '--unshare-net' : '--net')).toBe(expected)
    }
  })
})

describe('a container', () => {
  const exam = { isolation: 'container', container: { image: 'tasks:1' } } as const

  test('mounts the folders of the attempt and passes variables by name', async () => {
    const sandbox = await openSandbox(request({ ...exam, network: 'none' }, 'docker'))
    const line = sandbox.wrap(['agent', '-x'], { TOKEN: 'secret', PATH: '/x' }).join(' ')
    expect(line).toMatch(/^docker run --rm --interactive --init --name zcl-[0-9a-f]+ /)
    expect(line).toContain(`--network none`)
    expect(line).toContain(`--volume ${at('ws')}:${at('ws')} `)
    expect(line).toContain('--env TOKEN')
    expect(line).not.toContain('secret')
    expect(line).not.toContain('--env PATH')
    expect(line).toMatch(/ tasks:1 agent -x$/)
  })

  test('has the programs of the attempt before the PATH of its image', async () => {
    const sandbox = await openSandbox(request({ ...exam, network: 'none' }, 'docker'))
    const own = at('attempt/shims')
    const line = sandbox.wrap(['agent', '-x'], { PATH: `${own}:/usr/bin` })
    const script = 'PATH=$1:$PATH; export PATH; shift; exec "$@"'
    expect(line.slice(-7)).toEqual(['sh', '-c', script, 'sh', own, 'agent', '-x'])
  })

  test('needs an engine that answers and an image that is there', async () => {
    const env = { PATH: at('bin') }
    const failure = { code: 'ZCL_E_ISOLATION_UNAVAILABLE' }
    await expect(isolationTool(exam, env)).rejects.toMatchObject(failure)
    program('docker', '[ "$1" = info ] || { echo no image >&2; exit 1; }')
    const withDocker = { PATH: `${at('bin')}:/bin` }
    await expect(isolationTool(exam, withDocker)).rejects.toThrow('docker has no image tasks:1')
    program('docker', 'exit 0')
    expect(await isolationTool(exam, withDocker)).toBe('docker')
  })
})

test('without isolation a command stays as it is', async () => {
  const sandbox = await openSandbox(request({}, undefined))
  expect(sandbox.wrap(['a', 'b'], {})).toEqual(['a', 'b'])
  expect(await isolationTool({}, {})).toBeUndefined()
})
