// The launcher reports a failed write of the texts that are rendered at build time.
import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { builtProgram } from '../../support/paths.ts'

describe.each(['zdx', 'zeno', 'zino', 'zcl', 'zee'] as const)('%s', (name) => {
  it.each(['--help', '--version'])(
    'reports that the disk is full when it cannot write %s',
    (flag) => {
      const args = ['-c', 'exec "$0" "$1" >/dev/full', builtProgram(name), flag]
      const { status, stderr } = spawnSync('sh', args, { encoding: 'utf8' })
      expect(status).toBe(1)
      expect(stderr).toMatch(/^[^\n]*cannot write to standard output: the disk is full\n$/)
    },
  )
})
