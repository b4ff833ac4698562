// The text of a message: plain text, with results of tools folded away.

const block = /<(tool_call|task|tool_response|task_response)>\n?([^]*?)\n?<\/\1>/g
const titles: Readonly<Record<string, string>> = {
  tool_call: 'tool call',
  task: 'task',
  tool_response: 'result',
  task_response: 'result of the task',
}

export function AnswerText({ text }: { text: string }) {
  const parts: { kind: string; text: string }[] = []
  let from = 0
  for (const found of text.matchAll(block)) {
    parts.push({ kind: '', text: text.slice(from, found.index) })
    parts.push({ kind: found[1] ?? '', text: found[2] ?? '' })
    from = found.index + found[0].length
  }
  parts.push({ kind: '', text: text.slice(from) })
  return (
    <div class="answer">
      {parts
        .filter((part) => part.text.trim() !== '')
        .map((part, index) =>
          part.kind === '' ? (
            <p key={index}>{part.text.trim()}</p>
          ) : (
            <details key={index}>
              <summary>{titles[part.kind]}</summary>
              <pre tabIndex={0}>{part.text}</pre>
            </details>
          ),
        )}
    </div>
  )
}
