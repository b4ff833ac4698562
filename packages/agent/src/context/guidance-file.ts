// Reads a Markdown file of a project: at most 64 KiB, and not through a link that leads out of its
// container. A repository must not choose which other files are sent to the provider.
import { closeSync, readSync } from 'node:fs'
import path from 'node:path'
import { cutBuffer, decodeUtf8 } from '@zee/core/bounded'
import type { PathFailureKind } from '@zee/core/contained-path'
import { openContained, openRoot } from '@zee/core/contained-path'
import { reasonOf } from '@zee/core/errors'

export const maxGuidanceBytes = 64 * 1024

export interface GuidanceText {
  text: string
  /** Size of the entire file. */
  size: number
  truncated: boolean
}

/** The text, or the reason why it cannot be read. */
export function readGuidanceFile(file: string, container: string): GuidanceText | string {
  try {
    const opened = openContained(openRoot(container), path.resolve(file))
    if (opened.failure !== undefined) {
      return failureReason(opened.failure, container) ?? opened.errno ?? opened.failure
    }
    try {
      const { size } = opened.stats
      const buffer = Buffer.alloc(Math.min(size, maxGuidanceBytes + 4))
      const length = readSync(opened.fd, buffer, 0, buffer.length, 0)
      const bytes = buffer.subarray(0, length)
      const truncated = size > maxGuidanceBytes
      const text = decodeUtf8(truncated ? cutBuffer(bytes, maxGuidanceBytes) : bytes).trim()
      return { text, size, truncated }
    } finally {
      closeSync(opened.fd)
    }
  } catch (error) {
    return reasonOf(error)
  }
}

function failureReason(failure: PathFailureKind, container: string): string | undefined {
  if (failure === 'outside') return `it is a link that leads out of ${container}`
  if (failure === 'is_directory') return 'it is a folder'
  if (failure === 'not_a_file') return 'it is not a regular file'
  return failure === 'denied' ? 'permission denied' : undefined
}
