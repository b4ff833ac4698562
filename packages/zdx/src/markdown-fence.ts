// Text of any kind inside a fenced block of Markdown.

/** The fence is longer than any in the text, so that nothing can close it. */
export function fenced(text: string, language = 'json'): string {
  let longest = 2
  for (const [ticks] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, ticks.length)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}\n`
}
