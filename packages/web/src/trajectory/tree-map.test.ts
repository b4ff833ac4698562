import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FileFacts } from '../data/data.ts'
import { layoutTreeMap, type Rectangle } from './tree-map.ts'

const area = { x: 0, y: 0, width: 800, height: 400 }
const files = fc.uniqueArray(
  fc.record({
    path: fc.stringMatching(/^[a-c]{1,2}(\/[a-c]{1,2}){0,3}\/f[0-9]{1,3}$/),
    bytes: fc.nat(1_000_000),
  }),
  { selector: ({ path }) => path, maxLength: 80 },
)

function facts(file: { path: string; bytes: number }): FileFacts {
  return { ...file, state: 'untouched' }
}

function overlap(a: Rectangle, b: Rectangle): number {
  const wide = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const high = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  return Math.max(0, wide) * Math.max(0, high)
}

describe('layoutTreeMap', () => {
  it('places every file once, inside the area and without overlap', () => {
    fc.assert(
      fc.property(files, (generated) => {
        const { tiles } = layoutTreeMap(generated.map(facts), area)
        expect(tiles.map(({ file }) => file.path).sort()).toEqual(
          generated.map(({ path }) => path).sort(),
        )
        for (const [index, tile] of tiles.entries()) {
          expect(tile.x).toBeGreaterThanOrEqual(-1e-6)
          expect(tile.x + tile.width).toBeLessThanOrEqual(area.width + 1e-6)
          expect(tile.y + tile.height).toBeLessThanOrEqual(area.height + 1e-6)
          for (const other of tiles.slice(index + 1))
            expect(overlap(tile, other)).toBeLessThan(0.01)
        }
      }),
      { numRuns: 50 },
    )
  })

  it('gives larger files larger tiles', () => {
    const { tiles } = layoutTreeMap(
      [facts({ path: 'a', bytes: 3000 }), facts({ path: 'b', bytes: 1000 })],
      area,
    )
    const [a = 0, b = 0] = tiles.map(({ width, height }) => width * height)
    expect(a / b).toBeGreaterThan(2.5)
  })

  it('returns no tiles without files', () => {
    expect(layoutTreeMap([], area)).toEqual({ tiles: [], folders: [] })
  })
})
