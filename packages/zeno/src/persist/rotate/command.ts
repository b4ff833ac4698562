// `zeno rotate`: renames oversized files and removes the oldest renamed ones.
import { oneLine, usageError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { streamWriter } from '@zee/core/lossless'
import { dropOldRotations, rotateIfLarger } from '../rotation.ts'

export interface RotateOptions {
  path: readonly string[]
  maxBytes: number
  keep: number
}

export async function runRotate(options: RotateOptions, host: Host): Promise<number> {
  if (options.path.length === 0) throw usageError('pass at least one --path <file>')
  const lines: string[] = []
  for (const file of options.path) {
    const rotated = rotateIfLarger(file, options.maxBytes, host.clock.now())
    if (rotated !== undefined) lines.push(`${oneLine(file)} -> ${oneLine(rotated)}`)
    for (const old of dropOldRotations(file, options.keep)) lines.push(`removed ${oneLine(old)}`)
  }
  await streamWriter(host.stdout)(lines.map((line) => `${line}\n`).join(''))
  return 0
}
