// Cuts text to a number of characters as people count them: code points, none split.

export function cutCharacters(text: string, most: number): { text: string; truncated: boolean } {
  if (text.length <= most) return { text, truncated: false }
  let end = 0
  let count = 0
  for (const character of text) {
    if (count === most) return { text: text.slice(0, end), truncated: true }
    count += 1
    end += character.length
  }
  return { text, truncated: false }
}
