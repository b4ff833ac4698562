// Texts that were rendered at build time are written without the parser, and must not get lost silently.
import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { builtProgram } from '../../support/paths.ts'

describe.each(['zdx', 'zeno', 'zino', 'zcl'] as const)('%s', (name) => {
  it.each(['--help', '--version'])('says that %s could not be written to a full disk', (flag) => {
    const args = ['-c', 'exec "$0" "$1" >/dev/full', builtProgram(name), flag]
    const { status, stderr } = spawnSync('sh', args, { encoding: 'utf8' })
    expect(status).toBe(1)
    expect(stderr).toMatch(/^[^\n]*cannot write to standard output: the disk is full\n$/)
  })
})
