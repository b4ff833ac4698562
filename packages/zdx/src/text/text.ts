// Text functions shared by the commands: cutting by characters, counts with nouns and fencing for
// Markdown.

/** The first `max` code points of `text`; never splits a surrogate pair. */
export function cutToCharacters(text: string, max: number): { text: string; truncated: boolean } {
  if (text.length <= max) return { text, truncated: false }
  let end = 0
  let count = 0
  for (const character of text) {
    if (count === max) return { text: text.slice(0, end), truncated: true }
    count += 1
    end += character.length
  }
  return { text, truncated: false }
}

/** `text` as a fenced Markdown block. The fence is longer than any run of backticks in the text. */
export function fenced(text: string, language = 'json'): string {
  let longest = 2
  for (const [ticks] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, ticks.length)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}\n`
}

/** A count with its noun: `1 turn`, `2 turns`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
