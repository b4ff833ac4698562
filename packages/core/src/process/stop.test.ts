import { getEventListeners } from 'node:events'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { childProgram } from '../../../../test/support/paths.ts'
import {
  eventually,
  isDead,
  killAfterTest,
  node,
  pidIn,
  sh,
  temporaryFolder,
} from './process.fixtures.ts'
import { shellExitCode, type SignalTarget } from './process.ts'

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

/** The running child, once it has started. */
function deferred() {
  let resolve: (child: SignalTarget) => void = () => {}
  const promise = new Promise<SignalTarget>((settle) => (resolve = settle))
  return { promise, resolve: (child: SignalTarget) => resolve(child) }
}

describe('a process that left the session of the child', () => {
  const sleeper = (file: string) => `sh -c 'echo $$ >${file}; exec sleep 60' >/dev/null 2>&1`
  /** Starts a process whose parent ends at once. */
  const daemon = (file: string) => `(setsid ${sleeper(file)} &)`

  async function pidWhenStarted(file: string): Promise<number> {
    const pid = await eventually(pidIn(file), 'the process')
    killAfterTest(pid)
    return pid
  }

  it('is killed at the deadline of the child', async () => {
    const file = path.join(temporaryFolder(), 'pid')
    const running = sh(`setsid ${sleeper(file)} & sleep 60`, { deadlineMs: 1000 })
    const pid = await pidWhenStarted(file)
    expect(await running).toMatchObject({ timedOut: true })
    expect(isDead(pid)).toBe(true)
  })

  it('is killed with KILL if it ignores TERM', async () => {
    const file = path.join(temporaryFolder(), 'pid')
    const stubborn = `trap "" TERM; echo $$ >${file}; while :; do sleep 1; done`
    const running = sh(`setsid sh -c '${stubborn}' & sleep 60`, { deadlineMs: 1000 })
    const pid = await pidWhenStarted(file)
    await running
    expect(isDead(pid)).toBe(true)
  })

  it('is killed with a marked child even if its parent has ended', async () => {
    const file = path.join(temporaryFolder(), 'pid')
    const controller = new AbortController()
    const running = sh(`${daemon(file)}; sleep 60`, { isMarked: true, signal: controller.signal })
    const pid = await pidWhenStarted(file)
    controller.abort()
    await running
    expect(isDead(pid)).toBe(true)
  })

  it('is killed with the outer one of two marked children', async () => {
    const file = path.join(temporaryFolder(), 'pid')
    const controller = new AbortController()
    const inner = `env ZEE_CHILD="$ZEE_CHILD:1-2-3" sh -c '${daemon(file).replaceAll("'", `'\\''`)}'`
    const running = sh(`${inner}; sleep 60`, { isMarked: true, signal: controller.signal })
    const pid = await pidWhenStarted(file)
    controller.abort()
    await running
    expect(isDead(pid)).toBe(true)
  })

  it('is killed when a forwarded signal ends the child', async () => {
    const file = path.join(temporaryFolder(), 'pid')
    const started = deferred()
    const running = sh(`setsid ${sleeper(file)} & exec sleep 60`, { onStart: started.resolve })
    const pid = await pidWhenStarted(file)
    ;(await started.promise).kill('SIGINT')
    expect(await running).toMatchObject({ outcome: 'signalled', signal: 'SIGINT' })
    expect(isDead(pid)).toBe(true)
  })

  it('stays when the child ends by itself, also after a signal that it handled', async () => {
    const file = path.join(temporaryFolder(), 'pid')
    const script = `trap 'stop=1' INT; setsid ${sleeper(file)} & until [ "$stop" ]; do sleep 0.01; done; exit 0`
    const started = deferred()
    const running = sh(script, { onStart: started.resolve })
    const pid = await pidWhenStarted(file)
    ;(await started.promise).kill('SIGINT')
    expect(await running).toMatchObject({ outcome: 'exited', exitCode: 0 })
    expect(isDead(pid)).toBe(false)
  })

  it('of another child stays', async () => {
    const [file, other] = ['pid', 'other'].map((name) => path.join(temporaryFolder(), name)) as [
      string,
      string,
    ]
    await sh(daemon(other), { isMarked: true })
    const kept = await pidWhenStarted(other)
    const running = sh(`${daemon(file)}; sleep 60`, { isMarked: true, deadlineMs: 1000 })
    const pid = await pidWhenStarted(file)
    await running
    expect([isDead(pid), isDead(kept)]).toEqual([true, false])
  })
})
