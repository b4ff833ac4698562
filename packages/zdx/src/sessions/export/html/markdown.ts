// Parses Markdown into a tree of safe nodes. HTML becomes text, an image becomes its description, and
// only http, https and mailto links are kept.
import type { Block, Inline } from '@zee/web/data'
import { lexer, type Token, type Tokens } from 'marked'

const maxParsedLength = 512 * 1024
const maxDepth = 24
/** Quotes nested this deeply: marked does not finish on them in reasonable time. */
const deepQuotes = /^(?:[ \t]*>){64}/m

export function markdownBlocks(text: string): Block[] {
  if (text.length > maxParsedLength || deepQuotes.test(text))
    return [{ type: 'code', language: '', text }]
  try {
    return toBlocks(lexer(text), 0)
  } catch {
    // The lexer may throw on deep nesting; show the text as it is.
    return [{ type: 'code', language: '', text }]
  }
}

function toBlocks(tokens: readonly Token[], depth: number): Block[] {
  if (depth > maxDepth) return [plainParagraph(tokens.map(({ raw }) => raw).join(''))]
  return tokens.flatMap((token) => toBlock(token, depth) ?? [])
}

function toBlock(token: Token, depth: number): Block | undefined {
  switch (token.type) {
    case 'space':
    case 'def':
      return undefined
    case 'heading':
      return {
        type: 'heading',
        depth: (token as Tokens.Heading).depth,
        inline: tokenInlines(token, depth),
      }
    case 'code': {
      const { lang = '', text } = token as Tokens.Code
      return { type: 'code', language: lang.split(/\s/, 1)[0] ?? '', text }
    }
    case 'blockquote':
      return { type: 'quote', blocks: toBlocks((token as Tokens.Blockquote).tokens, depth + 1) }
    case 'list':
      return toList(token as Tokens.List, depth)
    case 'table':
      return toTable(token as Tokens.Table, depth)
    case 'hr':
      return { type: 'rule' }
    case 'paragraph':
    case 'text':
      return { type: 'paragraph', inline: tokenInlines(token, depth) }
    default:
      return plainParagraph(token.raw)
  }
}

function toList(list: Tokens.List, depth: number): Block {
  return {
    type: 'list',
    ordered: list.ordered,
    start: list.start === '' ? 1 : list.start,
    items: list.items.map((item) => ({
      ...(item.task ? { checked: item.checked === true } : {}),
      blocks: toBlocks(
        item.tokens.filter(({ type }) => type !== 'checkbox'),
        depth + 1,
      ),
    })),
  }
}

function toTable({ align, header, rows }: Tokens.Table, depth: number): Block {
  const cells = (row: readonly Tokens.TableCell[]) =>
    row.map(({ tokens }) => toInlines(tokens, depth + 1))
  return { type: 'table', align, head: cells(header), rows: rows.map(cells) }
}

function tokenInlines(token: Token, depth: number): Inline[] {
  const inner = 'tokens' in token ? token.tokens : undefined
  return inner === undefined ? [textNode(tokenText(token))] : toInlines(inner, depth + 1)
}

function toInlines(tokens: readonly Token[], depth: number): Inline[] {
  if (depth > maxDepth) return [textNode(tokens.map(({ raw }) => raw).join(''))]
  return tokens.map((token) => toInline(token, depth))
}

function toInline(token: Token, depth: number): Inline {
  switch (token.type) {
    case 'strong':
      return { type: 'strong', inline: tokenInlines(token, depth) }
    case 'em':
      return { type: 'emphasis', inline: tokenInlines(token, depth) }
    case 'del':
      return { type: 'deleted', inline: tokenInlines(token, depth) }
    case 'codespan':
      return { type: 'code', text: (token as Tokens.Codespan).text }
    case 'br':
      return { type: 'break' }
    case 'link':
      return toLink(token as Tokens.Link, depth)
    case 'image':
      return textNode((token as Tokens.Image).text)
    case 'html':
      return { type: 'text', text: token.raw }
    default:
      return 'tokens' in token && token.tokens !== undefined
        ? { type: 'strong', inline: tokenInlines(token, depth) }
        : textNode(tokenText(token))
  }
}

const linkProtocols = new Set(['http:', 'https:', 'mailto:'])

function toLink(link: Tokens.Link, depth: number): Inline {
  const inline = tokenInlines(link, depth)
  const url = URL.canParse(link.href) ? new URL(link.href) : undefined
  if (url !== undefined && linkProtocols.has(url.protocol))
    return { type: 'link', href: url.href, inline }
  // Show the source, so that the address stays readable.
  return textNode(link.raw)
}

function tokenText(token: Token): string {
  return 'text' in token && typeof token.text === 'string' ? token.text : token.raw
}

function textNode(text: string): Inline {
  return { type: 'text', text: decodeEntities(text) }
}

function plainParagraph(raw: string): Block {
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

/** marked decodes numeric references but leaves named ones to the HTML renderer. */
function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt|quot|apos|nbsp);/g, (found) => entities[found] ?? found)
}
