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
})
