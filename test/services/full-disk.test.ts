// A tmpfs without free inodes: creating a folder fails with ENOSPC. Node's recursive mkdir with a promise
// reports that as ENOENT. Needs root and the right to mount.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createFolderAtomically } from '@zee/evidence/artifact'

const disk = mkdtempSync(path.join(os.tmpdir(), 'zee-full-'))
const options = ['-t', 'tmpfs', '-o', 'size=4m,nr_inodes=64', 'zee-full', disk]
const canMount = spawnSync('mount', options).status === 0

afterAll(() => {
  if (canMount) execFileSync('umount', [disk])
  rmSync(disk, { recursive: true, force: true })
})

test.skipIf(!canMount).for([0, 1, 2])(
  'creating a folder of an attempt fails with ENOSPC when the number of free inodes is %i',
  async (free) => {
    const names = fillInodes()
    for (const name of names.splice(0, free)) rmSync(name)
    const created = createFolderAtomically({
      target: path.join(disk, 'attempt'),
      files: { 'inner/folder/file': 'x' },
      stagingParent: disk,
      prefix: '.creating-',
    })
    await expect(created).rejects.toMatchObject({ code: 'ENOSPC' })
    for (const name of names) rmSync(name)
  },
)

/** Creates files until there is no inode left; returns their paths. */
function fillInodes(): string[] {
  const names: string[] = []
  for (;;) {
    const name = path.join(disk, `fill-${names.length}`)
    try {
      writeFileSync(name, '')
    } catch {
      return names
    }
    names.push(name)
  }
}
