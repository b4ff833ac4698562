import { chmodSync, renameSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scanNested } from './nested.ts'
import { rawPath } from './raw-path.ts'
import { makeRepository } from './repository.fixtures.ts'

const { top, git, put, call, remove } = makeRepository()
const plain = Number.MAX_SAFE_INTEGER
beforeAll(() => {
  for (const name of ['one', 'two']) git('init', '-q', '--template=', name)
  put('one/.gitignore', 'build/\n*.o\n')
  for (const name of ['one/a', 'one/x.o', 'one/build/out', 'one/deep/b', 'two/c']) put(name)
  put('file', 'in the place of a submodule')
  chmodSync(path.join(top, 'one'), 0o1750)
  chmodSync(path.join(top, 'one/deep'), 0o700)
})
afterAll(remove)

async function scan(paths: string[], limits = { files: plain, bytes: plain }) {
  const isExcluded = (each: string) => each === 'one/deep/b' || each === 'out'
  const { files, folders, leftOut } = await scanNested(
    call(),
    rawPath(top),
    paths,
    limits,
    isExcluded,
  )
  const listed = [...files.keys()].filter((each) => !each.includes('.git/')).toSorted()
  const own = [...folders].filter(([each]) => !each.includes('.git')).toSorted()
  return { files: listed, folders: own, leftOut, all: files }
}

describe('the files of repositories inside a repository', () => {
  it('are listed with those of git, and without ignored and excluded ones', async () => {
    const { all, ...found } = await scan(['two', 'one', 'one', 'file', 'out', 'none'])
    expect(found).toEqual({
      files: ['file', 'one/.gitignore', 'one/a', 'two/c'],
      folders: [
        ['one', 0o1750],
        ['one/deep', 0o700],
        ['two', 0o755],
      ],
      leftOut: [],
    })
    expect(all.has('one/.git/HEAD')).toBe(true)
    expect(all.has('two/.git/HEAD')).toBe(true)
  })

  it('are not listed twice if one repository is in another', async () => {
    const { files, leftOut } = await scan(['one', 'one/deep'])
    expect([files, leftOut]).toEqual([['one/.gitignore', 'one/a'], []])
  })

  it('are left out if they do not fit into what the earlier ones leave of the limits', async () => {
    const sizeOf = async (name: string) => {
      const { all } = await scan([name])
      const bytes = [...all.values()].reduce((sum, { size }) => sum + size, 0)
      return { files: all.size, bytes }
    }
    const [one, two] = [await sizeOf('one'), await sizeOf('two')]
    const both = { files: one.files + two.files, bytes: one.bytes + two.bytes }
    const leftOut = async (limits: typeof both) => (await scan(['one', 'two'], limits)).leftOut
    expect(await leftOut(both)).toEqual([])
    expect(await leftOut({ ...both, files: both.files - 1 })).toEqual(['two/'])
    expect(await leftOut({ ...both, bytes: both.bytes - 1 })).toEqual(['two/'])
    expect(await leftOut({ ...two, files: two.files - 1 })).toEqual(['one/', 'two/'])
  })

  it('include ignored ones if the path of the repository is not UTF-8', async () => {
    const raw = path.join(top, 'raw')
    git('init', '-q', '--template=', 'raw')
    put('raw/.gitignore', '*.o\n')
    put('raw/x.o')
    renameSync(raw, Buffer.from(`${top}/r\xff`, 'latin1'))
    const { files } = await scan(['r\xff'])
    expect(files).toEqual(['r\xff/.gitignore', 'r\xff/x.o'])
  })
})
