// Turns JSON with comments into JSON of the same length: each character of a comment, and a comma before a
// closing bracket, becomes a space. Newlines stay.

/** Text of strings is not touched; text that is no JSON with comments stays no JSON. */
export function withoutComments(text: string): string {
  const bare = text.replaceAll(/"(?:[^"\\]|\\[^])*"|\/\/[^\n]*|\/\*[^]*?\*\//g, (found) =>
    found.startsWith('"') ? found : blank(found),
  )
  return bare.replaceAll(/"(?:[^"\\]|\\[^])*"|,(?=\s*[}\]])/g, (found) =>
    found === ',' ? ' ' : found,
  )
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ')
}
