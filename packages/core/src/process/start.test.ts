import { once } from 'node:events'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { eventually, isDead, pidIn, temporaryFolder, testEnvironment } from './process.fixtures.ts'
import { type RunningProcess, startProcess, type StartSpec } from './process.ts'

async function start(script: string, more: Partial<StartSpec> = {}): Promise<RunningProcess> {
  const args = ['-c', script]
  const started = await startProcess({ command: 'sh', args, env: testEnvironment, ...more })
  if (started.process === undefined) throw new Error(started.failure.error)
  return started.process
}

async function nextText(child: RunningProcess): Promise<string> {
  const [chunk] = (await once(child.stdout as NodeJS.EventEmitter, 'data')) as [Buffer]
  return chunk.toString()
}

describe.each(['real', 'sockets'] as const)('a long-lived child on %s pipes', (pipes) => {
  it('answers line by line, and exits when its stdin is closed', async () => {
    const script = 'while read line; do echo "<$line>"; done; echo end; exit 3'
    const child = await start(script, { stdin: 'pipe', pipes })
    for (const word of ['one', 'two', 'three']) {
      child.stdin?.write(`${word}\n`)
      expect(await nextText(child)).toBe(`<${word}>\n`)
    }
    child.stdin?.end()
    expect(await nextText(child)).toBe('end\n')
    expect(await child.exited).toMatchObject({ outcome: 'exited', exitCode: 3 })
    child.release()
  })

  it('may exit while the caller writes to its stdin', async () => {
    const child = await start('exec <&-; echo closed; sleep 60', { stdin: 'pipe', pipes })
    expect(await nextText(child)).toBe('closed\n')
    for (let round = 0; round < 50; round++) child.stdin?.write(Buffer.alloc(100_000))
    await child.stop()
    expect(await child.exited).toMatchObject({ outcome: 'signalled', signal: 'SIGTERM' })
    child.stdin?.write('more')
    child.release()
  })

  it('is stopped together with its own children, also if it ignores TERM', async () => {
    const file = path.join(temporaryFolder(), 'pid')
    const script = `trap '' TERM; sleep 60 & echo $! >${file}; while :; do sleep 1; done`
    const child = await start(script, { pipes })
    const grandchild = await eventually(pidIn(file), 'the grandchild')
    await Promise.all([child.stop(), child.stop()])
    expect(await child.exited).toMatchObject({ outcome: 'signalled', signal: 'SIGKILL' })
    expect(isDead(grandchild)).toBe(true)
    child.release()
  })
})

describe('a long-lived child', () => {
  it('that cannot start is reported as a value', async () => {
    const spec = { command: 'zee-no-such', args: [], env: testEnvironment }
    const started = await startProcess({ ...spec, stdin: 'pipe' })
    expect(started.process).toBeUndefined()
    expect(started.failure).toMatchObject({ outcome: 'not_found' })
  })

  it('counts as exited while another process holds its pipes, and stop kills that process', async () => {
    const child = await start('sleep 60 & echo $!; exit 2')
    const holder = Number(await nextText(child))
    expect(await child.exited).toMatchObject({ outcome: 'exited', exitCode: 2 })
    expect(isDead(holder)).toBe(false)
    await child.stop()
    expect(isDead(holder)).toBe(true)
    child.release()
  })

  it('receives the signal that kill names', async () => {
    const child = await start(`trap 'exit 5' USR1; echo ready; while :; do sleep 0.01; done`)
    await nextText(child)
    expect(child.kill('SIGUSR1')).toBe(true)
    expect(await child.exited).toMatchObject({ exitCode: 5 })
    expect(child.kill('SIGUSR1')).toBe(false)
    child.release()
  })

  it('leads its own session', async () => {
    const child = await start('read -r stat </proc/self/stat; echo "$stat"')
    const fields = (await nextText(child)).split(') ')[1]?.split(' ') ?? []
    expect(fields.slice(2, 4)).toEqual([String(child.pid), String(child.pid)])
    await child.exited
    child.release()
  })

  it.each(['real', 'sockets'] as const)(
    'that is released on %s pipes does not keep the event loop alive, and keeps running',
    async (pipes) => {
      const before = activeHandles()
      const child = await start('echo $$; exec sleep 60', { stdin: 'pipe', pipes })
      const pid = Number(await nextText(child))
      expect(process.getActiveResourcesInfo()).toContain('ProcessWrap')
      child.release()
      await eventually(() => activeHandles() <= before, 'the release')
      expect(isDead(pid)).toBe(false)
      await child.stop()
      expect(isDead(pid)).toBe(true)
    },
  )
})

/** Number of children and pipes that keep this process alive. */
function activeHandles(): number {
  const kinds = process.getActiveResourcesInfo()
  return kinds.filter((kind) => kind === 'ProcessWrap' || kind === 'PipeWrap').length
}
