import { getEventListeners } from 'node:events'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { childProgram } from '../../../../test/support/paths.ts'
import { eventually, isDead, node, pidIn, sh, temporaryFolder } from './process.fixtures.ts'
import { shellExitCode } from './process.ts'

describe('a deadline', () => {
  it('kills the child and everything it started', async () => {
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

  it('kills a child that ignores TERM with KILL', async () => {
    const result = await sh(`trap '' TERM; echo ready; while :; do sleep 1; done`, {
      deadlineMs: 400,
    })
    expect(result).toMatchObject({ outcome: 'signalled', signal: 'SIGKILL', timedOut: true })
    expect(result.stdout.text()).toBe('ready\n')
  })

  it('kills a grandchild that ignores TERM with KILL, even after the child has exited', async () => {
    const file = path.join(temporaryFolder(), 'pid')
    const stubborn = `trap "" TERM; echo $$ >${file}; while :; do sleep 1; done`
    const result = await sh(`sh -c '${stubborn}' & wait`, { deadlineMs: 500 })
    expect(result).toMatchObject({ signal: 'SIGTERM', timedOut: true })
    expect(isDead(await eventually(pidIn(file), 'the grandchild'))).toBe(true)
  })

  it('kills a grandchild in its own process group, as `timeout` creates it', async () => {
    const file = path.join(temporaryFolder(), 'pid')
    const result = await sh(`timeout 60 sh -c 'echo $$ >${file}; exec sleep 60'`, {
      deadlineMs: 500,
    })
    expect(result.timedOut).toBe(true)
    expect(isDead(await eventually(pidIn(file), 'the grandchild'))).toBe(true)
  })

  it('lets a child that handles TERM exit by itself within the grace time', async () => {
    const result = await sh(`trap 'echo bye; exit 3' TERM; while :; do sleep 0.01; done`, {
      deadlineMs: 400,
      killGraceMs: 10_000,
    })
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 3, timedOut: true })
    expect(result.stdout.text()).toBe('bye\n')
    expect(shellExitCode(result)).toBe(124)
  })

  it('kills a stopped child', async () => {
    const result = await sh('kill -STOP $$', { deadlineMs: 300 })
    expect(result).toMatchObject({ outcome: 'signalled', signal: 'SIGKILL', timedOut: true })
  })

  it('keeps the output written before it', async () => {
    const result = await sh('echo before; sleep 60; echo after', { deadlineMs: 400 })
    expect(result.stdout.text()).toBe('before\n')
  })

  it('that has already passed starts no child', async () => {
    const file = path.join(temporaryFolder(), 'pid')
    for (const deadlineMs of [0, -5]) {
      const result = await sh(`echo $$ >${file}`, { deadlineMs })
      expect(result).toMatchObject({ outcome: 'spawn_failed', timedOut: true })
      expect(shellExitCode(result)).toBe(124)
    }
    expect(pidIn(file)()).toBeUndefined()
  })

  it('above the maximum of a Node timer does not fire immediately', async () => {
    const result = await sh('exit 4', { deadlineMs: 1e12 })
    expect(result).toMatchObject({ exitCode: 4, timedOut: false })
  })

  it('is not reported for a child that exited in time', async () => {
    const result = await sh('sleep 30 >/dev/null 2>&1 & exit 5', { deadlineMs: 20_000 })
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 5, timedOut: false })
  })

  it('fires while the consumer is stalled', async () => {
    const result = await sh('head -c 9000000 /dev/zero', {
      deadlineMs: 400,
      drainMs: 50,
      onOutput: () => new Promise(() => {}),
    })
    expect(result).toMatchObject({ timedOut: true, signal: 'SIGTERM' })
  })
})

describe('an abort', () => {
  it('before the start starts no child', async () => {
    const file = path.join(temporaryFolder(), 'pid')
    const result = await sh(`echo $$ >${file}`, { signal: AbortSignal.abort() })
    expect(result).toMatchObject({ outcome: 'spawn_failed', aborted: true, timedOut: false })
    expect(pidIn(file)()).toBeUndefined()
  })

  it('during the start kills the child', async () => {
    const controller = new AbortController()
    const running = sh('sleep 60', { signal: controller.signal })
    controller.abort()
    expect(await running).toMatchObject({ aborted: true, outcome: 'signalled' })
  })

  it('of a running child kills it and its grandchildren', async () => {
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

  it('while another process holds the pipe kills that process', async () => {
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

describe('a run that has returned', () => {
  it('does not keep the event loop alive', async () => {
    // The inner Node runs a child with a daemon that holds the pipe, and must exit by itself.
    const program = childProgram('core', 'runs-and-ends')
    const result = await node(`require(${JSON.stringify(program)})`, { deadlineMs: 30_000 })
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 0, timedOut: false })
    expect(result.stdout.text()).toBe('exited 0\n')
  })
})
