// `zee open`: lets the program that owns an id write its page, then opens the page in a browser.
import { openInBrowser } from '@zee/core/browser'
import type { Host } from '@zee/core/exit'
import { findPlaces } from '../places/places.ts'
import { findTarget, writePage } from './open.ts'

export async function runOpen(
  id: string,
  { print }: { print: boolean },
  host: Host,
): Promise<number> {
  const target = findTarget(id, findPlaces(host), host)
  const page = await writePage(target, host)
  host.stdout.write(`${page}\n`)
  if (!print && !(await openInBrowser(page, host.env))) {
    host.stderr.write('zee: no browser opened; open the page yourself\n')
  }
  return 0
}
