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

/** The fence is longer than any in the text, so that nothing can close it. */
export function fenced(text: string, language = 'json'): string {
  let longest = 2
  for (const [ticks] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, ticks.length)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}\n`
}
