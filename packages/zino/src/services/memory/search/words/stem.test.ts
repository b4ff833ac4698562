import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stemOf } from './stem.ts'

describe('stemOf', () => {
  it.each([
    ['running', 'run'],
    ['runs', 'run'],
    ['hopping', 'hop'],
    ['hoping', 'hope'],
    ['ponies', 'poni'],
    ['relational', 'relat'],
    ['happiness', 'happi'],
    ['adoption', 'adopt'],
    ['agreed', 'agre'],
    ['researching', 'research'],
    ['conditional', 'condit'],
    ['falling', 'fall'],
    ['caresses', 'caress'],
    ['sky', 'sky'],
    ['gas', 'gas'],
    ['bus', 'bus'],
    ['news', 'news'],
    ['generously', 'generous'],
    ['knightly', 'knight'],
    ['youth', 'youth'],
    ['ads', 'ad'],
    ['cries', 'cri'],
    ['ties', 'tie'],
    ['leveed', 'leve'],
    ['organization', 'organ'],
    ['probate', 'probat'],
    ['controlling', 'control'],
    ['ran', 'run'],
    ['was', 'be'],
    ['a', 'a'],
    ['2024th', '2024th'],
    ['cafés', 'cafés'],
    ['été', 'été'],
  ])('maps %s to %s', (word, stem) => {
    expect(stemOf(word)).toBe(stem)
  })

  it.each([
    ['went', 'going'],
    ['children', 'child'],
    ['bought', 'buys'],
    ['frozen', 'freezing'],
    ['shelves', 'shelf'],
    ['happy', 'happily'],
    ['died', 'dies'],
    ['dying', 'die'],
    ['pie', 'pies'],
    ['lives', 'living'],
    ['quickly', 'quick'],
    ['consistently', 'consistency'],
    ['connect', 'connections'],
  ])('maps %s and %s to stems with the same beginning', (one, other) => {
    const [first, second] = [stemOf(one), stemOf(other)]
    expect(first.slice(0, 5)).toBe(second.slice(0, 5))
  })

  it('accepts every lower-case word', () => {
    fc.assert(fc.property(fc.stringMatching(/^[a-z]{1,30}$/), (word) => void stemOf(word)))
  })
})
