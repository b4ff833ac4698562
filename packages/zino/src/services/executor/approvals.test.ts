import { fixedClock } from '@zee/core/clock'
import { describe, expect, it } from 'vitest'
import { Approvals } from './approvals.ts'

const clock = fixedClock('2026-03-01T10:00:00Z')
const request = { turn: 't1', call: 0, tool: 'execute_bash', executor: 'bash', code: 'ls' }
const none = new AbortController().signal
const ignore = async () => {}

describe('a call that waits for approval', () => {
  it('is listed with its code and its end, and answered once', async () => {
    const approvals = new Approvals(clock, 60)
    const decided = approvals.wait(request, none, ignore)
    const [waiting] = approvals.list()
    expect(waiting).toMatchObject({
      ...request,
      since: '2026-03-01T10:00:00.000Z',
      expires: '2026-03-01T10:01:00.000Z',
    })
    expect(approvals.decide('other', true, 'x')).toBe(false)
    expect(approvals.decide(waiting?.id ?? '', true, 'x')).toBe(true)
    expect(await decided).toMatchObject({ decision: 'approved', by: 'x' })
    expect(approvals.list()).toEqual([])
    expect(approvals.decide(waiting?.id ?? '', true, 'x')).toBe(false)
  })

  it('keeps its id when the request is repeated', async () => {
    const approvals = new Approvals(clock, 60)
    const leave = new AbortController()
    const left = approvals.wait(request, leave.signal, ignore)
    const first = approvals.list()[0]?.id
    leave.abort(new Error('left'))
    await expect(left).rejects.toThrow('left')
    expect(approvals.list()).toEqual([])
    const again = approvals.wait(request, none, ignore)
    expect(approvals.list()[0]?.id).toBe(first)
    approvals.decide(first ?? '', false, '')
    expect(await again).toMatchObject({ decision: 'denied' })
  })

  it('is denied after the time-out', async () => {
    const approvals = new Approvals(clock, 0.02)
    expect(await approvals.wait(request, none, ignore)).toMatchObject({ decision: 'expired' })
    expect(approvals.list()).toEqual([])
  })

  it('is sent to the caller before it is decided, with a bounded text', async () => {
    const approvals = new Approvals(clock, 60)
    const decided = approvals.wait(
      { ...request, code: 'x'.repeat(100_000) },
      none,
      async (call) => {
        expect(call.code.length).toBeLessThan(10_000)
        approvals.decide(call.id, true, '')
      },
    )
    expect(await decided).toMatchObject({ decision: 'approved' })
  })
})
