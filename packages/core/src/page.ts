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

const lessThan = 0x3c
/** U+2028 and U+2029 begin with it, and other characters do as well. */
const lineSeparator = Buffer.from('\u2028').subarray(0, 2)

/** The same for JSON that is there as bytes; nearly always they can stay as they are. */
export function safeJson(bytes: Buffer): string | Buffer {
  if (!bytes.includes(lessThan) && !bytes.includes(lineSeparator)) return bytes
  return bytes.toString('utf8').replace(/[<\u2028\u2029]/g, (found) => escapes[found] ?? found)
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
