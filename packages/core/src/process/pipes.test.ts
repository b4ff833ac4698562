import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { childProgram } from '../../../../test/support/paths.ts'
import { eventually, sh, temporaryFolder, testEnvironment } from './process.fixtures.ts'
import { preparePipes, runProcess } from './process.ts'

/** Counts the helper shells that this process has as children; a helper becomes `sleep`. */
function helperShells(): number {
  const children = execFileSync('ps', ['-o', 'stat=,comm=', '--ppid', String(process.pid)])
  return children
    .toString()
    .split('\n')
    .filter((line) => /\b(?:sh|sleep)$/.test(line) && !line.startsWith('Z')).length
}

describe.runIf(process.platform === 'linux')(
  'pipes that are prepared before the child starts',
  () => {
    it('carry the output of the child, also when it opens /dev/stdout', async () => {
      const pipes = preparePipes(['out', 'out'])
      const result = await sh('echo out >/dev/stdout; echo err >/dev/stderr', { pipes })
      expect(result).toMatchObject({ outcome: 'exited', exitCode: 0 })
      expect([result.stdout.text(), result.stderr.text()]).toEqual(['out\n', 'err\n'])
    })

    it('stay usable for a while, and carry more than a pipe holds', async () => {
      const pipes = preparePipes(['out', 'out'])
      await sh('exit 0')
      const result = await sh('head -c 300000 /dev/zero; head -c 200000 /dev/zero >&2', { pipes })
      expect([result.stdout.bytes, result.stderr.bytes]).toEqual([300_000, 200_000])
    })

    it('leave no helper shell after cancel', async () => {
      preparePipes(['out', 'out']).cancel()
      const used = preparePipes(['out', 'out'])
      await sh('exit 0', { pipes: used })
      used.cancel()
      await eventually(() => helperShells() === 0, 'the end of all helperShells')
    })

    it('are made again if the first helper shell has expired', async () => {
      const pipes = preparePipes(['out', 'out'])
      await eventually(() => helperShells() === 0, 'the exit of the first helper shell')
      const result = await sh('echo out >/dev/stdout', { pipes })
      expect(result.stdout.text()).toBe('out\n')
    })

    it('leave no helper shell if the command cannot start', async () => {
      const pipes = preparePipes(['out', 'out'])
      const result = await sh('', { pipes, command: 'zee-no-such' })
      expect(result.outcome).toBe('not_found')
      await eventually(() => helperShells() === 0, 'the end of all helperShells')
    })
  },
)

describe.runIf(process.platform === 'linux')('ZEE_REAL_PIPES', () => {
  it.each([
    ['', /^pipe:/],
    ['0', /^socket:/],
  ])('set to "%s" gives the child the streams %s', async (value, streams) => {
    const report = path.join(temporaryFolder(), 'report.json')
    const wrapper = childProgram('core', 'passthrough')
    const result = await runProcess({
      command: process.execPath,
      args: [wrapper, report, '{}', 'readlink', '/proc/self/fd/1'],
      env: { ...testEnvironment, ZEE_REAL_PIPES: value },
    })
    expect(result.stdout.text()).toMatch(streams)
  })
})

describe('a child that exits before its output is read', () => {
  it.each(['real', 'sockets'] as const)('loses none of its output on %s pipes', async (pipes) => {
    for (let round = 0; round < 20; round++) {
      const result = await sh(`printf 'a%.0s' 1 2 3; printf b >&2; exit ${round}`, { pipes })
      expect(result.exitCode).toBe(round)
      expect([result.stdout.text(), result.stderr.text()]).toEqual(['aaa', 'b'])
    }
  })

  it('does not cut off what its own children write later', async () => {
    const result = await sh('(sleep 0.1; echo late) & echo early')
    expect(result.stdout.text()).toBe('early\nlate\n')
  })
})
