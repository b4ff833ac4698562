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
  const innerText = () =>
    'tokens' in token && token.tokens !== undefined
      ? styleTokens(token.tokens, paint)
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
      return styleLink(token.raw, innerText(), paint)
    case 'escape':
      return innerText()
    case 'text':
      return 'tokens' in token && token.tokens !== undefined ? innerText() : token.raw
    default:
      return token.raw
  }
}

/** Shows the address beside the text, because not every terminal supports links. */
function styleLink(raw: string, text: string, paint: Colours): string {
  const address = /\(([^)\s]+)[^)]*\)$/.exec(raw)?.[1]
  return address === undefined ? paint.underline(raw) : `${text} (${paint.underline(address)})`
}
