import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { runTool } from '../tools/tools.ts'
import { openJobs } from './jobs.ts'

const context = () => ({
  root: tmpdir(),
  timeoutMs: 20_000,
  env: { PATH: process.env.PATH },
  callId: 'c',
  signal: new AbortController().signal,
})

describe('background commands', () => {
  it('return an id at once, and jobs reads, waits and lists', async () => {
    const jobs = openJobs()
    const run = (name: string, input: object) => runTool(jobs.tools, name, input, context())
    const started = await run('bash', { command: 'echo one; sleep 0.2; exit 3', background: true })
    expect(started).toMatchObject({ ok: true, data: { job: 'job-1', state: 'running' } })
    const ended = await run('jobs', { op: 'wait', id: 'job-1' })
    expect(ended).toMatchObject({ data: { state: 'ended', exit_code: 3, output: 'one\n' } })
    expect(await run('jobs', { op: 'read', id: 'job-1' })).toMatchObject({ data: { output: '' } })
    expect(await run('jobs', { op: 'list' })).toMatchObject({ data: { jobs: [{ job: 'job-1' }] } })
    expect(await run('jobs', { op: 'read', id: 'none' })).toMatchObject({
      error: { code: 'job_not_found' },
    })
    await jobs.close()
  })

  it('end when they are killed and when the conversation closes', async () => {
    const jobs = openJobs()
    const run = (name: string, input: object) => runTool(jobs.tools, name, input, context())
    await run('bash', { command: 'sleep 300', background: true })
    const waited = await run('jobs', { op: 'wait', id: 'job-1', timeout_secs: 0 })
    expect(waited).toMatchObject({ data: { state: 'running' } })
    const killed = await run('jobs', { op: 'kill', id: 'job-1' })
    expect(killed).toMatchObject({ data: { state: 'ended', exit_code: -1 } })
    await run('bash', { command: 'sleep 300', background: true })
    await jobs.close()
    expect(await run('jobs', { op: 'read', id: 'job-2' })).toMatchObject({
      data: { state: 'ended' },
    })
  })

  it('leave ordinary calls of bash unchanged', async () => {
    const jobs = openJobs()
    const result = await runTool(jobs.tools, 'bash', { command: 'echo hi' }, context())
    expect(result).toMatchObject({ data: { stdout: 'hi\n', exit_code: 0 } })
    const invalid = { command: 'x', background: 'yes' }
    expect(await runTool(jobs.tools, 'bash', invalid, context())).toMatchObject({
      error: { code: 'invalid_input' },
    })
    await jobs.close()
  })

  it('give 50 KiB of output at a time, and keep the last MiB', async () => {
    const jobs = openJobs()
    const run = (name: string, input: object) => runTool(jobs.tools, name, input, context())
    const letters = (count: number) => `head -c ${count} /dev/zero | tr '\\0' x`
    await run('bash', { command: letters(51_201), background: true })
    expect(await run('jobs', { op: 'wait', id: 'job-1' })).toMatchObject({
      data: { output: 'x'.repeat(51_200), more_bytes: 1 },
    })
    expect(await run('jobs', { op: 'read', id: 'job-1' })).toEqual({
      ok: true,
      data: { job: 'job-1', state: 'ended', exit_code: 0, output: 'x' },
    })
    await run('bash', { command: `printf first; ${letters(1024 * 1024)}`, background: true })
    expect(await run('jobs', { op: 'wait', id: 'job-2' })).toMatchObject({
      data: { dropped_bytes: 5, more_bytes: 1024 * 1024 - 51_200 },
    })
    const next = await run('jobs', { op: 'read', id: 'job-2' })
    expect(next.ok && next.data).not.toHaveProperty('dropped_bytes')
    await jobs.close()
  })

  it('are at most 64 in a conversation', async () => {
    const jobs = openJobs()
    const start = () => runTool(jobs.tools, 'bash', { command: ':', background: true }, context())
    for (let count = 0; count < 64; count++) expect(await start()).toMatchObject({ ok: true })
    expect(await start()).toMatchObject({
      error: { code: 'job_limit', message: 'There are already 64 jobs' },
    })
    await jobs.close()
  })

  it('do not run if they cannot be recorded or started', async () => {
    const jobs = openJobs()
    const start = (more: object) =>
      runTool(jobs.tools, 'bash', { command: 'x', background: true }, { ...context(), ...more })
    const beforeCommand = async () => ({ ok: false as const, reason: 'the disk is full' })
    expect(await start({ beforeCommand })).toMatchObject({
      error: { code: 'not_recorded', message: 'The command did not run: the disk is full' },
    })
    expect(await start({ root: '/no/such/folder' })).toMatchObject({ data: { job: 'job-1' } })
    expect(await runTool(jobs.tools, 'jobs', { op: 'wait', id: 'job-1' }, context())).toMatchObject(
      {
        data: { state: 'failed' },
      },
    )
    expect(await runTool(jobs.tools, 'jobs', { op: 'read' }, context())).toMatchObject({
      error: { message: "There is no job ''" },
    })
    await jobs.close()
  })

  it('are waited for until an interrupt', async () => {
    const jobs = openJobs()
    await runTool(jobs.tools, 'bash', { command: 'sleep 300', background: true }, context())
    const abort = new AbortController()
    const waited = runTool(
      jobs.tools,
      'jobs',
      { op: 'wait', id: 'job-1' },
      { ...context(), signal: abort.signal },
    )
    abort.abort()
    expect(await waited).toMatchObject({ error: { code: 'cancelled' } })
    await jobs.close()
  })
})
