import { getEventListeners } from 'node:events'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { childProgram } from '../../../../test/support/paths.ts'
import { eventually, isDead, node, pidIn, sh, temporaryFolder } from './process.fixtures.ts'
import { shellExitCode } from './process.ts'

describe('deadline', () => {
  it('ends the child and everything it started', async () => {
    const file = path.join(temporaryFolder(), 'pid')
    const result = await sh(`sh -c 'sleep 60 & echo $! >${file}; wait' & wait`, {
      deadlineMs: 500,
    })
    expect(result).toMatchObject({ outcome: 'signalled', signal: 'SIGTERM', timedOut: true })
    expect(shellExitCode(result)).toBe(124)
    expect(result.durationMs).toBeGreaterThanOrEqual(499)
    const grandchild = await eventually(pidIn(file), 'the grandchild')
    expect(isDead(grandchild)).toBe(true)
  })

  it('a child that ignores TERM dies by KILL', async () => {
    const result = await sh(`trap '' TERM; echo ready; while :; do sleep 1; done`, {
      deadlineMs: 400,
    })
    expect(result).toMatchObject({ outcome: 'signalled', signal: 'SIGKILL', timedOut: true })
    expect(result.stdout.text()).toBe('ready\n')
  })

  it('a grandchild that ignores TERM dies by KILL although the child is gone already', async () => {
    const file = path.join(temporaryFolder(), 'pid')
    const stubborn = `trap "" TERM; echo $$ >${file}; while :; do sleep 1; done`
    const result = await sh(`sh -c '${stubborn}' & wait`, { deadlineMs: 500 })
    expect(result).toMatchObject({ signal: 'SIGTERM', timedOut: true })
    expect(isDead(await eventually(pidIn(file), 'the grandchild'))).toBe(true)
  })

  it('a grandchild in a group of its own, as `timeout` makes it, dies too', async () => {
    const file = path.join(temporaryFolder(), 'pid')
    const result = await sh(`timeout 60 sh -c 'echo $$ >${file}; exec sleep 60'`, {
      deadlineMs: 500,
    })
    expect(result.timedOut).toBe(true)
    expect(isDead(await eventually(pidIn(file), 'the grandchild'))).toBe(true)
  })

  it('a child that handles TERM may end in its own way within the grace', async () => {
    const result = await sh(`trap 'echo bye; exit 3' TERM; while :; do sleep 0.01; done`, {
      deadlineMs: 400,
      killGraceMs: 10_000,
    })
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 3, timedOut: true })
    expect(result.stdout.text()).toBe('bye\n')
    expect(shellExitCode(result)).toBe(124)
  })

  it('a stopped child is ended as well', async () => {
    const result = await sh('kill -STOP $$', { deadlineMs: 300 })
    expect(result).toMatchObject({ outcome: 'signalled', signal: 'SIGKILL', timedOut: true })
  })

  it('what was written before is kept', async () => {
    const result = await sh('echo before; sleep 60; echo after', { deadlineMs: 400 })
    expect(result.stdout.text()).toBe('before\n')
  })

  it('that has passed already starts nothing', async () => {
    const file = path.join(temporaryFolder(), 'pid')
    for (const deadlineMs of [0, -5]) {
      const result = await sh(`echo $$ >${file}`, { deadlineMs })
      expect(result).toMatchObject({ outcome: 'spawn_failed', timedOut: true })
      expect(shellExitCode(result)).toBe(124)
    }
    expect(pidIn(file)()).toBeUndefined()
  })

  it('that is far away does not fire at once', async () => {
    const result = await sh('exit 4', { deadlineMs: 1e12 })
    expect(result).toMatchObject({ exitCode: 4, timedOut: false })
  })

  it('says nothing about a child that ended in time', async () => {
    const result = await sh('sleep 30 >/dev/null 2>&1 & exit 5', { deadlineMs: 20_000 })
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 5, timedOut: false })
  })

  it('works while the consumer is stalled', async () => {
    const result = await sh('head -c 9000000 /dev/zero', {
      deadlineMs: 400,
      drainMs: 50,
      onOutput: () => new Promise(() => {}),
    })
    expect(result).toMatchObject({ timedOut: true, signal: 'SIGTERM' })
  })
})

describe('abort', () => {
  it('before the start starts nothing', async () => {
    const file = path.join(temporaryFolder(), 'pid')
    const result = await sh(`echo $$ >${file}`, { signal: AbortSignal.abort() })
    expect(result).toMatchObject({ outcome: 'spawn_failed', aborted: true, timedOut: false })
    expect(pidIn(file)()).toBeUndefined()
  })

  it('in the moment of the start ends the child', async () => {
    const controller = new AbortController()
    const running = sh('sleep 60', { signal: controller.signal })
    controller.abort()
    expect(await running).toMatchObject({ aborted: true, outcome: 'signalled' })
  })

  it('while it runs ends the child and its grandchildren', async () => {
    const file = path.join(temporaryFolder(), 'pid')
    const controller = new AbortController()
    const running = sh(`sleep 60 & echo $! >${file}; wait`, { signal: controller.signal })
    const grandchild = await eventually(pidIn(file), 'the grandchild')
    controller.abort()
    const result = await running
    expect(result).toMatchObject({ aborted: true, timedOut: false, signal: 'SIGTERM' })
    expect(shellExitCode(result)).toBe(143)
    expect(isDead(grandchild)).toBe(true)
  })

  it('while we wait for a held pipe ends the holder too', async () => {
    const controller = new AbortController()
    let pid = 0
    const result = await sh('sleep 60 & echo $!', {
      signal: controller.signal,
      drainMs: 30_000,
      onOutput: (_, chunk) => {
        pid = Number(chunk.toString())
        setTimeout(() => controller.abort(), 100)
      },
    })
    expect(result).toMatchObject({ outcome: 'exited', aborted: true })
    expect(isDead(pid)).toBe(true)
  })

  it('leaves no listener on the signal', async () => {
    const controller = new AbortController()
    for (let round = 0; round < 20; round++) await sh('true', { signal: controller.signal })
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0)
  })
})

describe('after the return', () => {
  it('nothing of a run keeps the event loop alive', async () => {
    // The inner Node runs a child with a daemon that holds the pipe, and must end by itself.
    const program = childProgram('core', 'runs-and-ends')
    const result = await node(`require(${JSON.stringify(program)})`, { deadlineMs: 30_000 })
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 0, timedOut: false })
    expect(result.stdout.text()).toBe('exited 0\n')
  })
})
