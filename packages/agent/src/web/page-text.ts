// The text of a page: extracted from HTML, decoded for other text types.

const textTypes = /^(text\/|application\/(.*\+)?(json|xml|javascript|yaml|toml)\b)/i
const htmlTypes = /^(text\/html|application\/xhtml\+xml)\b/i

/** Throws if the content is not text. */
export async function pageText(contentType: string | undefined, body: Buffer): Promise<string> {
  const type = contentType?.trim() || (body.includes(0) ? 'binary data' : 'text/plain')
  if (!textTypes.test(type) && !htmlTypes.test(type)) throw new Error(`it is ${type}, not text`)
  const text = decode(body, type)
  if (!htmlTypes.test(type)) return text
  const { convert } = await import('html-to-text')
  return convert(text, {
    wordwrap: false,
    limits: { maxInputLength: body.length + 1 },
    selectors: [
      { selector: 'img', format: 'skip' },
      { selector: 'a', options: { ignoreHref: false, noAnchorUrl: true } },
    ],
  })
}

function decode(body: Buffer, type: string): string {
  const charset = /charset="?([\w-]+)/i.exec(type)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(charset).decode(body)
  } catch {
    return body.toString('utf8')
  }
}
