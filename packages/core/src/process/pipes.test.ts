import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { eventually, sh } from './process.fixtures.ts'
import { orderPipes } from './process.ts'

/** Lenders of pipes that this process has as children: shells that then sleep. */
function lenders(): number {
  const children = execFileSync('ps', ['-o', 'stat=,comm=', '--ppid', String(process.pid)])
  return children
    .toString()
    .split('\n')
    .filter((line) => /\b(?:sh|sleep)$/.test(line) && !line.startsWith('Z')).length
}

describe.runIf(process.platform === 'linux')(
  'pipes that are ordered before the child starts',
  () => {
    it('are what it writes to', async () => {
      const pipes = orderPipes(['out', 'out'])
      const result = await sh('echo out >/dev/stdout; echo err >/dev/stderr', { pipes })
      expect(result).toMatchObject({ outcome: 'exited', exitCode: 0 })
      expect([result.stdout.text(), result.stderr.text()]).toEqual(['out\n', 'err\n'])
    })

    it('can wait a while, and carry more than a pipe holds', async () => {
      const pipes = orderPipes(['out', 'out'])
      await sh('exit 0')
      const result = await sh('head -c 300000 /dev/zero; head -c 200000 /dev/zero >&2', { pipes })
      expect([result.stdout.bytes, result.stderr.bytes]).toEqual([300_000, 200_000])
    })

    it('are gone when nobody wants them', async () => {
      orderPipes(['out', 'out']).cancel()
      const taken = orderPipes(['out', 'out'])
      await sh('exit 0', { pipes: taken })
      taken.cancel()
      await eventually(() => lenders() === 0, 'the end of all lenders')
    })

    it('are made anew for whoever comes when the first ones are gone', async () => {
      const pipes = orderPipes(['out', 'out'])
      await eventually(() => lenders() === 0, 'the end of the first lender')
      const result = await sh('echo out >/dev/stdout', { pipes })
      expect(result.stdout.text()).toBe('out\n')
    })

    it('are gone when the command cannot start', async () => {
      const pipes = orderPipes(['out', 'out'])
      const result = await sh('', { pipes, command: 'zee-no-such' })
      expect(result.outcome).toBe('not_found')
      await eventually(() => lenders() === 0, 'the end of all lenders')
    })
  },
)

describe('a child that ends before anybody listened', () => {
  it('is heard all the same, whole and in order', async () => {
    for (let round = 0; round < 20; round++) {
      const result = await sh(`printf 'a%.0s' 1 2 3; printf b >&2; exit ${round}`)
      expect(result.exitCode).toBe(round)
      expect([result.stdout.text(), result.stderr.text()]).toEqual(['aaa', 'b'])
    }
  })

  it('leaves what its own children write later to be heard', async () => {
    const result = await sh('(sleep 0.1; echo late) & echo early')
    expect(result.stdout.text()).toBe('early\nlate\n')
  })
})
