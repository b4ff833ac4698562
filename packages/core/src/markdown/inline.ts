// Styles emphasis, code spans and links within one line of Markdown. Without colour the markers stay,
// because they are then the only emphasis.
import { Lexer, type Token } from 'marked'
import type { Colours } from '../cli/colour.ts'

export interface InlineStyle {
  paint: Colours
  hasColour: boolean
}

export function styleInline(text: string, style: InlineStyle): string {
  if (!style.hasColour || !/[*_`[\]<\\~:]/.test(text)) return text
  return styleTokens(Lexer.lexInline(text), style.paint)
}

function styleTokens(tokens: readonly Token[], paint: Colours): string {
  return tokens.map((token) => styleToken(token, paint)).join('')
}

function styleToken(token: Token, paint: Colours): string {
  switch (token.type) {
    case 'strong':
      return paint.bold(styleTokens(token.tokens ?? [], paint))
    case 'em':
      return paint.italic(styleTokens(token.tokens ?? [], paint))
    case 'codespan':
      return paint.cyan(String(token.text))
    case 'link':
      return styleLink(token.raw, styleTokens(token.tokens ?? [], paint), paint)
    case 'escape':
      return String(token.text)
    default:
      return token.raw
  }
}

/** Shows the address beside the text, because not every terminal supports links. */
function styleLink(raw: string, text: string, paint: Colours): string {
  const address = /\(([^)\s]+)[^)]*\)$/.exec(raw)?.[1]
  return address === undefined ? paint.underline(raw) : `${text} (${paint.underline(address)})`
}
