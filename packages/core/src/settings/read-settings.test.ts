// Settings files of other programs that a repository has replaced.
import { execFileSync } from 'node:child_process'
import { symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { tempFolder } from '../../test/temp-folder.ts'
import { readIfExists } from './settings.ts'

it('a settings file that is a pipe, a device or larger than 64 MiB is refused', () => {
  const file = (name: string) => path.join(tempFolder(), name)
  const [pipe, device, sparse] = [file('pipe'), file('device'), file('sparse')]
  execFileSync('mkfifo', [pipe])
  symlinkSync('/dev/zero', device)
  writeFileSync(sparse, '')
  truncateSync(sparse, (64 << 20) + 1)
  expect(() => readIfExists(pipe)).toThrow(`cannot read ${pipe}: it is not a regular file`)
  for (const each of [device, sparse]) {
    expect(() => readIfExists(each)).toThrow(`cannot read ${each}: it is larger than 64 MiB`)
  }
  expect(readIfExists(path.join(sparse, 'below'))).toBeUndefined()
})
