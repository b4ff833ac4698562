// Runs the corpus of escapes in the jail, many in one script, and then looks at the machine.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import path from 'node:path'
import { runProcess } from '@zee/core/process'
import { describe, expect, it, onTestFinished } from 'vitest'
import { tempFolder } from '../../../../test/temp-folder.ts'
import type { Escape } from './escapes.fixtures.ts'
import { environmentTricks, longRunning, networkTricks, pathTricks } from './escapes.fixtures.ts'
import { environmentIn, jailed, listeningSockets, probeJail } from './jail.ts'

const canary = 'CANARY-4711-0815'
const missing = await probeJail({ PATH: process.env.PATH ?? '' })

interface Listeners {
  connections: () => number
  port: number
  socket: string
  abstract: string
}

async function listen(folder: string): Promise<Listeners> {
  let connections = 0
  const socket = path.join(folder, 's.sock')
  const abstract = `zino-escape-${process.pid}-${Math.random()}`
  const open = async (target: object) => {
    const server = createServer((peer) => {
      connections += 1
      peer.on('error', () => {}).end('reached\n')
    })
    await new Promise<void>((resolve) => server.listen(target, resolve))
    onTestFinished(() => void server.close())
    return server
  }
  const tcp = await open({ port: 0, host: '0.0.0.0' })
  await open({ path: socket })
  await open({ path: `\0${abstract}` })
  const { port } = tcp.address() as AddressInfo
  return { connections: () => connections, port, socket, abstract }
}

/** Each escape runs in a subshell; `over` at the end shows that all of them were tried. */
function scriptOf(escapes: readonly Escape[]): string {
  const blocks = escapes.map(({ name, code }) => `echo "== ${name}"\n(\n${code}\n) </dev/null 2>&1`)
  return `${blocks.join('\n')}\necho over\n`
}

async function attack(escapes: readonly Escape[], mode: 'root' | 'masked' | 'open') {
  const folder = tempFolder()
  const granted = path.join(folder, 'in')
  const outside = path.join(folder, 'out')
  for (const each of [granted, outside]) mkdirSync(each)
  writeFileSync(path.join(outside, 'secret'), `${canary}\n`)
  const script = path.join(folder, 'script.sh')
  writeFileSync(script, scriptOf(escapes))
  const { connections, port, socket, abstract } = await listen(folder)
  const mark = `zino-escape-${process.pid}-${Math.random()}`
  const host = Object.values(networkInterfaces())
    .flat()
    .find((each) => each?.family === 'IPv4' && !each.internal)?.address
  const secrets = { LLM_API_KEY: canary, SECRET_TOKEN: canary, AWS_SECRET_ACCESS_KEY: canary }
  const own = { IN: granted, OUT: outside, PORT: String(port), SOCK: socket, ABSTRACT: abstract }
  const env = environmentIn(
    { PATH: process.env.PATH ?? '', HOME: folder, ...secrets, ZINO_MARK: mark },
    [],
    mode === 'root',
  )
  const open = { command: 'bash', args: [script] }
  const closed = jailed(
    {
      paths: mode === 'root' ? [granted] : undefined,
      write: undefined,
      network: false,
      masked: ['/run', ...listeningSockets()],
      fixed: [],
    },
    script,
    granted,
    open,
  )
  const result = await runProcess({
    ...(mode === 'open' ? open : closed),
    env: { ...env, ...own, HOST: host ?? '127.0.0.1', ...(mode === 'open' ? secrets : {}) },
    deadlineMs: 60_000,
    captureBytes: 2_000_000,
  })
  const output = Buffer.from(result.stdout.capture).toString('utf8')
  const running = () =>
    readdirSync('/proc').filter((pid) => {
      try {
        return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'latin1').includes(mark)
      } catch {
        return false
      }
    })
  return { result, output, folder, granted, outside, connections, running }
}

describe.skipIf(missing !== undefined)('the jail', () => {
  it(`refuses ${pathTricks.length} path tricks`, async () => {
    const { output, outside, folder, granted } = await attack(pathTricks, 'root')
    expect(output).toContain('over')
    expect(output).not.toContain(canary)
    expect(output).not.toContain('ESCAPED')
    expect(readdirSync(outside)).toEqual(['secret'])
    expect(readFileSync(path.join(outside, 'secret'), 'utf8')).toBe(`${canary}\n`)
    expect(readdirSync(folder).sort()).toEqual(['in', 'out', 's.sock', 'script.sh'])
    for (const name of ['copy', 'core', 'hard']) {
      expect(readdirSync(granted)).not.toContain(name)
    }
  })

  it.each(['root', 'masked'] as const)(
    `refuses ${environmentTricks.length + networkTricks.length} tricks with variables and the network (%s)`,
    async (mode) => {
      const tricks = [...environmentTricks, ...networkTricks]
      const { output, connections } = await attack(tricks, mode)
      expect(output).toContain('over')
      expect(output).not.toContain(canary)
      expect(output).not.toContain('reached')
      expect(connections()).toBe(0)
    },
  )

  it(`ends ${longRunning.length} kinds of background processes with the script`, async () => {
    const { output, running, granted } = await attack(longRunning, 'root')
    expect(output).toContain('over')
    await expect.poll(running, { timeout: 20_000 }).toEqual([])
    expect(readdirSync(granted)).toEqual([])
  })
})

it('has a corpus that succeeds without the jail', async () => {
  const harmless = [
    ...pathTricks.slice(0, 4),
    ...environmentTricks.slice(0, 2),
    ...networkTricks.slice(0, 2),
  ]
  const { output, connections } = await attack(harmless, 'open')
  expect(output.split(canary).length - 1).toBeGreaterThanOrEqual(6)
  // The script may end before the listener has accepted.
  await expect.poll(connections, { timeout: 20_000 }).toBe(2)
})

it('says why the jail does not work on a machine that cannot do it', async () => {
  expect(await probeJail({ PATH: '/nonexistent' })).toBe('unshare is not installed')
})
