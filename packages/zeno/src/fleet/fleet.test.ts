import { describe, expect, it } from 'vitest'
import { conditionOf } from './candidates.ts'
import { selectRepositories, withoutCommits } from './selection.ts'
import type { FleetRepository, FleetShard, FleetState } from './shards.ts'
import { labelOf } from './store/database.ts'
import { placeRepository } from './store/placement.ts'

const shards = ['one', 'two', 'three']
const names = Array.from({ length: 3000 }, (_, n) => `team/repository-${n}`)

describe('placeRepository', () => {
  it('spreads repositories evenly and does not depend on the order of shards', () => {
    const counts = new Map<string, number>()
    for (const name of names) {
      const shard = placeRepository(name, shards)
      expect(placeRepository(name, shards.toReversed())).toBe(shard)
      counts.set(shard, (counts.get(shard) ?? 0) + 1)
    }
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(150)
  })

  it('moves repositories only to a new shard', () => {
    for (const name of names) {
      const after = placeRepository(name, [...shards, 'four'])
      if (after !== 'four') expect(after).toBe(placeRepository(name, shards))
    }
  })
})

describe('conditionOf', () => {
  it('escapes wildcards, and is indexed with three letters or digits in a row', () => {
    const plain = conditionOf({ texts: ['100%_\\x'], ignoresCase: false })
    expect(plain).toMatchObject({ values: [String.raw`%100\%\_\\x%`], isIndexed: true })
    expect(plain?.sql(2)).toBe('b.body like $2')
    const loose = conditionOf({ texts: ['ab', '->'], ignoresCase: true })
    expect(loose?.isIndexed).toBe(false)
    expect(loose?.sql(1)).toBe('b.body ilike $1 and b.body ilike $2')
    expect(conditionOf({ texts: [], ignoresCase: false })).toBeUndefined()
    expect(conditionOf({ texts: ['a\0b'], ignoresCase: false })).toBeUndefined()
  })
})

describe('the repositories of a request', () => {
  const shard = {} as FleetShard
  const repositories = ['app', 'team/a', 'team/b'].map((name, id): FleetRepository => ({
    name,
    id: String(id),
    commit: 'abcdef0123',
    time: 0,
    shard,
  }))
  const byName = new Map(repositories.map((each) => [each.name, each]))
  const state: FleetState = { repositories, byName, missing: ['team/gone'], generation: '1' }
  const namesOf = (scope: string[] | undefined, args: object): string[] =>
    selectRepositories(state, scope, { ...args }).selected.map(({ repository }) => repository.name)

  it('are those of the scope and of the argument roots', () => {
    expect(namesOf(undefined, {})).toEqual(['app', 'team/a', 'team/b'])
    expect(namesOf(['team/*'], {})).toEqual(['team/a', 'team/b'])
    expect(namesOf(['team/a', 'nothing'], {})).toEqual(['team/a'])
    expect(namesOf(undefined, { roots: ['team/b'] })).toEqual(['team/b'])
    expect(() => namesOf(['team/*'], { roots: ['app'] })).toThrow('unknown root: app')
    expect(() => namesOf(undefined, { roots: 'none' })).toThrow('unknown root: none')
  })

  it('are missing if their shard is silent and they are in the scope', () => {
    expect(selectRepositories(state, undefined, {}).missing).toEqual(['team/gone'])
    expect(selectRepositories(state, ['app'], {}).missing).toEqual([])
    expect(selectRepositories(state, undefined, { roots: ['app'] }).missing).toEqual([])
  })

  it('may be named by globs, and by citations of the stored commit', () => {
    const { selected } = selectRepositories(state, undefined, { paths: ['app:src/**', 'team/a:x'] })
    expect(selected.map(({ repository, args }) => [repository.name, args.paths])).toEqual([
      ['app', ['src/**']],
      ['team/a', ['x']],
    ])
    expect(withoutCommits({ path: 'team/a@abcdef0:src/x.ts' }, state).path).toBe('team/a:src/x.ts')
    expect(withoutCommits({ path: 'app@0123456:x' }, state).path).toBe('app@0123456:x')
  })
})

describe('the label of a database', () => {
  it('has neither user nor password', () => {
    expect(labelOf('postgresql://me:secret@db.example:5433/code?sslmode=require')).toBe(
      'db.example:5433/code',
    )
    expect(() => labelOf('mysql://x/y')).toThrow('postgresql://user@host/name')
    expect(() => labelOf('secret words')).toThrow(/^(?!.*secret)/)
  })
})
