import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { repositoryAt } from '../../../test/support/repositories.ts'
import { tree } from '../../../test/support/trees.ts'
import { ByteCache } from './byte-cache.ts'
import { Pack } from './pack.ts'

test('an index that is read in pieces finds the same objects as one in memory', () => {
  const { root, git, commit } = repositoryAt(tree({}))
  commit('all', Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`${at}`, `text ${at}`])))
  git('gc', '-q')
  const folder = path.join(root, '.git/objects/pack')
  const name = readdirSync(folder).find((each) => each.endsWith('.idx')) ?? ''
  const file = path.join(folder, name.slice(0, -4))
  const open = (maxLoaded?: number): Pack => new Pack(file, 20, new ByteCache(0), maxLoaded)
  const [inMemory, inPieces] = [open(), open(0)]
  const objects = git('cat-file', '--batch-check=%(objectname)', '--batch-all-objects').split('\n')
  for (const object of objects.filter((each) => each !== '')) {
    const hash = Buffer.from(object, 'hex')
    expect(inPieces.find(hash)).toBe(inMemory.find(hash))
    hash[19] = (hash[19] as number) ^ 1
    expect(inPieces.find(hash)).toBe(inMemory.find(hash))
    const found = new Set<string>()
    if (object.endsWith('7')) inPieces.addMatches(object.slice(0, 9), found, 3)
    expect(found.size > 0).toBe(object.endsWith('7'))
  }
  inMemory.close()
  inPieces.close()
})
