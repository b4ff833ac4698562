// Puts data into the viewer: one HTML file that needs no network and in which data stays data. It goes
// into script elements that no browser runs, written so that it cannot end them. What is large and not
// needed at once goes into parts behind the viewer's code, so that the page shows before they are read.

export interface PageContents {
  title: string
  /** The page's data, as `pageJson` writes it. */
  json: string
  /** Further data, by number, as `pageJson` or `safeJson` write it. */
  parts?: readonly (string | Uint8Array)[]
}

export interface FillOptions {
  /** A served page may ask its own server for news; a file may ask nobody. */
  isLive?: boolean
}

/** Stand in the built viewer where a page's own contents go. */
const marks = { title: '@@zee:title@@', data: '@@zee:data@@', parts: '@@zee:parts@@' } as const

const noConnection = "connect-src 'none'"
const ownConnection = "connect-src 'self'"

export function fillPage(viewer: string, page: PageContents, options: FillOptions = {}): Buffer {
  const [start, behindTitle] = splitAt(viewer, marks.title)
  const [middle, behindData] = splitAt(behindTitle, marks.data)
  const [code, end] = splitAt(behindData, marks.parts)
  const head = options.isLive === true ? start.replace(noConnection, ownConnection) : start
  const { title, json, parts = [] } = page
  const elements = parts.flatMap((part, index) => [
    `<script type="application/json" id="zee-part-${index}">`,
    part,
    '</script>\n',
  ])
  return joined([head, escapeText(title), middle, json, code, ...elements, end])
}

/** The same contents for a page that is open already. */
export function refreshedPage({ json, parts = [] }: PageContents): Buffer {
  const separated = parts.flatMap((part, index) => (index === 0 ? [part] : [',', part]))
  return joined(['{"page":', json, ',"parts":[', ...separated, ']}'])
}

/** JSON that may stand inside a script element: no tag, no comment, no line break that is none. */
export function pageJson(value: unknown): string {
  return JSON.stringify(value).replace(/[<\u2028\u2029]/g, (found) => escapes[found] ?? found)
}

/** The same for JSON that is there as bytes; nearly always most of them can stay as they are. */
export function safeJson(bytes: Buffer): Buffer {
  return Object.entries(escapes).reduce(
    (safe, [found, escape]) => replaced(safe, Buffer.from(found), Buffer.from(escape)),
    bytes,
  )
}

function replaced(bytes: Buffer, found: Buffer, by: Buffer): Buffer {
  let at = bytes.indexOf(found)
  if (at < 0) return bytes
  const places: number[] = []
  for (; at >= 0; at = bytes.indexOf(found, at + found.length)) places.push(at)
  const result = Buffer.allocUnsafe(bytes.length + places.length * (by.length - found.length))
  let [from, to] = [0, 0]
  for (const place of places) {
    to += bytes.copy(result, to, from, place)
    to += by.copy(result, to)
    from = place + found.length
  }
  bytes.copy(result, to, from)
  return result
}

/** The policy that the viewer carries, for a server that sends it as a header as well. */
export function policyOf(page: Buffer): string {
  const head = page.toString('latin1', 0, 2048)
  const found = /<meta http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(head)
  return `${found?.[1] ?? "default-src 'none'"}; frame-ancestors 'none'`
}

const escapes: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
}

function joined(pieces: readonly (string | Uint8Array)[]): Buffer {
  return Buffer.concat(
    pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)),
  )
}

function splitAt(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  if (at < 0) throw new Error(`the viewer has no ${mark}: build it again`)
  return [text.slice(0, at), text.slice(at + mark.length)]
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
