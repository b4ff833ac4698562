// Parses a page file: its data, its security policy, its references.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect } from 'vitest'

export interface PageFile {
  html: string
  /** Everything but the data. */
  frame: string
  data: Record<string, unknown> & { kind: string; title: string }
  /** The lazily parsed parts: the texts of calls. */
  parts: unknown[]
  policy: string
}

/** Texts that would have an effect if a page treated them as markup. */
export const hostileTexts = [
  '</script><script>window.pwned=1</script>',
  '<img src=x onerror="window.pwned=1">',
  '<!--<script>',
  '"><svg onload=window.pwned=1>',
  '@@zee:data@@ $& $1',
  'a\u2028b\u2029c',
] as const

export function readPage(html: string): PageFile {
  const parts: string[] = []
  let data = ''
  const elements =
    /<script type="application\/json" id="zee-(data|part-(\d+))">([\s\S]*?)<\/script>/g
  const frame = html.replaceAll(
    elements,
    (element, _id, part: string | undefined, text: string) => {
      if (part === undefined) data = text
      else parts[Number(part)] = text
      return element.replace(text, () => '')
    },
  )
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? ''
  return {
    html,
    frame,
    data: JSON.parse(data) as PageFile['data'],
    parts: parts.map((text) => JSON.parse(text) as unknown),
    policy,
  }
}

export function readPageFile(file: string): PageFile {
  return readPage(readFileSync(file, 'utf8'))
}

/** Checks that the page fetches nothing, allows only its own script and style, and escapes its data. */
export function expectSelfContained({ html, frame, parts, policy }: PageFile): void {
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("connect-src 'none'")
  expect(policy).not.toContain('unsafe')
  const [, code = ''] = /<script>([\s\S]*?)<\/script>/.exec(frame) ?? []
  const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(frame) ?? []
  expect(policy).toContain(`script-src '${sha256(code)}'`)
  expect(policy).toContain(`style-src '${sha256(style)}'`)
  const tags = html.replace(code, '').replace(style, '')
  expect(tags.match(/<script/g)).toHaveLength(2 + parts.length)
  expect(tags).not.toMatch(/\s(?:src|href)="(?!data:,")/)
  expect(tags).not.toMatch(/\son\w+=["']/)
  expect(frame.length).toBeLessThan(300 * 1024)
}

function sha256(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
