// Markdown as a tree of harmless nodes. HTML in it is text like any other, an image is its description,
// and a link leads to the web or to a mailbox or is none.
import type { Block, Inline } from '@zee/web/data'
import { lexer, type Token, type Tokens } from 'marked'

const longestParsed = 512 * 1024
const deepest = 24
/** Quotes within quotes far beyond anything that is written: reading them takes time without end. */
const nested = /^(?:[ \t]*>){64}/m

export function markdownBlocks(text: string): Block[] {
  if (text.length > longestParsed || nested.test(text))
    return [{ type: 'code', language: '', text }]
  try {
    return blocksOf(lexer(text), 0)
  } catch {
    // Text that nests without end is still text.
    return [{ type: 'code', language: '', text }]
  }
}

function blocksOf(tokens: readonly Token[], depth: number): Block[] {
  if (depth > deepest) return [plain(tokens.map(({ raw }) => raw).join(''))]
  return tokens.flatMap((token) => blockOf(token, depth) ?? [])
}

function blockOf(token: Token, depth: number): Block | undefined {
  switch (token.type) {
    case 'space':
    case 'def':
      return undefined
    case 'heading':
      return {
        type: 'heading',
        depth: (token as Tokens.Heading).depth,
        inline: inlineOf(token, depth),
      }
    case 'code': {
      const { lang = '', text } = token as Tokens.Code
      return { type: 'code', language: lang.split(/\s/, 1)[0] ?? '', text }
    }
    case 'blockquote':
      return { type: 'quote', blocks: blocksOf((token as Tokens.Blockquote).tokens, depth + 1) }
    case 'list':
      return listOf(token as Tokens.List, depth)
    case 'table':
      return tableOf(token as Tokens.Table, depth)
    case 'hr':
      return { type: 'rule' }
    case 'paragraph':
    case 'text':
      return { type: 'paragraph', inline: inlineOf(token, depth) }
    default:
      return plain(token.raw)
  }
}

function listOf(list: Tokens.List, depth: number): Block {
  return {
    type: 'list',
    ordered: list.ordered,
    start: list.start === '' ? 1 : list.start,
    items: list.items.map((item) => ({
      ...(item.task ? { checked: item.checked === true } : {}),
      blocks: blocksOf(
        item.tokens.filter(({ type }) => type !== 'checkbox'),
        depth + 1,
      ),
    })),
  }
}

function tableOf({ align, header, rows }: Tokens.Table, depth: number): Block {
  const cells = (row: readonly Tokens.TableCell[]) =>
    row.map(({ tokens }) => inlinesOf(tokens, depth + 1))
  return { type: 'table', align, head: cells(header), rows: rows.map(cells) }
}

function inlineOf(token: Token, depth: number): Inline[] {
  const inner = 'tokens' in token ? token.tokens : undefined
  return inner === undefined ? [textNode(textOf(token))] : inlinesOf(inner, depth + 1)
}

function inlinesOf(tokens: readonly Token[], depth: number): Inline[] {
  if (depth > deepest) return [textNode(tokens.map(({ raw }) => raw).join(''))]
  return tokens.map((token) => inlineNode(token, depth))
}

function inlineNode(token: Token, depth: number): Inline {
  switch (token.type) {
    case 'strong':
      return { type: 'strong', inline: inlineOf(token, depth) }
    case 'em':
      return { type: 'emphasis', inline: inlineOf(token, depth) }
    case 'del':
      return { type: 'deleted', inline: inlineOf(token, depth) }
    case 'codespan':
      return { type: 'code', text: (token as Tokens.Codespan).text }
    case 'br':
      return { type: 'break' }
    case 'link':
      return linkOf(token as Tokens.Link, depth)
    case 'image':
      return textNode((token as Tokens.Image).text)
    case 'html':
      return { type: 'text', text: token.raw }
    default:
      return 'tokens' in token && token.tokens !== undefined
        ? { type: 'strong', inline: inlineOf(token, depth) }
        : textNode(textOf(token))
  }
}

const linkable = new Set(['http:', 'https:', 'mailto:'])

function linkOf(link: Tokens.Link, depth: number): Inline {
  const inline = inlineOf(link, depth)
  const url = URL.canParse(link.href) ? new URL(link.href) : undefined
  if (url !== undefined && linkable.has(url.protocol))
    return { type: 'link', href: url.href, inline }
  // Where it would have led can be read.
  return textNode(link.raw)
}

function textOf(token: Token): string {
  return 'text' in token && typeof token.text === 'string' ? token.text : token.raw
}

function textNode(text: string): Inline {
  return { type: 'text', text: decoded(text) }
}

function plain(raw: string): Block {
  return { type: 'paragraph', inline: [{ type: 'text', text: raw }] }
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&nbsp;': '\u00a0',
}

/** The reader resolves numbers; names it leaves to whoever writes HTML. */
function decoded(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt|quot|apos|nbsp);/g, (found) => entities[found] ?? found)
}
