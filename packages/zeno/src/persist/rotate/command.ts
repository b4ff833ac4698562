// `zeno rotate`: renames oversized files and removes the oldest renamed ones.
import path from 'node:path'
import { errorAfter, oneLine, usageError } from '@zee/core/errors'
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
    const target = path.resolve(host.cwd, file)
    const shown = (renamed: string) => oneLine(file + renamed.slice(target.length))
    const rotated = rotateIfLarger(target, options.maxBytes, host.clock.now())
    if (rotated !== undefined) lines.push(`${oneLine(file)} -> ${shown(rotated)}`)
    lines.push(...removedAfter(rotated, target, options.keep).map((old) => `removed ${shown(old)}`))
  }
  await streamWriter(host.stdout)(lines.map((line) => `${line}\n`).join(''))
  return 0
}

function removedAfter(rotated: string | undefined, target: string, keep: number): string[] {
  try {
    return dropOldRotations(target, keep)
  } catch (error) {
    throw rotated === undefined ? error : errorAfter('the file was rotated', error)
  }
}
