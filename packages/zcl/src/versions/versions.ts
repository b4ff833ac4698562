// SemVer order of versions, 0.9.0 < 0.10.0-rc.1 < 0.10.0, and the lowest version that a project accepts.
import manifest from '../../package.json' with { type: 'json' }
import { zclError } from '../errors/errors.ts'

const shape = /^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})(?:-([0-9A-Za-z.-]{1,64}))?$/

export function isVersion(text: string): boolean {
  return shape.test(text)
}

/** Throws if this zcl is older than `floor`, the value of `ZCL_MIN_VERSION`. */
export function requireVersion(floor: string): void {
  if (!isVersion(floor)) {
    throw zclError('ZCL_E_USAGE', `ZCL_MIN_VERSION is not a version such as 1.2.3: ${floor}`)
  }
  if (compareVersions(manifest.version, floor) >= 0) return
  const message = `this is zcl ${manifest.version}, and ZCL_MIN_VERSION asks for ${floor}`
  throw zclError('ZCL_E_VERSION_FLOOR', `${message}; update zcl`)
}

/** Negative when `one` is older than `other`, positive when it is newer. */
export function compareVersions(one: string, other: string): number {
  const [numbers, tag] = parts(one)
  const [otherNumbers, otherTag] = parts(other)
  for (const [index, number] of numbers.entries()) {
    const difference = number - (otherNumbers[index] ?? 0)
    if (difference !== 0) return difference
  }
  if (tag === undefined || otherTag === undefined) {
    return Number(otherTag !== undefined) - Number(tag !== undefined)
  }
  return compareTags(tag.split('.'), otherTag.split('.'))
}

function parts(version: string): [number[], string | undefined] {
  const [, major, minor, patch, tag] = shape.exec(version) ?? []
  return [[Number(major), Number(minor), Number(patch)], tag]
}

/** Numbers compare numerically and sort before words; a prefix sorts before the longer tag. */
function compareTags(tag: string[], other: string[]): number {
  for (const [index, word] of tag.entries()) {
    const against = other[index]
    if (against === undefined) return 1
    if (word === against) continue
    const isNumber = /^\d+$/.test(word)
    const isOtherNumber = /^\d+$/.test(against)
    if (isNumber && isOtherNumber) return Number(word) - Number(against)
    if (isNumber !== isOtherNumber) return isNumber ? -1 : 1
    return word < against ? -1 : 1
  }
  return tag.length - other.length
}
