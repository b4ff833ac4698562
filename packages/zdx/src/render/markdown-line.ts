// Styles one finished line of Markdown for a terminal: markers become colours, the words stay the same.
// Only constructs that fit in a single line are styled.
import type { Colours } from '@zee/core/colour'
import { Lexer, type Token } from 'marked'

export interface MarkdownState {
  /** The opening fence of the current code block. */
  fence: string | undefined
}

export function styleLine(line: string, state: MarkdownState, paint: Colours): string {
  const fence = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1]
  if (state.fence !== undefined) {
    const closes = fence !== undefined && fence.startsWith(state.fence) && line.trim() === fence
    if (!closes) return paint.cyan(line)
    state.fence = undefined
    return paint.dim(line)
  }
  if (fence !== undefined) {
    state.fence = fence
    return paint.dim(line)
  }
  const heading = /^(#{1,6})\s+(.*)$/.exec(line)
  if (heading !== null) return paint.bold(styleInline(heading[2] ?? '', paint))
  if (/^\s{0,3}([-*_])(\s*\1){2,}\s*$/.test(line)) return paint.dim('─'.repeat(20))
  const quote = /^(\s{0,3}>\s?)(.*)$/.exec(line)
  if (quote !== null) return paint.dim(`│ ${quote[2] ?? ''}`)
  const item = /^(\s*)([-*+]|\d+[.)])(\s+)(.*)$/.exec(line)
  if (item === null) return styleInline(line, paint)
  const [, indent = '', marker = '', gap = '', rest = ''] = item
  const bullet = /\d/.test(marker) ? marker : '•'
  return `${indent}${paint.yellow(bullet)}${gap}${styleInline(rest, paint)}`
}

function styleInline(text: string, paint: Colours): string {
  return Lexer.lexInline(text)
    .map((token) => styleToken(token, paint))
    .join('')
}

function styleToken(token: Token, paint: Colours): string {
  const innerText = () =>
    'tokens' in token && token.tokens !== undefined
      ? token.tokens.map((each) => styleToken(each, paint)).join('')
      : 'text' in token
        ? String(token.text)
        : token.raw
  switch (token.type) {
    case 'strong':
      return paint.bold(innerText())
    case 'em':
      return paint.italic(innerText())
    case 'codespan':
      return paint.cyan(innerText())
    case 'link':
      return link(token.raw, innerText(), paint)
    case 'text':
      return 'tokens' in token && token.tokens !== undefined ? innerText() : token.raw
    default:
      return token.raw
  }
}

/** Shows the address beside the text, because not every terminal supports links. */
function link(raw: string, text: string, paint: Colours): string {
  const address = /\(([^)\s]+)[^)]*\)$/.exec(raw)?.[1]
  return address === undefined ? paint.underline(raw) : `${text} (${paint.underline(address)})`
}
