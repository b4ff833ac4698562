import { describe, expect, it, onTestFinished } from 'vitest'
import { eventually } from './process.fixtures.ts'
import { forwardSignals, type SignalForwarder } from './process.ts'

function forwarderFor(signals: NodeJS.Signals[]): SignalForwarder {
  const forwarder = forwardSignals(signals)
  onTestFinished(() => forwarder.detach())
  return forwarder
}

describe('forwarded signals', () => {
  it('that arrived before the child started are sent as soon as it is attached', async () => {
    const forwarder = forwarderFor(['SIGUSR2'])
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

  it('leave no listener after detach', () => {
    const before = process.listenerCount('SIGUSR2')
    const forwarder = forwardSignals(['SIGUSR2'])
    expect(process.listenerCount('SIGUSR2')).toBe(before + 1)
    forwarder.detach()
    expect(process.listenerCount('SIGUSR2')).toBe(before)
  })
})
