// `zee open`: lets the program that owns an id write its page, then opens the page in a browser.
import { openInBrowser } from '@zee/core/browser'
import { ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { findPlaces } from '../places/places.ts'
import { findTarget, openMemory, writePage } from './open.ts'

export async function runOpen(
  id: string,
  { print }: { print: boolean },
  host: Host,
): Promise<number> {
  const page = await pageOf(id, host)
  host.stdout.write(`${page}\n`)
  if (!print && !(await openInBrowser(page, host.env))) {
    host.stderr.write('zee: no browser opened; open the page yourself\n')
  }
  return 0
}

/** Records come first: the ids of memories are short numbers. */
async function pageOf(id: string, host: Host): Promise<string> {
  let unknown: unknown
  try {
    return await writePage(findTarget(id, findPlaces(host), host), host)
  } catch (error) {
    if (!(error instanceof ZeeError) || error.code !== 'unknown_id') throw error
    unknown = error
  }
  const page = await openMemory(id, host)
  if (page === undefined) throw unknown
  return page
}
