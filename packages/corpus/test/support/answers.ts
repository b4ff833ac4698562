// What tests say about answers: the message of a failure, the hash of a slice.
import { createHash } from 'node:crypto'

export async function messageOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
  } catch (error) {
    return (error as Error).message
  }
  return 'no error'
}

export const sha256 = (text: string): string =>
  `sha256:${createHash('sha256').update(text).digest('hex')}`
