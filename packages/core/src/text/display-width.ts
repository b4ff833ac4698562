// The number of terminal columns of a text: wide characters take two, combining characters none, and a
// tab advances to the next multiple of eight.

export function displayWidth(text: string): number {
  let width = 0
  for (const character of text) {
    width += character === '\t' ? 8 - (width % 8) : columnsOf(character.codePointAt(0) ?? 0)
  }
  return width
}

function columnsOf(code: number): number {
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return 0
  if (code < 0x300) return 1
  return isCombining(code) ? 0 : isWide(code) ? 2 : 1
}

function isCombining(code: number): boolean {
  return (
    isBetween(code, 0x300, 0x36f) ||
    isBetween(code, 0x200b, 0x200f) ||
    isBetween(code, 0x20d0, 0x20ff) ||
    isBetween(code, 0xfe00, 0xfe0f) ||
    isBetween(code, 0xfe20, 0xfe2f) ||
    isBetween(code, 0xe0100, 0xe01ef)
  )
}

function isWide(code: number): boolean {
  return (
    isBetween(code, 0x1100, 0x115f) ||
    isBetween(code, 0x2e80, 0xa4cf) ||
    isBetween(code, 0xac00, 0xd7a3) ||
    isBetween(code, 0xf900, 0xfaff) ||
    isBetween(code, 0xfe30, 0xfe6f) ||
    isBetween(code, 0xff00, 0xff60) ||
    isBetween(code, 0xffe0, 0xffe6) ||
    isBetween(code, 0x1f300, 0x1faff) ||
    isBetween(code, 0x20000, 0x3fffd)
  )
}

function isBetween(code: number, first: number, last: number): boolean {
  return code >= first && code <= last
}
