// `zee open`: lets the program that owns an id write its page, then opens the page in a browser.
import { mkdirSync, mkdtempSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { openInBrowser } from '@zee/core/browser'
import { oneLine, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { findPlaces } from '../places/places.ts'
import { runProgram, type ProgramName } from '../programs/programs.ts'
import { findTarget, type Target } from './find.ts'

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

async function writePage({ kind, id, path: where }: Target, host: Host): Promise<string> {
  const page = path.join(pagesFolder(host), `${kind}-${id.replaceAll(/[^\w.-]/g, '-')}.html`)
  const [program, ...args] = pageCommand(kind, id, where)
  const { code, stderr } = await runProgram(program, [...args, '--out', page], host, 120_000)
  if (code === 0) return page
  throw new ZeeError('no_page', `${program} could not write the page: ${oneLine(stderr.trim())}`)
}

function pageCommand(kind: Target['kind'], id: string, where: string): [ProgramName, ...string[]] {
  switch (kind) {
    case 'session':
      return ['zdx', 'sessions', 'export', id, '--format', 'html']
    case 'trace':
      return ['zeno', 'view', '--log', where]
    default:
      return ['zcl', 'view', where]
  }
}

/** Pages are derived data: they go to the cache folder, or to a new temporary folder without one. */
function pagesFolder({ env }: Host): string {
  const cache = env.XDG_CACHE_HOME || (env.HOME ? path.join(env.HOME, '.cache') : undefined)
  if (cache === undefined) return mkdtempSync(path.join(os.tmpdir(), 'zee-pages-'))
  const folder = path.join(cache, 'zee/pages')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}
