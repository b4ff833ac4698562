import { expect, test } from 'vitest'
import type { Host } from '@zee/core/exit'
import { alignedFor } from './output.ts'

const rows = [['001-mission-r1', '20260215-180012Z-09c5a6', 'suite', '2026-02-15T18:00:12.000Z']]

function hostWith(stdout: { isTTY: boolean; columns?: number }): Host {
  return { stdout } as unknown as Host
}

test('a terminal that is wide enough, and a pipe, get all columns', () => {
  const all = [rows[0]?.join('  ')]
  expect(alignedFor(hostWith({ isTTY: true, columns: 80 }), rows, [3])).toEqual(all)
  expect(alignedFor(hostWith({ isTTY: false }), rows, [3])).toEqual(all)
})

test('a narrower terminal leaves optional columns out, then cuts the widest cells', () => {
  const at = (columns: number, indent = 0) =>
    alignedFor(hostWith({ isTTY: true, columns }), rows, [3], indent)
  expect(at(70)).toEqual(['001-mission-r1  20260215-180012Z-09c5a6  suite'])
  expect(at(46)).toEqual(at(70))
  expect(at(46, 2)).toEqual(['001-mission-r1  20260215-180012Z-09c…  suite'])
})
