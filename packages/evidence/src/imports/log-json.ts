// Parses the JSON of logs. Programs in Python write numbers that JSON does not have; they are read as null.

/** The value of a JSON text; throws a SyntaxError for another text. */
export function parseLogJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!/NaN|Infinity/.test(text)) throw error
    return JSON.parse(withoutConstants(text))
  }
}

/** Replaces `NaN` and `Infinity` outside strings. */
function withoutConstants(text: string): string {
  let isInString = false
  return text.replace(/\\.|"|NaN|-?Infinity/gs, (token) => {
    if (token === '"') isInString = !isInString
    return isInString || token.length < 3 ? token : 'null'
  })
}
