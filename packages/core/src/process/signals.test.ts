import { describe, expect, it, onTestFinished } from 'vitest'
import { eventually } from './process.fixtures.ts'
import { forwardSignals, type SignalForwarder } from './process.ts'

function forwarding(signals: NodeJS.Signals[]): SignalForwarder {
  const forwarder = forwardSignals(signals)
  onTestFinished(() => forwarder.detach())
  return forwarder
}

describe('forwarded signals', () => {
  it('that came before the child was there follow as soon as it is', async () => {
    const forwarder = forwarding(['SIGUSR2'])
    process.kill(process.pid, 'SIGUSR2')
    await eventually(() => forwarder.received.length > 0, 'the signal')
    const sent: string[] = []
    const target = { pid: 1, kill: (signal: NodeJS.Signals) => sent.push(signal) > 0 }
    forwarder.attach(target)
    expect(sent).toEqual(['SIGUSR2'])
    process.kill(process.pid, 'SIGUSR2')
    await eventually(() => sent.length === 2, 'the second signal')
    expect(forwarder.received).toEqual(['SIGUSR2', 'SIGUSR2'])
  })

  it('leave no listener behind', () => {
    const before = process.listenerCount('SIGUSR2')
    const forwarder = forwardSignals(['SIGUSR2'])
    expect(process.listenerCount('SIGUSR2')).toBe(before + 1)
    forwarder.detach()
    expect(process.listenerCount('SIGUSR2')).toBe(before)
  })
})
