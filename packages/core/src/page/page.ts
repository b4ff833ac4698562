// Embeds data in the viewer, one HTML file that needs no network. Data goes into script elements of a
// type that browsers do not run, escaped so that it cannot close them. Large data that is not needed
// at once goes into parts after the viewer's code, so that the page renders before they are parsed.

export interface PageContents {
  title: string
  /** The page's data, from `pageJson`. */
  json: string
  /** Further data by index, from `pageJson` or `escapeJsonBytes`. */
  parts?: readonly (string | Uint8Array)[]
}

export interface FillOptions {
  /** Lets a served page connect to its own server; a page from a file may not connect at all. */
  isLive?: boolean
}

/** Placeholders in the built viewer. */
const marks = { title: '@@zee:title@@', data: '@@zee:data@@', parts: '@@zee:parts@@' } as const

const noConnection = "connect-src 'none'"
const ownConnection = "connect-src 'self'"

/** The viewer with a page's contents. */
export function fillPage(viewer: string, page: PageContents, options: FillOptions = {}): Buffer {
  const [start, afterTitle] = splitAt(viewer, marks.title)
  const [middle, afterData] = splitAt(afterTitle, marks.data)
  const [code, end] = splitAt(afterData, marks.parts)
  const head = options.isLive === true ? start.replace(noConnection, ownConnection) : start
  const { title, json, parts = [] } = page
  const elements = parts.flatMap((part, index) => [
    `<script type="application/json" id="zee-part-${index}">`,
    part,
    '</script>\n',
  ])
  return concat([head, escapeText(title), middle, json, code, ...elements, end])
}

/** The contents as one JSON document, to update an open page. */
export function pageUpdate({ json, parts = [] }: PageContents): Buffer {
  const separated = parts.flatMap((part, index) => (index === 0 ? [part] : [',', part]))
  return concat(['{"page":', json, ',"parts":[', ...separated, ']}'])
}

/** JSON that is safe inside a script element: escapes `<` and the separators U+2028 and U+2029. */
export function pageJson(value: unknown): string {
  return JSON.stringify(value).replace(/[<\u2028\u2029]/g, (found) => escapes[found] ?? found)
}

/** As `pageJson`, for JSON in bytes. Copies only when there is something to escape. */
export function escapeJsonBytes(bytes: Buffer): Buffer {
  return Object.entries(escapes).reduce(
    (safe, [found, escape]) => replaceBytes(safe, Buffer.from(found), Buffer.from(escape)),
    bytes,
  )
}

function replaceBytes(bytes: Buffer, found: Buffer, by: Buffer): Buffer {
  let index = bytes.indexOf(found)
  if (index < 0) return bytes
  const positions: number[] = []
  for (; index >= 0; index = bytes.indexOf(found, index + found.length)) positions.push(index)
  const result = Buffer.allocUnsafe(bytes.length + positions.length * (by.length - found.length))
  let [from, to] = [0, 0]
  for (const position of positions) {
    to += bytes.copy(result, to, from, position)
    to += by.copy(result, to)
    from = position + found.length
  }
  bytes.copy(result, to, from)
  return result
}

/** The viewer's content security policy, to be sent as a header too. */
export function contentSecurityPolicy(page: Buffer): string {
  const head = page.toString('latin1', 0, 2048)
  const found = /<meta http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(head)
  return `${found?.[1] ?? "default-src 'none'"}; frame-ancestors 'none'`
}

const escapes: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
}

function concat(pieces: readonly (string | Uint8Array)[]): Buffer {
  return Buffer.concat(
    pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)),
  )
}

function splitAt(text: string, mark: string): [string, string] {
  const index = text.indexOf(mark)
  if (index < 0) throw new Error(`the viewer has no ${mark}: build it again`)
  return [text.slice(0, index), text.slice(index + mark.length)]
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
