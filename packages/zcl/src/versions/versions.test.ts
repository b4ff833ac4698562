import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareVersions, isVersion } from './versions.ts'

describe('versions', () => {
  it('are ordered as SemVer orders them', () => {
    const ordered = [
      '0.9.0',
      '0.10.0-alpha',
      '0.10.0-alpha.1',
      '0.10.0-alpha.beta',
      '0.10.0-beta',
      '0.10.0-beta.2',
      '0.10.0-beta.11',
      '0.10.0-rc.1',
      '0.10.0',
      '1.0.0',
      '1.2.10',
      '1.10.2',
    ]
    expect(ordered.toReversed().toSorted(compareVersions)).toEqual(ordered)
  })

  it('compare antisymmetrically', () => {
    const tag = fc.option(fc.constantFrom('alpha', 'alpha.1', '1', '2', 'rc.1', 'rc.10'))
    const version = fc
      .tuple(fc.nat(20), fc.nat(20), fc.nat(20), tag)
      .map(([a, b, c, t]) => `${a}.${b}.${c}${t === null ? '' : `-${t}`}`)
    fc.assert(
      fc.property(version, version, (one, other) => {
        expect(isVersion(one)).toBe(true)
        const sign = Math.sign(compareVersions(one, other))
        expect(sign).toBe(-Math.sign(compareVersions(other, one)) + 0)
        expect(sign === 0).toBe(one === other)
      }),
    )
  })

  it.each(['', '1', '1.2', 'v1.2.3', '01.2.3', '1.2.3-', '1.2.3-a/b', '../1.2.3', '1.2.3\n'])(
    'reject %j',
    (text) => {
      expect(isVersion(text)).toBe(false)
    },
  )
})
