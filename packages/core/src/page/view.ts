// Carries out the page options of a `view` command: writes the page to a file or to stdout, serves it, and
// opens it in a browser.
import path from 'node:path'
import { writeFileAtomic } from '../files/atomic-file.ts'
import { terminalSafeWriter } from '../cli/lossless.ts'
import { usageError } from '../errors/errors.ts'
import type { Host } from '../exit/exit.ts'
import { fillPage } from './page.ts'
import type { PageSource } from './server.ts'

export interface PageViewOptions {
  out: string | undefined
  serve: boolean
  open: boolean
}

export interface PageView extends PageSource {
  /** Where the page goes without `--out`, below the working folder or absolute. */
  defaultFile(): string
  /** Tells the user where the page is. */
  reportFile(file: string, bytes: number): void
  reportUrl(url: string): void
}

/** Throws a usage error for options that exclude each other. */
export function checkPageOptions({ out, serve, open }: PageViewOptions): void {
  if (serve && out !== undefined) throw usageError('--serve and --out exclude each other')
  if (open && out === '-')
    throw usageError('--open needs a file; --out - writes to standard output')
}

/** With `--serve` it returns after Ctrl+C. */
export async function showPage(
  view: PageView,
  options: PageViewOptions,
  host: Host,
): Promise<void> {
  checkPageOptions(options)
  if (options.serve) return serveView(view, options, host)
  const html = fillPage(view.viewer, await view.read())
  if (options.out === '-') return terminalSafeWriter(host.stdout)(html)
  const file = options.out ?? view.defaultFile()
  const absolute = path.resolve(host.cwd, file)
  await writeFileAtomic(absolute, html)
  view.reportFile(file, html.length)
  if (options.open) await openPage(absolute, host)
}

async function serveView(view: PageView, { open }: PageViewOptions, host: Host): Promise<void> {
  // Reports evidence that cannot be read before the server starts.
  await view.read()
  const { servePageUntilSignal } = await import('./server.ts')
  await servePageUntilSignal(view, (url) => {
    view.reportUrl(url)
    if (open) void openPage(url, host)
  })
}

/** The address is printed already, so a missing browser is not a failure. */
async function openPage(address: string, host: Host): Promise<void> {
  const { openInBrowser } = await import('../browser/browser.ts')
  if (await openInBrowser(address, host.env)) return
  host.stderr.write('no browser opened; open the page yourself\n')
}
